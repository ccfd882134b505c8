import numpy as np
import pytest

from kinetree.interfaces.bench import Timing


def test_statistics_of_rounds():
    timing = Timing.of([np.full(101, 60_000), np.arange(1, 100) * 1000])
    assert timing.median == 60.0
    assert timing.mean == pytest.approx((99 * 50.0 + 101 * 60.0) / 200)
    assert 97.0 <= timing.p99 <= 99.0
    assert timing.spread == pytest.approx((60.0 - 50.0) / 60.0)


def test_one_round_has_no_spread():
    assert Timing.of([[1000, 3000]]) == Timing(2.0, 2.0, pytest.approx(2.98), 0.0)
