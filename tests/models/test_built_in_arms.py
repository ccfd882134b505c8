"""The built-in arms that closed forms are tried on: published tables, poses and limits, and the files of others."""

from __future__ import annotations

from collections.abc import Callable
from math import atan, hypot, pi

import numpy as np
import pinocchio as pin
import pytest

from kinetree.models import load
from tests.models.published_tables import exponentials, modified_dh, rotation, shift, standard_dh

# Forward kinematics of the tip from the published tables.


def universal_robots(d1: float, a2: float, a3: float, d4: float, d5: float, d6: float) -> Callable[..., np.ndarray]:
    rows = [(d1, 0, pi / 2), (0, a2, 0), (0, a3, 0), (d4, 0, pi / 2), (d5, 0, -pi / 2), (d6, 0, 0)]
    # The table's base looks the other way than base_link.
    return lambda q: rotation("z", pi) @ standard_dh(rows, q)


def fr3(q: np.ndarray) -> np.ndarray:
    rows = [
        (0, 0, 0.333), (0, -pi / 2, 0), (0, pi / 2, 0.316), (0.0825, pi / 2, 0),
        (-0.0825, -pi / 2, 0.384), (0, pi / 2, 0), (0.088, pi / 2, 0),
    ]  # fmt: skip
    return modified_dh(rows, q) @ shift(0, 0, 0.107)


def iiwa7(q: np.ndarray) -> np.ndarray:
    alphas = [-pi / 2, pi / 2, pi / 2, -pi / 2, -pi / 2, pi / 2, 0]
    return standard_dh([(d, 0, a) for d, a in zip([0.34, 0, 0.4, 0, 0.4, 0, 0.126], alphas, strict=True)], q)


def abb(shoulder: tuple[float, float], upper: float, raised: float, fore: float, flange: float) -> Callable:
    """Axes of the specification's drawing: upper arm upright, forearm forward (m)."""
    x, z = shoulder
    elbow, wrist = z + upper, (x + fore, 0.0, z + upper + raised)
    axes = [("z", (0, 0, 0)), ("y", (x, 0, z)), ("y", (x, 0, elbow)), ("x", wrist), ("y", wrist), ("x", wrist)]
    home = shift(wrist[0] + flange, 0, wrist[2]) @ rotation("y", pi / 2)
    return lambda q: exponentials(axes, home, q)


def kr16(q: np.ndarray) -> np.ndarray:
    axes = [
        ("-z", (0, 0, 0)), ("y", (0.26, 0, 0.675)), ("y", (0.94, 0, 0.675)),
        ("-x", (0, 0, 0.64)), ("y", (1.61, 0, 0.64)), ("-x", (0, 0, 0.64)),
    ]  # fmt: skip
    return exponentials(axes, shift(1.768, 0, 0.64) @ rotation("y", pi / 2), q)


def xarm6(q: np.ndarray) -> np.ndarray:
    """The maker's standard table, with the angles between its zero and the mechanical one."""
    turn = atan(284.5 / 53.5)
    rows = [
        (0.267, 0, -pi / 2), (0, hypot(0.2845, 0.0535), 0), (0, 0.0775, -pi / 2),
        (0.3425, 0, pi / 2), (0, 0.076, -pi / 2), (0.097, 0, 0),
    ]  # fmt: skip
    return standard_dh(rows, np.add(q, [0, -turn, turn, 0, 0, 0]))


def xarm7(q: np.ndarray) -> np.ndarray:
    rows = [
        (0, 0, 0.267), (0, -pi / 2, 0), (0, pi / 2, 0.293), (0.0525, pi / 2, 0),
        (0.0775, pi / 2, 0.3425), (0, pi / 2, 0), (0.076, -pi / 2, 0.097),
    ]  # fmt: skip
    return modified_dh(rows, q)


def puma560_wrist(q: np.ndarray) -> np.ndarray:
    """Frame 6 of the Robotics Toolbox' table."""
    rows = [
        (26.45 * 0.0254, 0, pi / 2), (0, 0.4318, 0), (0.15005, 0.0203, -pi / 2),
        (0.4318, 0, pi / 2), (0, 0, -pi / 2), (0, 0, 0),
    ]  # fmt: skip
    return standard_dh(rows, q)


def stanford_arm(q: np.ndarray) -> np.ndarray:
    shoulder = standard_dh([(0.412, 0, -pi / 2), (0.154, 0, pi / 2)], q[:2])
    boom = rotation("z", -pi / 2) @ shift(0, 0, q[2])
    return shoulder @ boom @ standard_dh([(0, 0, -pi / 2), (0, 0, pi / 2), (0.263, 0, 0)], q[3:])


def wam7(q: np.ndarray) -> np.ndarray:
    rows = [
        (0, 0, -pi / 2), (0, 0, pi / 2), (0.55, 0.045, -pi / 2), (0, -0.045, pi / 2),
        (0.3, 0, -pi / 2), (0, 0, pi / 2), (0.06, 0, 0),
    ]  # fmt: skip
    return shift(0, 0, 0.346) @ standard_dh(rows, q)


