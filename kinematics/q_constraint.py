"""`QConstraint`: a named test of configurations, to be combined with others."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from .errors import InvalidValueError
from .transforms import Array

if TYPE_CHECKING:
    from .skeleton import Skeleton


class QConstraint:
    """Accepts or refuses a configuration; ``a & b``, ``a | b`` and ``~a`` combine them, and plain functions with them.

    The name is what refusals are counted under. Parts are asked in their order and only as far as needed, so cheap
    ones belong in front.

    Args:
        accepts: From a configuration (n,) of the whole skeleton to a bool.
        name: Free text; the function's own name when None.

    Raises:
        InvalidValueError: Something that cannot be called, or an empty name.
    """

    def __init__(self, accepts: Callable[[Array], Any], name: str | None = None) -> None:
        if not callable(accepts):
            raise InvalidValueError(f"a constraint must be a function from q to bool, not {accepts!r}")
        if name is None:
            name = getattr(accepts, "__name__", type(accepts).__name__)
        if not isinstance(name, str) or not name:
            raise InvalidValueError(f"the name of a constraint must be a text that is not empty, not {name!r}")
        self._accepts = accepts
        self._name = name

    @property
    def name(self) -> str:
        """What refusals are counted under."""
        return self._name

    @property
    def skeletons(self) -> tuple[Skeleton, ...]:
        """The robots whose configurations its parts take, each once; empty when none of them says."""
        own = getattr(self, "skeleton", None)
        return () if own is None else (own,)

    def __call__(self, q: Array) -> bool:
        """True when q (n,) is accepted.

        Raises:
            InvalidValueError: The function answered with anything but true or false; nan is neither.
        """
        answer = self._accepts(q)
        if isinstance(answer, bool | np.bool_):
            return bool(answer)
        raise InvalidValueError(f"constraint {self.name!r} must answer True or False; it answered {answer!r}")

    def refusing(self, q: Array) -> QConstraint | None:
        """The part that refuses q (n,): of an ``&`` the first one that does; None when q is accepted.

        No part is asked more than once. An ``|`` and a ``~`` stand for themselves: none of their parts is to blame.
        """
        return None if self(q) else self

    def explain(self, q: Array) -> str:
        """Why q (n,) is refused, in words; empty when it is accepted."""
        refusing = self.refusing(q)
        if refusing is None:
            return ""
        return refusing.explain(q) if refusing is not self else f"refused by {self.name!r}"

    def __and__(self, other: QConstraint | Callable[[Array], Any]) -> QConstraint:
        return _All(self, _part(other))

    def __rand__(self, other: Callable[[Array], Any]) -> QConstraint:
        return _All(_part(other), self)

    def __or__(self, other: QConstraint | Callable[[Array], Any]) -> QConstraint:
        return _Any(self, _part(other))

    def __ror__(self, other: Callable[[Array], Any]) -> QConstraint:
        return _Any(_part(other), self)

    def __invert__(self) -> QConstraint:
        return _Not(self)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.name!r}>"


class _Composite(QConstraint):
    """Several constraints as one, named after them.

    Args:
        parts: What is combined; those of the same kind are taken apart, so that ``a & b & c`` has three parts.
    """

    word: ClassVar[str]

    def __init__(self, *parts: QConstraint) -> None:
        self.parts: tuple[QConstraint, ...] = tuple(
            inner for part in parts for inner in (part.parts if isinstance(part, type(self)) else (part,))
        )
        super().__init__(self._combined, f"({self.word.join(part.name for part in self.parts)})")

    @property
    def skeletons(self) -> tuple[Skeleton, ...]:
        return tuple({id(each): each for part in self.parts for each in part.skeletons}.values())

    @abstractmethod
    def _combined(self, q: Array) -> bool: ...

    def __repr__(self) -> str:
        return f"<QConstraint {self.name}>"


class _All(_Composite):
    """All of them; the first that refuses ends it."""

    word = " and "

    def _combined(self, q: Array) -> bool:
        return all(part(q) for part in self.parts)

    def refusing(self, q: Array) -> QConstraint | None:
        for part in self.parts:
            refusing = part.refusing(q)
            if refusing is not None:
                return refusing
        return None


class _Any(_Composite):
    """One of them or more; the first that accepts ends it."""

    word = " or "

    def _combined(self, q: Array) -> bool:
        return any(part(q) for part in self.parts)


class _Not(QConstraint):
    """The opposite."""

    def __init__(self, inner: QConstraint) -> None:
        self._inner = inner
        super().__init__(self._opposite, f"not {inner.name}")

    @property
    def skeletons(self) -> tuple[Skeleton, ...]:
        return self._inner.skeletons

    def _opposite(self, q: Array) -> bool:
        return not self._inner(q)

    def __invert__(self) -> QConstraint:
        return self._inner

    def __repr__(self) -> str:
        return f"<QConstraint {self.name}>"


def as_constraint(value: Any) -> QConstraint | None:
    """What a caller gave as a constraint, as a `QConstraint`.

    Args:
        value: None, a `QConstraint`, anything with a `QConstraint` named ``constraint`` (a `CollisionDetector`), a
            function from q (n,) to bool, or a list or tuple of these, of which all have to accept (none when empty).

    Raises:
        InvalidValueError: Anything else.
    """
    if isinstance(value, list | tuple):
        parts = [_part(each) for each in value]
        return _All(*parts) if len(parts) > 1 else next(iter(parts), None)
    if value is None or isinstance(value, QConstraint):
        return value
    own = getattr(value, "constraint", None)
    if isinstance(own, QConstraint):
        return own
    if not callable(value):
        raise InvalidValueError(
            "constraint must be a function from q to bool, a QConstraint, a CollisionDetector or a list of these, "
            f"not {value!r}"
        )
    return QConstraint(value)


def _part(value: Any) -> QConstraint:
    part = as_constraint(value)
    if part is None:
        raise InvalidValueError("a constraint cannot be combined with None")
    return part
