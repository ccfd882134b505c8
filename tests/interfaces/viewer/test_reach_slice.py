"""A slice through a map: what the image says at a place is what the map says there."""

import numpy as np
import pytest

from kinetree import models
from kinetree.interfaces.viewer.reach_slice import PLANES, across, reach_slice
from kinetree.kinematics import InvalidValueError, ReachabilityMap
from kinetree.kinematics.reachability.plots import position_values


@pytest.fixture(scope="module")
def reachability():
    return ReachabilityMap.create(
        models.load("panda").tip.chain(),
        step_translation=0.15,
        step_rotation=np.deg2rad(60),
        samples=100_000,
        progress=False,
    )


@pytest.mark.parametrize("plane", PLANES)
def test_pixels_are_where_the_map_says(reachability, plane):
    made = reach_slice(reachability, plane, 0.1, resolution=24, orientations=16)
    height, width, _ = made.image.shape
    assert max(height, width) == 24
    # The middle of a pixel: x along the width, y up the height, in the axes of the slice.
    column, row = np.meshgrid(np.arange(width), np.arange(height))
    x = (column + 0.5) / width * made.width - 0.5 * made.width
    y = 0.5 * made.height - (row + 0.5) / height * made.height
    places = np.stack([x, y, 0.0 * x], axis=-1).reshape(-1, 3) @ made.pose.rotation.T + made.pose.translation
    third = PLANES[plane][2]
    np.testing.assert_allclose(places[:, third], 0.1, atol=1e-12)
    values = position_values(reachability, places, 16).reshape(height, width)
    assert made.highest == pytest.approx(values.max())
    np.testing.assert_array_equal(made.image[..., 3] > 0, values > 0.0)
    assert 0.1 < (values > 0.0).mean() < 1.0
    # The lightest pixel is the one of the greatest value.
    light = made.image[..., :3].astype(int).sum(axis=-1) * (values > 0.0)
    assert values.flat[np.argmax(light)] == values.max()
    assert np.linalg.det(made.pose.rotation) == pytest.approx(1.0)


def test_the_slider_goes_over_the_map(reachability):
    lower, upper = across(reachability, "xy")
    assert -0.7 < lower < 0.0
    assert 0.8 < upper < 1.4
    assert reach_slice(reachability, "xy", upper + 1.0, resolution=8).highest == 0.0


def test_what_is_refused(reachability):
    with pytest.raises(InvalidValueError, match="'zx'"):
        reach_slice(reachability, "zx")
    with pytest.raises(InvalidValueError, match="finite"):
        reach_slice(reachability, "xz", np.nan)
