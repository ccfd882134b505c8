"""Classes of ours, told from those of users, who may have overridden anything."""

from __future__ import annotations

#: How the modules of this package and of its folders are named.
_OURS = f"{__package__}."


def is_own_class(kind: type) -> bool:
    """Whether a class is defined in the solvers, whichever folder it is in."""
    return kind.__module__.startswith(_OURS)
