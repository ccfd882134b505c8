"""The built-in robots against their published tables, and against the files of others where there are any."""

from __future__ import annotations

from math import pi

import numpy as np
import pinocchio as pin
import pytest
from kinetree.kinematics import Link, Mesh, Skeleton
from kinetree.models import load, robots

NAMES = [info.name for info in robots()]


def standard_dh(rows: list[tuple[float, float, float]], q: np.ndarray) -> np.ndarray:
    """Product of Rz(q) Tz(d) Tx(a) Rx(alpha), rows (d, a, alpha)."""
    pose = np.eye(4)
    for (d, a, alpha), angle in zip(rows, q, strict=True):
        pose = pose @ rotation("z", angle) @ shift(a, 0, d) @ rotation("x", alpha)
    return pose


def modified_dh(rows: list[tuple[float, float, float]], q: np.ndarray) -> np.ndarray:
    """Product of Rx(alpha) Tx(a) Rz(q) Tz(d), rows (a, alpha, d)."""
    pose = np.eye(4)
    for (a, alpha, d), angle in zip(rows, q, strict=True):
        pose = pose @ rotation("x", alpha) @ shift(a, 0, 0) @ rotation("z", angle) @ shift(0, 0, d)
    return pose


def exponentials(axes: list[tuple[str, tuple[float, float, float]]], home: np.ndarray, q: np.ndarray) -> np.ndarray:
    """Turns about lines (direction and a point at zero, in the base), or slides ("s" first), then the home pose."""
    pose = np.eye(4)
    for (axis, point), value in zip(axes, q, strict=True):
        sign = -1.0 if axis.startswith("-") else 1.0
        letter = axis[-1]
        if "s" in axis:
            pose = pose @ shift(*(sign * value * np.eye(3)["xyz".index(letter)]))
        else:
            pose = pose @ shift(*point) @ rotation(letter, sign * value) @ shift(*(-np.array(point)))
    return pose @ home


def rotation(axis: str, angle: float) -> np.ndarray:
    c, s = np.cos(angle), np.sin(angle)
    i, j = {"x": (1, 2), "y": (2, 0), "z": (0, 1)}[axis]
    result = np.eye(4)
    result[i, i] = result[j, j] = c
    result[i, j], result[j, i] = -s, s
    return result


def shift(x: float, y: float, z: float) -> np.ndarray:
    result = np.eye(4)
    result[:3, 3] = x, y, z
    return result


def ur5(q: np.ndarray) -> np.ndarray:
    rows = [
        (0.089159, 0, pi / 2), (0, -0.425, 0), (0, -0.39225, 0),
        (0.10915, 0, pi / 2), (0.09465, 0, -pi / 2), (0.0823, 0, 0),
    ]  # fmt: skip
    # The table's base looks the other way than base_link.
    return rotation("z", pi) @ standard_dh(rows, q)


def panda(q: np.ndarray) -> np.ndarray:
    rows = [
        (0, 0, 0.333), (0, -pi / 2, 0), (0, pi / 2, 0.316), (0.0825, pi / 2, 0),
        (-0.0825, -pi / 2, 0.384), (0, pi / 2, 0), (0.088, pi / 2, 0),
    ]  # fmt: skip
    return modified_dh(rows, q) @ shift(0, 0, 0.107) @ rotation("z", -pi / 4)


def iiwa14(q: np.ndarray) -> np.ndarray:
    heights = [0, 0.36, 0, 0.78, 0, 1.18, 0]
    axes = [(axis, (0.0, 0.0, h)) for axis, h in zip(("z", "y", "z", "-y", "z", "y", "z"), heights, strict=True)]
    return exponentials(axes, shift(0, 0, 1.306), q)


def kr6_r900(q: np.ndarray) -> np.ndarray:
    axes = [
        ("-z", (0, 0, 0)), ("y", (0.025, 0, 0.4)), ("y", (0.48, 0, 0.4)),
        ("-x", (0, 0, 0.435)), ("y", (0.9, 0, 0.435)), ("-x", (0, 0, 0.435)),
    ]  # fmt: skip
    return exponentials(axes, shift(0.98, 0, 0.435) @ rotation("y", pi / 2), q)


