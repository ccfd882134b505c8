"""Why no way leads to a waypoint, in words."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...kinematics.transforms import Array
from ..active_dofs import ActiveDofs
from ..reason import Reason
from .graph_search import GraphSearch
from .layer import Layer
from .node_check import NodeCheck

#: Configurations on either side that the smallest step is looked for between.
_MOST = 1000


class Break(NamedTuple):
    """A waypoint that no way leads to.

    Attributes:
        reason: Why, in one word.
        detail: Why, in words.
        q: (k,) the nearest configuration to one that would do; None when there is none.
    """

    reason: Reason
    detail: str
    q: Array | None


def why_unreached(search: GraphSearch, row: int, check: NodeCheck, active: ActiveDofs) -> Break:
    """Why a waypoint is not on the way that was found.

    Args:
        search: What has looked for a way.
        row: Of the waypoint.
        check: The constraint, which is asked about what is left to be asked.
        active: What moves.
    """
    layer, before = search.layer_of(row), search.layer_before(row)
    near = None if before is None else before[0].q(*before[1])
    places = np.argwhere(layer.windows.inside(layer.base))
    if not len(places):
        found = search.unreached.get(row)
        if found is None:
            return Break(Reason.LIMITS, "every branch is beyond the limits", None)
        return Break(found.reason, found.detail, found.q[active.indices])
    accepted = np.array([check.accepts(layer, int(branch), int(number)) for branch, number in places])
    refused = check.why_refused(row)
    if not accepted.any():
        assert refused is not None
        count = len(layer.base)
        how_many = "its only branch was" if count == 1 else f"all {count} branches were"
        return Break(refused[0], f"{how_many} {refused[1]}", _nearest(layer, places, near)[0])
    also = "" if refused is None else f"; others were {refused[1]}"
    return _jump(search, layer, places[accepted], active, search.number_of(before[0].row if before else row), also)


def _jump(
    search: GraphSearch, layer: Layer, places: NDArray[np.intp], active: ActiveDofs, number: int, also: str
) -> Break:
    """No step leads to what is accepted: how large the smallest one is, and which joint makes it so."""
    sources, places = search.reached_before(layer.row)[:_MOST], places[:_MOST]
    steps = np.stack([layer.windows.steps(layer.base[places[:, 0]], each)[0] for each in sources], axis=0)
    free = layer.windows.is_free
    # Equivalents count here, not branches: what is a turn away is away.
    values = layer.windows.values(layer.base[places[:, 0]], places[:, 1])
    steps = np.where(free, steps, sources[:, None] - values)
    bound = search.bound_to(layer.row)
    worst = (np.abs(steps) / bound).max(axis=-1)
    source, target = np.unravel_index(np.argmin(worst), worst.shape)
    step = np.abs(steps[source, target])
    if worst[source, target] <= 1.0:
        detail = f"every step from waypoint {number} is refused between the two"
        return Break(Reason.CONSTRAINT, detail + also, values[target])
    column = int(np.argmax(step / bound))
    dof = active.dofs[column]
    unit = "rad" if dof.is_angular else "m"
    detail = (
        f"no step from waypoint {number} leads to it: the nearest branch is {step[column]:.3g} {unit} away in "
        f"{dof.name!r}, and {bound[column]:.3g} {unit} is allowed; a jump is needed"
    )
    return Break(Reason.JUMP, detail + also, values[target])


def _nearest(layer: Layer, places: NDArray[np.intp], near: Array | None) -> Array:
    """The equivalents (1, k) with given places nearest to a configuration (k,); the first when there is none."""
    values = layer.windows.values(layer.base[places[:, 0]], places[:, 1])
    if near is None:
        return values[:1]
    away = np.abs(layer.windows.nearest(values, near) - near).max(axis=1)
    return values[[np.argmin(away)]]
