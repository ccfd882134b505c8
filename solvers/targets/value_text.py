"""How the values of targets are written."""

from __future__ import annotations

from typing import Any

import numpy as np
import pinocchio as pin


def value_text(value: Any) -> str:
    """What a constructor would take for a value of a target: a number, an array or a pose."""
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, pin.SE3):
        quaternion = pin.Quaternion(value.rotation).coeffs()
        return f"({value_text(np.array(value.translation))}, {value_text(np.array(quaternion))})"
    if value.ndim == 2:
        return "[" + ", ".join(value_text(row) for row in value) + "]"
    return "[" + ", ".join(f"{each + 0.0:.6g}" for each in value) + "]"
