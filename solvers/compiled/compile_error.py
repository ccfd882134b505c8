"""What is said when a step rule cannot be compiled."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

from ..errors import GradientMethodError
from .rule import StepKernel


@contextmanager
def told_plainly(rule: StepKernel) -> Iterator[None]:
    """Turns whatever Numba has against a rule into a `GradientMethodError` that begins with the author's own line."""
    try:
        yield
    except Exception as problem:
        code = rule.function.py_func.__code__
        lines = [
            int(number)
            for file, number in re.findall(r'File "([^"]+)", line (\d+)', str(problem))
            if code.co_filename.endswith(file.lstrip("./"))
        ]
        where = f" (line {lines[-1]} of {code.co_filename})" if lines else ""
        raise GradientMethodError(
            f"{rule.name} cannot be compiled{where}. A kernel is plain arithmetic, with the functions of "
            "kinetree.kinematics.core.lanes and other functions that Numba compiles; `if` may ask for sizes and "
            f"parameters, for numbers there is where(condition, a, b). Numba says: {problem}"
        ) from problem
