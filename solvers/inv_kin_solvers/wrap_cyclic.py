"""`wrap_cyclic_solution`: the equivalent of an angle that lies inside limits and near a given one."""

from __future__ import annotations

import math

from ...kinematics import InvalidValueError
from ...kinematics.core.whole_turns import nearest_equivalent


def wrap_cyclic_solution(current: float, lower: float, upper: float, value: float) -> float | None:
    """The equivalent angle (plus whole turns) inside limits, chosen by where the joint is now.

    * A joint below its limits gets the smallest equivalent that is not below ``lower``.
    * A joint above its limits gets the largest one that is not above ``upper``.
    * Otherwise the two equivalents on either side of ``current`` are looked at: the nearer of those inside the
      limits, the lower one when both are as near.

    An equivalent that misses a limit only by rounding is put on the limit. `Analytical` applies the same rule to every
    angle of every solution.

    Args:
        current: Where the joint is (rad).
        lower: Limit (rad), may be -inf.
        upper: Limit (rad), may be inf.
        value: The angle (rad).

    Returns:
        The equivalent; None when there is none, or when ``lower`` is above ``upper``.

    Raises:
        InvalidValueError: An angle that is not finite, or a limit that is nan.
    """
    if not (math.isfinite(current) and math.isfinite(value)) or math.isnan(lower) or math.isnan(upper):
        raise InvalidValueError(f"cannot wrap {value} into [{lower}, {upper}] near {current}: not all are numbers")
    if lower > upper or lower == math.inf or upper == -math.inf:
        return None
    wrapped = nearest_equivalent(value, current, lower, upper)
    return wrapped if lower <= wrapped <= upper else None
