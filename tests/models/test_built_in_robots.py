"""The built-in robots against their published tables, and against the files of others where there are any."""

from __future__ import annotations

import tomllib
from math import pi
from typing import Any

import numpy as np
import pinocchio as pin
import pytest

from kinetree.kinematics import Mesh, Skeleton
from kinetree.models import load, robots
from tests.models.published_tables import exponentials, modified_dh, rotation, shift, standard_dh

INFOS = {info.name: info for info in robots()}
NAMES = list(INFOS)
TABLE: dict[str, Any] = tomllib.loads((INFOS["ur5"].file.parent / "robots.toml").read_text())
REFERENCES = [
    pytest.param(name, reference, id=f"{name}-{index}")
    for name in NAMES
    for index, reference in enumerate(TABLE[name]["reference_poses"])
]


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
    # Heights of the axes from the user guide's chain of dimensions; sideways they differ by millimetres.
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
    return exponentials(axes, shift(0.6, 0, 0.387) @ rotation("x", pi), q)


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
    "scara": [(105, 386), (150, 720), (None, None), (360, 1200)],
    "iiwa14": [(170, 85), (120, 85), (170, 100), (120, 75), (170, 130), (120, 135), (175, 135)],
}


@pytest.mark.parametrize("name", LIMITS)
def test_limits_are_the_published_ones(name: str) -> None:
    robot = load(name)
    for dof, (degrees, speed) in zip(robot.dofs, LIMITS[name], strict=True):
        if degrees is None:  # the quill, in metres
            assert (dof.lower, dof.upper, dof.velocity_limit) == (0.0, 0.21, 1.1)
            continue
        np.testing.assert_allclose(np.rad2deg([dof.lower, dof.upper]), [-degrees, degrees])
        assert np.rad2deg(dof.velocity_limit) == pytest.approx(speed)


def test_more_published_limits() -> None:
    panda_limits = [
        (-2.8973, 2.8973), (-1.7628, 1.7628), (-2.8973, 2.8973), (-3.0718, -0.0698),
        (-2.8973, 2.8973), (-0.0175, 3.7525), (-2.8973, 2.8973), (0.0, 0.04),
    ]  # fmt: skip
    assert [dof.limits for dof in load("panda").dofs] == panda_limits
    kr6 = [(-170, 170), (-190, 45), (-120, 156), (-185, 185), (-120, 120), (-350, 350)]
    np.testing.assert_allclose(np.rad2deg([dof.limits for dof in load("kr6_r900").dofs]), kr6)
    gen3_ranges = np.rad2deg([dof.upper for dof in load("gen3").dofs if dof.is_limited])
    np.testing.assert_allclose(gen3_ranges, [128.9, 147.8, 120.3])
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
    assert pin.buildModelFromUrdf(str(INFOS[name].file)).njoints > 1


@pytest.mark.parametrize(("name", "reference"), REFERENCES)
def test_reference_poses_in_pinocchio(name: str, reference: dict[str, Any]) -> None:
    model = pin.buildModelFromUrdf(str(INFOS[name].file))
    data = model.createData()
    pin.framesForwardKinematics(model, data, pinocchio_configuration(model, name, reference["q"]))
    frame = reference.get("frame", TABLE[name]["tip"])
    assert_at(data.oMf[model.getFrameId(frame)], reference)


@pytest.mark.parametrize(("name", "reference"), REFERENCES)
def test_reference_poses_in_kinetree(name: str, reference: dict[str, Any]) -> None:
    robot = load(name)
    q = robot.positions.copy()
    values = iter(reference["q"])
    for joint in TABLE[name]["joints"]:
        for dof in robot.joint(joint).dofs:
            q[dof.index] = next(values)
    assert list(values) == []
    frame = robot.frame(reference.get("frame", TABLE[name]["tip"]))
    assert_at(robot.state(q).transform(frame), reference)


def assert_at(reached: pin.SE3, reference: dict[str, Any]) -> None:
    wanted = pin.XYZQUATToSE3(np.array([*reference["position"], *reference["quaternion"]]))
    tolerance = reference.get("tolerance", 1e-9)
    np.testing.assert_allclose(reached.translation, wanted.translation, rtol=0, atol=tolerance)
    np.testing.assert_allclose(reached.rotation, wanted.rotation, rtol=0, atol=tolerance)


def pinocchio_configuration(model: pin.Model, name: str, values: list[float]) -> np.ndarray:
    """The model's configuration for values in the order of the table's joints; a mimic joint follows."""
    q = pin.neutral(model)
    rest = list(values)
    for joint in TABLE[name]["joints"]:
        index = model.getJointId(joint)
        at, size = model.idx_qs[index], model.nqs[index]
        if size == 7:
            rotation = pin.Quaternion(pin.exp3(np.array(rest[3:6])))
            q[at : at + 7] = [*rest[:3], *rotation.coeffs()]
            rest = rest[6:]
        else:
            angle = rest.pop(0)
            q[at : at + size] = [np.cos(angle), np.sin(angle)] if size == 2 else [angle]
    if name == "panda":
        first, second = (model.idx_qs[model.getJointId(f"panda_finger_joint{k}")] for k in (1, 2))
        q[second] = q[first]
    assert rest == []
    return q


@pytest.mark.parametrize("name", NAMES)
def test_the_table_describes_the_file(name: str) -> None:
    entry, robot = TABLE[name], load(name)
    assert len(entry["reference_poses"]) >= 3
    assert robot.num_dofs == entry["dofs"] == sum(len(robot.joint(joint).dofs) for joint in entry["joints"])
    assert robot.tip.name == entry["tip"]
    assert "<mesh" not in INFOS[name].file.read_text()
    home = iter(entry["home"])
    for joint in entry["joints"]:
        for dof in robot.joint(joint).dofs:
            assert dof.lower <= next(home) <= dof.upper


@pytest.mark.parametrize("name", NAMES)
def test_links_that_are_not_neighbours_do_not_collide_at_home(name: str) -> None:
    model = pin.buildModelFromUrdf(str(INFOS[name].file))
    geometry = pin.buildGeomFromUrdf(model, str(INFOS[name].file), pin.GeometryType.COLLISION)
    bodies = [each.parentJoint for each in geometry.geometryObjects]
    for second, b in enumerate(bodies):
        for first, a in enumerate(bodies[:second]):
            if a != b and model.parents[a] != b and model.parents[b] != a:
                geometry.addCollisionPair(pin.CollisionPair(first, second))
    data, shapes = model.createData(), geometry.createData()
    q = pinocchio_configuration(model, name, TABLE[name]["home"])
    pin.computeCollisions(model, data, geometry, shapes, q, False)
    pairs = zip(geometry.collisionPairs, shapes.collisionResults, strict=True)
    names = [each.name for each in geometry.geometryObjects]
    assert [(names[pair.first], names[pair.second]) for pair, result in pairs if result.isCollision()] == []


def test_the_humanoid_stands_over_its_feet() -> None:
    """A centre of mass that means something: in the plane of symmetry, over the soles, near the pelvis."""
    robot = load("humanoid")
    robot.positions = {"floating_base_joint": [0, 0, 0.91, 0, 0, 0]}
    x, y, z = robot.com
    assert robot.mass == pytest.approx(67.4)
    assert y == pytest.approx(0.0, abs=1e-9)
    assert abs(x) < 0.02
    assert 0.85 < z < 1.05
    assert robot.frame("left_foot").transform().translation[2] == pytest.approx(0.0, abs=1e-12)


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
