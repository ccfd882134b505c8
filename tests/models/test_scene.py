"""Scene files: what they say, what they refuse, and that written ones are read back the same."""

import contextlib
import re
from pathlib import Path

import numpy as np
import pinocchio as pin
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kinetree.kinematics import (
    Box,
    Capsule,
    CollisionDetector,
    Cylinder,
    DuplicateNameError,
    Ellipsoid,
    GeometryError,
    InvalidValueError,
    Mesh,
    OcTree,
    Plane,
    Shape,
    Sphere,
    SrdfError,
    UnknownNameError,
    pose,
)
from kinetree.models import Scene, SceneFileError, load, load_scene, save_scene
from kinetree.models.scene import SceneAttachment, SceneObstacle

TRIANGLES = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
SRDF = """<robot name="panda"><group name="hand"><link name="panda_hand"/></group>
<disable_collisions link1="panda_link2" link2="panda_hand" reason="User"/></robot>"""

CELL = """
margin = 0.01
self_margin = 0.002
srdf = "panda.srdf"
exclude = [["panda_link1", "table"]]
include = [["panda_link0", "table"]]

[[obstacle]]
name = "table"
kind = "box"
size = [1.2, 0.8, 0.05]
position = [0.5, 0, -0.1]
rpy = [0, 0, 1.5707963267948966]

[[obstacle]]
name = "shelf"
position = [0.0, 0.6, 0.0]
quaternion = [0, 0, 1, 1]
[[obstacle.shape]]
kind = "cylinder"
radius = 0.1
length = 0.5
position = [0.1, 0, 0]
[[obstacle.shape]]
kind = "ellipsoid"
half_axes = [0.05, 0.05, 0.4]

[[obstacle]]
name = "part"
kind = "mesh"
file = "meshes/part.obj"
scale = 0.001

[[obstacle]]
name = "floor"
kind = "plane"
position = [0, 0, -0.5]

[[obstacle]]
name = "cloud"
kind = "octree"
resolution = 0.05
points = [[2, 0, 0], [2, 0.1, 0.2]]

[[obstacle]]
name = "scan"
kind = "octree"
resolution = 0.1
file = "scan.txt"

[[attached]]
name = "tool"
frame = "panda_hand"
kind = "capsule"
radius = 0.02
length = 0.1
position = [0, 0, 0.15]
touches = ["panda_leftfinger", "grip", "table"]

[[attached]]
name = "grip"
frame = "panda_link7"
kind = "sphere"
radius = 0.01
"""


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "meshes").mkdir()
    (tmp_path / "meshes" / "part.obj").write_text(TRIANGLES)
    (tmp_path / "panda.srdf").write_text(SRDF)
    (tmp_path / "scan.txt").write_text("3 0 0\n3 1 0\n")
    return tmp_path


def read(folder, text):
    (folder / "cell.toml").write_text(text, encoding="utf-8")
    return load_scene(folder / "cell.toml")


@pytest.fixture(scope="module")
def panda():
    return load("panda")


def test_what_stands_in_the_file(folder):
    scene = read(folder, CELL)
    table, shelf, part, floor, cloud, scan = scene.obstacles
    assert table.shapes == (Shape(Box(1.2, 0.8, 0.05)),)
    np.testing.assert_allclose(table.pose.translation, [0.5, 0, -0.1])
    np.testing.assert_allclose(table.pose.rotation @ [1, 0, 0], [0, 1, 0], atol=1e-15)
    assert shelf.shapes == (Shape(Cylinder(0.1, 0.5), pose([0.1, 0, 0])), Shape(Ellipsoid(0.05, 0.05, 0.4)))
    np.testing.assert_allclose(shelf.pose.rotation @ [1, 0, 0], [0, 1, 0], atol=1e-15)
    assert part.shapes[0].geometry == Mesh(str(folder / "meshes" / "part.obj"), (0.001, 0.001, 0.001))
    assert floor.shapes[0].geometry == Plane()
    assert cloud.shapes[0].geometry == OcTree([[2, 0, 0], [2, 0.1, 0.2]], 0.05)
    assert scan.shapes[0].geometry == OcTree([[3, 0, 0], [3, 1, 0]], 0.1)
    tool, grip = scene.attached
    assert tool.shapes[0].geometry == Capsule(0.02, 0.1)
    assert (tool.frame, tool.touches) == ("panda_hand", ("panda_leftfinger", "grip", "table"))
    assert grip.shapes[0].geometry == Sphere(0.01)
    assert (scene.margin, scene.self_margin) == (0.01, 0.002)
    assert scene.srdf == str(folder / "panda.srdf")
    assert (scene.excluded, scene.included) == ((("panda_link1", "table"),), (("panda_link0", "table"),))
    assert repr(scene) == f"<Scene of '{folder / 'cell.toml'}': 6 obstacles, 2 attached objects>"


