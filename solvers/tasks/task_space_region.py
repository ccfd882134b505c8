"""`TaskSpaceRegion`: a pose to reach, or a region around it to be in."""

from __future__ import annotations

import copy
import math
from typing import Any, Self

import numpy as np
import pinocchio as pin
from numpy.typing import ArrayLike

from ...kinematics import Frame, InvalidValueError, State, World, as_vector, pose
from ...kinematics.transforms import Array, read_only
from ..far_targets import check_reach, goal_pose
from .aimed_region import AimedRegion
from .error_method import ErrorMethod
from .region_bounds import RegionBounds, checked_bounds
from .relative_pose import RelativePose


class TaskSpaceRegion(ErrorMethod):
    """The tool of a module is where its target is, to within bounds (a task space region).

    The displacement of the tool from the target has six components: position (m), then the rotation vector
    (rad) from the target's axes to the tool's. They are taken along the axes of a reference frame. A
    component inside its bounds is no error; one with two infinite bounds or with weight 0 is free and has no
    row.

    Rotations are true rotation vectors, so that the error of a full pose is the rotation angle, right up to
    half a turn. For a full pose the rotation rows of the Jacobian are the angular velocity (the step that
    they lead to is the same); with other angular bounds they are the exact derivative of the rotation vector.

    Args:
        bounds: (lower (6,), upper (6,)), linear first; zero when None. May be infinite.
        weights: (6,) factors of the rows; ones when None. They shape steps, not what counts as reached.
        error_length_clamp: The error is shortened to this length, so that far targets are approached in
            bounded steps.
        reference_frame: Whose axes the bounds are along; the target's parent frame when None.
        compute_error_from_center: Outside its bounds a component is measured from their middle, or, with one
            infinite bound, from a point a tolerance inside the other; which leads well inside. False measures
            from the bound that is exceeded.
    """

    _aim: AimedRegion | None = None

    def __init__(
        self,
        bounds: tuple[ArrayLike, ArrayLike] | None = None,
        weights: ArrayLike | None = None,
        error_length_clamp: float = math.inf,
        reference_frame: Frame | None = None,
        compute_error_from_center: bool = True,
    ) -> None:
        self._bounds = RegionBounds(np.zeros(6), np.zeros(6), np.ones(6), math.inf, True)
        self._reference: Frame | None = None
        if bounds is not None:
            self.bounds = bounds
        if weights is not None:
            self.weights = weights
        self.error_length_clamp = error_length_clamp
        self.reference_frame = reference_frame
        self.compute_error_from_center = compute_error_from_center

    @classmethod
    def position_only(cls, **options: Any) -> Self:
        """A region that leaves the rotation free."""
        free = [0.0, 0.0, 0.0, math.inf, math.inf, math.inf]
        return cls(([-each for each in free], free), **options)

    @classmethod
    def dart_defaults(cls) -> Self:
        """DART's settings: bounds of 1e-6, angular weights 0.4, errors clamped to length 1."""
        size = np.full(6, 1e-6)
        return cls((-size, size), weights=[1.0, 1.0, 1.0, 0.4, 0.4, 0.4], error_length_clamp=1.0)

    # Options.

    @property
    def bounds(self) -> tuple[Array, Array]:
        """(lower (6,), upper (6,)), copies; assign a pair to change them."""
        return read_only(self._bounds.lower.copy()), read_only(self._bounds.upper.copy())

    @bounds.setter
    def bounds(self, bounds: tuple[ArrayLike, ArrayLike]) -> None:
        self._set_bounds(checked_bounds(bounds, 6, "bounds"), slice(0, 6))

    @property
    def linear_bounds(self) -> tuple[Array, Array]:
        """(lower (3,), upper (3,)) of the position (m)."""
        return self.bounds[0][:3], self.bounds[1][:3]

    @linear_bounds.setter
    def linear_bounds(self, bounds: tuple[ArrayLike, ArrayLike]) -> None:
        self._set_bounds(checked_bounds(bounds, 3, "linear bounds"), slice(0, 3))

    @property
    def angular_bounds(self) -> tuple[Array, Array]:
        """(lower (3,), upper (3,)) of the rotation vector (rad)."""
        return self.bounds[0][3:], self.bounds[1][3:]

    @angular_bounds.setter
    def angular_bounds(self, bounds: tuple[ArrayLike, ArrayLike]) -> None:
        self._set_bounds(checked_bounds(bounds, 3, "angular bounds"), slice(3, 6))

    def _set_bounds(self, pair: tuple[Array, Array], where: slice) -> None:
        lower, upper = self._bounds.lower.copy(), self._bounds.upper.copy()
        lower[where], upper[where] = pair
        self._change(lower=lower, upper=upper)

    @property
    def weights(self) -> Array:
        """Factors of the rows (6,), a copy; assign to change them."""
        return read_only(self._bounds.weights.copy())

    @weights.setter
    def weights(self, weights: ArrayLike) -> None:
        values = as_vector(weights, 6, "weights")
        if (values < 0.0).any():
            raise InvalidValueError(f"weights must be zero or more, not {values}")
        self._change(weights=values)

    @property
    def error_length_clamp(self) -> float:
        """Largest length of the weighted error; inf for none."""
        return self._bounds.clamp

    @error_length_clamp.setter
    def error_length_clamp(self, length: float) -> None:
        if not length > 0.0:
            raise InvalidValueError(f"error_length_clamp must be positive, not {length}")
        self._change(clamp=float(length))

    @property
    def compute_error_from_center(self) -> bool:
        """Whether a component outside its bounds is measured from their middle."""
        return self._bounds.from_center

    @compute_error_from_center.setter
    def compute_error_from_center(self, value: bool) -> None:
        self._change(from_center=bool(value))

    @property
    def reference_frame(self) -> Frame | None:
        """Whose axes the bounds are along; None for the target's parent."""
        return self._reference

    @reference_frame.setter
    def reference_frame(self, frame: Frame | None) -> None:
        if frame is not None and not isinstance(frame, Frame):
            raise InvalidValueError(f"reference_frame must be a frame or None, not {frame!r}")
        self._reference = frame
        self._revision += 1

    def _change(self, **values: Any) -> None:
        self._bounds = self._bounds.replaced(**values)
        self._revision += 1

    @property
    def rows(self) -> int:
        """Number of components that are not free."""
        return len(self._bounds.rows)

    @property
    def ignores_rotation(self) -> bool:
        """True when all three components of the rotation are free."""
        return self._bounds.ignores_rotation

    # Computing.

    def aimed_at(self, target: Any = None) -> Self:
        """A copy for one call: the target, the offset and the reference frame are looked up once.

        Args:
            target: A frame, a pose in the world, a position (3,) when the rotation is free, or None for the
                module's own target.
        """
        module = self.module
        goal = module.target if target is None else self._as_target(target)
        if isinstance(goal, Frame):
            check_reach(goal.transform().translation, f"target {goal.name!r}")
        reference = self._reference
        if reference is None:
            reference = (goal.parent if isinstance(goal, Frame) else None) or World()
        relative = RelativePose(module.skeleton, module.frame, module.offset, goal, reference)
        twin = copy.copy(self)
        twin._aim = AimedRegion(self._bounds, relative)
        if type(self).measure is TaskSpaceRegion.measure:
            twin.measure = twin._aim.measure  # type: ignore[method-assign]  # spares two calls an iteration
        return twin

    def _as_target(self, target: Any) -> Frame | pin.SE3:
        if isinstance(target, Frame):
            return target
        if self.ignores_rotation and not isinstance(target, pin.SE3) and np.shape(target) == (3,):
            return goal_pose(pose(target), "target")
        return goal_pose(target, "target")

    def fixed_position(self) -> Array | None:
        """Where the tool has to be (3,) in the world, when that is one point that stands still; else None."""
        aim = self.aimed
        if not aim.relative.stands_still or not aim.bounds.has_exact_position:
            return None
        return np.array(aim.relative.target.pose.translation)

    @property
    def aimed(self) -> AimedRegion:
        """The region with the target of this call, or with the module's target as it is now."""
        aim = self._aim
        if aim is None:
            aim = self.aimed_at()._aim
            assert aim is not None
        return aim

    def evaluate(self, state: State) -> tuple[Array, Array]:
        """Weighted and clamped error (rows,) in the reference's axes, and its Jacobian (rows, n)."""
        error, jacobian, _, _ = self.aimed.measure(state)
        return error, jacobian

    def residual(self, state: State) -> tuple[float, float]:
        """Distance (m) and angle (rad) to the bounds, without weights and clamp."""
        return self.aimed.residual(state)

    def measure(self, state: State) -> tuple[Array, Array, float, float]:
        """`evaluate` and `residual` in one."""
        return self.aimed.measure(state)

    def compute_desired_transform(self, state: State | None = None) -> pin.SE3:
        """The world pose of the frame that has no error and leaves the free directions as they are.

        It is the present pose with the error taken back. With an offset it is the tool point that goes to the
        target, while the pose is the frame's own.

        Args:
            state: Where the skeleton is; the present positions when None.
        """
        state = self.module.skeleton.state() if state is None else state
        return self.aimed.desired_transform(state, self.module.offset)
