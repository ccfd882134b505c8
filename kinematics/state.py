"""`State`: a snapshot of a skeleton at a configuration, for computing without moving the skeleton."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import pinocchio as pin
from numpy.typing import ArrayLike, NDArray

from .errors import InvalidValueError, StructureError
from .frame import Frame
from .link import Link
from .order import moved
from .simple_frame import SimpleFrame
from .transforms import Array

if TYPE_CHECKING:
    from .skeleton import Skeleton

_AXES = pin.ReferenceFrame.LOCAL_WORLD_ALIGNED


class State:
    """Poses, Jacobians and the centre of mass at one configuration.

    A state has memory of its own: it never changes the skeleton, and two states can be used from two
    threads. It belongs to the structure that the skeleton had when it was made.

    Args:
        skeleton: The robot.
        q: Configuration (n,) or mapping; the present positions when None.
        dofs: Indices of the degrees of freedom that are columns of the Jacobians; all when None.
    """

    def __init__(
        self,
        skeleton: Skeleton,
        q: ArrayLike | Mapping[str, Any] | None = None,
        dofs: Iterable[int] | None = None,
    ) -> None:
        self.skeleton = skeleton
        self._source = skeleton._pinocchio_model()
        self.model = self._source.model
        self.data = self.model.createData()
        count = len(self._source.order.dofs)
        self.dofs: NDArray[np.intp] = np.arange(count, dtype=np.intp) if dofs is None else _checked(dofs, count)
        columns = self._source.velocity_columns[self.dofs]
        self._columns = as_slice(columns)
        self._own = as_slice(self.dofs)
        self._curved = any(
            not set(range(where.start, where.stop)).isdisjoint(self.dofs.tolist())
            for _, where in self._source.order.curved
        )
        self._slots = {int(dof): column for column, dof in enumerate(self.dofs)}
        self._direct = self._source.direct_coordinates(self.dofs)
        self._constant_folds = self._folds_at(self._source.neutral) if self._source.folds_are_constant else None
        self._q = skeleton.as_configuration(q)
        self._update()

    @property
    def q(self) -> Array:
        """The configuration (n,) of the whole skeleton. Do not write to it; use `set`."""
        return self._q

    @property
    def x(self) -> Array:
        """(k,) the values of `dofs`; a view where these are consecutive. Do not write to it; use `set_dofs`."""
        values: Array = self._q[self._own]
        return values

    def set(self, q: Array) -> None:
        """Goes to a configuration (n,) of the whole skeleton; not checked, for use in loops."""
        self._q = np.array(q, dtype=float)
        self._update()

    def set_dofs(self, x: Array) -> None:
        """Goes to other values of `dofs`, leaving the rest; not checked, for use in loops.

        Args:
            x: The values (k,).
        """
        self._q[self._own] = x
        if self._direct is None:
            self._update()
        else:
            # Nothing else changes in Pinocchio's configuration.
            self._theirs[self._direct] = x
            pin.computeJointJacobians(self.model, self.data, self._theirs)

    def moved(self, velocity: Array) -> Array:
        """The configuration (n,) after moving `dofs` with a velocity (len(dofs),) for one unit of time."""
        if self._curved:
            step = np.zeros(len(self._q))
            step[self._own] = velocity
            return moved(self._source.order, self._q, step)
        q = self._q.copy()
        q[self._own] += velocity
        return q

    def transform(self, frame: Frame) -> pin.SE3:
        """World pose of any frame at this configuration; frames of other skeletons are where they are."""
        frame_id = self._source.frame_ids.get(frame)
        if frame_id is not None:  # a link: what loops ask for
            return pin.updateFramePlacement(self.model, self.data, frame_id)
        link, offset = self._carrier(frame)
        if link is None:
            return frame._world_transform()
        pose = pin.updateFramePlacement(self.model, self.data, self._source.frame_ids[link])
        return pose if offset is None else pose * offset

    def jacobian(self, frame: Frame, offset: Array | None = None) -> Array:
        """Jacobian (6, len(dofs)) of a frame: linear rows first, world axes.

        Args:
            frame: Any frame. One that does not hang on this skeleton has a zero Jacobian.
            offset: Point (3,) in the frame whose velocity the linear rows give; the origin when None.
        """
        frame_id, relative = self._source.frame_ids.get(frame), None
        if frame_id is None:
            link, relative = self._carrier(frame)
            frame_id = None if link is None else self._source.frame_ids[link]
        if frame_id is None or self.model.nv == 0:  # Pinocchio crashes on a model without joints
            return np.zeros((6, len(self.dofs)))
        full = pin.getFrameJacobian(self.model, self.data, frame_id, _AXES)
        result = self._select(full)
        arm = relative.translation if relative is not None else None
        if offset is not None:
            arm = offset if relative is None else relative.act(offset)
        if arm is not None:
            pose = pin.updateFramePlacement(self.model, self.data, frame_id)
            # The velocity of a point p is v + w x p.
            result[:3] -= pin.skew(pose.rotation @ arm) @ result[3:]
        return result

    def com(self) -> Array:
        """Centre of mass (3,) in the world; `StructureError` for a skeleton without mass."""
        moving, source = self._moving_mass(), self._source
        moment = source.fixed_moment.copy()
        if moving > 0.0:
            moment += moving * pin.centerOfMass(self.model, self.data, self._theirs, False)
        centre: Array = moment / (moving + source.fixed_mass)
        return centre

    def com_jacobian(self) -> Array:
        """Jacobian of the centre of mass in world axes.

        Returns:
            An array (3, k) for the k of `dofs`.
        """
        moving = self._moving_mass()
        if moving == 0.0:
            return np.zeros((3, len(self.dofs)))
        share = moving / (moving + self._source.fixed_mass)
        return share * self._select(pin.jacobianCenterOfMass(self.model, self.data, self._theirs, False))

    def _moving_mass(self) -> float:
        """Mass (kg) of the links that something moves; `StructureError` when there is no mass at all."""
        moving = self._source.moving_mass
        if not moving + self._source.fixed_mass > 0.0:
            name = self.skeleton.name
            raise StructureError(f"skeleton {name!r} has no mass, so it has no centre of mass; set link inertias")
        return moving

    def _update(self) -> None:
        self._theirs = self._source.to_pinocchio(self._q)
        pin.computeJointJacobians(self.model, self.data, self._theirs)
        folds = self._constant_folds
        self._folds = self._folds_at(self._theirs) if folds is None else folds

    def _folds_at(self, q: Array) -> list[tuple[int, int, float]]:
        slots = self._slots
        return [(theirs, slots[ours], slope) for theirs, ours, slope in self._source.folds(q) if ours in slots]

    def _select(self, full: Array) -> Array:
        """Our columns of a Jacobian of Pinocchio, dependent joints folded into their masters' columns."""
        if full.ndim == 1:  # eigenpy gives a matrix of one column as a vector
            full = full[:, np.newaxis]
        result = full[:, self._columns]
        if not result.flags.c_contiguous:
            # Products are more than twice as fast when the columns lie side by side.
            result = result.copy()
        for theirs, ours, slope in self._folds:
            result[:, ours] += slope * full[:, theirs]
        return result

    def _carrier(self, frame: Frame) -> tuple[Link | None, pin.SE3 | None]:
        """The link of this skeleton that carries a frame, and the frame's pose in it (None for the identity)."""
        if isinstance(frame, Link):
            return (frame if frame.skeleton is self.skeleton else None), None
        link = frame.link
        if link is None or link.skeleton is not self.skeleton:
            return None, None
        # Composed from the frames in between, not from world poses: those follow the skeleton's own positions.
        offset = pin.SE3.Identity()
        each: Frame | None = frame
        while isinstance(each, SimpleFrame):
            offset = each._relative * offset
            each = each._parent
        return link, offset if each is link else frame.transform(link)


def _checked(dofs: Iterable[int], count: int) -> NDArray[np.intp]:
    """Indices of degrees of freedom: whole numbers in range, none twice."""
    values = list(dofs)
    whole = all(isinstance(each, int | np.integer) and 0 <= each < count for each in values)
    if not whole or len(set(values)) != len(values):
        raise InvalidValueError(f"dofs must be different whole numbers between 0 and {count - 1}, not {values}")
    return np.array(values, dtype=np.intp)


def as_slice(indices: NDArray[np.intp]) -> Any:
    """A slice when the indices are consecutive: views instead of copies."""
    values = [int(each) for each in indices]
    if values and values == list(range(values[0], values[0] + len(values))):
        return slice(values[0], values[0] + len(values))
    return np.array(values, dtype=int)
