"""Small robots for the tests that retell reports of users of other libraries."""

import numpy as np
import pytest

from kinetree import models
from kinetree.kinematics import RevoluteJoint, Skeleton, pose
from kinetree.solvers import InverseKinematics, TaskSpaceRegion


@pytest.fixture
def planar_arm():
    """``planar_arm([1.0, 0.8], limits=(-2, 2))``: joints about z, links along x, the tip at the end.

    ``limits`` is one pair for all joints, a list of pairs, or None for none.
    """

    def build(lengths, limits=None):
        arm = Skeleton("planar")
        link, reach = arm.add_link("base"), 0.0
        each = limits if isinstance(limits, list) else [limits] * len(lengths)
        for number, (length, own) in enumerate(zip(lengths, each, strict=True), start=1):
            joint = RevoluteJoint(f"joint{number}", axis="z", limits=own)
            link = arm.add_link(f"link{number}", joint, link, pose([reach, 0, 0]))
            reach = length
        arm.tip = arm.add_link("tip", None, link, pose([reach, 0, 0]))
        return arm

    return build


@pytest.fixture
def position_module():
    """``position_module(robot)``: a module that asks its natural tip for positions only."""

    def build(robot):
        module = InverseKinematics(robot)
        module.error_method = TaskSpaceRegion.position_only()
        return module

    return build


@pytest.fixture
def load_urdf(tmp_path):
    """``load_urdf(joints, links="a b c")``: writes a URDF with bare links and loads it."""

    def load(body, links="base link1 link2", folder=".", **options):
        path = tmp_path / folder / "robot.urdf"
        path.parent.mkdir(parents=True, exist_ok=True)
        bare = "".join(f'<link name="{name}"/>' for name in links.split())
        path.write_text(f'<robot name="robot">{bare}{body}</robot>', encoding="utf-8")
        return models.load(path, **options)

    return load


@pytest.fixture
def joint():
    """``joint("elbow", "revolute", "base", "link1", inside)``: the XML of a joint, 1 m along x, about z."""

    def write(name, kind, parent, child, inside="", axis="0 0 1"):
        turn = f'<axis xyz="{axis}"/>' if axis else ""
        return (
            f'<joint name="{name}" type="{kind}"><parent link="{parent}"/><child link="{child}"/>'
            f'<origin xyz="1 0 0"/>{turn}{inside}</joint>'
        )

    return write


@pytest.fixture
def reached():
    """``reached(robot, q)``: where the natural tip is at a configuration, the robot unmoved."""
    return lambda robot, q: robot.state(np.asarray(q)).transform(robot.tip)
