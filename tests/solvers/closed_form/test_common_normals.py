from __future__ import annotations

import numpy as np
import pytest

from kinetree.solvers.closed_form.chain_geometry import ChainGeometry
from kinetree.solvers.closed_form.common_normals import CommonNormals
from tests.solvers.closed_form.six_joint_arms import (
    first_parallel_arm,
    middle_parallel_arm,
    ortho_parallel_arm,
    rotation,
    spherical_wrist_arm,
    unit,
)


def pose(r, p):
    m = np.eye(4)
    m[:3, :3], m[:3, 3] = r, p
    return m


def about(axis, angle, distance):
    """Screw about and along z (2) or x (0)."""
    c, s = np.cos(angle), np.sin(angle)
    m = np.eye(4)
    i, k = ((1, 2), None, (0, 1))[axis]
    m[i, i], m[i, k], m[k, i], m[k, k] = c, -s, s, c
    m[axis, 3] = distance
    return m


def forward(normals, q):
    result = np.linalg.inv(pose(*normals.base))
    for k, value in enumerate(q):
        result = result @ about(2, normals.signs[k] * value + normals.zeros[k], normals.offsets[k])
        if k + 1 < len(q):
            result = result @ about(0, normals.twists[k], normals.lengths[k])
    return result @ np.linalg.inv(pose(*normals.tip))


def same_line(rng):
    """Neighbouring axes on one line, with the first axes and with others."""
    h, p = [unit(rng) for _ in range(6)], rng.normal(size=(7, 3))
    h[1], h[4] = -h[0], h[3]
    p[1], p[4] = 0.3 * h[0], -0.2 * h[3]
    return ChainGeometry.made(h, p, rotation(rng))


@pytest.mark.parametrize(
    "make",
    [
        ortho_parallel_arm,
        first_parallel_arm,
        same_line,
        lambda rng: middle_parallel_arm(rng, True),
        lambda rng: middle_parallel_arm(rng, False).reversed(),
        lambda rng: spherical_wrist_arm(rng, "general", False),
        lambda rng: spherical_wrist_arm(rng, "parallel12", True),
    ],
)
def test_the_tip_is_where_the_chain_has_it(make):
    rng = np.random.default_rng(1)
    for _ in range(30):
        geometry = make(rng)
        normals = CommonNormals.of(geometry)
        assert normals.offsets[0] == normals.offsets[5] == 0.0
        for q in rng.uniform(-3.0, 3.0, (5, 6)):
            r, p = geometry.forward(q)
            np.testing.assert_allclose(forward(normals, q), pose(r, p), atol=1e-11)


def test_parallel_and_meeting_axes_are_exactly_so():
    rng = np.random.default_rng(2)
    for _ in range(50):
        normals = CommonNormals.of(spherical_wrist_arm(rng, "parallel23", True))
        assert normals.twists[1] == 0.0
        assert normals.lengths[3] == normals.lengths[4] == normals.offsets[4] == 0.0


def test_an_axis_is_shifted_to_a_point():
    rng = np.random.default_rng(3)
    geometry = middle_parallel_arm(rng, False)
    point = rng.normal(size=3)
    normals = CommonNormals.of(geometry, through={4: point, 5: point})
    assert normals.lengths[4] == 0.0
    # With all joints at zero the tip stays.
    r, p = geometry.forward(np.zeros(6))
    np.testing.assert_allclose(forward(normals, np.zeros(6)), pose(r, p), atol=1e-12)