def gantry_wrist(q: np.ndarray) -> np.ndarray:
    x, y, z, *turns = q
    wrist = rotation("z", -turns[0]) @ rotation("y", turns[1]) @ rotation("z", -turns[2])
    return shift(x, y, 1.4 - z) @ wrist @ shift(0, 0, -0.15) @ rotation("x", pi)


def so101(q: np.ndarray) -> np.ndarray:
    """Axes where the maker's file has them in the zero pose, in base_link."""
    axes = [
        ("-z", (0.0388353, 0, 0)), ("y", (0.0692345, 0, 0.1166)), ("y", (0.0972345, 0, 0.22917)),
        ("y", (0.2321345, 0, 0.23437)), ("-x", (0, -0.0001778, 0.23437)),
    ]  # fmt: skip
    # In the zero pose the gripper's z points back and its x up, but for 0.0486795 rad about z.
    gripper = shift(0.2932345, -0.0001778, 0.23437) @ rotation("y", -pi / 2) @ rotation("z", -0.0486795)
    return exponentials(axes, gripper @ shift(-0.0079, -0.000218121, -0.0981274) @ rotation("y", pi), q)


TABLES: dict[str, Callable[..., np.ndarray]] = {
    "ur3e": universal_robots(0.15185, -0.24355, -0.2132, 0.13105, 0.08535, 0.0921),
    "ur5e": universal_robots(0.1625, -0.425, -0.3922, 0.1333, 0.0997, 0.0996),
    "ur10e": universal_robots(0.1807, -0.6127, -0.57155, 0.17415, 0.11985, 0.11655),
    "fr3": fr3,
    "iiwa7": iiwa7,
    "irb120": abb((0, 0.29), 0.27, 0.07, 0.302, 0.072),
    "irb4600_40_255": abb((0.175, 0.495), 1.095, 0.175, 1.27, 0.135),
    "kr16": kr16,
    "xarm6": xarm6,
    "xarm7": xarm7,
    "puma560": lambda q: puma560_wrist(q) @ shift(0, 0, 0.05625),
    "stanford_arm": stanford_arm,
    "wam7": wam7,
    "gantry_wrist": gantry_wrist,
    "so101": so101,
}


@pytest.mark.parametrize("name", TABLES)
def test_forward_kinematics_agrees_with_the_published_table(name: str) -> None:
    robot = load(name)
    rng = np.random.default_rng(0)
    for q in [np.zeros(robot.num_dofs), *(robot.random_positions(rng) for _ in range(20))]:
        reached = robot.state(q).transform(robot.tip).homogeneous
        np.testing.assert_allclose(reached, TABLES[name](q), rtol=0, atol=1e-9)


def test_the_puma_at_the_configurations_of_the_robotics_toolbox() -> None:
    """Wrist positions that the toolbox and Corke's book print (shoulder at z = 0 there), and qn's orientation."""
    robot = load("puma560")
    named = {
        "qz": ([0, 0, 0, 0, 0, 0], [0.4521, -0.1500, 0.4318]),
        "qr": ([0, pi / 2, -pi / 2, 0, 0, 0], [0.0203, -0.1500, 0.8636]),
        "qs": ([0, 0, -pi / 2, 0, 0, 0], [0.8636, -0.1500, -0.0203]),
        "qn": ([0, pi / 4, -pi, 0, pi / 4, 0], [0.5963, -0.1501, -0.0144]),
    }
    for q, wrist in named.values():
        reached = robot.state(q).transform(robot.frame("frame_6"))
        np.testing.assert_allclose(reached.translation, np.add(wrist, [0, 0, 26.45 * 0.0254]), rtol=0, atol=1.01e-4)
    down = robot.state(named["qn"][0]).transform(robot.frame("frame_6")).rotation
    np.testing.assert_allclose(down, [[0, 0, 1], [0, 1, 0], [-1, 0, 0]], atol=1e-15)


@pytest.mark.parametrize(
    ("name", "q", "position"),
    [
        ("irb120", [0] * 6, [0.374, 0, 0.630]),
        ("irb4600_40_255", [0] * 6, [1.580, 0, 1.765]),
        ("kr16", [0, -pi / 2, pi / 2, 0, 0, 0], [1.088, 0, 1.320]),
        ("iiwa7", [0] * 7, [0, 0, 1.266]),
        ("xarm6", [0] * 6, [0.207, 0, 0.112]),
        ("xarm7", [0] * 7, [0.206, 0, 0.1205]),
        ("wam7", [0] * 7, [0, 0, 0.346 + 0.55 + 0.3 + 0.06]),
    ],
)
def test_poses_that_the_makers_publish(name: str, q: list[float], position: list[float]) -> None:
    robot = load(name)
    np.testing.assert_allclose(robot.state(q).transform(robot.tip).translation, position, rtol=0, atol=1e-12)


# Limits.

