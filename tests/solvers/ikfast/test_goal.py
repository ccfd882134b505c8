"""Targets in the numbers of the base of a chain."""

import numpy as np
import pinocchio as pin
import pytest

from kinetree.kinematics import InvalidValueError
from kinetree.solvers import targets
from kinetree.solvers.ikfast.goal import packed_in_base

#: Kinds whose values are points and directions, which may be given along any axes.
ANY_AXES = (
    "Transform6D",
    "Rotation3D",
    "Translation3D",
    "Direction3D",
    "Ray4D",
    "Lookat3D",
    "TranslationDirection5D",
    "TranslationLocalGlobal6D",
)
KINDS = sorted(kind.__name__ for kind in targets.TARGET_CLASSES.values())


def target_at(name, pose):
    kind = targets.target_class(name)
    options = {"local": [0.1, -0.2, 0.05]} if name == "TranslationLocalGlobal6D" else {}
    if "Norm" in name:
        # Only tools that are at a right angle to an axis fulfil these.
        axis = {"Z": 2, "X": 0, "Y": 1}[name[name.index("Norm") - 1]]
        flat = np.ones(3)
        flat[axis] = 0.0
        direction = pose.rotation.T @ (flat / np.linalg.norm(flat))
        return kind.from_pose(pose, direction, **options)
    return kind.from_pose(pose, **options)


def both(packed):
    eetrans, eerot = packed
    return np.concatenate([eetrans, np.eye(3).ravel() if eerot is None else eerot])


@pytest.mark.parametrize("name", KINDS)
def test_the_base_may_stand_elsewhere(name):
    rng = np.random.default_rng(3)
    for _ in range(5):
        pose = pin.exp6(rng.uniform(-1, 1, 6))
        place = pin.SE3(np.eye(3), rng.uniform(-1, 1, 3))
        expected = target_at(name, place * pose)
        assert both(packed_in_base(target_at(name, pose), place)) == pytest.approx(both(expected.pack()), abs=1e-12)


@pytest.mark.parametrize("name", KINDS)
def test_the_base_may_be_turned_where_that_makes_sense(name):
    rng = np.random.default_rng(4)
    pose, place = pin.exp6(rng.uniform(-1, 1, 6)), pin.exp6(rng.uniform(-1, 1, 6))
    target = target_at(name, pose)
    if name in ANY_AXES:
        expected = target_at(name, place * pose)
        assert both(packed_in_base(target, place)) == pytest.approx(both(expected.pack()), abs=1e-12)
    else:
        with pytest.raises(InvalidValueError, match="give it the base as its reference"):
            packed_in_base(target, place)