def gen3(q: np.ndarray) -> np.ndarray:
    # Heights of the axes from the user guide's chain of dimensions; the axes are offset sideways by millimetres.
    shoulder = 0.15643 + 0.12838
    elbow = shoulder + 2 * 0.21038
    wrist = elbow + 0.20843 + 0.10593
    # Sideways the guide's table has 11.8 and 12.8 mm between the axes that turn without end.
    upper, fore, last = -0.01175, -0.0245, -0.0245 - 2 * 0.00017505
    axes = [
        ("-z", (0, 0, 0)), ("y", (0, 0, shoulder)), ("-z", (0, upper, 0)), ("y", (0, 0, elbow)),
        ("-z", (0, fore, 0)), ("y", (0, 0, wrist)), ("-z", (0, last, 0)),
    ]  # fmt: skip
    return exponentials(axes, shift(0, last, wrist + 0.10593 + 0.061525), q)


def scara(q: np.ndarray) -> np.ndarray:
    axes = [("z", (0, 0, 0)), ("z", (0.325, 0, 0)), ("-sz", (0, 0, 0)), ("-z", (0.6, 0, 0))]
    return exponentials(axes, shift(0.6, 0, 0.347) @ rotation("x", pi), q)


def planar3(q: np.ndarray) -> np.ndarray:
    return exponentials([("z", (0, 0, 0)), ("z", (0.5, 0, 0)), ("z", (0.9, 0, 0))], shift(1.2, 0, 0), q)


TABLES = {"ur5": ur5, "panda": panda, "iiwa14": iiwa14, "kr6_r900": kr6_r900, "gen3": gen3, "scara": scara,
          "planar3": planar3}  # fmt: skip


@pytest.mark.parametrize("name", TABLES)
def test_forward_kinematics_agrees_with_the_published_table(name: str) -> None:
    robot = load(name)
    rng = np.random.default_rng(0)
    count = len(robot.tip.chain())
    for q in [np.zeros(robot.num_dofs), *(robot.random_positions(rng) for _ in range(20))]:
        reached = robot.state(q).transform(robot.tip).homogeneous
        np.testing.assert_allclose(reached, TABLES[name](q[:count]), rtol=0, atol=1e-9)


def test_poses_that_the_makers_publish() -> None:
    """Stretched out: 1306 mm for the iiwa, 1187.3 mm for the Gen3, 980 mm forward for the KR 6, at zero."""
    assert load("iiwa14").tip.transform().translation[2] == pytest.approx(1.306)
    assert load("gen3").tip.transform().translation[2] == pytest.approx(1.1873, abs=1e-4)
    assert load("kr6_r900").tip.transform().translation[0] == pytest.approx(0.98)
    ready = load("panda")
    ready.positions = [0, -pi / 4, 0, -3 * pi / 4, 0, pi / 2, pi / 4, 0]
    np.testing.assert_allclose(ready.link("panda_link8").transform().translation, [0.3069, 0, 0.5903], atol=5e-5)


LIMITS = {
    "ur5": [(360, 180)] * 6,
    "iiwa14": [(170, 85), (120, 85), (170, 100), (120, 75), (170, 130), (120, 135), (175, 135)],
}


@pytest.mark.parametrize("name", LIMITS)
def test_limits_are_the_published_ones(name: str) -> None:
    robot = load(name)
    for dof, (degrees, speed) in zip(robot.dofs, LIMITS[name], strict=True):
        np.testing.assert_allclose(np.rad2deg([dof.lower, dof.upper]), [-degrees, degrees])
        assert np.rad2deg(dof.velocity_limit) == pytest.approx(speed)


def test_more_published_limits() -> None:
    panda_limits = [(-2.8973, 2.8973), (-1.7628, 1.7628), (-2.8973, 2.8973), (-3.0718, -0.0698), (-2.8973, 2.8973),
                    (-0.0175, 3.7525), (-2.8973, 2.8973), (0.0, 0.04)]  # fmt: skip
    assert [dof.limits for dof in load("panda").dofs] == panda_limits
    kr6 = [(-170, 170), (-190, 45), (-120, 156), (-185, 185), (-120, 120), (-350, 350)]
    np.testing.assert_allclose(np.rad2deg([dof.limits for dof in load("kr6_r900").dofs]), kr6)
    assert [dof.is_limited for dof in load("gen3").dofs] == [False, True, False, True, False, True, False]