DEGREES = {
    "ur3e": ([(-360, 360)] * 5 + [None], [180, 180, 180, 360, 360, 360]),
    "ur5e": ([(-360, 360)] * 6, [180] * 6),
    "ur10e": ([(-360, 360)] * 6, [120, 120, 180, 180, 180, 180]),
    "iiwa7": ([(-v, v) for v in (170, 120, 170, 120, 170, 120, 175)], [98, 98, 100, 130, 140, 180, 180]),
    "irb120": (
        [(-165, 165), (-110, 110), (-110, 70), (-160, 160), (-120, 120), (-400, 400)],
        [250, 250, 250, 320, 320, 420],
    ),
    "irb4600_40_255": (
        [(-180, 180), (-90, 150), (-180, 75), (-400, 400), (-125, 120), (-400, 400)],
        [175, 175, 175, 250, 250, 360],
    ),
    "kr16": (
        [(-185, 185), (-155, 35), (-130, 154), (-350, 350), (-130, 130), (-350, 350)],
        [156, 156, 156, 330, 330, 615],
    ),
    "xarm6": ([(-360, 360), (-118, 120), (-225, 11), (-360, 360), (-97, 180), (-360, 360)], [180] * 6),
    "xarm7": (
        [(-360, 360), (-118, 120), (-360, 360), (-11, 225), (-360, 360), (-97, 180), (-360, 360)],
        [180] * 7,
    ),
    "puma560": ([(-160, 160), (-45, 225), (-225, 45), (-110, 170), (-100, 100), (-266, 266)], None),
}
RADIANS = {
    "fr3": (
        [
            (-2.7437, 2.7437), (-1.7837, 1.7837), (-2.9007, 2.9007), (-3.0421, -0.1518),
            (-2.8065, 2.8065), (0.5445, 4.5169), (-3.0159, 3.0159),
        ],
        [2.62, 2.62, 2.62, 2.62, 5.26, 4.18, 5.26],
    ),
    "wam7": ([(-2.6, 2.6), (-2.0, 2.0), (-2.8, 2.8), (-0.9, 3.1), (-4.76, 1.24), (-1.6, 1.6), (-3.0, 3.0)], None),
    "so101": (
        [(-1.91986, 1.91986), (-1.74533, 1.74533), (-1.69, 1.69), (-1.65806, 1.65806), (-2.74385, 2.84121)],
        [45 / 60 * 2 * pi] * 5,
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", [*DEGREES, *RADIANS])
def test_limits_are_the_published_ones(name: str) -> None:
    ranges, speeds = DEGREES.get(name) or RADIANS[name]
    unit = pi / 180 if name in DEGREES else 1.0
    dofs = load(name).dofs
    assert [dof.is_limited for dof in dofs] == [each is not None for each in ranges]
    wanted = [each for each in ranges if each is not None]
    np.testing.assert_allclose([dof.limits for dof in dofs if dof.is_limited], np.multiply(unit, wanted), rtol=1e-12)
    if speeds is not None:
        np.testing.assert_allclose([dof.velocity_limit for dof in dofs], np.multiply(unit, speeds), rtol=1e-6)


def test_ranges_of_the_stanford_arm_and_the_gantry() -> None:
    stanford = [dof.limits for dof in load("stanford_arm").dofs]
    assert stanford[2] == pytest.approx((12 * 0.0254, 50 * 0.0254))
    turns = np.rad2deg([stanford[i] for i in (0, 1, 3, 4, 5)])
    np.testing.assert_allclose(turns, [(-170, 170)] * 3 + [(-90, 90), (-170, 170)])
    assert [dof.limits for dof in load("gantry_wrist").dofs[:3]] == [(0.0, 2.0), (0.0, 1.2), (0.0, 0.8)]


# Files of others.


@pytest.mark.parametrize(
    ("name", "other", "frame", "tolerance"),
    [
        ("xarm7", "xarm7", "link7", 2e-5),  # right angles there have five digits
        ("so101", "so101", "gripper_frame_link", 2e-5),
        ("fr3", "panda", "panda_link8", 1e-6),  # the same lengths, as the maker says
    ],
)
def test_the_same_arm_in_another_package(name: str, other: str, frame: str, tolerance: float) -> None:
    package = pytest.importorskip("example_robot_data", reason="needs example-robot-data-loaders")
    model = package.load(other).model
    data = model.createData()
    robot = load(name)
    for seed in range(20):
        q = robot.random_positions(seed)
        theirs = pin.neutral(model)
        for dof, angle in zip(robot.dofs, q, strict=True):
            at = model.getJointId(dof.name.replace(name, other))
            values = [np.cos(angle), np.sin(angle)] if model.nqs[at] == 2 else [angle]
            theirs[model.idx_qs[at] : model.idx_qs[at] + model.nqs[at]] = values
        pin.framesForwardKinematics(model, data, theirs)
        np.testing.assert_allclose(
            robot.state(q).transform(robot.tip).homogeneous,
            data.oMf[model.getFrameId(frame)].homogeneous,
            rtol=0,
            atol=tolerance,
        )
