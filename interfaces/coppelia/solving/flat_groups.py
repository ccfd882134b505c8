"""`FlatGroups`: one or several groups of an environment as flat arrays for the kernels."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ....kinematics.core.argument_table import ArgumentTable
from ....kinematics.core.plan import COLUMN, FRAME
from ....kinematics.transforms import Array
from ..constants import JointKind
from ..joint import Joint
from .chains import Column, columns_of, is_valid
from .dependents import follow
from .kernels import layout
from .step_tree import StepTree, constraints_base

if TYPE_CHECKING:
    from ..environment import Environment
    from ..ik_element import IkElement
    from ..ik_group import IkGroup

#: Stands for what is infinite: the kernels take only finite numbers.
_FAR = 1e300
#: Random positions of joints without limits are drawn from no farther than this (m, rad).
_MOST_DRAWN = 10.0
_KINDS = {
    JointKind.REVOLUTE: layout.TURNING,
    JointKind.PRISMATIC: layout.SLIDING,
    JointKind.SPHERICAL: layout.ROLLING,
}
#: What the methods without a damping of their own are damped with.
_TINY_DAMPING = 1e-6

Integers = NDArray[np.int64]


class FlatGroups:
    """Flat arrays of groups that are solved together; valid for one structure of the environment.

    Positions and rotations of spherical joints are read by `gather`, poses by the kernels, and what was found is
    written back by `scatter`; everything else is laid down here once.

    Args:
        environment: Of the groups.
        groups: In the order of their priority. The flags and the iterations of the first one rule.

    Attributes:
        version: The structure version that the arrays were made for.
        elements: The elements that count, with or without target, group by group.
        columns: The columns of the Jacobians, in the order of first appearance.
        arrays: By the places of `layout`.
        address: What the kernels are called with.
        tree: The steps.
        is_empty: Whether some group has no element that counts, so that there is nothing to solve.
    """

    def __init__(self, environment: Environment, groups: Sequence[IkGroup]) -> None:
        self.environment = environment
        self.groups = tuple(groups)
        self.version = environment.structure_version
        of_groups = [[each for each in group.elements if is_valid(each)] for group in self.groups]
        self.elements: list[IkElement] = [each for found in of_groups for each in found]
        self.is_empty = not of_groups or not all(of_groups)
        self._own = {element: columns_of(element) for element in self.elements}
        self.columns: list[Column] = list(dict.fromkeys(each for found in self._own.values() for each in found))
        self.tree = StepTree(self.elements, self.columns)
        # Objects change their poses in place, so their arrays are where they are for as long as they are kept here.
        self._poses = [each._local for each in self.tree.objects]
        self.arrays = self._lay_out(of_groups)
        self.table = ArgumentTable(*self.arrays)
        self.address = self.table.address
        self._x, self._turns = self.arrays[layout.X], self.arrays[layout.TURNS]
        self._singles = len(self.tree.independent)
        movable = {column.joint for column in self.columns}
        self._movable = [(joint, slot) for joint, slot in self.tree.slots.items() if joint in movable]
        self._movable_balls = [(joint, b) for b, joint in enumerate(self.tree.balls) if joint in movable]

    @property
    def has_callbacks(self) -> bool:
        """Whether joints follow others through a callback, so that Python has to step in."""
        return bool(self.tree.followers)

    def gather(self) -> None:
        """Reads the positions of the joints; those that follow through callbacks are asked for.

        The poses of the objects are read by the kernels, which know where they are.
        """
        if self._singles:
            self._x[: self._singles] = [joint._position for joint in self.tree.independent]
        for b, joint in enumerate(self.tree.balls):
            self._turns[b] = self._turns[len(self.tree.balls) + b] = _rotation_of(joint._quaternion)
        if self.tree.followers:
            self.follow()

    def follow(self) -> None:
        """Works out the positions of joints that follow through callbacks, and how fast they do."""
        follow(self)

    def bind(self, place: int, array: NDArray[Any]) -> None:
        """Puts another array in a place of `layout`."""
        self.arrays[place] = array
        self.table.bind(place, array)

    def scatter(self) -> None:
        """Writes the positions and rotations of the joints of the columns back."""
        values = self._x.tolist()
        for joint, slot in self._movable:
            joint._position = values[slot]
        for joint, b in self._movable_balls:
            joint._quaternion = _quaternion_of(self._turns[b])

    def moves(self, group: IkGroup, column: Column) -> bool:
        """Whether an element of a group that counts has a column."""
        return any(column in own for element, own in self._own.items() if element.group is group)

    def group_rows(self, g: int) -> slice:
        """The rows of a group in Jacobian and error, those that keep away from limits included."""
        first, count = self.arrays[layout.GROUPS][g, [layout.GROUP_ROW, layout.PRESENT_ROWS]]
        return slice(int(first), int(first + count))

    def _lay_out(self, of_groups: list[list[IkElement]]) -> list[NDArray[Any]]:
        tree, n = self.tree, len(self.columns)
        elements, element_numbers, groups, group_numbers, settings, rows = self._tasks(of_groups, n)
        entries, rates = tree.entries(self.columns)
        pulls, spins = self._felt(entries)
        count, most = len(rows), int(groups[:, layout.FIXED_ROWS].max(initial=0)) + n
        arrays: dict[int, NDArray[Any]] = {
            layout.STEPS: tree.steps,
            layout.CONSTANTS: tree.constants,
            layout.LOCALS: np.zeros((len(tree.objects), 16)),
            layout.BALLS: tree.ball_steps,
            layout.TURNS: np.zeros((2 * len(tree.balls), 9)),
            layout.X: np.zeros(tree.x_size),
            layout.COLUMNS: np.array([self._column(each) for each in self.columns], np.int64).reshape(n, 4),
            layout.JOINTS: np.array([_joint(each.joint) for each in self.columns]).reshape(n, 9),
            layout.ENTRIES: entries,
            layout.RATES: rates,
            layout.PULLS: pulls,
            layout.SPINS: spins,
            layout.ELEMENTS: elements,
            layout.ELEMENT_NUMBERS: element_numbers,
            layout.GROUPS: groups,
            layout.GROUP_NUMBERS: group_numbers,
            layout.SETTINGS: settings,
            layout.FRAMES: np.zeros((len(tree.objects) + 1, 12)),
            layout.JACOBIAN: np.zeros((count, n)),
            layout.ERROR: np.zeros(count),
            layout.ROWS: rows,
            layout.STEP: np.zeros(n),
            layout.DISTANCES: np.zeros((len(elements), 2)),
            layout.HITS: np.zeros((n, 2)),
            layout.REPORT: np.zeros(layout.REPORT_SIZE),
            layout.ROOM: np.zeros(max(16, layout.room_size(most, n))),
            layout.SEARCH: np.zeros(layout.BEST_X + tree.x_size),
            layout.SEARCH_COUNTS: np.zeros(layout.SEARCH_COUNTS_SIZE, dtype=np.int64),
            layout.LANES: np.zeros((0, 1)),
            layout.POSES: np.array([(each.ctypes.data, 16, 1) for each in self._poses], np.int64).reshape(-1, 3),
            layout.KEPT: np.zeros(tree.x_size + 9 * len(tree.balls)),
        }
        return [np.ascontiguousarray(arrays[place]) for place in range(layout.PLACES)]

    def _tasks(self, of_groups: list[list[IkElement]], n: int) -> tuple[Any, ...]:
        elements: list[tuple[int, ...]] = []
        groups: list[tuple[int, ...]] = []
        rows: list[tuple[int, int]] = []
        numbers, group_numbers = [], []
        for group, found in zip(self.groups, of_groups, strict=True):
            first_element, first_row = len(elements), len(rows)
            for element in found:
                kinds = _row_kinds(element) if element.tip.target is not None else []
                target = -1 if element.tip.target is None else self.tree.frame(element.tip.target)
                base = self.tree.base_frame(constraints_base(element))
                tip = self.tree.frame(element.tip)
                elements.append((tip, target, base, int(element.constraints), len(rows), len(kinds)))
                numbers.append(_element_numbers(element))
                rows += [(kind, element.handle) for kind in kinds]
            fixed = len(rows) - first_row
            groups.append((int(group.method), first_element, len(found), first_row, fixed, fixed))
            group_numbers.append([_squared_damping(group)])
            if self.groups[0].avoid_limits:
                rows += [(layout.LIMIT_ROW, -1)] * n
        settings = np.zeros(layout.SETTINGS_SIZE, dtype=np.int64)
        if self.groups:
            first = self.groups[0]
            settings[layout.MAX_ITERATIONS] = first.max_iterations
            settings[layout.IGNORES_MAX_STEPS] = first.ignore_max_steps
            settings[layout.STOPS_ON_LIMIT] = first.stop_on_limit_hit
            settings[layout.AVOIDS_LIMITS] = first.avoid_limits
        return (
            np.array(elements, dtype=np.int64).reshape(-1, 6),
            np.array(numbers).reshape(-1, 4),
            np.array(groups, dtype=np.int64).reshape(-1, 6),
            np.array(group_numbers).reshape(-1, 1),
            settings,
            np.array(rows, dtype=np.int64).reshape(-1, 2),
        )

    def _column(self, column: Column) -> tuple[int, int, int, int]:
        joint = column.joint
        if joint.kind is JointKind.SPHERICAL:
            return -1, layout.ROLLING, self.tree.balls.index(joint), column.stage
        return self.tree.slots[joint], _KINDS[joint.kind], -1, 0

    def _felt(self, entries: Integers) -> tuple[Integers, Integers]:
        """How each element feels each entry: position (1, 0, -1) as seen from its constraints base, rotation (1, 0)."""
        tree = self.tree
        pulls = np.zeros((len(self.elements), len(entries)), dtype=np.int64)
        spins = np.zeros_like(pulls)
        for e, element in enumerate(self.elements):
            tip, base = tree.frame(element.tip), tree.base_frame(element.base)
            view = tree.base_frame(constraints_base(element))
            turns = int(element.constraints) & (layout.ALPHA_BETA | layout.GAMMA)
            for entry, (column, frame) in enumerate(entries[:, [COLUMN, FRAME]]):
                if self.columns[column] not in self._own[element]:
                    continue
                carried = tree.carries(tip, frame)
                pulls[e, entry] = int(carried) - int(tree.carries(view, frame))
                spins[e, entry] = int(carried) - int(tree.carries(base, frame)) if turns else 0
        return pulls, spins


def _row_kinds(element: IkElement) -> list[int]:
    """Kinds of the rows of an element: 0 to 5 for x, y, z, alpha, beta, gamma."""
    constraints = int(element.constraints)
    kinds = [axis for axis in range(3) if constraints & (1 << axis)]
    if constraints & layout.ALPHA_BETA:
        kinds += [3, 4]
    if constraints & layout.GAMMA:
        kinds.append(5)
    return kinds


def _element_numbers(element: IkElement) -> tuple[float, float, float, float]:
    linear, angular, overall = element.weights
    return (
        min(element.linear_precision, _FAR),
        min(element.angular_precision, _FAR),
        linear * overall,
        angular * overall,
    )


def _squared_damping(group: IkGroup) -> float:
    if int(group.method) == layout.DAMPED_LEAST_SQUARES:
        return min(group.damping * group.damping, _FAR)
    return _TINY_DAMPING**2 if int(group.method) == layout.PSEUDO_INVERSE else 0.0


def _joint(joint: Joint) -> tuple[float, ...]:
    lower, upper, *others = (
        min(max(float(each), -_FAR), _FAR)
        for each in (joint.minimum, joint.maximum, joint.limit_margin, joint.max_step, joint.weight)
    )
    if joint.cyclic:
        drawn = -math.pi, math.pi
    else:
        drawn = max(lower, -_MOST_DRAWN), min(upper, _MOST_DRAWN)
    return lower, upper, *others, float(joint.cyclic), *drawn, others[-1]


def _rotation_of(quaternion: Array) -> Array:
    """Rotation (9,), row by row, of a unit quaternion x, y, z, w."""
    x, y, z, w = (float(each) for each in quaternion)
    return np.array(
        [
            *(1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - z * w), 2.0 * (x * z + y * w)),
            *(2.0 * (x * y + z * w), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - x * w)),
            *(2.0 * (x * z - y * w), 2.0 * (y * z + x * w), 1.0 - 2.0 * (x * x + y * y)),
        ]
    )


def _quaternion_of(turn: Array) -> Array:
    """Unit quaternion x, y, z, w of a rotation (9,)."""
    import pinocchio as pin

    quaternion = pin.Quaternion(turn.reshape(3, 3))
    quaternion.normalize()
    result: Array = quaternion.coeffs().copy()
    return result
