"""Pictures show what the map says."""

import sys

import numpy as np
import pytest

from kinetree.kinematics import InvalidValueError, MissingPackageError, ReachabilityError
from kinetree.kinematics.reachability.plots import extent, plot_3d, plot_slice, position_values
from tests.kinematics.reachability.arms import small_map


@pytest.fixture(scope="module", params=["count", "manipulability"])
def arm_map(request):
    return small_map(samples=300_000, symmetric=True, quality=request.param)


def test_a_slice_shows_the_values_of_its_positions(arm_map, tmp_path):
    figure = plot_slice(arm_map, "yz", 0.3, resolution=20, orientations=16)
    image = figure.axes[0].images[0]
    left, right, bottom, top = image.get_extent()
    shown = np.ma.filled(image.get_array(), np.nan)
    rows, columns = shown.shape
    y = left + (np.arange(columns) + 0.5) * (right - left) / columns
    z = bottom + (np.arange(rows) + 0.5) * (top - bottom) / rows
    for i, j in ((rows // 2, columns // 2), (rows // 3, columns // 4), (0, 0)):
        wanted = position_values(arm_map, np.array([[0.3, y[j], z[i]]]), 16)[0]
        assert np.nan_to_num(shown[i, j]) == pytest.approx(wanted)
    assert np.nanmax(shown) > 0.05
    assert "x = 0.3 m" in figure.axes[0].get_title()
    figure.savefig(tmp_path / "slice.png")
    assert (tmp_path / "slice.png").stat().st_size > 5000


def test_positions_in_space(arm_map):
    for whole in (False, True):
        figure = plot_3d(arm_map, resolution=8, orientations=8, whole=whole)
        x, y, z = figure.axes[0].collections[0]._offsets3d
        assert len(x) > 20
        assert (np.min(y) < 0.0) == whole
        assert max(np.hypot(np.hypot(x, y), z - 0.33)) < 1.1


def test_values_are_parts(arm_map):
    lower, upper = extent(arm_map)
    assert (upper - lower > 1.0).all()
    values = position_values(arm_map, np.array([[0.4, 0.0, 0.4], [3.0, 0.0, 0.0]]), 32)
    assert 0.0 < values[0] <= 1.0
    assert values[1] == 0.0


@pytest.mark.parametrize("options", [{"plane": "yx"}, {"at": float("nan")}, {"resolution": 0}, {"orientations": 1.5}])
def test_options_that_cannot_be(arm_map, options):
    with pytest.raises(InvalidValueError):
        plot_slice(arm_map, **options)


def test_nothing_to_draw():
    with pytest.raises(ReachabilityError, match="no cell"):
        plot_slice(small_map(samples=0))


def test_without_matplotlib_the_way_to_install_it_is_told(arm_map, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    for draw in (plot_slice, plot_3d):
        with pytest.raises(MissingPackageError, match=r"kinetree\[plot\]"):
            draw(arm_map)
