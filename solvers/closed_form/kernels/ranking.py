"""Kernels: what is wrong with each candidate, their order, and each of them once."""

from __future__ import annotations

import math
from typing import Any

from numba import njit

from ....kinematics.core.lanes import INNER
from .flags import LIMIT_VIOLATED, OUT_OF_REACH, SINGULAR
from .layout import ANGLE, BEYOND, DISTANCE, KEY, ORDER

#: Configurations nearer to one another than this are the same, by their largest difference (rad or m): double roots
#: are known to half the digits; nearest configurations are only as near as the steps got.
_SAME, _SAME_NEAREST = 1e-6, 1e-3
#: Separates the ranks; larger than any distance.
_RANK = 1e9


@njit(**INNER)
def judge(c: int, tolerance: float, flags: Any, facts: Any) -> None:
    """Sets the flags of a candidate and what it is ranked by."""
    flag = flags[c] & SINGULAR
    if facts[c, BEYOND] > 0.0:
        flag |= LIMIT_VIOLATED
    if facts[c, DISTANCE] > tolerance or facts[c, ANGLE] > tolerance:
        flag |= OUT_OF_REACH
    flags[c] = flag
    rank = 2.0 if flag & LIMIT_VIOLATED else (1.0 if flag & OUT_OF_REACH else 0.0)
    facts[c, KEY] += rank * _RANK


@njit(**INNER)
def rank(count: int, facts: Any) -> None:
    """Writes the places of the candidates, from the best to the worst, into the last column of the facts."""
    for c in range(count):
        key, at = facts[c, KEY], c
        while at > 0 and facts[int(facts[at - 1, ORDER]), KEY] > key:
            facts[at, ORDER] = facts[at - 1, ORDER]
            at -= 1
        facts[at, ORDER] = c


@njit(**INNER)
def _is_repeated(place: int, n: int, raw: Any, flags: Any, facts: Any) -> bool:
    """Whether a candidate is the same configuration as one that is ranked before it."""
    c = int(facts[place, ORDER])
    limit = _SAME_NEAREST if flags[c] & OUT_OF_REACH != 0 else _SAME
    for before in range(place - 1, -1, -1):
        other = int(facts[before, ORDER])
        # Their distances from the seed cannot differ by more than they do; ranks are worth more than that.
        if facts[c, KEY] - facts[other, KEY] > limit:
            return False
        is_same = True
        for k in range(n):
            if abs(raw[c, k] - raw[other, k]) > limit:
                is_same = False
                break
        if is_same:
            return True
    return False


@njit(**INNER)
def write(count: int, n: int, raw: Any, flags: Any, facts: Any, answer: Any, validity: Any, errors: Any) -> int:
    """Writes each configuration once, from the best to the worst; how many."""
    written = 0
    for place in range(count):
        if written == answer.shape[0]:
            break
        if place > 0 and _is_repeated(place, n, raw, flags, facts):
            continue
        c = int(facts[place, ORDER])
        for k in range(n):
            answer[written, k] = raw[c, k]
        validity[written] = flags[c] & (OUT_OF_REACH | LIMIT_VIOLATED)
        errors[written, 0] = math.sqrt(facts[c, DISTANCE])
        errors[written, 1] = math.sqrt(facts[c, ANGLE])
        errors[written, 2] = 1.0 if flags[c] & SINGULAR else 0.0
        written += 1
    return written
