"""`ChainGeometry`: the axes of a serial chain and the offsets between them, from which closed forms are chosen."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pinocchio as pin
from numpy.typing import ArrayLike

from ...kinematics import Frame, InvalidValueError, Skeleton, StructureError
from ...kinematics.core.plan import KIND, MULTIPLIER, OFFSET, PARENT, POSITION, ROTATE, SLIDE, SOURCE, Plan
from ...kinematics.transforms import Array


@dataclass(frozen=True, eq=False)
class ChainGeometry:
    """A serial chain of turning and sliding joints as a product of exponentials.

    All vectors are in the axes of the base, with every joint at zero. The tip is at

        R = R1 R2 ... Rn R_tip,   p = p0 + R1 p1 + R1 R2 p2 + ... + R1 ... Rn pn,

    where Ri = rot(axes[i], q[i]) for a turning joint, and for a sliding one Ri = 1 and p(i) is p(i) + q[i] axes[i]
    (Elias and Wen, arXiv 2211.05737, write h and p for axes and offsets). Arrays cannot be written to.

    Attributes:
        axes: (n, 3) unit vectors.
        offsets: (n + 1, 3) from the base to joint 0, from joint to joint, from the last one to the tip (m).
        tip_rotation: (3, 3) rotation of the tip with all joints at zero.
        slides: (n,) booleans: whether a joint slides.
        lower: (n,) limits, -inf where there are none (rad or m).
        upper: (n,)
        names: Of the joints' degrees of freedom.
    """

    axes: Array
    offsets: Array
    tip_rotation: Array
    slides: Array
    lower: Array
    upper: Array
    names: tuple[str, ...]

    @staticmethod
    def of(
        skeleton: Skeleton, tip: Frame, dofs: Sequence[int], base: Frame, q: ArrayLike | None = None
    ) -> ChainGeometry:
        """The chain from a base frame to a tip.

        Args:
            skeleton: The robot.
            tip: The frame at the end.
            dofs: Skeleton indices of what may move, in the order of the joints' places in the chain.
            base: What poses of the tip are relative to; not moved by ``dofs``.
            q: Configuration (n,) of what does not move; the present positions when None.

        Raises:
            StructureError: A joint that no closed form handles; the message says which.
        """
        configuration = skeleton.as_configuration(q)
        plan = Plan.build(skeleton, [tip], dofs, configuration)
        _check_serial(skeleton, plan)
        inverse = skeleton.state(configuration).transform(base).inverse()
        axes, origins = [], []
        pose = inverse
        for constants, step in zip(plan.constants, plan.steps, strict=True):
            pose = pose * pin.SE3(constants[:9].reshape(3, 3), constants[POSITION : POSITION + 3])
            value = float(constants[OFFSET])
            if step[KIND] == ROTATE:
                pose = pose * pin.SE3(pin.exp3(np.array([0.0, 0.0, value])), np.zeros(3))
            else:
                pose = pose * pin.SE3(np.eye(3), np.array([0.0, 0.0, value]))
            axes.append(pose.rotation[:, 2] * math.copysign(1.0, constants[MULTIPLIER]))
            origins.append(pose.translation.copy())
        end = pose * pin.SE3(plan.tip_poses[0, :9].reshape(3, 3), plan.tip_poses[0, POSITION:])
        indices = [int(each) for each in plan.dofs]
        limits = np.array([skeleton.dofs[index].limits for index in indices]).reshape(-1, 2)
        return ChainGeometry.made(
            np.array(axes).reshape(-1, 3),
            np.diff(np.vstack([np.zeros(3), *origins, end.translation]), axis=0),
            end.rotation,
            plan.steps[:, KIND] == SLIDE,
            limits[:, 0],
            limits[:, 1],
            tuple(skeleton.dofs[index].name for index in indices),
        )

    @staticmethod
    def made(
        axes: ArrayLike,
        offsets: ArrayLike,
        tip_rotation: ArrayLike | None = None,
        slides: ArrayLike | None = None,
        lower: ArrayLike | None = None,
        upper: ArrayLike | None = None,
        names: Sequence[str] | None = None,
    ) -> ChainGeometry:
        """A geometry from its numbers; axes are normalised, limits are infinite when left out.

        Raises:
            InvalidValueError: Shapes that do not fit, values that are not finite, an axis of no length.
        """
        h = np.array(axes, dtype=float).reshape(-1, 3)
        n = len(h)
        p = np.array(offsets, dtype=float)
        length = np.linalg.norm(h, axis=1)
        if p.shape != (n + 1, 3) or not (np.isfinite(h).all() and np.isfinite(p).all()) or not (length > 0.0).all():
            raise InvalidValueError(f"a chain of {n} axes needs {n + 1} finite offsets and axes of some length")
        arrays = (
            h / length[:, None],
            p,
            np.eye(3) if tip_rotation is None else np.array(tip_rotation, dtype=float),
            np.zeros(n, dtype=bool) if slides is None else np.array(slides, dtype=bool),
            np.full(n, -math.inf) if lower is None else np.array(lower, dtype=float),
            np.full(n, math.inf) if upper is None else np.array(upper, dtype=float),
        )
        for array in arrays:
            array.flags.writeable = False
        return ChainGeometry(*arrays, names=tuple(names) if names else tuple(f"q{k + 1}" for k in range(n)))

    def __len__(self) -> int:
        return len(self.axes)

    @cached_property
    def size(self) -> float:
        """A length (m) to measure tolerances by: that of the stretched chain, at least a micrometre."""
        return max(1e-6, float(np.linalg.norm(self.offsets, axis=1).sum()))

    @property
    def origins(self) -> Array:
        """(n, 3) a point of each axis, with all joints at zero."""
        origins: Array = np.cumsum(self.offsets, axis=0)[:-1]
        return origins

    # Where the tip is.

    def forward(self, q: ArrayLike) -> tuple[Array, Array]:
        """Rotation (3, 3) and position (3,) of the tip in the base at q (n,)."""
        values = np.asarray(q, dtype=float)
        rotation, position = np.eye(3), np.array(self.offsets[0])
        for k in range(len(self)):
            offset = self.offsets[k + 1]
            if self.slides[k]:
                offset = offset + values[k] * self.axes[k]
            else:
                rotation = rotation @ turn(self.axes[k], values[k])
            position = position + rotation @ offset
        return rotation @ self.tip_rotation, position

    def jacobian(self, q: ArrayLike) -> Array:
        """(6, n) linear then angular velocity of the tip in the axes of the base, per joint velocity."""
        values = np.asarray(q, dtype=float)
        tip = self.forward(values)[1]
        result = np.zeros((6, len(self)))
        rotation, position = np.eye(3), np.array(self.offsets[0])
        for k in range(len(self)):
            axis = rotation @ self.axes[k]
            offset = self.offsets[k + 1]
            if self.slides[k]:
                result[:3, k] = axis
                offset = offset + values[k] * self.axes[k]
            else:
                result[:3, k] = np.cross(axis, tip - position)
                result[3:, k] = axis
                rotation = rotation @ turn(self.axes[k], values[k])
            position = position + rotation @ offset
        return result

    # Relatives of this chain.

    def reversed(self) -> ChainGeometry:
        """The same chain seen from its tip: base and tip change places, and so does the order of the joints.

        Its tip is at the inverse pose, for the joint values in reverse order. Axes and offsets are in the axes of the
        old tip.
        """
        back = self.tip_rotation.T
        # A sliding joint stands before its offset, and seen from the other side behind it; both commute.
        return ChainGeometry.made(
            -(back @ self.axes[::-1].T).T,
            -(back @ self.offsets[::-1].T).T,
            back,
            self.slides[::-1],
            self.lower[::-1],
            self.upper[::-1],
            self.names[::-1],
        )

    def locked(self, joint: int, value: float) -> ChainGeometry:
        """The chain of the other joints, with one held at a value."""
        axes, offsets, tip = np.array(self.axes), np.array(self.offsets), np.array(self.tip_rotation)
        if self.slides[joint]:
            offsets[joint + 1] += value * axes[joint]
        else:
            turned = turn(axes[joint], value)
            axes[joint + 1 :] = axes[joint + 1 :] @ turned.T
            offsets[joint + 1 :] = offsets[joint + 1 :] @ turned.T
            tip = turned @ tip
        offsets[joint] += offsets[joint + 1]
        keep = [k for k in range(len(self)) if k != joint]
        return ChainGeometry.made(
            axes[keep],
            np.delete(offsets, joint + 1, axis=0),
            tip,
            self.slides[keep],
            self.lower[keep],
            self.upper[keep],
            [self.names[k] for k in keep],
        )

    # How axes lie to one another, all joints at zero; for neighbours, and runs of parallel axes, it is so everywhere.

    def are_parallel(self, i: int, j: int, tolerance: float = 1e-9) -> bool:
        """True when two axes point the same or opposite ways."""
        return float(np.linalg.norm(np.cross(self.axes[i], self.axes[j]))) <= tolerance

    def distance(self, i: int, j: int) -> float:
        """Shortest distance (m) between two axes, as lines."""
        between = self.origins[j] - self.origins[i]
        normal = np.cross(self.axes[i], self.axes[j])
        length = float(np.linalg.norm(normal))
        if length < 1e-9:
            return float(np.linalg.norm(between - between.dot(self.axes[i]) * self.axes[i]))
        return abs(float(between.dot(normal))) / length

    def intersect(self, i: int, j: int, tolerance: float = 1e-9) -> bool:
        """True when two axes meet in one point; ``tolerance`` is a part of `size`."""
        return not self.are_parallel(i, j) and self.distance(i, j) <= tolerance * self.size

    def meeting_point(self, joints: Sequence[int]) -> Array:
        """The point (3,), in the base, that is nearest to some axes in the sense of least squares."""
        matrix, vector = np.zeros((3, 3)), np.zeros(3)
        for k in joints:
            across = np.eye(3) - np.outer(self.axes[k], self.axes[k])
            matrix += across
            vector += across @ self.origins[k]
        point: Array = np.asarray(np.linalg.lstsq(matrix, vector, rcond=None)[0], dtype=float)
        return point

    def meet(self, joints: Sequence[int], tolerance: float = 1e-9) -> bool:
        """True when some turning axes meet in one point; ``tolerance`` is a part of `size`."""
        if any(self.slides[k] for k in joints):
            return False
        point = self.meeting_point(joints)
        away = [np.linalg.norm(np.cross(self.axes[k], point - self.origins[k])) for k in joints]
        return bool(max(away) <= tolerance * self.size)

    def with_tip_moved(self, point: ArrayLike) -> ChainGeometry:
        """The same chain with its tip at a point (3,) in the axes of the present tip."""
        offsets = np.array(self.offsets)
        offsets[-1] += self.tip_rotation @ np.asarray(point, dtype=float)
        return ChainGeometry.made(
            self.axes, offsets, self.tip_rotation, self.slides, self.lower, self.upper, self.names
        )

    def with_origin_at(self, joint: int, point: ArrayLike) -> ChainGeometry:
        """The same chain, the offsets of one joint changed so that its origin is at a point of its axis (3,)."""
        move = np.asarray(point, dtype=float) - self.origins[joint]
        along = float(move.dot(self.axes[joint])) * self.axes[joint]
        offsets = np.array(self.offsets)
        offsets[joint] += along
        offsets[joint + 1] -= along
        return ChainGeometry.made(
            self.axes, offsets, self.tip_rotation, self.slides, self.lower, self.upper, self.names
        )


def turn(axis: Array, angle: float) -> Array:
    """Rotation (3, 3) about a unit axis (3,): Rodrigues' formula."""
    x, y, z = axis
    c, s = math.cos(angle), math.sin(angle)
    t = 1.0 - c
    return np.array(
        [
            [t * x * x + c, t * x * y - s * z, t * x * z + s * y],
            [t * x * y + s * z, t * y * y + c, t * y * z - s * x],
            [t * x * z - s * y, t * y * z + s * x, t * z * z + c],
        ]
    )


def _check_serial(skeleton: Skeleton, plan: Plan) -> None:
    for k, step in enumerate(plan.steps):
        name = skeleton.dofs[int(plan.dofs[step[SOURCE]])].name
        if step[KIND] not in (ROTATE, SLIDE):
            raise StructureError(f"{name!r} neither turns about one axis nor slides along one: no closed form")
        if step[PARENT] != k:
            raise StructureError(f"the joints of skeleton {skeleton.name!r} are no serial chain")
        if abs(plan.constants[k, MULTIPLIER]) != 1.0:
            raise StructureError(f"a joint follows {name!r} at another speed: no closed form")
    sources = plan.steps[:, SOURCE].tolist()
    if sources != list(range(len(plan.dofs))):
        moved = [skeleton.dofs[int(each)].name for each in plan.dofs]
        raise StructureError(f"{moved} do not move one joint each, in the order of the chain: no closed form")
