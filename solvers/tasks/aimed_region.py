"""`AimedRegion`: a task space region and a target, looked up once for the many evaluations of a solve."""

from __future__ import annotations

import math

import numpy as np
import pinocchio as pin

from ...kinematics import Link, State
from ...kinematics.transforms import Array
from .region_bounds import RegionBounds
from .relative_pose import RelativePose

_IDENTITY = np.eye(3)


class AimedRegion:
    """Computes errors and Jacobians; `TaskSpaceRegion` says what they are.

    The usual case, a full pose or a position that stands still, takes a short way.
    """

    def __init__(self, bounds: RegionBounds, relative: RelativePose) -> None:
        self.bounds = bounds
        self.relative = relative
        self._full_rotation = bounds.has_exact_rotation
        self._is_short = (
            relative.stands_still
            and bounds.has_exact_position
            and (bounds.has_exact_rotation or bounds.ignores_rotation)
        )
        self._is_plain = bounds.row_weights is None and bounds.clamp == math.inf
        if self._is_short:
            self._prepare()

    def _prepare(self) -> None:
        tool, goal = self.relative.tool, self.relative.target.pose
        assert tool.link is not None  # it stands still only when the tool is what moves
        self._link: Link = tool.link
        point = np.array(tool.pose.translation)
        self._point: Array | None = point if point.any() else None
        self._goal = np.array(goal.translation)
        # One product gives the tool's position and the rotation from the target's axes to the tool's.
        self._to_goal = tool.pose * pin.SE3(goal.rotation.T, np.zeros(3))
        axes = self.relative.reference.pose.rotation.T
        self._axes: Array | None = None if (axes == _IDENTITY).all() else axes

    @property
    def is_plain(self) -> bool:
        """True for a full pose or a position that stands still, every row with weight 1, errors of any length."""
        return self._is_short and self._is_plain

    @property
    def has_rotation(self) -> bool:
        """True when the rotation is wanted exactly."""
        return self._full_rotation

    def measure(self, state: State) -> tuple[Array, Array, float, float]:
        """Error, Jacobian, distance (m) and angle (rad) that are missing."""
        error, jacobian, away, turned = self._short(state) if self._is_short else self._general(state)
        if self._is_plain:
            return error, jacobian, away, turned
        bounds = self.bounds
        if bounds.row_weights is not None:
            error = error * bounds.row_weights
            jacobian = jacobian * bounds.row_weights[:, None]
        length = math.sqrt(error.dot(error))
        if length > bounds.clamp:
            error = error * (bounds.clamp / length)
        return error, jacobian, away, turned

    def residual(self, state: State) -> tuple[float, float]:
        """Distance (m) and angle (rad) that are missing, without weights and clamp."""
        if self._is_short:
            where = state.transform(self._link) * self._to_goal
            away = where.translation - self._goal
            turn = pin.log3(where.rotation)
            return math.sqrt(away.dot(away)), math.sqrt(turn.dot(turn)) if self._full_rotation else 0.0
        return _lengths(self.bounds.outside(np.concatenate(self.relative.displacement(state))))

    def desired_transform(self, state: State, offset: Array | None) -> pin.SE3:
        """See `TaskSpaceRegion.compute_desired_transform`."""
        displacement = np.concatenate(self.relative.displacement(state))
        wanted = displacement - self.bounds.error(displacement, self.bounds.outside(displacement))
        axes = self.relative.reference.at(state).rotation
        target = self.relative.target.at(state)
        rotation = axes @ pin.exp3(wanted[3:]) @ axes.T @ target.rotation
        position = target.translation + axes @ wanted[:3]
        if offset is not None:
            position = position - rotation @ offset
        return pin.SE3(rotation, position)

    def _short(self, state: State) -> tuple[Array, Array, float, float]:
        where = state.transform(self._link) * self._to_goal
        jacobian = state.jacobian(self._link, self._point)
        away = where.translation - self._goal
        if self._full_rotation:
            error = np.empty(6)
            error[:3] = away
            turn = pin.log3(where.rotation)
            error[3:] = turn
            turned = math.sqrt(turn.dot(turn))
        else:
            error = away
            jacobian = jacobian[:3]
            turned = 0.0
        if self._axes is not None:
            for first in range(0, len(error), 3):
                part = slice(first, first + 3)
                error[part] = self._axes.dot(error[part])
                jacobian[part] = self._axes.dot(jacobian[part])
        return error, jacobian, math.sqrt(away.dot(away)), turned

    def _general(self, state: State) -> tuple[Array, Array, float, float]:
        displacement = np.concatenate(self.relative.displacement(state))
        linear, angular = self.relative.derivative(state, exact_rotation=not self._full_rotation)
        jacobian = np.concatenate([linear, angular])
        outside = self.bounds.outside(displacement)
        error = self.bounds.error(displacement, outside)
        # Inside its bounds a component is zero and stays so; one whose bounds meet is always at work.
        jacobian[(outside == 0.0) & (self.bounds.lower < self.bounds.upper)] = 0.0
        rows = self.bounds.rows
        return (error[rows], jacobian[rows], *_lengths(outside))


def _lengths(outside: Array) -> tuple[float, float]:
    linear, angular = outside[:3], outside[3:]
    return math.sqrt(linear.dot(linear)), math.sqrt(angular.dot(angular))
