"""`EnvironmentMember`: what an environment makes, and may erase: objects and groups."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

from .errors import ErasedError

if TYPE_CHECKING:
    from .environment import Environment


class EnvironmentMember(ABC):
    """Has a handle and a name in an environment, until it is erased."""

    #: What it is called in messages.
    noun = "member"

    def __init__(self, environment: Environment, handle: int, name: str) -> None:
        self._environment: Environment | None = environment
        self._handle = handle
        self._name = name

    @property
    def environment(self) -> Environment:
        """What it belongs to.

        Raises:
            ErasedError: It was erased.
        """
        if self._environment is None:
            raise ErasedError(f"{self} was erased")
        return self._environment

    @property
    def is_erased(self) -> bool:
        """True once it was erased."""
        return self._environment is None

    @property
    def handle(self) -> int:
        """Its number in the environment; never given to another."""
        return self._handle

    @property
    def name(self) -> str:
        """Its name, which no other object, or no other group, of the environment has."""
        return self._name

    @name.setter
    def name(self, name: str) -> None:
        environment = self.environment
        if name != self._name:
            self._name = self._free_name(environment, name)
            environment._note_structure()

    @abstractmethod
    def _free_name(self, environment: Environment, name: str) -> str:
        """The name, when it may have it."""

    def __str__(self) -> str:
        return f"{self.noun} {self._name!r} (handle {self._handle})"
