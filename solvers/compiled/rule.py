"""`StepKernel`: a step rule as a compiled function."""

from __future__ import annotations

from typing import Any, NamedTuple


class StepKernel(NamedTuple):
    """A step rule for the compiled loop.

    Attributes:
        name: For labels of what is compiled.
        function: Compiled ``rule(jacobian, error, rows, n, parameters, gradient)``, which writes the first n numbers
            of ``gradient``, uphill, and may use the `scratch_size` numbers behind them.
        is_second_order: Call it twice, the second time with the Jacobian half-way along the first step.
    """

    name: str
    function: Any
    is_second_order: bool = False
