"""The same robot as a ``pinocchio.Model``, with the maps between its coordinates and ours."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import pinocchio as pin
from numpy.typing import ArrayLike, NDArray

from .frame import Frame
from .joints import Joint
from .link import Link
from .transforms import Array, as_vector

if TYPE_CHECKING:
    from .skeleton import Skeleton

#: Pinocchio takes no infinite coordinate limits in some of its algorithms; this is its own "unlimited".
_UNLIMITED = np.finfo(float).max


class PinocchioModel:
    """Built from a skeleton at one version of it; made anew when the skeleton changes.

    Attributes:
        model: The ``pinocchio.Model``. Dependent joints are coordinates of their own in it.
        version: The skeleton's version that it was built from.
        fixed_mass: Mass of the links that nothing moves; Pinocchio leaves them out of the centre of mass.
        moving_mass: Mass of the others.
        fixed_moment: The fixed mass times its centre (3,) in the world.
        neutral: Zero configuration of ``model`` (model.nq,).
        is_plain: True when our configuration is Pinocchio's, number by number.
        frame_ids: Link to frame index in ``model``.
    """

    def __init__(self, skeleton: Skeleton) -> None:
        self.version = skeleton.version
        self.order = skeleton._refresh_order()
        self.model = pin.Model()
        self.model.name = skeleton.name
        self.frame_ids: dict[Frame, int] = {}
        self.fixed_mass = self.moving_mass = 0.0
        self.fixed_moment: Array = np.zeros(3)
        self._joint_ids: dict[Joint, int] = {}
        self._bodies: dict[Link, tuple[int, pin.SE3, int]] = {}
        for link in self.order.links:
            self._add(link)
        self._map_coordinates()

    def _add(self, link: Link) -> None:
        """Adds the link's joint and frame; Pinocchio's joint frames are ours turned by the joint's alignment."""
        joint = link._joint
        parent = link._parent_link
        joint_id, parent_placement, parent_frame = (
            (0, pin.SE3.Identity(), 0) if parent is None else self._bodies[parent]
        )
        placement = parent_placement * joint._placement
        model_joint = joint._pinocchio_joint()
        if model_joint is None:
            placement = placement * joint._child_placement.inverse()
            frame = pin.Frame(link.name, joint_id, parent_frame, placement, pin.FrameType.BODY)
        else:
            turn = joint._alignment() or pin.SE3.Identity()
            joint_id = self.model.addJoint(joint_id, model_joint, placement * turn, joint.name)
            self._joint_ids[joint] = joint_id
            placement = turn.inverse() * joint._child_placement.inverse()
            frame = pin.Frame(link.name, joint_id, parent_frame, placement, pin.FrameType.BODY)
            self._set_limits(joint, joint_id)
        if link.mass > 0.0:
            self.model.appendBodyToJoint(joint_id, link._inertia, placement)
            if joint_id == 0:
                self.fixed_mass += link.mass
                self.fixed_moment += link.mass * placement.act(link._inertia.lever)
            else:
                self.moving_mass += link.mass
        frame_id = self.model.addFrame(frame, False)
        self._bodies[link] = (joint_id, placement, frame_id)
        self.frame_ids[link] = frame_id

    def _set_limits(self, joint: Joint, joint_id: int) -> None:
        model = self.model
        velocity = slice(model.idx_vs[joint_id], model.idx_vs[joint_id] + model.nvs[joint_id])
        speeds = model.velocityLimit.copy()
        efforts = model.effortLimit.copy()
        speeds[velocity] = [dof.velocity_limit for dof in joint.dofs]
        efforts[velocity] = [dof.effort_limit for dof in joint.dofs]
        model.velocityLimit, model.effortLimit = speeds, efforts
        lower, upper = model.lowerPositionLimit.copy(), model.upperPositionLimit.copy()
        start = model.idx_qs[joint_id]
        if model.nqs[joint_id] == len(joint.dofs):
            where = slice(start, start + len(joint.dofs))
            lower[where] = [max(dof.lower, -_UNLIMITED) for dof in joint.dofs]
            upper[where] = [min(dof.upper, _UNLIMITED) for dof in joint.dofs]
        else:
            # Of joints with quaternions or a cosine and sine, only the translations have limits there.
            for offset, dof in enumerate(joint.dofs):
                if not dof.is_angular:
                    lower[start + offset] = max(dof.lower, -_UNLIMITED)
                    upper[start + offset] = min(dof.upper, _UNLIMITED)
        model.lowerPositionLimit, model.upperPositionLimit = lower, upper

    def _map_coordinates(self) -> None:
        """Finds where each of our coordinates and velocities is in Pinocchio's vectors."""
        model = self.model
        self._curved: list[tuple[Joint, slice, slice]] = []
        ours_q: list[int] = []
        theirs_q: list[int] = []
        columns: list[int] = []
        for joint, where in self.order.slices:
            joint_id = self._joint_ids[joint]
            columns.extend(range(model.idx_vs[joint_id], model.idx_vs[joint_id] + model.nvs[joint_id]))
            target = range(model.idx_qs[joint_id], model.idx_qs[joint_id] + model.nqs[joint_id])
            if model.nqs[joint_id] == model.nvs[joint_id]:
                ours_q.extend(range(where.start, where.stop))
                theirs_q.extend(target)
            else:
                self._curved.append((joint, where, slice(target.start, target.stop)))
        self._ours_q, self._theirs_q = ours_q, theirs_q
        self._ours = _as_index(ours_q)
        self._theirs = _as_index(theirs_q)
        self.velocity_columns = np.array(columns, dtype=int)
        self._dependents: list[tuple[Joint, int]] = [
            (joint, model.idx_qs[self._joint_ids[joint]])
            for joint in _masters_first(self.order.joints)
            if joint.dependence is not None
        ]
        self.is_plain = not self._curved and not self._dependents and theirs_q == list(range(model.nq))
        self.neutral = pin.neutral(model) if model.njoints > 1 else np.zeros(0)

    def to_pinocchio(self, q: Array) -> Array:
        """See `Skeleton.to_pinocchio`; ``q`` is not checked."""
        if self.is_plain:
            return q
        result: Array = self.neutral.copy()
        result[self._theirs] = q[self._ours]
        for joint, ours, theirs in self._curved:
            result[theirs] = joint._to_pinocchio(q[ours])
        for joint, index in self._dependents:
            dependence = joint._dependence
            assert dependence is not None
            result[index] = dependence.position(float(result[self.coordinate(dependence.master)]))
        return result

    def direct_coordinates(self, dofs: NDArray[np.intp]) -> slice | NDArray[np.intp] | None:
        """Where some of our coordinates are in Pinocchio's, when nothing else there changes with them; else None."""
        chosen = set(dofs.tolist())
        if any(not chosen.isdisjoint(range(ours.start, ours.stop)) for _, ours, _ in self._curved):
            return None
        for joint, _ in self._dependents:
            master = joint
            while master._dependence is not None:
                master = master._dependence.master
            if master.dofs[0]._slot in chosen:
                return None
        places = dict(zip(self._ours_q, self._theirs_q, strict=True))
        return _as_index([places[int(dof)] for dof in dofs])

    def from_pinocchio(self, q: ArrayLike) -> Array:
        """See `Skeleton.from_pinocchio`."""
        theirs_q = as_vector(q, self.model.nq, "the Pinocchio configuration")
        result = np.zeros(len(self.order.dofs))
        result[self._ours] = theirs_q[self._theirs]
        for joint, ours, theirs in self._curved:
            result[ours] = joint._from_pinocchio(theirs_q[theirs])
        return result

    def coordinate(self, joint: Joint) -> int:
        """Index of a one-number joint in Pinocchio's configuration."""
        return int(self.model.idx_qs[self._joint_ids[joint]])

    def folds(self, q: Array) -> list[tuple[int, int, float]]:
        """How the velocities of dependent joints follow: (their column, our column, slope) at q (model.nq,)."""
        result = []
        for joint, _ in self._dependents:
            slope = 1.0
            master = joint
            while master._dependence is not None:
                rule = master._dependence
                slope *= rule.slope(float(q[self.coordinate(rule.master)]))
                master = rule.master
            slot = master.dofs[0]._slot
            assert slot is not None
            result.append((int(self.model.idx_vs[self._joint_ids[joint]]), slot, slope))
        return result

    @property
    def folds_are_constant(self) -> bool:
        """True when no dependence is a callable, so that `folds` never changes."""
        return all(joint._dependence is not None and joint._dependence.is_linear for joint, _ in self._dependents)


def _masters_first(joints: Sequence[Joint]) -> list[Joint]:
    def depth(joint: Joint) -> int:
        return 0 if joint.dependence is None else 1 + depth(joint.dependence.master)

    return sorted(joints, key=depth)


def _as_index(indices: list[int]) -> slice | NDArray[np.intp]:
    """A slice when the indices are consecutive, which numpy copies faster."""
    if indices and indices == list(range(indices[0], indices[0] + len(indices))):
        return slice(indices[0], indices[0] + len(indices))
    return np.array(indices, dtype=np.intp)