def test_a_detector_in_a_scene(folder, panda):
    detector = read(folder, CELL).detector(panda)
    assert list(detector.obstacles) == ["table", "shelf", "part", "floor", "cloud", "scan"]
    assert list(detector.attached) == ["tool", "grip"]
    assert (detector.margin, detector.self_margin) == (0.01, 0.002)
    reasons = {frozenset(each[:2]): each.reason for each in detector.excluded}
    assert "SRDF" in reasons[frozenset({"panda_link2", "panda_hand"})]
    assert reasons[frozenset({"panda_link1", "table"})] == "excluded by hand"
    for other in ("panda_leftfinger", "grip", "table"):
        assert frozenset({"tool", other}) in reasons
    assert ("panda_link0", "table") in detector.pairs
    assert read(folder, CELL).detector(panda, margin=0.5, srdf=None).margin == 0.5


def test_it_is_the_same_as_by_hand(panda, folder):
    scene = read(folder, '[[obstacle]]\nname="post"\nkind="box"\nsize=[0.1,0.1,2]\nposition=[0.4,0,0.5]\nrpy=[0.3,0,0]')
    by_hand = CollisionDetector(panda)
    by_hand.add("post", Box(0.1, 0.1, 2.0), pose([0.4, 0, 0.5], rpy=[0.3, 0, 0]))
    read_in = scene.detector(panda)
    rng = np.random.default_rng(3)
    configurations = [panda.random_positions(rng) for _ in range(100)]
    hits = [by_hand.in_collision(q) for q in configurations]
    assert [read_in.in_collision(q) for q in configurations] == hits
    assert 5 < sum(hits) < 95


def test_adding_to_a_detector_keeps_what_it_has(folder, panda):
    detector = CollisionDetector(panda, margin=0.03)
    detector.add("crate", Box(0.1, 0.1, 0.1), pose([2, 0, 0]))
    scene = read(folder, CELL)
    scene.add_to(detector)
    assert set(detector.obstacles) == {"crate", *(each.name for each in scene.obstacles)}
    assert detector.margin == 0.01
    assert ("panda_link2", "panda_hand") not in detector.pairs
    plain = CollisionDetector(panda, margin=0.03)
    read(folder, '[[obstacle]]\nname="a"\nkind="sphere"\nradius=1').add_to(plain)
    assert (plain.margin, plain.self_margin) == (0.03, 0.0)  # what the file leaves out stays


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        (("panda_link1", "panda_link9"), UnknownNameError, "panda_link9"),
        (('frame = "panda_hand"', 'frame = "hand"'), UnknownNameError, "no frame 'hand'"),
        (("panda_leftfinger", "thumb"), UnknownNameError, "thumb"),
        (('name = "grip"', 'name = "crate"'), DuplicateNameError, "crate"),
        (('name = "floor"', 'name = "panda_link3"'), DuplicateNameError, "panda_link3"),
    ],
)
def test_what_does_not_fit_the_robot_changes_nothing(folder, panda, change, error, message):
    detector = CollisionDetector(panda)
    detector.add("crate", Box(0.1, 0.1, 0.1), pose([2, 0, 0]))
    pairs = detector.pairs
    text = CELL.replace(*change).replace('touches = ["panda_leftfinger", "grip", "table"]', 'touches = ["table"]')
    if "thumb" in change:
        text = CELL.replace(*change)
    with pytest.raises(error, match=message) as raised:
        read(folder, text).add_to(detector)
    assert str(raised.value).startswith(f"{folder / 'cell.toml'}, ")
    assert re.match(r".*cell\.toml, (attached|obstacle|top level, key) '\w+': ", str(raised.value))
    assert (list(detector.obstacles), list(detector.attached)) == (["crate"], [])
    assert (detector.pairs, detector.margin) == (pairs, 0.0)


def test_damaged_files_of_others(folder, panda):
    (folder / "panda.srdf").write_text("<robot>")
    with pytest.raises(SrdfError, match=r"panda\.srdf is not well-formed"):
        read(folder, CELL).detector(panda)
    with pytest.raises(SrdfError):
        read(folder, CELL).add_to(CollisionDetector(panda))
    (folder / "meshes" / "part.obj").write_text("no mesh")
    with pytest.raises(GeometryError, match=r"part\.obj"):
        read(folder, CELL.replace('srdf = "panda.srdf"', "")).detector(panda)


