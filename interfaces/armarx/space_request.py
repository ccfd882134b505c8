"""`SpaceRequest`: what a reachability space should be like."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from ...kinematics import (
    InvalidValueError,
    MapTooLargeError,
    ReachabilityMap,
    StructureError,
    SymmetryError,
)
from .checks import as_count, as_positive, as_switch, as_text
from .outcome import FailureReason
from .refusal import Refusal
from .robot_copy import RobotCopy
from .units import Units

#: Edge of a cell when nothing else is asked for (m).
_STEP_TRANSLATION = 0.05


class SpaceRequest(NamedTuple):
    """Checked options of `RobotIKInterface.create_reachability_space`, in metres and radians.

    Attributes:
        coordinate_system: Name of the frame.
        step_translation: m.
        step_rotation: rad.
        bounds: Lower and upper corner, each six numbers; None to find them by sampling.
        samples: How many.
        symmetric: Make a reduced map; where the arm allows when None.
        seed: Of the samples.
    """

    coordinate_system: str
    step_translation: float
    step_rotation: float
    bounds: tuple[list[float], list[float]] | None
    samples: int
    symmetric: bool | None
    seed: int

    @classmethod
    def checked(
        cls,
        units: Units,
        coordinate_system: str,
        step_translation: float | None,
        step_rotation: float,
        corners: tuple[Any, Any],
        samples: int,
        symmetric: bool | None,
        seed: int,
    ) -> SpaceRequest:
        """A request from arguments in the units of the service.

        Raises:
            InvalidValueError: Something that makes no sense for any robot.
        """
        translation = _STEP_TRANSLATION
        if step_translation is not None:
            translation = units.in_metres(as_positive("step_translation", step_translation))
        bounds = None
        has_corners = any(each is not None for each in corners)
        if symmetric is not None and as_switch("symmetric", symmetric) and has_corners:
            raise InvalidValueError("a symmetric space has other bounds than a box of poses; leave the corners out")
        if has_corners:
            lower, upper = (
                units.bounds_in_metres(each, name)
                for each, name in zip(corners, ("min_bounds", "max_bounds"), strict=True)
            )
            if not all(low < high for low, high in zip(lower, upper, strict=True)):
                raise InvalidValueError(f"min_bounds must be below max_bounds in all six: {corners[0]}, {corners[1]}")
            bounds = (lower, upper)
        rotation = as_positive("step_rotation", step_rotation)
        system = as_text("coordinate_system", coordinate_system)
        return cls(
            system,
            translation,
            rotation,
            bounds,
            as_count("samples", samples),
            False if has_corners else symmetric,
            seed,
        )

    def sampled(
        self, robot: RobotCopy, node_set: str, max_memory: int | None, progress: Callable[[int, int], Any] | None
    ) -> ReachabilityMap:
        """The map; refused when the robot or the memory does not allow it."""
        frame = robot.frame(self.coordinate_system)
        chosen = robot.moving_set(node_set)

        def made(symmetric: bool) -> ReachabilityMap:
            return ReachabilityMap.create(
                chosen,
                step_translation=self.step_translation,
                step_rotation=self.step_rotation,
                bounds=self.bounds,
                frame=frame,
                samples=self.samples,
                seed=self.seed,
                symmetric=symmetric,
                progress=False if progress is None else progress,
                max_memory=max_memory,
            )

        try:
            if self.symmetric is not None:
                return made(self.symmetric)
            try:
                return made(True)
            except SymmetryError:
                return made(False)
        except MapTooLargeError as error:
            raise Refusal(FailureReason.TOO_LARGE, robot.units.told(str(error))) from error
        except OverflowError as error:  # steps so small, or corners so far away, that nobody can count the cells
            raise Refusal(
                FailureReason.TOO_LARGE, "the space would have more cells than can be counted; take larger steps"
            ) from error
        except (StructureError, SymmetryError) as error:
            # The set moves the frame, or does not move its tcp; or the arm has not the symmetry of a reduced map.
            raise Refusal(FailureReason.INVALID_INPUT, str(error)) from error
