"""`Plan`: the part of a skeleton that moves some tips, as flat arrays for the kernels."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pinocchio as pin
from numpy.typing import NDArray

from ..errors import InvalidValueError, StructureError
from ..frame import Frame
from ..joints import (
    FreeJoint,
    Joint,
    PlanarJoint,
    PrismaticJoint,
    RevoluteJoint,
    ScrewJoint,
    SphericalJoint,
    UniversalJoint,
)
from ..link import Link
from ..transforms import Array

if TYPE_CHECKING:
    from ..skeleton import Skeleton

#: Kinds of steps. ROTATE, SLIDE and SCREW move about or along z; BALL turns by a rotation vector.
ROTATE, SLIDE, SCREW, BALL = range(4)

#: Columns of `Plan.steps`: what moves, which frame it stands on, which number drives it. Frame 0 is the world
#: and frame k + 1 that of step k.
KIND, PARENT, SOURCE = range(3)
#: Where the translation begins in the twelve numbers of a pose; before it is the rotation, row by row.
POSITION = 9
#: Columns of `Plan.constants`: rotation (9, row by row), translation (3), multiplier, offset, advance along z per
#: unit of the value (1 for a slide, m/rad for a screw, 0 for a turn).
MULTIPLIER, OFFSET, ADVANCE = 12, 13, 14
#: Columns of `Plan.entries`: column of the Jacobian, frame, axis of that frame (0 x, 1 y, 2 z).
COLUMN, FRAME, AXIS = range(3)
#: Columns of `Plan.rates`: turning and sliding speed along the axis per unit of joint velocity.
TURNING, SLIDING = range(2)

Integers = NDArray[np.int64]


@dataclass(frozen=True)
class Plan:
    """Flat arrays that the kernels run over; built once, valid for one version of the skeleton.

    A step is a motion of one of four simple kinds; joints of several degrees of freedom become several steps.
    Everything between two steps that does not move (fixed joints, degrees of freedom that the plan leaves
    alone) is folded into the constant pose before the second one. Steps are in the order of the tree.

    Attributes:
        version: The skeleton's version.
        dofs: (n,) skeleton indices of the degrees of freedom; they are the columns of the Jacobians.
        steps: (s, 3) integers, see `KIND`, `PARENT`, `SOURCE` (index into the n numbers).
        constants: (s, 15) pose of the step in its parent step, then how its value follows from its source.
        entries: (e, 3) integers: what each column of a Jacobian is made of, see `COLUMN`.
        rates: (e, 2) see `TURNING`.
        tip_frames: (t,) the frame that carries each tip; 0 for one that does not move.
        tip_poses: (t, 12) pose of each tip in that frame: rotation row by row, then translation.
        carries: (t, e) whether an entry moves a tip.
        masses: (s,) mass in kg that each step carries.
        centres: (s, 3) where its centre is, in the step's frame.
        fixed_mass: Mass that nothing moves, with `fixed_centre` (3,) in the world.
    """

    version: int
    dofs: NDArray[np.intp]
    steps: Integers
    constants: Array
    entries: Integers
    rates: Array
    tip_frames: Integers
    tip_poses: Array
    carries: Integers
    masses: Array
    centres: Array
    fixed_mass: float
    fixed_centre: Array

    @staticmethod
    def build(skeleton: Skeleton, tips: Sequence[Frame], dofs: Iterable[int] | None = None, q: Array | None = None,
              *, whole_body: bool = False) -> Plan:  # fmt: skip
        """Builds the plan.

        Args:
            skeleton: The robot.
            tips: Frames that hang on it.
            dofs: Skeleton indices of what may move; all when None. A joint is taken whole or not at all.
            q: Configuration (n,) of what does not; the present positions when None.
            whole_body: Take every joint that ``dofs`` move, not just those that carry a tip: what the centre
                of mass needs.

        Raises:
            StructureError: A tip hangs on another skeleton.
            InvalidValueError: Part of a joint, or a joint that depends on another through a callable.
        """
        return _Builder(skeleton, tips, dofs, q, whole_body).plan()

    @property
    def subtree_masses(self) -> Array:
        """Mass (s,) of each step with all below it."""
        result = self.masses.copy()
        for k in range(len(result) - 1, -1, -1):
            parent = self.steps[k, PARENT]
            if parent > 0:
                result[parent - 1] += result[k]
        return result

    @property
    def num_dofs(self) -> int:
        """Number of columns."""
        return len(self.dofs)

    @property
    def num_tips(self) -> int:
        """Number of tips."""
        return len(self.tip_frames)


class _Builder:
    def __init__(
        self,
        skeleton: Skeleton,
        tips: Sequence[Frame],
        dofs: Iterable[int] | None,
        q: Array | None,
        whole_body: bool,
    ) -> None:
        self.skeleton = skeleton
        self.tips = tips
        self.q = skeleton.as_configuration(q)
        order = skeleton._refresh_order()
        self.dofs = np.array(range(len(order.dofs)) if dofs is None else list(dofs), dtype=np.intp)
        self.columns = {int(dof): column for column, dof in enumerate(self.dofs)}
        self.slices = dict(order.slices)
        self.steps: list[tuple[int, int, int]] = []
        self.constants: list[Array] = []
        self.entries: list[tuple[int, int, int]] = []
        self.rates: list[tuple[float, float]] = []
        #: For each link: the frame that carries it and its pose in that frame.
        self.places: dict[Link, tuple[int, pin.SE3]] = {}
        wanted = self._links_of_tips()
        for link in order.links:
            if whole_body or link in wanted:
                self._add(link)

    def _links_of_tips(self) -> set[Link]:
        wanted: set[Link] = set()
        for tip in self.tips:
            if tip.skeleton is not self.skeleton:
                raise StructureError(f"tip {tip.name!r} does not hang on skeleton {self.skeleton.name!r}")
            wanted.update(each for each in tip.ancestors() if isinstance(each, Link))
        return wanted

    def _add(self, link: Link) -> None:
        joint = link.joint
        parent = link.parent_link
        step, pose = (0, pin.SE3.Identity()) if parent is None else self.places[parent]
        pose = pose * joint.placement
        drive = self._drive(joint)
        if drive is None:
            pose = pose * joint.transform(self._values(joint))
        else:
            step, pose = self._add_steps(joint, step, pose, *drive)
        self.places[link] = (step, pose * joint.child_placement.inverse())

    def _values(self, joint: Joint) -> Array:
        """Coordinates of a joint at the configuration of the plan."""
        rule = joint.dependence
        if rule is not None:
            return np.array([rule.position(float(self._values(rule.master)[0]))])
        return self.q[self.slices[joint]] if joint in self.slices else np.zeros(0)

    def _drive(self, joint: Joint) -> tuple[int, float, float] | None:
        """First column, multiplier and offset of what drives a joint; None for one that the plan leaves alone."""
        multiplier, offset = 1.0, 0.0
        master = joint
        while master.dependence is not None:
            rule = master.dependence
            if rule.function is not None:
                if self._drive(rule.master) is None:
                    return None
                raise InvalidValueError(
                    f"joint {master.name!r} depends on {rule.master.name!r} through a callable, which is not compiled"
                )
            offset += multiplier * rule.offset
            multiplier *= rule.multiplier
            master = rule.master
        where = self.slices.get(master)
        if where is None:
            return None
        inside = [index in self.columns for index in range(where.start, where.stop)]
        if not any(inside):
            return None
        columns = [self.columns.get(index, -2) for index in range(where.start, where.stop)]
        if columns != list(range(columns[0], columns[0] + len(columns))):
            raise InvalidValueError(
                f"joint {master.name!r} must be taken whole and in order, or not at all; got dofs {self.dofs.tolist()}"
            )
        return columns[0], multiplier, offset

    def _add_steps(
        self, joint: Joint, parent: int, pose: pin.SE3, column: int, multiplier: float, offset: float
    ) -> tuple[int, pin.SE3]:
        """Adds the steps of one joint; returns the last one and the pose of the moved joint frame in it."""
        none = np.zeros(3)
        if isinstance(joint, RevoluteJoint | PrismaticJoint | ScrewJoint):
            turn = _rotation_from_z_to(joint.axis)
            kind, advance, rate = _single_axis(joint)
            step = self._step(kind, parent, pose * turn, column, multiplier, offset, advance)
            self._entry(column, step, 2, rate[0] * multiplier, rate[1] * multiplier)
            return step, turn.inverse()
        if isinstance(joint, UniversalJoint):
            turn = pin.SE3.Identity()
            for k, axis in enumerate(joint.axes):
                following = _rotation_from_z_to(axis)
                parent = self._step(ROTATE, parent, pose * turn.inverse() * following, column + k)
                self._entry(column + k, parent, 2, 1.0, 0.0)
                pose, turn = pin.SE3.Identity(), following
            return parent, turn.inverse()
        if isinstance(joint, SphericalJoint):
            step = self._step(BALL, parent, pose, column)
            for k in range(3):
                self._entry(column + k, step, k, 1.0, 0.0)
            return step, pin.SE3.Identity()
        axes = _axes_of_slides(joint)
        turn = pin.SE3(np.eye(3), none)
        for k in range(axes.shape[1]):
            following = _rotation_from_z_to(axes[:, k])
            parent = self._step(SLIDE, parent, pose * turn.inverse() * following, column + k, advance=1.0)
            pose, turn = pin.SE3.Identity(), following
        return self._turn_after_slides(joint, parent, turn.inverse(), column)

    def _turn_after_slides(self, joint: Joint, parent: int, pose: pin.SE3, column: int) -> tuple[int, pin.SE3]:
        """The turning part of a planar or free joint; its sliding velocities are along the turned axes."""
        if isinstance(joint, FreeJoint):
            step = self._step(BALL, parent, pose, column + 3)
            for k in range(3):
                self._entry(column + k, step, k, 0.0, 1.0)
            for k in range(3):
                self._entry(column + 3 + k, step, k, 1.0, 0.0)
            return step, pin.SE3.Identity()
        assert isinstance(joint, PlanarJoint)
        turn = joint._alignment()
        step = self._step(ROTATE, parent, pose * turn, column + 2)
        for k in range(2):
            self._entry(column + k, step, k, 0.0, 1.0)
        self._entry(column + 2, step, 2, 1.0, 0.0)
        return step, turn.inverse()

    def _step(
        self,
        kind: int,
        parent: int,
        pose: pin.SE3,
        source: int,
        multiplier: float = 1.0,
        offset: float = 0.0,
        advance: float = 0.0,
    ) -> int:
        self.steps.append((kind, parent, source))
        numbers = [*pose.rotation.ravel(), *pose.translation, multiplier, offset, advance]
        self.constants.append(np.array(numbers))
        return len(self.steps)

    def _entry(self, column: int, step: int, axis: int, turning: float, sliding: float) -> None:
        self.entries.append((column, step, axis))
        self.rates.append((turning, sliding))

    def plan(self) -> Plan:
        """The finished arrays."""
        steps = np.array(self.steps, dtype=np.int64).reshape(-1, 3)
        entries = np.array(self.entries, dtype=np.int64).reshape(-1, 3)
        tips = [self._tip(tip) for tip in self.tips]
        tip_frames = np.array([step for step, _ in tips], dtype=np.int64)
        carries = np.array(
            [[_stands_on(steps, tip, entry[FRAME]) for entry in entries] for tip in tip_frames],
            dtype=np.int64,
        ).reshape(len(tips), len(entries))
        masses, centres, fixed_mass, fixed_centre = self._masses(len(steps))
        arrays = {
            "dofs": self.dofs,
            "steps": steps,
            "constants": np.array(self.constants).reshape(-1, 15),
            "entries": entries,
            "rates": np.array(self.rates).reshape(-1, 2),
            "tip_frames": tip_frames,
            "tip_poses": np.array([[*p.rotation.ravel(), *p.translation] for _, p in tips]).reshape(-1, 12),
            "carries": carries,
            "masses": masses,
            "centres": centres,
            "fixed_centre": fixed_centre,
        }
        for array in arrays.values():
            array.flags.writeable = False
        return Plan(version=self.skeleton.version, fixed_mass=fixed_mass, **arrays)

    def _tip(self, tip: Frame) -> tuple[int, pin.SE3]:
        link = tip.link
        assert link is not None
        step, pose = self.places[link]
        return step, pose * tip.transform(link)

    def _masses(self, count: int) -> tuple[Array, Array, float, Array]:
        masses, moments = np.zeros(count + 1), np.zeros((count + 1, 3))  # entry 0 is what does not move
        for link, (frame, pose) in self.places.items():
            masses[frame] += link.mass
            moments[frame] += link.mass * pose.act(link.inertia.lever)
        centres = moments / np.where(masses > 0.0, masses, 1.0)[:, None]
        return masses[1:].copy(), centres[1:].copy(), float(masses[0]), centres[0].copy()


def _single_axis(joint: Joint) -> tuple[int, float, tuple[float, float]]:
    """Kind, advance along z, and (turning, sliding) rates of a joint with one axis."""
    if isinstance(joint, RevoluteJoint):
        return ROTATE, 0.0, (1.0, 0.0)
    if isinstance(joint, PrismaticJoint):
        return SLIDE, 1.0, (0.0, 1.0)
    assert isinstance(joint, ScrewJoint)
    advance = joint.lead / (2.0 * np.pi)
    return SCREW, advance, (1.0, advance)


def _axes_of_slides(joint: Joint) -> Array:
    """Directions (3, k) that a planar or free joint slides along, in the joint frame."""
    if isinstance(joint, FreeJoint):
        return np.eye(3)
    assert isinstance(joint, PlanarJoint)
    turned: Array = joint._alignment().rotation[:, :2]
    return turned


def _rotation_from_z_to(axis: Array) -> pin.SE3:
    """A rotation that takes z to the axis; exact for the coordinate axes, so that zeros stay zeros."""
    if axis[2] < -1.0 + 1e-12:
        return pin.SE3(np.diag([1.0, -1.0, -1.0]), np.zeros(3))
    if np.count_nonzero(axis) == 1:
        k, sign = int(np.argmax(np.abs(axis))), float(axis[np.argmax(np.abs(axis))])
        rotation = np.zeros((3, 3))
        rotation[:, 2] = axis
        rotation[(k + 1) % 3, 0], rotation[(k + 2) % 3, 1] = 1.0, sign
        return pin.SE3(rotation, np.zeros(3))
    return pin.SE3(pin.Quaternion.FromTwoVectors(np.array([0.0, 0.0, 1.0]), axis).toRotationMatrix(), np.zeros(3))


def _stands_on(steps: Integers, frame: int, other: int) -> bool:
    """True when frame ``other`` is ``frame`` or on its way to the world."""
    while frame > 0:
        if frame == other:
            return True
        frame = int(steps[frame - 1, PARENT])
    return False
