"""The number type of the kernels: the same function as a float, in registers of every width, and in plain Python."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from numba import njit

from kinetree.kinematics.core import lanes
from kinetree.kinematics.core.lanes import (
    JIT,
    absolute,
    all_lanes,
    any_lane,
    atan2,
    floor,
    make_view,
    maximum,
    minimum,
    sincos,
    sqrt,
    where,
)

WIDTHS = (1, 2, 4, 8)


def everything(x: Any, result: Any, n: int) -> None:
    """Uses every operator and function once; branches on sizes only."""
    total = 0.0
    for i in range(n):
        sine, cosine = sincos(x[i])
        total += sine * cosine - 2
        total /= 1.5
        total *= 2
        total -= 1 - x[i] / 3
        mixed = where((sine < cosine) & (sine <= 0.5), absolute(sine), maximum(cosine, 0.25))
        mixed = where((x[i] <= 0.0) | (x[i] >= 2.0), mixed, minimum(mixed, -x[i]))
        result[i] = mixed + total + atan2(sine, cosine) + sqrt(abs(sine)) + max(sine, cosine) * min(sine, cosine)
        result[i] += floor(3.0 * x[i])
        if any_lane(sine > 2.0) or not all_lanes(sine <= 1.0):
            result[i] = 7.0


compiled = njit(**JIT)(everything)


@pytest.mark.parametrize("width", WIDTHS)
def test_every_operation_agrees_with_plain_python(width: int) -> None:
    view = make_view(width)

    @njit(**JIT)
    def run(x, result, n):
        compiled(view(x), view(result), n)

    n = 6
    x = np.random.default_rng(width).uniform(-5.0, 5.0, (n, width))
    expected = np.zeros((n, width))
    for lane in range(width):
        column = np.zeros(n)
        everything(x[:, lane], column, n)
        expected[:, lane] = column
    result = np.zeros((n, width))
    run(x, result, n)
    np.testing.assert_allclose(result, expected, rtol=1e-14, atol=1e-14)


def test_a_condition_is_turned_round() -> None:
    @njit(**JIT)
    def run(x, result):
        numbers, chosen = _view4(x), _view4(result)
        chosen[0] = where(~(numbers[0] > 0.5), 1.0, 2.0)

    result = np.zeros((1, 4))
    run(np.array([[0.0, 1.0, 0.5, -2.0]]), result)
    np.testing.assert_array_equal(result, [[1.0, 2.0, 1.0, 1.0]])


@njit(**JIT)
def _sincos_of_all(x, sine, cosine):
    for i in range(x.shape[0]):
        xs, ss, cs = _view4(x[i]), _view4(sine[i]), _view4(cosine[i])
        for k in range(x.shape[1]):
            ss[k], cs[k] = sincos(xs[k])


@njit(**JIT)
def _atan2_of_all(y, x, angle):
    for i in range(x.shape[0]):
        ys, xs, out = _view4(y[i]), _view4(x[i]), _view4(angle[i])
        for k in range(x.shape[1]):
            out[k] = atan2(ys[k], xs[k])


_view4 = make_view(4)


@pytest.mark.parametrize("size", [1e-3, 1.0, 10.0, 1e4])
def test_sine_and_cosine_to_the_last_digits(size: float) -> None:
    x = np.random.default_rng(1).uniform(-size, size, (500, 50, 4))
    x[0, 0] = [0.0, -0.0, math.pi / 2, -math.pi]
    sine, cosine = np.zeros_like(x), np.zeros_like(x)
    _sincos_of_all(x, sine, cosine)
    exact = x.astype(np.longdouble)
    assert np.abs(np.sin(exact) - sine).max() <= 2.5e-16
    assert np.abs(np.cos(exact) - cosine).max() <= 2.5e-16


@pytest.mark.parametrize("size", [1e-300, 1.0, 1e4, 1e300])
def test_arc_tangent_to_the_last_digits(size: float) -> None:
    rng = np.random.default_rng(2)
    x = rng.uniform(-size, size, (500, 50, 4))
    y = rng.uniform(-size, size, x.shape) * np.where(
        rng.random(x.shape) < 0.5, 1.0, 10.0 ** rng.uniform(-9, 0, x.shape)
    )
    angle = np.zeros_like(x)
    _atan2_of_all(y, x, angle)
    assert np.abs(np.arctan2(y.astype(np.longdouble), x.astype(np.longdouble)) - angle).max() <= 2.5e-16


def test_arc_tangent_on_the_axes() -> None:
    y = np.array([[[0.0, 0.0, -0.0, 0.0], [0.0, 1.0, -1.0, 1.0]]])
    x = np.array([[[0.0, -1.0, -1.0, 1.0], [5.0, 0.0, 0.0, -1.0]]])
    angle = np.zeros_like(x)
    _atan2_of_all(y, x, angle)
    np.testing.assert_allclose(angle, np.arctan2(y, x), rtol=0.0, atol=2.5e-16)


def test_a_matrix_of_registers_is_indexed_like_a_matrix() -> None:
    @njit(**JIT)
    def transpose(a, b):
        registers, result = _view4(a), _view4(b)
        for i in range(a.shape[0]):
            for k in range(a.shape[1]):
                result[k, i] = registers[i, k] * 2

    a = np.random.default_rng(0).normal(size=(3, 5, 4))
    b = np.zeros((5, 3, 4))
    transpose(a, b)
    np.testing.assert_array_equal(b, 2 * a.transpose(1, 0, 2))


def test_what_begins_as_a_number_may_become_a_register() -> None:
    """A sum that starts at 0.0 is a register throughout, and so is what it is compared with."""

    @njit(**JIT)
    def larger(a, b):
        registers, result = _view4(a), _view4(b)
        total = 0.0
        for i in range(a.shape[0]):
            total += registers[i, 0]
        is_positive = total > 0.0
        for _ in range(1):
            is_positive = is_positive & (total < 10.0)
        result[0, 0] = where(is_positive, total, -1.0)

    a = np.array([[[1.0, -5.0, 2.0, 20.0]], [[2.0, 1.0, 3.0, 1.0]]])
    b = np.zeros((1, 1, 4))
    larger(a, b)
    np.testing.assert_array_equal(b[0, 0], [3.0, -1.0, 5.0, -1.0])


def test_the_width_follows_the_processor_or_the_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("KINETREE_LANES", raising=False)
    assert lanes.native_width() in (4, 8)
    monkeypatch.setenv("KINETREE_LANES", "2")
    assert lanes.native_width() == 2
    monkeypatch.setenv("KINETREE_LANES", "3")
    with pytest.raises(ValueError, match="KINETREE_LANES is '3'"):
        lanes.native_width()
