"""`ConnectionGate`: how many connections there may be, and which of them goes when there are more."""

from __future__ import annotations

from enum import Enum
from typing import Protocol

#: Connections beyond the limit that are kept for as long as it takes to tell them so.
_SPARE = 32
#: Key in the state of a request's scope: what to call once it is clear that whoever sent it may ask.
LET_IN = "kinetree.let_in"


class Standing(Enum):
    """How much is known of who is at the other end."""

    #: It has asked for nothing yet that only those may ask who are allowed to.
    STRANGER = "stranger"
    #: A request of it was let in; nothing of it is being worked on now.
    GUEST = "guest"
    #: A request of it was let in, and is being worked on.
    SERVED = "served"
    #: It came when there was no room, and is going to be told so.
    REFUSED = "refused"


class Visitor(Protocol):
    """A connection, as far as the gate is concerned."""

    standing: Standing

    def drop(self) -> None:
        """Closes the connection at once."""


class ConnectionGate:
    """How many connections there may be, and which of them goes when there are more.

    Without it whoever opens connections and leaves them idle locks out everybody else, and needs no token for that.
    So a newcomer takes the place of the one that has been waited for longest: first of those that never had a request
    let in, then of those whose requests are all answered. Only when all are being worked on is it refused.

    Args:
        most: Connections at once.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._visitors: dict[Visitor, None] = {}  # in the order of when they were last let in

    def enter(self, visitor: Visitor) -> None:
        """Lets a connection in; its standing says whether there was room."""
        visitor.standing = Standing.STRANGER
        if sum(each.standing is not Standing.REFUSED for each in self._visitors) >= self._most:
            victim = self._first(Standing.STRANGER) or self._first(Standing.GUEST)
            if victim is None:
                visitor.standing = Standing.REFUSED
                if len(self._visitors) >= self._most + _SPARE:
                    victim = self._first(Standing.REFUSED)
            if victim is not None:
                self.leave(victim)
                victim.drop()
        self._visitors[visitor] = None

    def touch(self, visitor: Visitor) -> None:
        """Puts a connection behind all others, because it has just been of use."""
        if visitor in self._visitors:
            del self._visitors[visitor]
            self._visitors[visitor] = None

    def leave(self, visitor: Visitor) -> None:
        """Forgets a connection."""
        self._visitors.pop(visitor, None)

    def _first(self, standing: Standing) -> Visitor | None:
        return next((each for each in self._visitors if each.standing is standing), None)
