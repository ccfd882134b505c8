"""Robots from screws, against the product of exponentials."""

from __future__ import annotations

from typing import Any

import numpy as np
import pinocchio as pin
import pytest

from kinetree.kinematics import InvalidValueError, PrismaticJoint, ScrewJoint, ShapeError, pose
from kinetree.models import from_screws


def random_screws(rng: np.random.Generator, kinds: tuple[str, ...]) -> np.ndarray:
    screws = []
    for kind in kinds:
        axis = rng.normal(size=3)
        axis /= np.linalg.norm(axis)
        point = rng.normal(size=3)
        if kind == "slide":
            screws.append([*axis, 0, 0, 0])
        else:
            pitch = -0.2 if kind == "screw" else 0.0
            screws.append([*(np.cross(point, axis) + pitch * axis), *axis])
    return np.array(screws)


def test_screws_agree_with_the_product_of_exponentials() -> None:
    rng = np.random.default_rng(1)
    screws = random_screws(rng, ("turn", "slide", "screw", "turn"))
    home = pose((0.5, 0.1, 0.7), rpy=(0.3, -0.2, 1.0))
    robot = from_screws(screws, home)
    joint = robot.joint("joint_3")
    assert isinstance(joint, ScrewJoint)
    assert joint.lead == pytest.approx(-0.2 * 2 * np.pi)
    for q in (np.zeros(4), *(rng.uniform(-2, 2, 4) for _ in range(5))):
        expected = pin.SE3.Identity()
        for twist, value in zip(screws, q, strict=True):
            expected = expected * pin.exp6(twist * value)
        reached = robot.state(q).transform(robot.tip)
        np.testing.assert_allclose(reached.homogeneous, (expected * home).homogeneous, atol=1e-12)


def test_the_space_jacobian_at_zero_is_the_table() -> None:
    """The order is linear, then angular, and the point is the base's origin."""
    screws = random_screws(np.random.default_rng(2), ("turn", "slide", "turn"))
    robot = from_screws(screws, np.eye(4))
    np.testing.assert_allclose(robot.tip.jacobian().T, screws, atol=1e-12)


def test_a_slide_with_a_trace_of_rotation_slides() -> None:
    robot = from_screws([[1, 0, 0, 0, 0, 1e-17]], np.eye(4))
    assert isinstance(robot.joint("joint_1"), PrismaticJoint)
    np.testing.assert_allclose(robot.state([0.3]).transform(robot.tip).translation, [0.3, 0, 0], atol=1e-15)


@pytest.mark.parametrize("scale", [1e-3, 1.0, 1e3])
def test_twists_of_any_length_agree_with_the_exponential(scale: float) -> None:
    rng = np.random.default_rng(0)
    screws = scale * rng.normal(size=(6, 6))
    screws[::3, 3:] = 0.0
    home = pose(rng.normal(size=3), rpy=rng.normal(size=3))
    robot = from_screws(screws, home)
    for _ in range(5):
        q = rng.uniform(-2, 2, 6)
        expected = pin.SE3.Identity()
        for twist, value in zip(screws, q, strict=True):
            length = np.linalg.norm(twist[3:]) or np.linalg.norm(twist[:3])
            expected = expected * pin.exp6(twist / length * value)
        reached = robot.state(q).transform(robot.tip)
        np.testing.assert_allclose(reached.homogeneous, (expected * home).homogeneous, atol=1e-11)


def test_names_limits_and_twists_of_another_length() -> None:
    robot = from_screws([[0, 0, 0, 0, 0, 2], [0, 5, 0, 0, 0, 0]], np.eye(4), limits=[(-1, 1), None], names=["a", "b"])
    robot.positions = [np.pi / 2, 0.5]
    np.testing.assert_allclose(robot.tip.transform().translation, [-0.5, 0, 0], atol=1e-15)
    assert robot.dof("a").limits == (-1, 1)
    assert robot.tip.name == "tool0"


@pytest.mark.parametrize(
    ("screws", "options", "error", "message"),
    [
        ([[0, 0, 1]], {}, ShapeError, r"\(n, 6\), linear part first"),
        ([], {}, ShapeError, r"\(n, 6\)"),
        ([[0] * 6], {}, InvalidValueError, "'joint_1' is zero"),
        ([[np.inf] * 6], {}, InvalidValueError, "finite"),
        ([["x"] * 6], {}, ShapeError, "screws must be rows"),
        ([[0] * 6, [1]], {}, ShapeError, "screws must be rows"),
        ([[0, 0, 0, 0, 0, 1]], {"names": []}, ShapeError, "one entry per joint: 1"),
    ],
)
def test_bad_screws(screws: Any, options: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        from_screws(screws, np.eye(4), **options)
