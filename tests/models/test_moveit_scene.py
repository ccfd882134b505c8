"""MoveIt's ``.scene`` files, in the form before and since its version 1.1."""

import numpy as np
import pytest

from kinetree.kinematics import Box, Cylinder, Plane, Sphere
from kinetree.models import Scene, SceneFileError, load, load_scene, save_scene

OLD = """(noname)+
* table top
1
box
1.2 0.8 0.05
0.6 0 0.1
0 0 0.70710678118 0.70710678118
0 0 0 0
* ball
2
sphere
0.1
0 0.5 0.5
0 0 0 1
1 0 0 0.5
cylinder
0.05 0.4
0 0.5 0.2
0 0 0 1
0 0 0 0
.
"""

NEW = """(cell)++
* crate
1 2 3
0 0 0.70710678118 0.70710678118
1
box
0.1 0.2 0.3
1 0 0
0 0 0 1
0 0 0 0
2
grip point
0 0 0.1
0 0 0 1
other
0 0 0
0 0 0 1
* floor
0 0 0
0 0 0 1
1
plane
0 0 2 1
0 0 0
0 0 0 1
0 0 0 0
0
* wall
0 0 0
0 0 0 1
1
plane
-1 0 0 3
0 0 0
0 0 0 1
0 0 0 0
0
.
"""


def read(folder, text):
    (folder / "cell.scene").write_text(text)
    return load_scene(folder / "cell.scene")


def test_the_old_form(tmp_path):
    table, ball = read(tmp_path, OLD).obstacles
    assert (table.name, ball.name) == ("table top", "ball")
    assert table.shapes[0].geometry == Box(1.2, 0.8, 0.05)
    np.testing.assert_allclose((table.pose * table.shapes[0].placement).translation, [0.6, 0, 0.1])
    np.testing.assert_allclose(table.shapes[0].placement.rotation @ [1, 0, 0], [0, 1, 0], atol=1e-12)
    assert [shape.geometry for shape in ball.shapes] == [Sphere(0.1), Cylinder(0.05, 0.4)]
    assert [shape.color for shape in ball.shapes] == [(1, 0, 0, 0.5), None]


def test_the_new_form_has_poses_of_objects_and_subframes(tmp_path):
    crate, floor, wall = read(tmp_path, NEW).obstacles
    np.testing.assert_allclose((crate.pose * crate.shapes[0].placement).translation, [1, 3, 3], atol=1e-11)
    at = floor.pose * floor.shapes[0].placement
    assert floor.shapes[0].geometry == Plane()
    np.testing.assert_allclose(at.translation, [0, 0, -0.5])  # 2 z + 1 = 0
    np.testing.assert_allclose(at.rotation[:, 2], [0, 0, 1])
    at = wall.pose * wall.shapes[0].placement
    np.testing.assert_allclose(at.translation, [3, 0, 0], atol=1e-15)
    np.testing.assert_allclose(at.rotation[:, 2], [-1, 0, 0], atol=1e-15)


def test_a_robot_in_it(tmp_path):
    robot = load("panda")
    detector = read(tmp_path, OLD).detector(robot)
    assert list(detector.obstacles) == ["table top", "ball"]
    rng = np.random.default_rng(0)
    touched = {name for _ in range(60) for each in detector.contacts(robot.random_positions(rng)) for name in each.pair}
    assert {"table top", "ball"} <= touched
    save_scene(read(tmp_path, NEW), tmp_path / "cell.toml")
    assert [each.name for each in load_scene(tmp_path / "cell.toml").obstacles] == ["crate", "floor", "wall"]


def test_an_empty_scene(tmp_path):
    assert read(tmp_path, "(noname)+\n\n.\n") == Scene()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", r"cell\.scene, line 0: the file ends where the name of the scene should be"),
        ("(noname)+\n", "the file ends where an object, or the '.' at the end should be"),
        ("(noname)+\nbox\n.", r"line 2: an object must begin with '\* ' and its name, not with 'box'"),
        ("(noname)+\n* a\none\n.", "line 3: the number of shapes of object 'a' must be here, not 'one'"),
        ("(noname)+\n* a\n0\n.", "object 'a' has no shape"),
        (OLD.replace("box", "mesh"), "line 4: object 'table top' is a 'mesh', which is not read"),
        (OLD.replace("1.2 0.8 0.05", "1.2 0.8"), "line 5: the box of object 'table top' must be 3 finite numbers, not"),
        (OLD.replace("1.2 0.8 0.05", "1.2 0.8 nan"), "line 5: .* must be 3 finite numbers"),
        (OLD.replace("1.2 0.8 0.05", "1.2 0.8 -1"), "line 5: object 'table top': Box: z must be positive"),
        (OLD.replace("0 0 0.70710678118 0.70710678118", "0 0 0 0"), "line 7: object 'table top': .* is zero"),
        (OLD.replace("* ball", "* table top"), "line 9: the name 'table top' is there twice"),
        (NEW.replace("0 0 2 1", "0 0 0 1"), "the plane of object 'floor' has no normal"),
        (OLD[:60], "line 7: the quaternion of object 'table top' must be 4"),
    ],
)
def test_damaged_files_are_refused_with_the_line(tmp_path, text, message):
    with pytest.raises(SceneFileError, match=message):
        read(tmp_path, text)
