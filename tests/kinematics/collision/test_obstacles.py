"""Obstacles: kinds, names, moving, frames that carry them."""

import math

import numpy as np
import pinocchio as pin
import pytest

from kinetree import models
from kinetree.kinematics import (
    Box,
    Capsule,
    CollisionDetector,
    Cylinder,
    DuplicateNameError,
    Ellipsoid,
    GeometryError,
    InvalidPoseError,
    InvalidValueError,
    Mesh,
    OcTree,
    Plane,
    PrismaticJoint,
    Shape,
    SimpleFrame,
    Skeleton,
    Sphere,
    StructureError,
    UnknownNameError,
    World,
    pose,
)

TETRAHEDRON = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], dtype=float)
FACES = [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)]


def slider(*shapes: Shape) -> Skeleton:
    """A ball of radius 0.1 m that slides along x, y and z."""
    robot = Skeleton("slider")
    robot.add_link("rail")
    for axis, parent in (("x", "rail"), ("y", "x"), ("z", "y")):
        robot.add_link(axis, PrismaticJoint(f"along_{axis}", axis=axis, limits=(-9, 9)), parent)
    robot.link("z").collisions = list(shapes) or [Shape(Sphere(0.1))]
    return robot


@pytest.fixture
def detector() -> CollisionDetector:
    return CollisionDetector(slider())


def write_obj(path, vertices, faces) -> str:
    lines = [f"v {x} {y} {z}" for x, y, z in vertices] + [f"f {a + 1} {b + 1} {c + 1}" for a, b, c in faces]
    path.write_text("\n".join(lines) + "\n")
    return str(path)


def write_stl(path, vertices, faces) -> str:
    lines = ["solid s"]
    for face in faces:
        lines += ["facet normal 0 0 0", "outer loop"]
        lines += ["vertex {} {} {}".format(*vertices[index]) for index in face]
        lines += ["endloop", "endfacet"]
    path.write_text("\n".join([*lines, "endsolid s"]) + "\n")
    return str(path)


def write_dae(path, vertices, faces) -> str:
    numbers = " ".join(str(float(each)) for vertex in vertices for each in vertex)
    indices = " ".join(str(each) for face in faces for each in face)
    path.write_text(
        f"""<?xml version="1.0"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<asset><unit name="meter" meter="1"/><up_axis>Z_UP</up_axis></asset>
<library_geometries><geometry id="g" name="g"><mesh>
<source id="p"><float_array id="a" count="{3 * len(vertices)}">{numbers}</float_array>
<technique_common><accessor source="#a" count="{len(vertices)}" stride="3">
<param name="X" type="float"/><param name="Y" type="float"/><param name="Z" type="float"/>
</accessor></technique_common></source>
<vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
<triangles count="{len(faces)}"><input semantic="VERTEX" source="#v" offset="0"/><p>{indices}</p></triangles>
</mesh></geometry></library_geometries>
<library_visual_scenes><visual_scene id="s" name="s"><node id="n" name="n"><instance_geometry url="#g"/></node>
</visual_scene></library_visual_scenes><scene><instance_visual_scene url="#s"/></scene></COLLADA>"""
    )
    return str(path)


