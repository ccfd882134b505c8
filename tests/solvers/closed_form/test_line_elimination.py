"""The equations that elimination leaves over hold at every configuration, and only there."""

import numpy as np
import pytest

from kinetree.solvers.closed_form.general_6r import _short_offsets
from kinetree.solvers.closed_form.line_elimination import LineElimination, chain_forward
from tests.solvers.closed_form.general_arms import ARMS, random_arm


def chain(geometry):
    axes = np.array(geometry.axes)
    _, offsets = _short_offsets(axes, geometry.offsets[1:6])
    return axes, offsets / np.linalg.norm(offsets, axis=1).mean()


@pytest.mark.parametrize("dropped", [0, 1])
def test_matrix_is_singular_at_the_hidden_joint_of_every_configuration(dropped):
    rng = np.random.default_rng(1)
    for _ in range(10):
        axes, offsets = chain(random_arm(rng))
        elimination = LineElimination.of(axes, offsets, dropped, rng)
        assert elimination.degrees == (0, 4, 0)
        assert elimination.solutions == 16
        q = rng.uniform(-np.pi, np.pi, 6)
        goal = chain_forward(axes, offsets, q)
        values = np.linalg.svd(elimination.matrix(*goal, q[dropped + 3])[0], compute_uv=False)
        assert values[-1] < 1e-14 * values[0]
        elsewhere = np.linalg.svd(elimination.matrix(*goal, q[dropped + 3] + 0.5)[0], compute_uv=False)
        assert elsewhere[-1] > 1e-9 * elsewhere[0]


def test_null_vector_is_the_product_of_half_angle_functions():
    rng = np.random.default_rng(2)
    axes, offsets = chain(random_arm(rng))
    elimination = LineElimination.of(axes, offsets, 0, rng)
    q = rng.uniform(-np.pi, np.pi, 6)
    matrix, _ = elimination.matrix(*chain_forward(axes, offsets, q), q[3])
    u, v = (np.array([np.cos(a / 2), np.sin(a / 2), np.cos(1.5 * a), np.sin(1.5 * a)]) for a in q[4:])
    assert np.abs(matrix @ np.kron(u, v)).max() < 1e-13 * np.linalg.norm(matrix)


def test_slope_is_the_derivative():
    rng = np.random.default_rng(3)
    for name in ("manseur_doty", "jaco", "ur5"):
        axes, offsets = chain(ARMS[name]())
        for dropped in (0, 1):
            elimination = LineElimination.of(axes, offsets, dropped, rng)
            goal = chain_forward(axes, offsets, rng.uniform(-np.pi, np.pi, 6))
            ahead, behind = elimination.matrix(*goal, 0.7 + 1e-6)[0], elimination.matrix(*goal, 0.7 - 1e-6)[0]
            slope = elimination.matrix(*goal, 0.7)[1]
            assert np.abs((ahead - behind) / 2e-6 - slope).max() < 1e-8 * np.linalg.norm(slope)


def test_special_arms_have_fewer_solutions():
    rng = np.random.default_rng(4)
    axes, offsets = chain(ARMS["ur5"]())
    assert LineElimination.of(axes, offsets, 1, rng).solutions == 4
    axes, offsets = chain(ARMS["kr6_r900"]())
    assert LineElimination.of(-axes[::-1], -offsets[::-1], 0, rng).solutions == 4
