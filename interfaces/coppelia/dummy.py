"""`Dummy`: a frame; as a tip it has a target."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...kinematics.errors import InvalidValueError
from .scene_object import SceneObject

if TYPE_CHECKING:
    from .environment import Environment


class Dummy(SceneObject):
    """A frame, made by `Environment.add_dummy`. Tips, targets and bases are dummies."""

    noun = "dummy"

    def __init__(self, environment: Environment, handle: int, name: str) -> None:
        super().__init__(environment, handle, name)
        self._target: Dummy | None = None

    @property
    def target(self) -> Dummy | None:
        """The dummy that it is to get to, as the tip of elements; None for none."""
        return self._target

    @target.setter
    def target(self, target: Dummy | None) -> None:
        environment = self.environment
        if target is not None:
            environment._check_owned(target, f"target of {self}")
            if not isinstance(target, Dummy):
                raise InvalidValueError(f"the target of {self} must be a dummy, not {target}")
            if target is self:
                raise InvalidValueError(f"{self} cannot be its own target")
        self._target = target
        environment._note_structure()
