"""The flat arrays of an environment's groups, kept with it until its structure changes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from .flat_groups import FlatGroups

if TYPE_CHECKING:
    from ..environment import Environment
    from ..ik_group import IkGroup

#: Sets of groups of one environment whose arrays are kept at a time.
_MOST_KEPT = 64


class KeptPlans(dict[tuple["IkGroup", ...], FlatGroups]):
    """Arrays by the groups that are solved together. A copy is empty: the arrays are those of the original."""

    def __copy__(self) -> KeptPlans:
        return KeptPlans()

    def __deepcopy__(self, memo: Any) -> KeptPlans:
        return KeptPlans()

    def __reduce__(self) -> Any:
        return KeptPlans, ()


def flat_groups(environment: Environment, groups: Sequence[IkGroup]) -> FlatGroups:
    """The arrays of groups that are solved together, made anew when the structure has changed."""
    kept = environment.__dict__.get("_kept_plans")
    if kept is None:
        # With the environment rather than here: what refers to it would keep it alive.
        kept = environment.__dict__["_kept_plans"] = KeptPlans()
    key = tuple(groups)
    flat: FlatGroups | None = kept.get(key)
    if flat is None or flat.version != environment.structure_version:
        if len(kept) >= _MOST_KEPT or any(each.version != environment.structure_version for each in kept.values()):
            kept.clear()
        flat = kept[key] = FlatGroups(environment, key)
    return flat
