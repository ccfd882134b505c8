"""`IkGroup`: elements that are solved together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ...kinematics.errors import InvalidValueError
from .constants import GroupFlag, Method
from .dummy import Dummy
from .environment_member import EnvironmentMember
from .errors import HandleError
from .ik_element import IkElement
from .joint import Joint
from .scene_object import SceneObject, checked_name
from .setting import Setting, as_handle, boolean, number, shown, whole

if TYPE_CHECKING:
    from .environment import Environment
    from .solving import FoundConfigs, HandleResult, JacobianAndError, JacobianCallback

_FLAGS = {
    "enabled": GroupFlag.ENABLED,
    "ignore_max_steps": GroupFlag.IGNORE_MAX_STEPS,
    "restore_on_bad_linear_tolerance": GroupFlag.RESTORE_ON_BAD_LINEAR_TOLERANCE,
    "restore_on_bad_angular_tolerance": GroupFlag.RESTORE_ON_BAD_ANGULAR_TOLERANCE,
    "stop_on_limit_hit": GroupFlag.STOP_ON_LIMIT_HIT,
    "avoid_limits": GroupFlag.AVOID_LIMITS,
}
_ALL_FLAGS = sum(_FLAGS.values())
#: What CoppeliaSim's 32 bits hold; the kernels and the files have 64.
MOST_ITERATIONS = 2**31 - 1


class IkGroup(EnvironmentMember):
    """Elements with a way to solve them; made by `Environment.add_group`."""

    noun = "group"

    damping = Setting(number(0.0), 0.1, "Of damped least squares; the other methods do not look at it.")
    max_iterations = Setting(whole(0, MOST_ITERATIONS), 3, "Steps of a call, at most.")
    enabled = Setting(boolean, True, "Whether it is handled.")
    ignore_max_steps = Setting(boolean, True, "Whether the largest steps of joints do not count.")
    restore_on_bad_linear_tolerance = Setting(boolean, False, "Move nothing when a linear precision is missed.")
    restore_on_bad_angular_tolerance = Setting(boolean, False, "Move nothing when an angular precision is missed.")
    stop_on_limit_hit = Setting(boolean, False, "Stop at the first joint that is stopped by its limit.")
    avoid_limits = Setting(boolean, False, "Keep joints away from their limits by their limit margins.")

    def __init__(self, environment: Environment, handle: int, name: str) -> None:
        super().__init__(environment, handle, name)
        self._elements: dict[int, IkElement] = {}
        self._next_element = 0
        self._method = Method.PSEUDO_INVERSE
        self._joint_limit_hits: dict[Joint, float] = {}

    def _free_name(self, environment: Environment, name: str) -> str:
        return checked_name(name, environment._group_names(), "group")

    @property
    def elements(self) -> tuple[IkElement, ...]:
        """What is solved, in the order in which it was added."""
        return tuple(self._elements.values())

    @property
    def method(self) -> Method:
        """How the step is worked out."""
        return self._method

    @method.setter
    def method(self, method: Method | int) -> None:
        self.set_calculation(method, self.damping, self.max_iterations)

    def set_calculation(self, method: Method | int, damping: float, max_iterations: int) -> None:
        """Sets method, damping and iterations at once.

        Args:
            method: How the Jacobian is inverted.
            damping: Of damped least squares: a factor without unit.
            max_iterations: Steps of a call, at most.

        Raises:
            InvalidValueError: One of them makes no sense.
        """
        environment = self.environment
        try:
            chosen = Method(method)
        except ValueError:
            names = ", ".join(f"{each.name} ({each.value})" for each in Method)
            raise InvalidValueError(f"method of {self} must be one of {names}, not {shown(method)}") from None
        amount = number(0.0)(f"damping of {self}", damping)
        iterations = whole(0, MOST_ITERATIONS)(f"max_iterations of {self}", max_iterations)
        self._method = chosen
        self.damping, self.max_iterations = amount, iterations
        environment._note_structure()

    @property
    def flags(self) -> int:
        """The six booleans as bits of `GroupFlag`."""
        return sum(bit for name, bit in _FLAGS.items() if getattr(self, name))

    @flags.setter
    def flags(self, flags: int) -> None:
        bits = whole(0)(f"flags of {self}", flags)
        if bits & ~_ALL_FLAGS:
            raise InvalidValueError(f"flags of {self} have bits that mean nothing: {bits & ~_ALL_FLAGS}")
        for name, bit in _FLAGS.items():
            setattr(self, name, bool(bits & bit))

    @property
    def joint_limit_hits(self) -> dict[Joint, float]:
        """Joints that were stopped at a limit in the last call, and how far beyond it the step would have led."""
        return dict(self._joint_limit_hits)

    def add_element(self, tip: Dummy) -> IkElement:
        """Adds an element for a tip.

        Args:
            tip: A dummy of the same environment.

        Returns:
            The element.

        Raises:
            InvalidValueError: Something that is no dummy.
            StructureError: It is of another environment.
        """
        environment = self.environment
        environment._check_owned(tip, f"tip of an element of {self}")
        if not isinstance(tip, Dummy):
            raise InvalidValueError(f"the tip of an element must be a dummy, not {tip}")
        element = IkElement(self, self._next_element, tip)
        self._elements[element.handle] = element
        self._next_element += 1
        environment._note_structure()
        return element

    def element(self, which: int | SceneObject) -> IkElement:
        """The element with a handle, or the first one with a tip.

        Raises:
            HandleError: There is none.
        """
        self.environment  # noqa: B018 (raises when it was erased)
        if isinstance(which, SceneObject):
            for each in self._elements.values():
                if each.tip is which:
                    return each
            raise HandleError(f"{self} has no element with tip {which}")
        found = self._elements.get(as_handle(which, "element"))
        if found is None:
            known = ", ".join(map(str, self._elements)) or "none"
            raise HandleError(f"{self} has no element with handle {which}; there are: {known}")
        return found

    def erase_element(self, element: IkElement) -> None:
        """Takes an element out.

        Raises:
            InvalidValueError: It is no element of this group.
        """
        environment = self.environment
        if not isinstance(element, IkElement) or self._elements.get(element.handle) is not element:
            raise InvalidValueError(f"{shown(element)} is no element of {self}")
        del self._elements[element.handle]
        element._group = None
        environment._note_structure()

    def erase(self) -> None:
        """Takes the group out of the environment."""
        self.environment.erase_group(self)

    # Solving.

    def solve(self, callback: JacobianCallback | None = None) -> HandleResult:
        """Moves the joints so that the tips get to their targets; see `solving.handle_groups`.

        Args:
            callback: See there.

        Returns:
            The result bits, and the largest distances that are left.
        """
        from .solving import handle_groups

        return handle_groups(self.environment, [self], callback)

    def handle_or(self, *others: IkGroup) -> HandleResult:
        """Handles it; when it fails, the others in its place, each from where the joints were."""
        from .solving.handle_or import handle_or

        return handle_or(self, *others)

    def jacobian(self) -> JacobianAndError:
        """Jacobian and error of all elements as they are; see `solving.compute_group_jacobian`."""
        from .solving import compute_group_jacobian

        return compute_group_jacobian(self)

    @property
    def joints(self) -> list[Joint]:
        """The joints that it moves, spherical ones once."""
        from .solving import group_joints

        return group_joints(self)

    def find_config(self, joints: Sequence[Joint] | None = None, **options: Any) -> FoundConfigs:
        """Searches for configurations at random; the joints stay where they are.

        Args:
            joints: Whose values are wanted, in this order; those that the group moves when None.
            options: ``threshold``, ``max_time``, ``callback``, ``seed``, ``count`` ...; see `solving.find_config`.
        """
        from .solving import find_config

        return find_config(self, self.joints if joints is None else joints, **options)

    def __repr__(self) -> str:
        count = len(self._elements)
        return f"<IkGroup {self._name!r}, handle {self._handle}: {count} elements, {self._method.name}>"
