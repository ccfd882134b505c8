"""`curve_styles`: how the line of each method looks in pictures."""

from __future__ import annotations

from collections.abc import Sequence
from types import MappingProxyType
from typing import Any

from .variants import VARIANTS

#: Lines that can be told apart; of more than that, those of `_IN_FRONT` stand out.
MOST = 9
#: How the label of all that do not stand out begins.
OTHERS = "others:"
#: Groups that stand out.
_IN_FRONT = ("gradient-methods", "closed-forms")
_GREY = "#c4c4c4"
#: Widths from the first line to the last, so that a line shows on both sides of one on top of it.
_WIDEST, _NARROWEST = 3.2, 1.4
#: Colour and dashes of each of kinetree's methods; relatives of one another share a colour.
_OF_METHODS = MappingProxyType(
    {
        "levenberg-marquardt": ("#1f77b4", "-"),
        "halley": ("#d62728", "-"),
        "dls": ("#2ca02c", "-"),
        "pseudo-inverse": ("#ff7f0e", "-"),
        "selectively-damped": ("#9467bd", "-"),
        "transpose": ("#8c564b", "-"),
        "sugihara": ("#1f77b4", "--"),
        "chan": ("#1f77b4", ":"),
        "dls-0.2": ("#2ca02c", "--"),
        "one-attempt": ("#bcbd22", "-"),
        "patient": ("#bcbd22", "--"),
        "dart": ("#bcbd22", ":"),
        "python": ("#1f77b4", "-."),
        "closed-form": ("#000000", "-"),
        "meta": ("#e377c2", "-"),
        "meta-robwork": ("#e377c2", "--"),
        "meta-ccd": ("#e377c2", ":"),
    }
)
#: Of other methods, in their order.
_OF_OTHERS = ("#17becf", "#e7298a", "#006d2c", "#b8860b", "#54278f")
_DASHES = ("-", "--", ":")


def curve_styles(names: Sequence[str]) -> list[dict[str, Any]]:
    """What matplotlib wants to know about the line of each method, its label included.

    Args:
        names: Of the methods, in the order in which they are drawn.
    """
    is_crowded = len(names) > MOST
    grey = [name for name in names if is_crowded and name in VARIANTS and VARIANTS[name].group not in _IN_FRONT]
    others = [name for name in names if name not in VARIANTS]
    in_front = [name for name in names if name not in grey]
    styles = []
    for name in names:
        if name in grey:
            # All of them together have one line in the legend: what begins with _ has none.
            label = f"{OTHERS}\n{_lines(grey)}" if name == grey[0] else f"_{name}"
            styles.append({"color": _GREY, "linestyle": "-", "linewidth": 1.0, "label": label, "zorder": 1.5})
            continue
        part = in_front.index(name) / max(1, len(in_front) - 1)
        colour, dashes = _OF_METHODS.get(name) or _of_other(others.index(name))
        width = _WIDEST + part * (_NARROWEST - _WIDEST)
        styles.append({"color": colour, "linestyle": dashes, "linewidth": width, "label": name, "zorder": 2.0})
    return styles


def _of_other(place: int) -> tuple[str, str]:
    return _OF_OTHERS[place % len(_OF_OTHERS)], _DASHES[place // len(_OF_OTHERS) % len(_DASHES)]


def _lines(names: Sequence[str]) -> str:
    """Names, two to a line."""
    return ",\n".join(", ".join(names[k : k + 2]) for k in range(0, len(names), 2))