@pytest.mark.parametrize("name", NAMES)
def test_files_are_complete_and_sound(name: str) -> None:
    robot = load(name)
    for link in robot.links:
        assert not any(isinstance(shape.geometry, Mesh) for shape in (*link.visuals, *link.collisions))
        if link.joint.is_moving:
            assert link.mass > 0.0
            assert np.linalg.eigvalsh(link.inertia.inertia)[0] > 0.0
    for dof in robot.dofs:
        assert dof.joint.kind == "free" or np.isfinite(dof.velocity_limit)
    info = next(each for each in robots() if each.name == name)
    pin.buildModelFromUrdf(str(info.file))


@pytest.mark.parametrize("name", NAMES)
def test_links_do_not_collide_in_the_middle_of_their_ranges(name: str) -> None:
    robot = load(name)
    info = next(each for each in robots() if each.name == name)
    model = pin.buildModelFromUrdf(str(info.file))
    geometry = pin.buildGeomFromUrdf(model, str(info.file), pin.GeometryType.COLLISION)
    geometry.addAllCollisionPairs()
    q = robot.rest_positions
    for index, dof in enumerate(robot.dofs):
        if name in ("panda", "ur5", "kr6_r900"):
            q[index] = {"panda": [0, -0.8, 0, -2.3, 0, 1.6, 0.8, 0.02], "ur5": [0, -1.2, 1.0, -1.0, -1.5, 0],
                        "kr6_r900": [0, -1.2, 1.2, 0, 0.5, 0]}[name][index]  # fmt: skip
        elif dof.is_limited and name in ("iiwa14", "gen3", "scara", "planar3"):
            q[index] = 0.5 * (dof.lower + dof.upper)
    configuration = theirs(robot, q, model)
    data, shapes = model.createData(), geometry.createData()
    pin.updateGeometryPlacements(model, data, geometry, shapes, configuration)
    touching = []
    for index, pair in enumerate(geometry.collisionPairs):
        names = [geometry.geometryObjects[k].name.rsplit("_", 1)[0] for k in (pair.first, pair.second)]
        if not neighbours(robot.link(names[0]), robot.link(names[1])) and pin.computeCollision(geometry, shapes, index):
            touching.append(names)
    assert touching == []


def body(link: Link) -> Link:
    while link.parent_link is not None and not link.joint.is_moving:
        link = link.parent_link
    return link


def neighbours(first: Link, second: Link) -> bool:
    a, b = body(first), body(second)
    return a is b or (a.parent_link and body(a.parent_link)) is b or (b.parent_link and body(b.parent_link)) is a


def theirs(robot: Skeleton, q: np.ndarray, model: pin.Model) -> np.ndarray:
    ours, own = robot.to_pinocchio(q), robot.model
    result = pin.neutral(model)
    for index in range(1, model.njoints):
        joint = own.getJointId(model.names[index])
        values = ours[own.idx_qs[joint] : own.idx_qs[joint] + own.nqs[joint]]
        if model.nqs[index] == 2 and len(values) == 1:
            values = np.array([np.cos(values[0]), np.sin(values[0])])
        result[model.idx_qs[index] : model.idx_qs[index] + model.nqs[index]] = values
    return result


@pytest.mark.parametrize(("name", "frame", "other"), [("ur5", "tool0", "ur5"), ("panda", "panda_hand", "panda")])
def test_the_same_robot_in_another_package(name: str, frame: str, other: str) -> None:
    package = pytest.importorskip("example_robot_data", reason="needs example-robot-data-loaders")
    model = package.load(other).model
    data = model.createData()
    robot = load(name)
    for seed in range(20):
        q = robot.random_positions(seed)
        pin.framesForwardKinematics(model, data, theirs(robot, q, model))
        np.testing.assert_allclose(
            robot.state(q).transform(robot.frame(frame)).homogeneous,
            data.oMf[model.getFrameId(frame)].homogeneous,
            rtol=0,
            atol=1e-6,
        )
