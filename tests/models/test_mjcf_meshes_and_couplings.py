"""MJCF files: meshes where their files have them, couplings that cannot all be kept."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from kinetree.kinematics import Mesh
from kinetree.models import load

mujoco = pytest.importorskip("mujoco", reason="needs the package mujoco (kinetree[mjcf])")

POINTS = np.array([[1, 1, 1], [2, 1, 1], [1, 3, 1], [1, 1, 4.0]])
TWO_JOINTS = """<mujoco><worldbody><body name="a"><joint name="x"/><geom size=".1"/>
<body name="b"><joint name="y"/><geom size=".1"/><body name="c"><joint name="z"/><geom size=".1"/></body></body>
</body></worldbody><equality>{}</equality></mujoco>"""


def test_a_mesh_is_the_file_at_the_place_of_the_geom(tmp_path: Path) -> None:
    (tmp_path / "meshes").mkdir()
    lines = [f"v {x} {y} {z}" for x, y, z in POINTS] + ["f 1 3 2", "f 1 2 4", "f 1 4 3", "f 2 3 4"]
    (tmp_path / "meshes" / "part.obj").write_text("\n".join(lines))
    file = tmp_path / "robot.xml"
    file.write_text(
        '<mujoco><compiler meshdir="meshes"/><asset><mesh name="m" file="part.obj" scale="-1 2 1"/></asset>'
        '<worldbody><body name="a"><geom type="mesh" mesh="m" pos="0 0 1" euler="10 20 30"/>'
        "</body></worldbody></mujoco>"
    )
    shape = load(file).link("a").visuals[0]
    assert shape.geometry == Mesh(str(tmp_path / "meshes" / "part.obj"), (-1.0, 2.0, 1.0))
    ours = np.array([shape.placement.act(point * shape.geometry.scale) for point in POINTS])
    model = mujoco.MjModel.from_xml_path(str(file))
    rotation = np.zeros(9)
    mujoco.mju_quat2Mat(rotation, model.geom_quat[0])
    theirs = model.mesh_vert @ rotation.reshape(3, 3).T + model.geom_pos[0]
    # MuJoCo keeps the points of meshes in single precision.
    np.testing.assert_allclose(np.sort(ours, axis=0), np.sort(theirs, axis=0), atol=1e-6)


@pytest.mark.parametrize(
    ("couplings", "masters", "note"),
    [
        (
            '<joint joint1="x" joint2="y"/><joint joint1="y" joint2="x"/>',
            {"x": "y"},
            "the reverse was ignored",
        ),
        ('<joint joint1="x" joint2="y"/><joint joint1="x" joint2="z"/>', {"x": "y"}, "is coupled already"),
        ('<joint joint1="x" joint2="y" active="false"/>', {}, "switched off"),
    ],
)
def test_couplings(couplings: str, masters: dict[str, str], note: str, tmp_path: Path) -> None:
    file = tmp_path / "robot.xml"
    file.write_text(TWO_JOINTS.format(couplings))
    robot = load(file)
    rules = {joint.name: joint.dependence for joint in robot.joints}
    assert {name: rule.master.name for name, rule in rules.items() if rule is not None} == masters
    assert len(robot.warnings) == 1
    assert note in robot.warnings[0]
