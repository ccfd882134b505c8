"""`Dependence`: how the position of one joint follows from another's."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .errors import InvalidValueError

if TYPE_CHECKING:
    from .joints.joint import Joint

#: Step of the central difference for a callable without a derivative; near the cube root of the precision
#: of a double, where truncation and rounding errors balance.
_STEP = 6e-6


@dataclass(frozen=True)
class Dependence:
    """``position = multiplier * master + offset``, or ``function(master)``.

    Attributes:
        master: The joint that decides; it may depend on another one in turn.
        multiplier: Slope of the linear form.
        offset: Constant of the linear form (rad or m).
        function: When given, replaces the linear form.
        derivative: Of ``function``; central differences when None.
    """

    master: Joint
    multiplier: float = 1.0
    offset: float = 0.0
    function: Callable[[float], float] | None = None
    derivative: Callable[[float], float] | None = None

    def position(self, master_position: float) -> float:
        """Position (rad or m) of the dependent joint where its master is at ``master_position`` (rad or m).

        Raises:
            InvalidValueError: The callable gave something that is not a finite number.
        """
        if self.function is None:
            return self.multiplier * master_position + self.offset
        return self._finite(self.function(master_position), "function", master_position)

    def slope(self, master_position: float) -> float:
        """Derivative of the position by the master's position."""
        if self.function is None:
            return self.multiplier
        if self.derivative is not None:
            return self._finite(self.derivative(master_position), "derivative", master_position)
        ahead = self.position(master_position + _STEP)
        behind = self.position(master_position - _STEP)
        return (ahead - behind) / (2.0 * _STEP)

    @property
    def is_linear(self) -> bool:
        """True for the linear form."""
        return self.function is None

    def _finite(self, value: float, what: str, at: float) -> float:
        try:
            number = float(value)
        except (TypeError, ValueError):
            number = math.nan
        if not math.isfinite(number):
            raise InvalidValueError(
                f"the {what} of a joint that depends on {self.master.name!r} gave {value!r} at {at}; "
                "it must give a finite number"
            )
        return number
