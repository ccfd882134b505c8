"""Errors are what they are said to be, and Jacobians are their derivatives."""

import math

import numpy as np
import pinocchio as pin
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from kinetree import models
from kinetree.kinematics import SimpleFrame, pose
from kinetree.solvers import (
    Direction3D,
    InverseKinematics,
    Lookat3D,
    Ray4D,
    Transform6D,
    TranslationXYOrientation3D,
    TranslationZAxisAngle4D,
)
from kinetree.solvers.compiled.target_layout import LARGEST_RATIO
from kinetree.solvers.targets.direction_basis import direction_basis
from kinetree.solvers.targets.tilt_rows import cone_rows, tilt_rows
from kinetree.solvers.tasks.rotation_vector_derivative import rotation_vector_derivative
from tests.solvers.conftest import numeric_jacobian
from tests.solvers.targets.samples import AXES, CLASSES, fulfilled, misses

PANDA = models.load("panda")
REFERENCES = {
    "world": None,
    "table": SimpleFrame("table", None, pose([0.1, 0.2, 0.3], rpy=[0.4, -0.7, 1.1])),
    "link": SimpleFrame("camera", PANDA.frame("panda_link3"), pose([0.1, 0.2, 0.3], rpy=[0.4, -0.7, 1.1])),
}
OFFSET = np.array([0.02, 0.03, 0.05])


def tool_at(state, reference):
    """Pose of the tool in a reference."""
    at = state.transform(PANDA.tip)
    at = pin.SE3(at.rotation, at.act(OFFSET))
    return at if reference is None else state.transform(reference).actInv(at)


def is_smooth(target, at):
    """Whether an error is smooth within some steps of a difference: no tip of a cone, no half turn, not too near."""
    pointing = at.rotation @ target.tool_direction
    _, turned = misses(target, at)
    if isinstance(target, tuple(AXES)):
        across = math.hypot(*np.delete(pointing, target.axis))
        return across > 0.05
    if isinstance(target, TranslationXYOrientation3D):
        return math.hypot(pointing[0], pointing[1]) > 0.05 and turned < math.pi - 0.05
    if isinstance(target, Lookat3D):
        return bool(np.linalg.norm(target.point - at.translation) > 0.05) and turned < math.pi - 0.05
    return turned < math.pi - 0.05


@pytest.mark.parametrize("reference", REFERENCES)
@pytest.mark.parametrize("kind", CLASSES)
@settings(max_examples=20)
@given(st.integers(0, 2**32 - 1))
def test_errors_and_derivatives(kind, reference, seed):
    rng = np.random.default_rng(seed)
    frame = REFERENCES[reference]
    ik = InverseKinematics(PANDA)
    ik.offset = OFFSET
    target = fulfilled(kind, tool_at(PANDA.state(PANDA.random_positions(rng)), frame), rng, frame)
    ik.error_method = target
    state = PANDA.state(PANDA.random_positions(rng))
    at = tool_at(state, frame)
    assume(is_smooth(target, at))
    error, jacobian = target.evaluate(state)
    away, turned = target.residual(state)
    wanted = misses(target, at)
    assert away == pytest.approx(wanted[0], abs=1e-12)
    assert turned == pytest.approx(wanted[1], abs=1e-7)
    assert error @ error == pytest.approx(away**2 + turned**2, abs=1e-12)
    assert error.shape == (target.rows,)
    if kind is Transform6D:
        # The angular velocity, as for a plain pose; what it makes of the rotation vector is another matter.
        jacobian[3:] = rotation_vector_derivative(error[3:]) @ jacobian[3:]
    difference = numeric_jacobian(target, state)
    np.testing.assert_allclose(jacobian, difference, atol=1e-6 * max(1.0, np.abs(jacobian).max()))


@pytest.mark.parametrize("kind", CLASSES)
def test_derivatives_at_the_target(kind):
    rng = np.random.default_rng(3)
    ik = InverseKinematics(PANDA)
    for _ in range(5):
        state = PANDA.state(PANDA.random_positions(rng))
        target = fulfilled(kind, state.transform(PANDA.tip), rng)
        ik.error_method = target
        error, jacobian = target.evaluate(state)
        assert np.abs(error).max() < 1e-12
        if kind in AXES and error.size == 5 and target.angle > 0.3 and target.angle < math.pi - 0.3:
            assert not jacobian[4].any()
        np.testing.assert_allclose(jacobian, numeric_jacobian(target, state), atol=1e-7)


unit = st.tuples(*[st.floats(-1.0, 1.0)] * 3).filter(lambda v: math.hypot(*v) > 0.1)


@given(unit)
def test_basis_of_a_direction(vector):
    direction = np.array(vector) / math.hypot(*vector)
    basis = direction_basis(direction)
    np.testing.assert_allclose(basis @ basis.T, np.eye(3), atol=1e-14)
    assert np.linalg.det(basis) > 0.0
    np.testing.assert_array_equal(basis[2], direction)


