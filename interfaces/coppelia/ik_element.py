"""`IkElement`: one tip of a group, and what of it has to agree with its target."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from ...kinematics.errors import InvalidValueError
from .constants import Constraint
from .dummy import Dummy
from .errors import ErasedError
from .scene_object import SceneObject
from .setting import Setting, as_floats, boolean, number, shown, whole

if TYPE_CHECKING:
    from .environment import Environment
    from .ik_group import IkGroup


class IkElement:
    """Brings a tip to its target, by the joints between its base and the tip; made by `IkGroup.add_element`."""

    enabled = Setting(boolean, True, "Whether it counts.")
    linear_precision = Setting(number(0.0, infinite=True), 0.0005, "Distance (m) that counts as there.")
    angular_precision = Setting(number(0.0, infinite=True), math.radians(0.1), "Angle (rad) that counts as there.")

    def __init__(self, group: IkGroup, handle: int, tip: Dummy) -> None:
        self._group: IkGroup | None = group
        self._handle = handle
        self._tip = tip
        self._base: SceneObject | None = None
        self._constraints_base: SceneObject | None = None
        self._constraints = Constraint.POSITION
        self._weights = (1.0, 1.0, 1.0)

    @property
    def group(self) -> IkGroup:
        """What it belongs to.

        Raises:
            ErasedError: It was erased.
        """
        if self._group is None:
            raise ErasedError(f"{self} was erased")
        return self._group

    @property
    def environment(self) -> Environment:
        """That of the group."""
        return self.group.environment

    @property
    def handle(self) -> int:
        """Its number in the group; never given to another element."""
        return self._handle

    @property
    def tip(self) -> Dummy:
        """What is brought to the target."""
        return self._tip

    @property
    def target(self) -> Dummy | None:
        """That of the tip."""
        return self._tip.target

    @property
    def base(self) -> SceneObject | None:
        """Where the chain begins; None for the world. The tip has to hang on it, or the element does not count."""
        return self._base

    @base.setter
    def base(self, base: SceneObject | None) -> None:
        self.set_bases(base, self._constraints_base)

    @property
    def constraints_base(self) -> SceneObject | None:
        """What positions are seen from; None for the base."""
        return self._constraints_base

    @constraints_base.setter
    def constraints_base(self, base: SceneObject | None) -> None:
        self.set_bases(self._base, base)

    def set_bases(self, base: SceneObject | None, constraints_base: SceneObject | None = None) -> None:
        """Sets both bases at once.

        Args:
            base: Where the chain begins; None for the world.
            constraints_base: What positions are seen from; the base when None.
        """
        environment = self.environment
        for what, each in (("base", base), ("constraints_base", constraints_base)):
            if each is not None:
                environment._check_owned(each, f"{what} of {self}")
        self._base, self._constraints_base = base, constraints_base
        environment._note_structure()

    @property
    def constraints(self) -> Constraint:
        """What has to agree with the target."""
        return self._constraints

    @constraints.setter
    def constraints(self, constraints: Constraint | int) -> None:
        environment = self.environment
        self._constraints = Constraint(whole(0, Constraint.POSE)(f"constraints of {self}", constraints))
        environment._note_structure()

    @property
    def weights(self) -> tuple[float, float, float]:
        """Factors of the linear error, of the angular error, and of both."""
        return self._weights

    @weights.setter
    def weights(self, weights: tuple[float, float, float]) -> None:
        environment = self.environment
        linear, angular, overall = as_floats(f"weights of {self}", weights, 3)
        if min(linear, angular, overall) < 0.0:
            raise InvalidValueError(f"weights of {self} must be 3 numbers of at least 0, not {shown(weights)}")
        self._weights = (linear, angular, overall)
        environment._note_structure()

    def erase(self) -> None:
        """Takes it out of the group."""
        self.group.erase_element(self)

    def __str__(self) -> str:
        where = "" if self._group is None else f" of {self._group}"
        return f"element {self._handle} with tip {self._tip.name!r}{where}"

    def __repr__(self) -> str:
        target = "no target" if self._tip.target is None else f"target {self._tip.target.name!r}"
        return f"<IkElement {self._handle}: tip {self._tip.name!r}, {target}, {self._constraints!r}>"