BOX = '[[obstacle]]\nname = "b"\nkind = "box"\nsize = [1, 1, 1]\n'


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("margin = 1\nmargin = x\n", r"cell\.toml is no TOML: .*line 2"),
        (BOX + "colour = 3", r"cell\.toml, obstacle 'b', key 'colour': is unknown; there are: kind, name, position"),
        (BOX + "positon = [0, 0, 0]", r"obstacle 'b', key 'positon': is unknown; did you mean 'position'\?"),
        ("obstacles = 3", r"top level, key 'obstacles': is unknown; did you mean 'obstacle'\?"),
        ("obstacle = 3", r"key 'obstacle': must be tables, each headed \[\[obstacle\]\]"),
        ("obstacle = [1]", "must be tables"),
        ("[[obstacle]]\nkind = 'box'", r"a table \[\[obstacle\]\], key 'name': is missing"),
        ("[[obstacle]]\nname = ''", "key 'name': must be a text that is not empty"),
        ("[[obstacle]]\nname = 'b'", "obstacle 'b', key 'kind': is missing; it must be one of box, sphere"),
        ("[[obstacle]]\nname = 'b'\nkind = 'cone'", "key 'kind': is 'cone'; it must be one of box"),
        ("[[obstacle]]\nname = 'b'\nkind = 'box'", "key 'size': is missing; it must be a list of 3 numbers"),
        ("[[obstacle]]\nname = 'b'\nkind = 'sphere'", "key 'radius': is missing"),
        (BOX.replace("[1, 1, 1]", "[1, 1]"), r"key 'size': must be a list of 3 finite numbers, not \[1, 1\]"),
        (BOX.replace("[1, 1, 1]", "[1, 1, true]"), "must be a list of 3 finite numbers"),
        (BOX.replace("[1, 1, 1]", "[1, 1, inf]"), "must be a list of 3 finite numbers"),
        (BOX.replace("[1, 1, 1]", "[1, 1, 1" + "0" * 400 + "]"), "must be a list of 3 finite numbers"),
        (BOX.replace("[1, 1, 1]", "[1, 1, -1]"), "obstacle 'b': Box: z must be positive and finite, not -1"),
        (BOX + "rpy = [0, 0, 0]\nquaternion = [0, 0, 0, 1]", "key 'rpy': is there together with 'quaternion'"),
        (BOX + "quaternion = [0, 0, 0, 0]", "key 'quaternion': the quaternion of .* is zero"),
        (BOX + BOX, "the name 'b' is there twice"),
        (BOX + "[[attached]]\nname = 'b'\nframe = 'f'\nkind = 'plane'", "the name 'b' is there twice"),
        ("[[attached]]\nname = 'b'\nkind = 'plane'", "attached 'b', key 'frame': is missing"),
        (BOX + "[[obstacle.shape]]\nkind = 'plane'", r"key 'kind': is there together with \[\[shape\]\]"),
        (
            "[[obstacle]]\nname = 'b'\n[[obstacle.shape]]\nkind = 'plane'\nradius = 1",
            "obstacle 'b', shape 1, key 'radius'",
        ),
        ("margin = -1", "key 'margin': must be a distance of zero or more"),
        ("margin = '1'", "key 'margin': must be a finite number, not '1'"),
        ("srdf = 'none.srdf'", r"key 'srdf': there is no file 'none\.srdf'"),
        ("exclude = [['a']]", r"key 'exclude': must have pairs of two different names; \['a'\] is none"),
        ("exclude = [['a', 'a']]", "two different names"),
        ("exclude = 'a'", "must be a list of pairs"),
        ("[[attached]]\nname='b'\nframe='f'\nkind='plane'\ntouches='x'", "key 'touches': must be a list of names"),
        ("[[obstacle]]\nname = 'b'\nkind = 'mesh'\nfile = 'no.stl'", r"key 'file': there is no file 'no\.stl'"),
        ("[[obstacle]]\nname = 'b'\nkind = 'octree'\nresolution = 0.1", "key 'points': give either the points"),
        ("[[obstacle]]\nname='b'\nkind='octree'\nresolution=0.1\npoints=[[1,2]]", "obstacle 'b': OcTree: points must"),
        ("[[obstacle]]\nname='b'\nkind='octree'\nresolution=0.1\nfile='panda.srdf'", "key 'file': .*has no points"),
    ],
)
def test_what_is_refused(folder, text, message):
    with pytest.raises(SceneFileError, match=message):
        read(folder, text)


