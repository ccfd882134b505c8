"""What the tables for users of other systems call ours is really there, under that name."""

import builtins
import re
from pathlib import Path

import pytest

from kinetree import kinematics, models, solvers
from kinetree.interfaces import armarx, coppelia

PAGE = Path(__file__).parents[2] / "docs" / "coming_from.md"
ROW = re.compile(r"^\|(?:[^|`]|`[^`]*`)*\|(.*)\|$", flags=re.MULTILINE)
CODE = re.compile(r"`([^`]+)`")
CLASS = re.compile(r"(?<![\w.\"])([A-Z]\w+)(?:\.(\w+))?")
MEMBER = re.compile(r"(?<![\w.\"])(ik|skeleton|frame|robot|delta|body|service|group)\.(\w+)")
LAYERS = (kinematics, models, solvers, armarx, coppelia, builtins)


@pytest.fixture(scope="module")
def objects():
    robot = models.load("planar3")
    ik = solvers.InverseKinematics(robot)
    return {
        "ik": ik,
        "skeleton": robot,
        "robot": robot,
        "frame": robot.tip,
        "delta": solvers.HierarchicalDeltaIK(robot),
        "body": solvers.HierarchicalIK(robot),
        "service": armarx.RobotIK,
        "group": coppelia.IkGroup,
    }


def ours():
    cells = ROW.findall(PAGE.read_text(encoding="utf-8"))
    return sorted({code for cell in cells for code in CODE.findall(cell)})


def test_classes_and_their_members_exist():
    count = 0
    for code in ours():
        for name, member in CLASS.findall(code):
            found = [getattr(layer, name) for layer in LAYERS if hasattr(layer, name)]
            assert found, f"`{code}` names {name}, which is not public"
            assert not member or hasattr(found[0], member), f"`{code}`: {name} has no {member}"
            count += 1
    assert count > 40, "the tables were not read"


def test_members_of_objects_exist(objects):
    count = 0
    for code in ours():
        for name, member in MEMBER.findall(code):
            assert hasattr(objects[name], member), f"`{code}`: {name} has no {member}"
            count += 1
    assert count > 30, "the tables were not read"
