"""Robots from Denavit-Hartenberg tables, against the textbook formulas."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from kinetree.kinematics import (
    InvalidPoseError,
    InvalidValueError,
    PrismaticJoint,
    RevoluteJoint,
    ShapeError,
    pose,
)
from kinetree.models import from_dh, load


def rows(rng: np.random.Generator, count: int) -> np.ndarray:
    return np.column_stack([rng.uniform(-1, 1, count), rng.uniform(-3, 3, count)] * 2)


@pytest.mark.parametrize("convention", ["standard", "modified"])
def test_tables_agree_with_the_formula(convention: str) -> None:
    rng = np.random.default_rng(0)
    table, kinds = rows(rng, 6), "rprrpr"
    base, tool = pose((0.1, 0.2, 0.3), rpy=(0.1, 0.2, 0.3)), pose((0, 0, 0.2), rpy=(0.4, 0, 0))
    robot = from_dh(table, convention, kinds=kinds, base=base, tool=tool)
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


def test_names_limits_and_kinds() -> None:
    robot = from_dh(
        [[0.1, 0, 0, 0]] * 2,
        kinds=["revolute", "P"],
        limits=[(-1, 1), None],
        names=["turn", "slide"],
        name="two",
    )
    assert [dof.name for dof in robot.dofs] == ["turn", "slide"]
    assert isinstance(robot.joint("turn"), RevoluteJoint)
    assert isinstance(robot.joint("slide"), PrismaticJoint)
    assert robot.dof("turn").limits == (-1, 1)
    assert not robot.dof("slide").is_limited
    assert robot.name == "two"
    assert "standard Denavit-Hartenberg" in robot.source


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"rows": [[0, 0, 0]]}, ShapeError, r"\(n, 4\): a, alpha, d, theta"),
        ({"rows": []}, ShapeError, r"\(n, 4\)"),
        ({"rows": [[0, 0, 0, np.nan]]}, InvalidValueError, "finite"),
        ({"rows": [["a", 0, 0, 0]]}, ShapeError, "rows must be rows of equally many numbers"),
        ({"rows": [[0, 0, 0, 0], [1]]}, ShapeError, "rows must be rows of equally many numbers"),
        ({"rows": [[0, 0, 0, 0]], "kinds": 3}, ShapeError, "kinds must be a list"),
        ({"rows": [[0, 0, 0, 0]], "convention": "craig"}, InvalidValueError, "'craig'"),
        ({"rows": [[0, 0, 0, 0]], "kinds": "x"}, InvalidValueError, "'x' in row 0"),
        ({"rows": [[0, 0, 0, 0]], "limits": []}, ShapeError, "limits must have one entry per row: 1, not 0"),
        ({"rows": [[0, 0, 0, 0]], "names": ["a", "b"]}, ShapeError, "names"),
        ({"rows": [[0, 0, 0, 0]], "tool": np.zeros((4, 4))}, InvalidPoseError, "tool"),
    ],
)
def test_bad_tables(arguments: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        from_dh(**arguments)