# A ball of 0.1 m at x, against each kind of obstacle at a place turned about z: it touches at `edge` along x.
KINDS = {
    "box": (Box(2.0, 1.0, 1.0), 0.0, 1.0),
    "box turned": (Box(1.0, 2.0, 1.0), math.pi / 2, 1.0),
    "sphere": (Sphere(0.7), 0.3, 0.7),
    "cylinder": (Cylinder(0.6, 1.0), 0.3, 0.6),
    "capsule": (Capsule(0.5, 1.0), 0.3, 0.5),
    "ellipsoid": (Ellipsoid(0.8, 0.3, 0.2), 0.0, 0.8),
    "octree": (OcTree([[0.75, 0.01, 0.01], [0.75, -0.01, 0.01]], 0.1), 0.0, 0.8),
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("margin", [0.0, 0.05])
def test_each_kind_touches_where_it_ends(detector, kind, margin):
    geometry, turn, edge = KINDS[kind]
    detector.add("thing", geometry, pose([0.5, 0.0, 0.2], rpy=[0, 0, turn]))
    detector.margin = margin
    limit = 0.5 + edge + 0.1 + margin
    assert detector.in_collision([limit - 1e-4, 0, 0.2])
    assert not detector.in_collision([limit + 1e-4, 0, 0.2])
    assert detector.distance([limit + 1.0, 0, 0.2]).value == pytest.approx(1.0 + margin, abs=1e-5)
    assert detector.check([limit - 1e-4, 0, 0.2]).pair == ("z", "thing")


@pytest.mark.parametrize("margin", [0.0, 0.05])
def test_a_plane_is_a_half_space(detector, margin):
    place = pose([0, 0, -1.0], rpy=[0, math.pi / 6, 0])
    detector.add("slope", Plane(), place)
    detector.margin = margin
    normal = place.rotation[:, 2]
    foot = place.act(np.array([3.0, -2.0, 0.0]))
    assert detector.in_collision(foot + (0.1 + margin - 1e-6) * normal)
    assert not detector.in_collision(foot + (0.1 + margin + 1e-6) * normal)
    assert detector.in_collision(foot - 5.0 * normal), "all of what is below counts"
    assert detector.distance(foot + 0.4 * normal).value == pytest.approx(0.3)
    assert detector.distance(foot - 0.4 * normal).value == pytest.approx(-0.5)


@pytest.mark.parametrize("write", [write_obj, write_stl, write_dae])
def test_meshes_of_every_format_are_scaled(detector, tmp_path, write):
    path = write(tmp_path / f"m.{write.__name__[-3:]}", TETRAHEDRON, FACES)
    detector.add("mesh", Mesh(path, (0.5, 1.0, 2.0)), pose([1.0, 0, 0]))
    # Corners at (1, 0, 0), (1.5, 0, 0), (1, 1, 0), (1, 0, 2).
    assert detector.distance([2.0, 0, 0]).value == pytest.approx(0.4, abs=1e-6)
    assert detector.distance([1.0, 2.0, 0]).value == pytest.approx(0.9, abs=1e-6)
    assert detector.distance([1.0, 0, 3.0]).value == pytest.approx(0.9, abs=1e-6)
    assert detector.in_collision([1.0, 0, 2.09])
    assert not detector.in_collision([1.0, 0, 2.11])
    detector.margin = 0.05
    assert detector.in_collision([1.0, 0, 2.14])
    assert not detector.in_collision([1.0, 0, 2.16])


@pytest.mark.parametrize("turn", [0.0, 0.4])
def test_a_flat_mesh_is_not_passed_over(detector, tmp_path, turn):
    path = write_stl(tmp_path / "flat.stl", TETRAHEDRON, [FACES[0]])
    detector.add("sheet", Mesh(path), pose([0, 0, 0], rpy=[0, 0, turn]))
    assert detector.in_collision([0.1, 0.2, 0.09])
    assert not detector.in_collision([0.1, 0.2, 0.11])


def test_a_mesh_that_changes_on_the_disk_is_read_anew(detector, tmp_path):
    path = write_stl(tmp_path / "m.stl", TETRAHEDRON, FACES)
    detector.add("mesh", Mesh(path))
    assert not detector.in_collision([2.0, 0, 0])
    detector.remove("mesh")
    write_stl(tmp_path / "m.stl", 2.0000001 * TETRAHEDRON, FACES)
    detector.add("mesh", Mesh(path))
    assert detector.in_collision([2.0, 0, 0])


def test_obstacles_that_come_and_go_leave_nothing_behind(detector):
    for step in range(5):
        detector.add("cloud", OcTree([[step, 0, 0]], 0.1))
        detector.in_collision()
        detector.remove("cloud")
    detector.in_collision()
    assert len(detector._geometries._made) == 1, "the ball's"


def test_mesh_files_that_cannot_be_used(detector, tmp_path):
    missing = str(tmp_path / "missing.stl")
    with pytest.raises(GeometryError, match=r"'part'.*missing\.stl"):
        detector.add("part", Mesh(missing))
    broken = tmp_path / "broken.stl"
    broken.write_text("no mesh")
    with pytest.raises(GeometryError, match=r"broken\.stl.*cannot be read"):
        detector.add("part", Mesh(str(broken)))
    empty = tmp_path / "empty.obj"
    empty.write_text("v 0 0 0\nv 1 0 0\n")
    with pytest.raises(GeometryError, match=r"empty\.obj"):
        detector.add("part", Mesh(str(empty)))
    assert not detector.obstacles
    with pytest.raises(GeometryError, match=r"link 'z' of 'slider'.*missing\.stl"):
        CollisionDetector(slider(Shape(Mesh(missing))))


def test_what_cannot_be_compared_is_refused_when_added(tmp_path):
    cloud = OcTree([[0.0, 0.0, 0.0]], 0.1)
    with pytest.raises(GeometryError, match=r"'cloud' has the shape OcTree and 'z' the shape Ellipsoid"):
        CollisionDetector(slider(Shape(Ellipsoid(0.1, 0.2, 0.3)))).add("cloud", cloud)
    detector = CollisionDetector(slider())
    detector.add("cloud", cloud, pose([3, 0, 0]))
    with pytest.raises(GeometryError, match="'tool' has the shape OcTree"):
        detector.attach("tool", cloud, "z")
    detector.skeleton.link("z").collisions.append(Shape(Ellipsoid(0.1, 0.2, 0.3)))
    with pytest.raises(GeometryError, match=r"'z'.*'cloud'"):
        detector.in_collision()
    detector.remove("cloud")
    assert not detector.in_collision()


def test_an_octree_is_the_cells_with_points():
    tree = OcTree([[0.01, 0.02, 0.03], [0.09, 0.02, 0.03], [-0.01, 0.0, 0.25]], 0.1)
    np.testing.assert_allclose(tree.points, [[-0.05, 0.05, 0.25], [0.05, 0.05, 0.05]])
    assert not tree.points.flags.writeable
    assert tree == OcTree([[0.05, 0.05, 0.05], [-0.05, 0.05, 0.25]], 0.1)
    assert hash(tree) == hash(OcTree([[0.05, 0.05, 0.05], [-0.05, 0.05, 0.25]], 0.1))
    assert tree != OcTree([[0.05, 0.05, 0.05]], 0.1)
    assert repr(tree) == "OcTree(2 cells of 0.1 m)"


def test_an_octree_is_the_union_of_its_cells(detector):
    rng = np.random.default_rng(1)
    tree = OcTree(rng.uniform(-1, 1, (60, 3)), 0.2)
    detector.add("cloud", tree, pose([0.1, 0.2, 0.3], rpy=[0.1, 0.2, 0.3]))
    boxes = CollisionDetector(slider())
    cells = [Shape(Box(0.2, 0.2, 0.2), pose(centre)) for centre in tree.points]
    boxes.add("cells", cells, pose([0.1, 0.2, 0.3], rpy=[0.1, 0.2, 0.3]))
    q = rng.uniform(-1.5, 1.5, (400, 3))
    expected = boxes.in_collision_many(q)
    assert 20 < expected.sum() < 380
    np.testing.assert_array_equal(detector.in_collision_many(q), expected)
    for each in q[~expected][:20]:
        assert detector.distance(each).value == pytest.approx(boxes.distance(each).value, abs=1e-6)


@pytest.mark.parametrize(
    ("points", "resolution", "message"),
    [
        ([[0, 0, 0]], 0.0, "resolution must be positive"),
        ([0, 0, 0], 0.1, "shape"),
        (np.empty((0, 3)), 0.1, "shape"),
        ([[0, 0, math.nan]], 0.1, "finite"),
        ([["a", 0, 0]], 0.1, "numbers"),
        ([[1e6, 0, 0]], 0.001, "within"),
    ],
)
def test_octrees_that_are_none(points, resolution, message):
    with pytest.raises(ValueError, match=message):
        OcTree(points, resolution)


@pytest.mark.parametrize("margin", [0.0, 0.01])
def test_deep_overlaps_are_seen_in_degenerate_places_too(margin):
    """Round numbers put the first point of coal's iterations on the surface of the overlap."""
    rng = np.random.default_rng(0)

    def sizes(count):
        return np.round(rng.uniform(0.1, 0.6, count), 1)

    kinds = [
        lambda: Box(*sizes(3)),
        lambda: Sphere(*sizes(1)),
        lambda: Capsule(*sizes(2)),
        lambda: Cylinder(*sizes(2)),
        lambda: Ellipsoid(*sizes(3)),
    ]
    turns = [(0, 0, 0), (math.pi / 2, 0, 0), (0, math.pi / 2, 0), (0, 0, math.pi / 2)]
    overlaps = 0
    for _ in range(60):
        detector = CollisionDetector(slider(Shape(kinds[rng.integers(5)](), pose(rpy=turns[rng.integers(4)]))))
        detector.margin = margin
        detector.add("thing", kinds[rng.integers(5)](), pose(rpy=turns[rng.integers(4)]))
        for _ in range(20):
            q = np.round(rng.uniform(-0.6, 0.6, 3) * rng.integers(0, 2, 3), 1)
            value = detector.distance(q).value
            if abs(value - margin) > 1e-4:
                assert detector.in_collision(q) == (value < margin), (detector.skeleton.link("z").collisions, q)
            overlaps += value < -0.05
    assert overlaps > 300


def test_several_shapes_move_together(detector):
    detector.add("goal", [Box(0.1, 0.1, 1.0), Shape(Box(1.0, 0.1, 0.1), pose([0.5, 0, 0.5]))], pose([1, 0, 0]))
    assert detector.in_collision([1, 0, 0])
    assert detector.in_collision([2.0, 0, 0.5])
    assert not detector.in_collision([1.7, 0, 0.2])
    detector.move("goal", pose([1, 1, 0]))
    assert not detector.in_collision([2.0, 0, 0.5])
    assert detector.in_collision([2.0, 1, 0.5])
    detector.move("goal", pose([1, 1, 0], rpy=[0, 0, math.pi / 2]))
    assert detector.in_collision([1.0, 2.0, 0.5])
    np.testing.assert_allclose(detector.obstacles["goal"].transform().translation, [1, 1, 0])
    detector.remove("goal")
    assert not detector.in_collision([1.0, 2.0, 0.5])
    assert not detector.obstacles


def test_names_are_unique_and_known(detector):
    detector.add("table", Box(1, 1, 0.1), pose([3, 0, 0]))
    detector.attach("tool", Sphere(0.01), "z")
    for taken, kind in (("table", "an obstacle"), ("tool", "an attached object"), ("rail", "a link")):
        with pytest.raises(DuplicateNameError, match=f"has {kind} '{taken}' already"):
            detector.add(taken, Sphere(0.1))
        with pytest.raises(DuplicateNameError, match=f"has {kind} '{taken}' already"):
            detector.attach(taken, Sphere(0.1), "z")
    for act in (detector.remove, lambda name: detector.move(name, pose([0, 0, 0]))):
        with pytest.raises(UnknownNameError, match="no obstacle 'tabel'; did you mean 'table'"):
            act("tabel")
    with pytest.raises(UnknownNameError, match="no attached object 'table'"):
        detector.detach("table")
    for bad in ("", None, 3):
        with pytest.raises(InvalidValueError, match="name"):
            detector.add(bad, Sphere(0.1))
    assert list(detector.obstacles) == ["table"]
    with pytest.raises(TypeError):
        detector.obstacles["other"] = None


def test_bad_geometry_and_poses_change_nothing(detector):
    for bad in (None, "box", 3, [], ["box"], [Sphere(0.1), None], object()):
        with pytest.raises(InvalidValueError, match="'thing'"):
            detector.add("thing", bad)
    with pytest.raises(InvalidPoseError, match="'thing'"):
        detector.add("thing", Sphere(0.1), [0, 0, math.nan])
    with pytest.raises(InvalidValueError, match="parent of obstacle 'thing'"):
        detector.add("thing", Sphere(0.1), parent="world")
    assert not detector.obstacles
    detector.add("thing", Sphere(0.1), pose([3, 0, 0]))
    with pytest.raises(InvalidPoseError):
        detector.move("thing", [0, 0, math.inf])
    np.testing.assert_array_equal(detector.obstacles["thing"].placement.translation, [3, 0, 0])


def test_any_form_of_a_pose(detector):
    detector.add("a", Sphere(0.1), ([1, 0, 0], [0, 0, 0, 1]))
    detector.add("b", Sphere(0.1), np.array([2, 0, 0, 0, 0, 0, 1.0]))
    detector.add("c", Sphere(0.1), pin.SE3(np.eye(3), np.array([3.0, 0, 0])).homogeneous, parent=World())
    detector.add("d", Sphere(0.1))
    for x, name in ((1, "a"), (2, "b"), (3, "c"), (0, "d")):
        assert detector.check([x, 0, 0]).pair == ("z", name)
    assert detector.obstacles["c"].parent is None


def test_an_obstacle_goes_with_its_frame(detector):
    cart = SimpleFrame("cart", relative_transform=pose([1, 0, 0]))
    shelf = cart.spawn("shelf", pose([0, 0, 0.5]))
    detector.add("box", Box(0.2, 0.2, 0.2), pose([0, 0.3, 0]), parent=shelf)
    assert detector.in_collision([1, 0.3, 0.5])
    cart.relative_transform = pose([1, 2, 0])
    assert not detector.in_collision([1, 0.3, 0.5])
    assert detector.in_collision([1, 2.3, 0.5])
    shelf.relative_transform = pose([0, 0, 1.5])
    assert detector.in_collision([1, 2.3, 1.5])
    assert detector.distance([1, 2.3, 2.5]).value == pytest.approx(0.8)
    detector.move("box", pose([0, 0, 0]))
    assert detector.in_collision([1, 2, 1.5])
    np.testing.assert_allclose(detector.obstacles["box"].transform().translation, [1, 2, 1.5])


def test_an_obstacle_on_another_robot_goes_with_it(detector):
    other = slider()
    detector.add("gripper", Box(0.2, 0.2, 0.2), parent=other.link("z"))
    assert detector.in_collision([0, 0, 0])
    other.positions = [1, 0, 0]
    assert not detector.in_collision([0, 0, 0])
    assert detector.in_collision([1, 0, 0])


def test_an_obstacle_on_the_robot_itself_is_refused(detector):
    robot = detector.skeleton
    with pytest.raises(StructureError, match=r"'thing' hangs on frame 'z' of 'slider'.*attach"):
        detector.add("thing", Sphere(0.1), parent=robot.link("z"))
    frame = SimpleFrame("loose")
    detector.add("thing", Sphere(0.1), pose([3, 0, 0]), parent=frame)
    frame.set_parent(robot.link("x"))
    with pytest.raises(StructureError, match=r"'thing'.*attach"):
        detector.in_collision()


def test_what_neither_moves_is_not_checked():
    robot = slider()
    robot.link("rail").collisions.append(Shape(Box(1, 1, 1)))
    detector = CollisionDetector(robot)
    detector.add("floor", Plane(), pose([0, 0, -0.4]))
    assert ("rail", "floor", "neither is moved by a joint") in detector.excluded
    assert ("z", "floor") in detector.pairs
    assert not detector.in_collision([0, 0, 3])
    detector.include("rail", "floor")
    assert detector.check([0, 0, 3]).pair == ("rail", "floor")
    detector.remove("floor")
    detector.add("floor", Plane(), pose([0, 0, -0.4]))
    assert not detector.in_collision([0, 0, 3]), "a choice goes with the obstacle that it was made for"
    cart = SimpleFrame("cart", relative_transform=pose([0, 0, -5]))
    detector.add("crate", Box(1, 1, 1), parent=cart)
    assert not detector.in_collision([0, 0, 3])
    cart.relative_transform = pose([0, 0, -0.9])
    assert detector.check([0, 0, 3]).pair == ("rail", "crate"), "a frame may be moved"


def test_two_planes():
    robot = slider(Shape(Plane()))
    with pytest.raises(GeometryError, match="Plane"):
        CollisionDetector(robot).add("floor", Plane())


@pytest.mark.parametrize(
    "large",
    [Box(1.1e4, 1, 1), Sphere(1e5), Cylinder(0.1, 1e5), Capsule(0.1, 1e8), Ellipsoid(1, 1, 1e300),
     OcTree([[0.0, 0.0, 9e4]], 3.0), OcTree([[0.0, 0.0, 0.0]], 1e5)],
)  # fmt: skip
def test_larger_than_what_is_compared_rightly_is_refused(detector, large):
    with pytest.raises(GeometryError, match=r"'thing' has .* reaches over .* up to 10000 m"):
        detector.add("thing", large)
    with pytest.raises(GeometryError, match=r"link 'z' of 'slider' has .* up to 10000 m"):
        CollisionDetector(slider(Shape(large)))
    assert not detector.obstacles


@pytest.mark.parametrize("large", [Box(1e4, 0.2, 0.2), Cylinder(0.1, 1e4), Capsule(0.1, 1e4), Ellipsoid(0.1, 0.1, 1e4)])
@pytest.mark.parametrize("along", np.linspace(-0.4, 0.4, 5))
def test_the_largest_are_compared_rightly(detector, large, along):
    """A long thing 0.1 m thick at y = 0.5 m, of which a ball of radius 0.1 m is 0.3 m away."""
    axis = pose([along, 0.5, 0], rpy=[0, 0, 0] if isinstance(large, Box) else [0, math.pi / 2, 0])
    detector.add("thing", large, axis)
    assert detector.distance().value == pytest.approx(0.3, abs=1e-6)
    assert not detector.in_collision([0, 0.29, 0])
    assert detector.in_collision([0, 0.31, 0])


@pytest.mark.parametrize("corner", ["nan", "inf", "1e300", "2e4"])
def test_meshes_with_corners_that_cannot_be_are_refused_in_silence(detector, tmp_path, capfd, corner):
    path = tmp_path / "spike.obj"
    path.write_text(f"v 0 0 0\nv 1 0 0\nv 0 {corner} 0\nv 0 0 1\nf 1 2 3\nf 1 2 4\nf 1 3 4\n")
    with pytest.raises(GeometryError, match=r"'part'.*spike\.obj.*(corners that are not finite|up to 10000 m)"):
        detector.add("part", Mesh(path))
    assert capfd.readouterr().err == ""


def test_a_huge_scale_is_refused_in_silence_and_a_tiny_one_is_seen(detector, tmp_path, capfd):
    path = write_obj(tmp_path / "t.obj", TETRAHEDRON, FACES)
    with pytest.raises(GeometryError, match="up to 10000 m"):
        detector.add("part", Mesh(path, 1e200))
    assert capfd.readouterr().err == ""
    detector.add("part", Mesh(path, 1e-300), pose([0.1 - 1e-4, 0, 0]))
    assert detector.in_collision()


def test_a_mirrored_mesh_is_where_it_belongs(detector, tmp_path):
    detector.add("part", Mesh(write_obj(tmp_path / "t.obj", TETRAHEDRON, FACES), (-1, 1, 1)), pose([0.5, 0, 0]))
    assert detector.in_collision()
    assert not detector.in_collision([1.0, 0.0, 0.0])


def test_bare_geometries_in_a_link_are_taken_and_others_named(detector):
    link = detector.skeleton.link("y")
    detector.add("post", Box(0.2, 0.2, 0.2), pose([3, 0, 0]))
    assert not detector.in_collision([2, 0, 0])
    link.collisions.append(Box(2, 0.1, 0.1))
    assert detector.in_collision([2, 0, 0])
    for wrong in ([3], [Sphere(0.1), "box"], None, Sphere(0.1)):
        link.collisions = wrong
        with pytest.raises(InvalidValueError, match="link 'y' of 'slider' needs"):
            detector.in_collision([2, 0, 0])
    link.collisions = []
    assert not detector.in_collision([2, 0, 0])


def test_a_name_of_a_frame_is_no_parent():
    robot = models.load("panda")
    detector = CollisionDetector(robot)
    with pytest.raises(
        InvalidValueError, match=r"must be a Frame, not 'panda_hand'; .*attach\('cup', geometry, 'panda_"
    ):
        detector.add("cup", Sphere(0.03), parent="panda_hand")
    with pytest.raises(InvalidValueError, match=r"must be a Frame, not 'cart'$"):
        detector.add("cup", Sphere(0.03), parent="cart")
    assert not detector.obstacles