@pytest.mark.parametrize("direction", [[0, 0, 1], [0, 0, -1], [0, 0, -0.0], [1, 0, 0], [0, 1e-300, -1]])
def test_basis_of_the_axes(direction):
    vector = np.array(direction, dtype=float)
    basis = direction_basis(vector)
    if vector.any():
        np.testing.assert_allclose(basis @ basis.T, np.eye(3), atol=1e-15)
    assert np.isfinite(basis).all()


# Where errors are not smooth.
def test_half_a_turn_is_half_a_turn_off_and_can_be_left():
    motion = np.array([[1.0, 0.0, 0.5], [0.0, 1.0, -0.5], [0.0, 0.0, 0.0]])
    error, jacobian = tilt_rows(np.array([0.0, 0.0, -1.0]), motion)
    assert np.linalg.norm(error) == pytest.approx(math.pi)
    assert np.isfinite(jacobian).all()
    assert np.abs(jacobian).max() <= LARGEST_RATIO
    gradient = jacobian.T @ error
    assert np.linalg.norm(gradient) > 1.0
    # A small step down leads to a smaller angle.
    step = -1e-3 * motion @ gradient / np.linalg.norm(gradient)
    seen = np.array([step[0], step[1], -math.sqrt(1.0 - step[0] ** 2 - step[1] ** 2)])
    assert np.linalg.norm(tilt_rows(seen, motion)[0]) < math.pi - 1e-4


@pytest.mark.parametrize("angle", [0.0, 1e-13, 1e-9, 1e-3, math.pi - 1e-3, math.pi - 1e-9, math.pi - 1e-13, math.pi])
@pytest.mark.parametrize("wanted", [0.0, 1e-9, 0.2, 0.3, 1.0, math.pi / 2, 2.5, math.pi - 1e-9, math.pi])
def test_cones_at_their_tips(angle, wanted):
    seen = np.array([math.sin(angle) * 0.6, math.sin(angle) * 0.8, math.cos(angle)])
    motion = np.array([[1.0, 0.0], [0.0, 1.0], [0.0, 0.0]])
    error, jacobian = cone_rows(seen, motion, wanted)
    assert np.linalg.norm(error) == pytest.approx(abs(angle - wanted), abs=1e-14)
    assert np.isfinite(jacobian).all()
    if abs(angle - wanted) > 1e-6:
        assert np.linalg.norm(jacobian.T @ error) > 0.5 * abs(angle - wanted)


def at_zero(error_method):
    """An error at a tool whose axes are those of the world."""
    ik = InverseKinematics(PANDA)
    inverse = PANDA.state().transform(PANDA.tip).inverse()
    frame = SimpleFrame("tool", PANDA.tip, inverse)
    ik = InverseKinematics(frame)
    ik.error_method = error_method
    return error_method.measure(PANDA.state())


@pytest.mark.parametrize(
    ("target", "away", "turned"),
    [
        (Direction3D("-z"), 0.0, math.pi),
        (Ray4D([0, 0, 5], "-z"), 0.0, math.pi),
        (Ray4D([0, 0, 5], "z"), 0.0, 0.0),
        (Ray4D([3, 4, 5], "z"), 5.0, 0.0),
        (Lookat3D([0, 0, 2]), 0.0, 0.0),
        (Lookat3D([0, 0, -2]), 0.0, math.pi),
        (Lookat3D([0, 2, 0]), 0.0, math.pi / 2),
        (TranslationZAxisAngle4D([0, 0, 0], 0.0), 0.0, 0.0),
        (TranslationZAxisAngle4D([0, 0, 0], 0.5), 0.0, 0.5),
        (TranslationZAxisAngle4D([0, 0, 0], math.pi), 0.0, math.pi),
        (TranslationXYOrientation3D([0, 0], math.pi), 0.0, math.pi),
        (TranslationXYOrientation3D([0, 0], math.pi, tool_direction="z"), 0.0, math.pi),
        (TranslationXYOrientation3D([0, 0], 0.0, tool_direction="z"), 0.0, math.pi),
    ],
)
def test_errors_of_the_unmoved_tool(target, away, turned):
    error, jacobian, distance, angle = at_zero(target)
    assert distance == pytest.approx(away, abs=1e-12)
    assert angle == pytest.approx(turned, abs=1e-12)
    assert np.isfinite(error).all()
    assert np.isfinite(jacobian).all()
    if turned > 0.0 and target.tool_direction[2] != 1.0:
        assert np.linalg.norm(jacobian.T @ error) > 1e-3


def test_looking_at_the_point_where_the_tool_is():
    error, jacobian, _, angle = at_zero(Lookat3D([0, 0, 0]))
    assert angle > 1.0  # from there the point is in no direction
    assert np.isfinite(error).all()
    assert np.isfinite(jacobian).all()
