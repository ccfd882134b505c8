"""`ConfigurationSpace`: the joints whose values a search gives back."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

import numpy as np

from ....kinematics.core.plan import SOURCE
from ....kinematics.core.whole_turns import nearest_equivalent
from ....kinematics.errors import InvalidValueError, StructureError
from ....kinematics.transforms import Array
from ..constants import JointKind
from ..joint import Joint
from ..setting import as_floats, number
from .chains import dependency_chain
from .dependents import position_for
from .kernels import layout

if TYPE_CHECKING:
    from .flat_groups import FlatGroups


class ConfigurationSpace:
    """The joints whose values a search gives back, and how far configurations are from the present one.

    Args:
        flat: The arrays of the group; read before.
        joints: In the order of the values.
        weights: Of each joint in the distance; ones when None.

    Raises:
        StructureError: A joint of another environment.
        InvalidValueError: A spherical joint, which has no single value, or weights that are not one non-negative number
            for each joint.
    """

    def __init__(self, flat: FlatGroups, joints: Sequence[Joint], weights: Sequence[float] | None) -> None:
        self._flat = flat
        self.joints = tuple(joints)
        for joint in self.joints:
            if not isinstance(joint, Joint):
                raise InvalidValueError(f"what is to be found are values of joints, not of {joint!r}")
            if joint.environment is not flat.environment:
                raise StructureError(f"{joint} is of another environment than the group")
            if joint.kind is JointKind.SPHERICAL:
                raise InvalidValueError(f"joint {joint.name!r} is spherical; it has no position to give back")
        self._weights = np.ones(len(self.joints))
        if weights is not None:
            what = "distance_weights (one for each joint)"
            numbers = as_floats(what, weights, len(self.joints))
            self._weights[:] = [number(0.0)(what, each) for each in numbers]
        self._cyclic = np.array([joint.cyclic for joint in self.joints], dtype=bool)
        self.present = self.configuration()
        self._turning = self._joints_with_whole_turns()

    def configuration(self) -> Array:
        """Values of the joints as the arrays have them now (n,)."""
        return np.array([self._value(joint) for joint in self.joints], dtype=np.float64)

    def _value(self, joint: Joint) -> float:
        master = dependency_chain(joint)[-1]
        slot = self._flat.tree.slots.get(master)
        position = master._position if slot is None else float(self._flat.arrays[layout.X][slot])
        return position if joint is master else position_for(joint, position)

    def unwind(self) -> None:
        """Turns joints of more than a turn by whole turns, inside their limits, to be near their present positions."""
        x = self._flat.arrays[layout.X]
        for slot, present, lower, upper in self._turning:
            x[slot] = nearest_equivalent(float(x[slot]), present, lower, upper)

    def _joints_with_whole_turns(self) -> list[tuple[int, float, float, float]]:
        """Place, present position and limits of the angles that nothing but their own joint follows."""
        flat = self._flat
        sources = flat.tree.steps[:, SOURCE].tolist()
        found = []
        for column, numbers in zip(flat.columns, flat.arrays[layout.JOINTS].tolist(), strict=True):
            joint, (lower, upper) = column.joint, numbers[layout.LOWER : layout.UPPER + 1]
            if joint.kind is not JointKind.REVOLUTE or joint.cyclic or joint.screw_lead != 0.0:
                continue
            slot = flat.tree.slots[joint]
            if upper - lower > math.tau and sources.count(slot) == 1 and not flat.has_callbacks:
                found.append((slot, joint._position, lower, upper))
        return found

    def distance(self, q: Array) -> float:
        """Weighted distance of a configuration from the present one; cyclic joints take the short way round."""
        difference = q - self.present
        turned = np.remainder(difference + math.pi, math.tau) - math.pi
        # Not by numpy, whose squares overflow where joints slide by 1e200 m.
        return math.hypot(*(self._weights * np.where(self._cyclic, turned, difference)).tolist())

    @contextmanager
    def visited(self) -> Iterator[None]:
        """Inside, the joints are where the arrays have them; afterwards, however it ends, where they were."""
        joints = [each for each in self._flat.environment.objects if isinstance(each, Joint)]
        before = [(joint, joint._position, joint._quaternion) for joint in joints]
        try:
            self._flat.scatter()
            yield
        finally:
            for joint, position, quaternion in before:
                joint._position, joint._quaternion = position, quaternion
