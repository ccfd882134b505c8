"""The kernels of targets do what Python does."""

import math

import numpy as np
import pinocchio as pin
import pytest

from kinetree import models
from kinetree.kinematics import SimpleFrame, pose
from kinetree.solvers import (
    InverseKinematics,
    Lookat3D,
    Problem,
    Ray4D,
    TranslationXYOrientation3D,
    TranslationZAxisAngle4D,
)
from kinetree.solvers.compiled.form import form_of
from kinetree.solvers.compiled.pose_task import POSE
from kinetree.solvers.compiled.target_task import TARGET
from kinetree.solvers.engine import engine_for
from kinetree.solvers.request import make_request
from tests.solvers.targets.samples import CLASSES, fulfilled

TABLE = SimpleFrame("table", None, pose([0.1, 0.2, 0.3], rpy=[0.4, -0.7, 1.1]))
OFFSET = np.array([0.02, 0.03, 0.05])


@pytest.fixture(scope="module")
def panda():
    return models.load("panda")


def both(ik, target, seed, iterations):
    """One descent in each engine, without looking into a failure."""
    found = []
    for name in ("object", "compiled"):
        problem = Problem(iterations=iterations, attempts=1, strikes=1000, improvement=1e9, engine=name)
        request = make_request(ik, target, problem, seed, explains=False, warns=False)
        engine = engine_for(request)
        assert engine.name == name
        found.append(engine.solve(request))
    return found


def assert_same(found, atol):
    assert found[1].position_error == pytest.approx(found[0].position_error, abs=atol)
    assert found[1].orientation_error == pytest.approx(found[0].orientation_error, abs=atol)
    np.testing.assert_allclose(found[1].q, found[0].q, atol=atol)


@pytest.mark.parametrize("reference", [None, TABLE], ids=["world", "table"])
@pytest.mark.parametrize("kind", CLASSES)
def test_engines_agree(panda, kind, reference):
    """Without a step the errors are the same, and after some steps the Jacobians were."""
    ik = InverseKinematics(panda)
    ik.offset = OFFSET
    rng = np.random.default_rng(7)
    for _ in range(10):
        at = panda.state(panda.random_positions(rng)).transform(panda.tip)
        at = pin.SE3(at.rotation, at.act(OFFSET))
        target = fulfilled(kind, at if reference is None else reference.transform().actInv(at), rng, reference)
        seed = panda.random_positions(rng)
        assert_same(both(ik, target, seed, 0), 1e-12)
        assert_same(both(ik, target, seed, 3), 1e-9)


@pytest.mark.parametrize(
    "angle", [0.0, 1e-9, 0.1, 0.299999, 0.300001, 1.5, math.pi / 2, 1.6, 2.9, math.pi - 1e-9, math.pi]
)
def test_engines_agree_on_cones_of_any_width(panda, angle):
    ik = InverseKinematics(panda)
    rng = np.random.default_rng(8)
    for _ in range(5):
        point = panda.state(panda.random_positions(rng)).transform(panda.tip).translation
        target, seed = TranslationZAxisAngle4D(point, angle), panda.random_positions(rng)
        assert_same(both(ik, target, seed, 0), 1e-12)
        assert_same(both(ik, target, seed, 2), 1e-9)


def test_engines_agree_where_errors_are_not_smooth(panda):
    frame = SimpleFrame("tool", panda.tip, panda.state().transform(panda.tip).inverse())
    ik = InverseKinematics(frame)
    seed = panda.positions
    for target in (
        Ray4D([0, 0, 0], "-z"),
        Lookat3D([0, 0, -2]),
        TranslationZAxisAngle4D([0, 0, 0], math.pi),
        TranslationXYOrientation3D([0, 0], math.pi),
    ):
        found = both(ik, target, seed, 0)
        assert_same(found, 1e-9)
        assert found[1].orientation_error == pytest.approx(math.pi, abs=1e-9)
        # Which way they leave half a turn is decided by the last digits; that they leave it is not.
        ik.problem.engine = "compiled"
        assert ik.solve(target, attempts=1, iterations=1, seed=seed).orientation_error < math.pi - 1e-6


@pytest.mark.parametrize("kind", CLASSES)
def test_which_kernels(panda, kind):
    """A pose or a position in the world goes the way of poses, which is faster."""
    ik = InverseKinematics(panda)
    rng = np.random.default_rng(9)
    plain = kind.__name__ in ("Transform6D", "Translation3D")
    for reference in (None, TABLE):
        ik.error_method = fulfilled(kind, pin.SE3.Random(), rng, reference)
        form = form_of(ik.error_method.aimed_at())
        assert form.task is (POSE if plain and reference is None else TARGET)
        assert form.rows == ik.error_method.rows
        np.testing.assert_array_equal(form.goal, ik.error_method.goal)
