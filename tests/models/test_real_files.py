"""Robot files of others: forward kinematics against Pinocchio's own reader, on every file that it reads as well."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pinocchio as pin
import pytest

from kinetree.kinematics import Skeleton
from kinetree.models import ModelFileError, load

loaders = pytest.importorskip("example_robot_data", reason="needs the package example-robot-data-loaders")

#: Files that no reader can make a tree of, and what is wrong with them.
BROKEN = {
    "alex_psyonic_hands.urdf": "mimics 'index_q1', which does not exist",
    "falcon.urdf": "names the link 'Z_propeller', which does not exist",
    "ur3.urdf": "has no links",
}


def _files() -> list[Path]:
    from example_robot_data.robots_loader import getModelPath

    name = "ur_description/urdf/ur5_robot.urdf"
    return sorted(Path(getModelPath(name), "ur_description").parent.rglob("*.urdf"))


FILES = _files()


def test_there_are_files() -> None:
    assert len(FILES) > 50


@pytest.mark.parametrize("file", FILES[::6], ids=lambda file: file.stem)
def test_a_sample(file: Path) -> None:
    check(file)


@pytest.mark.slow
@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_all(file: Path) -> None:
    check(file)


def check(file: Path) -> None:
    if file.name in BROKEN:
        with pytest.raises(ModelFileError, match=BROKEN[file.name]):
            load(file)
        return
    robot = load(file)
    model = pin.buildModelFromUrdf(str(file))
    data = model.createData()
    rng = np.random.default_rng(0)
    for _ in range(3):
        q = robot.random_positions(rng)
        pin.framesForwardKinematics(model, data, theirs(robot, q, model))
        state = robot.state(q)
        for link in robot.links:
            index = model.getFrameId(link.name, pin.FrameType.BODY)
            assert index < model.nframes
            np.testing.assert_allclose(
                state.transform(link).homogeneous, data.oMf[index].homogeneous, rtol=0, atol=1e-12
            )


def theirs(robot: Skeleton, q: np.ndarray, model: pin.Model) -> np.ndarray:
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
