"""`Request`: what ``kinetree solve`` was asked to do, checked."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import pinocchio as pin

from ...kinematics import Chain, Frame, InvalidValueError, Skeleton, StructureError, as_vector, pose
from .arguments import Array, find_frame, load_robot, read_configuration, split_words


@dataclass(frozen=True)
class Request:
    """A target for a frame of a robot.

    Attributes:
        robot: The robot.
        frame: What is to be moved.
        frame_source: Why this frame.
        base: The frame that the target is given in; None for the world.
        target: The pose; its rotation means nothing when `oriented` is False.
        oriented: Whether a rotation was asked for.
        seed: Where to start (n,).
        degrees: Show angles in degrees.
    """

    robot: Skeleton
    frame: Frame
    frame_source: str
    base: Frame | None
    target: pin.SE3
    oriented: bool
    seed: Array
    degrees: bool

    @property
    def base_name(self) -> str:
        """Name of the frame that the target is given in."""
        return "world" if self.base is None else self.base.name

    @property
    def chain(self) -> Chain:
        """The joints that may move."""
        return self.frame.chain(self.base)

    def world_target(self) -> pin.SE3:
        """The target in the world, for the seed."""
        if self.base is None:
            return self.target
        return self.robot.state(self.seed).transform(self.base) * self.target

    def reached(self, q: Array) -> pin.SE3:
        """The pose of the frame at q, in the frame that the target is given in."""
        state = self.robot.state(q)
        at = state.transform(self.frame)
        return at if self.base is None else state.transform(self.base).actInv(at)


def read_request(
    robot_name: str,
    position: Sequence[float],
    rpy: Sequence[float] | None,
    quaternion: Sequence[float] | None,
    frame_name: str | None,
    base_name: str | None,
    seed_config: str | None,
    degrees: bool,
) -> Request:
    """Checks what the user wrote; raises a `KinetreeError` that says what is wrong."""
    place = as_vector(position, 3, "--position")
    if rpy is not None and quaternion is not None:
        raise InvalidValueError("give --rpy or --quaternion, not both")
    if rpy is not None:
        rpy = as_vector(rpy, 3, "--rpy").tolist()
    if quaternion is not None:
        quaternion = as_vector(quaternion, 4, "--quaternion").tolist()
    target = pose(place, rpy=rpy, quaternion=quaternion, degrees=degrees)
    robot = load_robot(robot_name)
    frame, source = find_frame(robot, frame_name)
    base = None if base_name in (None, "world") else robot.frame(str(base_name))
    chain = frame.chain(base)
    if not chain.dofs:
        start = "the root" if base is None else repr(base.name)
        raise StructureError(f"no joint moves frame {frame.name!r} relative to {start}")
    seed = read_configuration(robot, split_words(seed_config or ""), degrees, chain.dofs, "--seed-config")
    oriented = rpy is not None or quaternion is not None
    return Request(robot, frame, source, base, target, oriented, seed, degrees)


def checked_tolerance(value: float | None) -> float | None:
    """A tolerance that is positive and finite, or None."""
    if value is not None and not (math.isfinite(value) and value > 0.0):
        raise InvalidValueError(f"--tolerance must be positive and finite, not {value}")
    return value


def checked_attempts(value: int | None) -> int | None:
    """A number of attempts of at least one, or None."""
    if value is not None and value < 1:
        raise InvalidValueError(f"--attempts must be at least 1, not {value}")
    return value