def test_files_that_cannot_be_read(tmp_path):
    with pytest.raises(SceneFileError, match=r"none\.toml' cannot be read: No such file"):
        load_scene(tmp_path / "none.toml")
    with pytest.raises(SceneFileError, match="cannot be read: embedded null"):
        load_scene("a\0b")
    with pytest.raises(InvalidValueError, match="by its path, not by 3"):
        load_scene(3)
    (tmp_path / "binary.toml").write_bytes(b"\xff\xfe\xff")
    with pytest.raises(SceneFileError, match="no text in UTF-8"):
        load_scene(tmp_path / "binary.toml")


def test_an_empty_file_is_an_empty_scene(folder, panda):
    assert read(folder, "") == Scene()
    assert read(folder, "").detector(panda).pairs == CollisionDetector(panda).pairs


def test_a_written_scene_is_read_back_the_same(folder):
    scene = read(folder, CELL)
    save_scene(scene, folder / "copy.toml")
    assert 'file = "meshes/part.obj"' in (folder / "copy.toml").read_text()
    assert same(load_scene(folder / "copy.toml"), scene)
    (folder / "deeper").mkdir()
    save_scene(scene, folder / "deeper" / "copy.toml")
    assert same(load_scene(folder / "deeper" / "copy.toml"), scene)
    assert not list(folder.glob(".*"))


def same(first, second):
    """Equal but for the last bits of rotations."""
    for one, other in zip((*first.obstacles, *first.attached), (*second.obstacles, *second.attached), strict=True):
        assert one.name == other.name
        assert [shape.geometry for shape in one.shapes] == [shape.geometry for shape in other.shapes]
        at = [getattr(each, "pose", None) or each.placement for each in (one, other)]
        places = [(*at,), *((a.placement, b.placement) for a, b in zip(one.shapes, other.shapes, strict=True))]
        for mine, theirs in places:
            np.testing.assert_allclose(mine.homogeneous, theirs.homogeneous, rtol=0, atol=1e-14)
    rest = ("margin", "self_margin", "srdf", "excluded", "included")
    carried = [[(each.frame, each.touches) for each in scene.attached] for scene in (first, second)]
    return carried[0] == carried[1] and all(getattr(first, name) == getattr(second, name) for name in rest)


sizes = st.floats(1e-6, 1e6)
texts = st.text(st.characters(exclude_categories=["Cs"]), min_size=1).filter(str.strip)
places = st.builds(
    lambda vector, position: pin.SE3(pin.exp3(np.array(vector)), np.array(position)),
    st.tuples(*[st.floats(-3, 3)] * 3),
    st.tuples(*[st.floats(-1e3, 1e3)] * 3),
)
geometries = st.one_of(
    st.builds(Box, sizes, sizes, sizes),
    st.builds(Sphere, sizes),
    st.builds(Cylinder, sizes, sizes),
    st.builds(Capsule, sizes, sizes),
    st.builds(Ellipsoid, sizes, sizes, sizes),
    st.just(Plane()),
    st.builds(OcTree, st.lists(st.tuples(*[st.floats(-10, 10)] * 3), min_size=1, max_size=4), st.floats(0.01, 1.0)),
)
shapes = st.lists(st.builds(Shape, geometries, places), min_size=1, max_size=3).map(tuple)
obstacles = st.builds(SceneObstacle, texts, shapes, places)
attachments = st.builds(SceneAttachment, texts, shapes, texts, places, st.lists(texts, max_size=2).map(tuple))
pairs = st.lists(st.tuples(texts, texts).filter(lambda pair: pair[0] != pair[1]), max_size=2).map(tuple)
scenes = st.builds(
    Scene,
    st.lists(obstacles, max_size=3, unique_by=lambda each: each.name).map(tuple),
    st.lists(attachments, max_size=1).map(tuple),
    st.none() | st.floats(0, 10),
    st.none() | st.floats(0, 10),
    st.none(),
    pairs,
    pairs,
).filter(lambda scene: not {each.name for each in scene.obstacles} & {each.name for each in scene.attached})


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(scenes)
def test_any_scene_survives_being_written(tmp_path, scene):
    save_scene(scene, tmp_path / "any.toml")
    assert same(load_scene(tmp_path / "any.toml"), scene)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.binary(max_size=40), st.sampled_from(CELL.split("\n")))
def test_any_damage_is_a_typed_error(folder, junk, line):
    Path(folder / "cell.toml").write_bytes(CELL.replace(line, "").encode() + junk)
    with contextlib.suppress(SceneFileError):
        load_scene(folder / "cell.toml")
