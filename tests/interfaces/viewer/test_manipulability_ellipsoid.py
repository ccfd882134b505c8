"""The ellipsoid of velocities."""

import numpy as np
import pytest

from kinetree import models
from kinetree.interfaces.viewer.manipulability_ellipsoid import ManipulabilityEllipsoid


def test_it_bounds_the_velocities_of_the_tip():
    robot = models.load("panda")
    q = robot.random_positions(3)
    tip, dofs = robot.tip, robot.tip.chain().dof_indices
    found = ManipulabilityEllipsoid.of(robot.state(q, dofs), tip)
    np.testing.assert_allclose(found.pose.translation, robot.state(q).transform(tip).translation)
    assert np.linalg.det(found.pose.rotation) == pytest.approx(1.0)
    # Velocities by finite differences: those of unit joint velocities are inside, and the longest is on the surface.
    step, columns = 1e-6, []
    for index in dofs:
        moved = q.copy()
        moved[index] += step
        columns.append((robot.state(moved).transform(tip).translation - found.pose.translation) / step)
    jacobian = np.array(columns).T
    directions = np.random.default_rng(0).normal(size=(len(dofs), 2000))
    velocities = found.pose.rotation.T @ jacobian @ (directions / np.linalg.norm(directions, axis=0))
    radii = np.linalg.norm(velocities / found.half_axes[:, None], axis=0)
    assert 0.95 < radii.max() < 1.0 + 1e-4
    assert found.manipulability == pytest.approx(np.sqrt(np.linalg.det(jacobian @ jacobian.T)), rel=1e-4)


def test_a_planar_arm_is_flat():
    robot = models.load("planar3")
    q = [0.3, 0.8, -0.4]
    found = ManipulabilityEllipsoid.of(robot.state(q), robot.tip)
    assert found.half_axes[2] == pytest.approx(0.0, abs=1e-12)
    assert found.half_axes[1] > 0.01
    assert found.manipulability == pytest.approx(0.0, abs=1e-12)


def test_fewer_joints_than_directions():
    jacobian = np.zeros((6, 1))
    jacobian[1, 0] = 2.0
    found = ManipulabilityEllipsoid.of_jacobian(jacobian, np.zeros(3))
    np.testing.assert_allclose(found.half_axes, [2.0, 0.0, 0.0])
    np.testing.assert_allclose(np.abs(found.pose.rotation[:, 0]), [0.0, 1.0, 0.0])
