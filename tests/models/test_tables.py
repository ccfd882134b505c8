"""Robots from Denavit-Hartenberg tables and from screws, against the textbook formulas."""

from __future__ import annotations

import numpy as np
import pinocchio as pin
import pytest

from kinetree.kinematics import InvalidValueError, ScrewJoint, ShapeError, pose
from kinetree.models import from_dh, from_screws, load


def rows(rng: np.random.Generator, count: int) -> np.ndarray:
    return np.column_stack([rng.uniform(-1, 1, count), rng.uniform(-3, 3, count)] * 2)


@pytest.mark.parametrize("convention", ["standard", "modified"])
def test_tables_agree_with_the_formula(convention: str) -> None:
    rng = np.random.default_rng(0)
    table, kinds = rows(rng, 6), "rprrpr"
    base, tool = pose((0.1, 0.2, 0.3), rpy=(0.1, 0.2, 0.3)), pose((0, 0, 0.2), rpy=(0.4, 0, 0))
    robot = from_dh(table, convention=convention, kinds=kinds, base=base, tool=tool)
    assert robot.tip.name == "tool0"
    for _ in range(5):
        q = rng.uniform(-2, 2, 6)
        expected = base
        for (a, alpha, d, theta), kind, value in zip(table, kinds, q, strict=True):
            turn = pose((0, 0, d + value * (kind == "p")), rpy=(0, 0, theta + value * (kind == "r")))
            along = pose((a, 0, 0), rpy=(alpha, 0, 0))
            expected = expected * (turn * along if convention == "standard" else along * turn)
        reached = robot.state(q).transform(robot.tip)
        np.testing.assert_allclose(reached.homogeneous, (expected * tool).homogeneous, atol=1e-12)


def test_the_published_table_of_the_panda_is_the_built_in_one() -> None:
    half = np.pi / 2
    table = [(0, 0, 0.333, 0), (0, -half, 0, 0), (0, half, 0.316, 0), (0.0825, half, 0, 0),
             (-0.0825, -half, 0.384, 0), (0, half, 0, 0), (0.088, half, 0, 0)]  # fmt: skip
    robot = from_dh(table, convention="modified", tool=pose((0, 0, 0.107)))
    panda = load("panda")
    q = np.array([0.1, -0.3, 0.5, -1.2, 0.7, 1.5, 0.2])
    panda.positions = [*q, 0.0]
    np.testing.assert_allclose(
        robot.state(q).transform(robot.tip).homogeneous,
        panda.link("panda_link8").transform().homogeneous,
        atol=1e-12,
    )


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"rows": [[0, 0, 0]]}, ShapeError, r"\(n, 4\)"),
        ({"rows": [[0, 0, 0, np.nan]]}, InvalidValueError, "finite"),
        ({"rows": [[0, 0, 0, 0]], "convention": "craig"}, InvalidValueError, "'craig'"),
        ({"rows": [[0, 0, 0, 0]], "kinds": "x"}, InvalidValueError, "'x' in row 0"),
        ({"rows": [[0, 0, 0, 0]], "limits": []}, ShapeError, "limits"),
    ],
)
def test_bad_tables(arguments: dict[str, object], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        from_dh(**arguments)  # type: ignore[arg-type]


def test_screws_agree_with_the_product_of_exponentials() -> None:
    rng = np.random.default_rng(1)
    screws = []
    for kind in ("turn", "slide", "screw", "turn"):
        axis = rng.normal(size=3)
        axis /= np.linalg.norm(axis)
        point = rng.normal(size=3)
        if kind == "slide":
            screws.append([*axis, 0, 0, 0])
        else:
            pitch = 0.2 if kind == "screw" else 0.0
            screws.append([*(np.cross(point, axis) + pitch * axis), *axis])
    home = pose((0.5, 0.1, 0.7), rpy=(0.3, -0.2, 1.0))
    robot = from_screws(screws, home)
    assert isinstance(robot.joint("joint_3"), ScrewJoint)
    for _ in range(5):
        q = rng.uniform(-2, 2, 4)
        expected = pin.SE3.Identity()
        for twist, value in zip(screws, q, strict=True):
            expected = expected * pin.exp6(np.array(twist) * value)
        reached = robot.state(q).transform(robot.tip)
        np.testing.assert_allclose(reached.homogeneous, (expected * home).homogeneous, atol=1e-12)


def test_bad_screws() -> None:
    with pytest.raises(ShapeError, match=r"\(n, 6\)"):
        from_screws([[0, 0, 1]], np.eye(4))
    with pytest.raises(InvalidValueError, match="'joint_1' is zero"):
        from_screws([[0] * 6], np.eye(4))
