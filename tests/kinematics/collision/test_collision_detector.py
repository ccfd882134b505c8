"""`CollisionDetector`: questions, pairs, edits of the robot, threads."""

import logging
import math
import threading

import numpy as np
import pinocchio as pin
import pytest

from kinetree import models
from kinetree.kinematics import (
    Box,
    Capsule,
    CollisionDetector,
    DuplicateNameError,
    FreeJoint,
    GeometryError,
    InvalidValueError,
    NodeSet,
    PrismaticJoint,
    RevoluteJoint,
    Shape,
    ShapeError,
    Skeleton,
    Sphere,
    StructureError,
    UnknownNameError,
    pose,
)

HOME = {"panda_joint2": -0.785, "panda_joint4": -2.356, "panda_joint6": 1.571, "panda_joint7": 0.785}
#: The hand turned back against the forearm.
FOLDED = {"panda_joint4": -0.07}


def beads(spacing: float = 0.5) -> Skeleton:
    """Four balls of radius 0.1 m on a chain of three joints about z, the last of which folds back on the first."""
    robot = Skeleton("beads")
    robot.add_link("first", collisions=[Shape(Sphere(0.1))])
    for name, parent in (("second", "first"), ("third", "second"), ("fourth", "third")):
        joint = RevoluteJoint(f"{name}_joint", axis="z", limits=(-3.0, 3.0))
        robot.add_link(name, joint, parent, pose([spacing, 0, 0]), collisions=[Shape(Sphere(0.1))])
    return robot


@pytest.fixture
def panda() -> Skeleton:
    return models.load("panda")


def by_hand(robot: Skeleton, detector: CollisionDetector, q: np.ndarray) -> set[tuple[str, str]]:
    """The pairs that touch, by one call of coal for every two shapes at poses of Pinocchio's frames."""
    import coal

    made = {
        Box: lambda g: coal.Box(g.x, g.y, g.z),
        Sphere: lambda g: coal.Sphere(g.radius),
        Capsule: lambda g: coal.Capsule(g.radius, g.length),
    }
    from kinetree.kinematics import Cylinder

    made[Cylinder] = lambda g: coal.Cylinder(g.radius, g.length)
    data = robot.model.createData()
    pin.framesForwardKinematics(robot.model, data, robot.to_pinocchio(q))

    def placed(name: str) -> list:
        if name in detector.obstacles:
            obstacle = detector.obstacles[name]
            return [(made[type(s.geometry)](s.geometry), obstacle.transform() * s.placement) for s in obstacle.shapes]
        frame = data.oMf[robot.model.getFrameId(name)]
        return [(made[type(s.geometry)](s.geometry), frame * s.placement) for s in robot.link(name).collisions]

    def touch(first, second) -> bool:
        result = coal.CollisionResult()
        places = [coal.Transform3s(place.rotation, place.translation) for _, place in (first, second)]
        return bool(coal.collide(first[0], places[0], second[0], places[1], coal.CollisionRequest(), result))

    return {
        (first, second)
        for first, second in detector.pairs
        if any(touch(one, other) for one in placed(first) for other in placed(second))
    }


@pytest.mark.parametrize("name", ["panda", "ur5", "dual_arm"])
def test_agrees_with_coal_called_for_every_two_shapes(name):
    robot = models.load(name)
    detector = CollisionDetector(robot)
    rng = np.random.default_rng(5)
    for index in range(6):
        at = rng.normal(size=3)
        place = pose(at / np.linalg.norm(at) * 0.6 + [0, 0, 0.4], rpy=rng.uniform(-3, 3, 3))
        detector.add(f"obstacle{index}", [Box(0.1, 0.2, 0.3), Shape(Sphere(0.1), pose([0.2, 0, 0]))], place)
    found = 0
    for _ in range(40):
        q = robot.random_positions(rng)
        expected = by_hand(robot, detector, q)
        assert {contact.pair for contact in detector.contacts(q)} == expected
        assert detector.in_collision(q) == bool(expected)
        collision = detector.check(q)
        assert collision.pair in expected if expected else not collision
        found += bool(expected)
    assert 5 < found < 40


def test_nothing_stays_from_an_earlier_question(panda):
    detector = CollisionDetector(panda)
    assert detector.contacts(FOLDED)
    assert detector.contacts(HOME) == ()
    assert not detector.in_collision(HOME)


def test_the_pair_in_words(panda):
    detector = CollisionDetector(panda)
    collision = detector.check(FOLDED)
    assert collision.pair == ("panda_link5", "panda_hand")
    assert str(collision) == "'panda_link5' touches 'panda_hand'"
    assert not detector.check(HOME)
    assert str(detector.check(HOME)) == "no collision"
    with pytest.raises(AttributeError):
        collision.pair = None


def test_forms_of_a_configuration(panda):
    detector = CollisionDetector(panda)
    q = panda.as_configuration(FOLDED)
    assert detector.in_collision(q)
    assert detector.in_collision(list(q))
    panda.positions = HOME
    assert not detector.in_collision()
    panda.positions = q
    assert detector.in_collision(), "the present positions are those of the moment"
    before = panda.positions
    detector.in_collision(HOME)
    np.testing.assert_array_equal(panda.positions, before)


def test_bad_configurations(panda):
    detector = CollisionDetector(panda)
    q = panda.positions.copy()
    q[2] = math.nan
    for ask in (detector.in_collision, detector.check, detector.contacts, detector.distance):
        with pytest.raises(InvalidValueError, match="not finite"):
            ask(q)
        with pytest.raises(ShapeError):
            ask(q[:3])
        with pytest.raises(UnknownNameError, match="panda_joint1"):
            ask({"panda_joint_1": 0.0})
    with pytest.raises(InvalidValueError, match="row 1"):
        detector.in_collision_many([panda.positions, q])
    with pytest.raises(ShapeError):
        detector.in_collision_many(panda.positions)
    assert detector.in_collision_many(np.empty((0, panda.num_dofs))).shape == (0,)


def test_many_is_one_by_one(panda):
    detector = CollisionDetector(panda)
    rng = np.random.default_rng(2)
    q = np.array([panda.random_positions(rng) for _ in range(200)])
    many = detector.in_collision_many(q)
    assert many.dtype == bool
    assert many.any()
    assert not many.all()
    np.testing.assert_array_equal(many, [detector.in_collision(each) for each in q])


def test_neighbours_are_excluded_and_listed():
    robot = beads(spacing=0.15)
    detector = CollisionDetector(robot)
    assert not {("first", "second"), ("second", "third")} & set(detector.pairs)
    reasons = {(each.first, each.second): each.reason for each in detector.excluded}
    assert "adjacent" in reasons["first", "second"]
    assert ("first", "third") in detector.pairs
    assert str(detector.excluded[0]) == f"'first' and 'second': {reasons['first', 'second']}"


def test_exclude_and_include():
    robot = beads(spacing=0.15)
    detector = CollisionDetector(robot)
    q = [2.5, 2.5, 0.0]
    expected = {("first", "third"), ("second", "fourth"), ("first", "fourth")}
    assert {each.pair for each in detector.contacts(q)} == expected
    detector.exclude("third", "first")
    detector.exclude("second", "fourth")
    detector.exclude("first", "fourth")
    assert not detector.in_collision(q)
    assert ("first", "third", "excluded by hand") in detector.excluded
    detector.include("first", "third")
    assert detector.check(q).pair == ("first", "third")
    detector.include("first", "second")
    assert detector.check([0, 0, 0]).pair == ("first", "second"), "neighbours, on request"
    with pytest.raises(UnknownNameError, match="did you mean 'first'"):
        detector.exclude("firts", "third")
    with pytest.raises(InvalidValueError, match="no pair"):
        detector.include("first", "first")


def test_groups_ask_for_pairs_with_one_of_their_links(panda):
    hand = NodeSet("wrist", ["panda_joint6", "panda_joint7"], panda.frame("panda_link5"), panda.frame("panda_hand"))
    detector = CollisionDetector(panda, groups=[hand])
    detector.add("ball", Sphere(0.1), pose([0, 0, 0.4]))
    moved = {"panda_link6", "panda_link7", "panda_hand", "panda_leftfinger", "panda_rightfinger"}
    assert detector.pairs
    assert all(moved & set(pair) for pair in detector.pairs)
    assert ("panda_link0", "panda_hand") in detector.pairs, "what hangs on a link of the group moves, too"
    assert not detector.in_collision(HOME), "the ball touches the upper arm only"
    assert CollisionDetector(panda).clone().pairs != detector.pairs
    whole = CollisionDetector(panda)
    whole.add("ball", Sphere(0.1), pose([0, 0, 0.4]))
    assert whole.in_collision(HOME)
    with pytest.raises(InvalidValueError, match="SRDF"):
        CollisionDetector(panda, groups=["arm"])
    with pytest.raises(InvalidValueError, match="another skeleton"):
        CollisionDetector(panda.clone(), groups=[hand])
    with pytest.raises(InvalidValueError, match="groups"):
        CollisionDetector(panda, groups=[3])


def test_a_robot_without_shapes():
    robot = beads()
    for link in robot.links:
        link.visuals, link.collisions = link.collisions, []
    with pytest.raises(GeometryError, match=r"'beads'.*use_visuals=True"):
        CollisionDetector(robot)
    detector = CollisionDetector(robot, use_visuals=True)
    assert ("first", "third") in detector.pairs
    assert not detector.in_collision()
    robot.link("first").collisions = [Shape(Box(2.5, 0.1, 0.1))]
    assert detector.in_collision(), "a link's own collision shapes go before its visual ones"
    robot.link("first").collisions = []
    for link in robot.links:
        link.visuals = []
    with pytest.raises(GeometryError, match="no link of 'beads' has a shape"):
        detector.in_collision()
    with pytest.raises(InvalidValueError, match="Skeleton"):
        CollisionDetector("panda")


def test_shapes_that_the_file_names_and_nobody_has_are_told(tmp_path, caplog):
    path = tmp_path / "lossy.urdf"
    path.write_text(
        """<robot name="lossy"><link name="base"><collision><geometry><sphere radius="0.1"/></geometry></collision>
        <collision><geometry><mesh filename="package://nowhere/base.stl"/></geometry></collision></link></robot>"""
    )
    robot = models.load(path)
    caplog.clear()
    with caplog.at_level(logging.WARNING):
        CollisionDetector(robot)
    assert "'lossy'" in caplog.text
    assert "nowhere/base.stl" in caplog.text
    assert "cannot collide" in caplog.text


def test_edits_of_shapes_are_noticed():
    robot = beads()
    detector = CollisionDetector(robot)
    assert not detector.in_collision()
    robot.link("first").collisions.append(Shape(Sphere(0.1), pose([1.0, 0.15, 0])))
    assert detector.check().pair == ("first", "third")
    robot.link("first").collisions = [Shape(Sphere(0.1))]
    assert not detector.in_collision()


def test_edits_of_the_tree_are_noticed():
    robot = beads()
    detector = CollisionDetector(robot)
    detector.add("wall", Box(0.1, 1, 1), pose([2.1, 0, 0]))
    detector.attach("tool", Sphere(0.05), "fourth", pose([0.2, 0, 0]))
    assert not detector.in_collision()
    robot.add_link("fifth", RevoluteJoint("fifth_joint"), "fourth", pose([0.5, 0, 0]), collisions=[Shape(Sphere(0.1))])
    assert detector.check(np.zeros(4)).pair == ("fifth", "wall")
    robot.remove_link("fifth")
    assert not detector.in_collision(np.zeros(3))
    detector.add("ball", Sphere(0.1), pose([1.0, 0, 0.5]))
    robot.move_link("fourth", "second", placement=pose([0.5, 0, 0.5]))
    assert detector.check(np.zeros(3)).pair == ("fourth", "ball")
    robot.replace_joint("first", FreeJoint("base"))
    assert ("first", "wall") in detector.pairs, "it moves now"
    assert detector.check({"base": [2.1, 0, 0, 0, 0, 0]}).pair == ("first", "wall")


def test_the_placement_of_the_root_and_of_joints_count():
    robot = beads()
    detector = CollisionDetector(robot)
    detector.add("ball", Sphere(0.1), pose([0.5, 0, 1.0]))
    assert not detector.in_collision()
    robot.joint("second_joint").placement = pose([0.5, 0, 1.0])
    assert detector.check().pair == ("second", "ball")


def test_what_an_attached_object_hung_on_is_gone():
    robot = beads()
    detector = CollisionDetector(robot)
    detector.attach("tool", Sphere(0.05), "fourth")
    robot.remove_link("fourth")
    with pytest.raises(StructureError, match=r"'tool'.*'fourth'.*detach"):
        detector.in_collision()
    detector.detach("tool")
    assert not detector.in_collision()


def test_a_new_link_with_the_name_of_an_obstacle():
    robot = beads()
    detector = CollisionDetector(robot)
    detector.add("wall", Sphere(0.1), pose([5, 0, 0]))
    robot.add_link("wall", RevoluteJoint("w"), "fourth")
    with pytest.raises(DuplicateNameError, match="'wall'"):
        detector.in_collision(np.zeros(4))
    detector.remove("wall")
    assert not detector.in_collision(np.zeros(4))


def test_a_robot_without_moving_joints():
    robot = Skeleton("table")
    robot.add_link("top", collisions=[Shape(Box(1, 1, 0.1))])
    detector = CollisionDetector(robot)
    detector.add("ball", Sphere(0.1))
    assert not detector.in_collision(), "neither can be moved"
    assert detector.distance().pair is None
    detector.include("top", "ball")
    assert detector.check([]).pair == ("top", "ball")
    assert detector.contacts()[0].pair == ("top", "ball")
    assert detector.distance().value < 0


def test_dependent_joints_follow():
    robot = Skeleton("gripper")
    robot.add_link("palm", collisions=[Shape(Box(0.02, 0.2, 0.02), pose([-0.05, 0, 0]))])
    left = PrismaticJoint("left", axis="y", limits=(0, 0.1))
    right = PrismaticJoint("right", axis="-y", limits=(0, 0.1))
    robot.add_link("left_finger", left, "palm", collisions=[Shape(Box(0.02, 0.02, 0.02))])
    robot.add_link("right_finger", right, "palm", collisions=[Shape(Box(0.02, 0.02, 0.02))])
    right.depend_on(left)
    detector = CollisionDetector(robot)
    assert detector.distance([0.05]).value == pytest.approx(0.08)
    assert detector.in_collision([0.009])
    assert not detector.in_collision([0.011])


def test_a_clone_is_independent(panda):
    detector = CollisionDetector(panda, margin=0.01)
    detector.add("ball", Sphere(0.1), pose([0.5, 0, 0.5]))
    detector.attach("tool", Sphere(0.02), "panda_hand_tcp")
    detector.exclude("panda_link5", "panda_hand")
    twin = detector.clone()
    assert (twin.pairs, twin.excluded, twin.margin) == (detector.pairs, detector.excluded, 0.01)
    assert twin.in_collision(HOME) == detector.in_collision(HOME)
    twin.remove("ball")
    twin.detach("tool")
    twin.include("panda_link5", "panda_hand")
    twin.margin = 0.0
    assert (list(detector.obstacles), list(detector.attached), detector.margin) == (["ball"], ["tool"], 0.01)
    assert twin.in_collision(FOLDED)
    assert ("panda_link5", "panda_hand") not in detector.pairs
    assert twin.constraint.detector is twin


def test_several_threads_ask_at_once(panda):
    detector = CollisionDetector(panda)
    for index in range(6):
        detector.add(f"o{index}", Box(0.1, 0.2, 0.3), pose([0.6 * math.cos(index), 0.6 * math.sin(index), 0.5]))
    rng = np.random.default_rng(3)
    q = np.array([panda.random_positions(rng) for _ in range(300)])
    expected = detector.in_collision_many(q)
    pairs = [detector.check(each).pair for each in q]
    distances = [detector.distance(each).value for each in q[:50]]
    wrong = []
    stop = threading.Event()

    def ask(start: int) -> None:
        for _ in range(4):
            for index in np.roll(np.arange(len(q)), start):
                if detector.in_collision(q[index]) != expected[index] or detector.check(q[index]).pair != pairs[index]:
                    wrong.append(index)
                if index < 50 and detector.distance(q[index]).value != distances[index]:
                    wrong.append(index)

    def edit() -> None:
        # Far away: no answer may change.
        while not stop.is_set():
            detector.add("far", Sphere(0.1), pose([50, 0, 0]))
            detector.move("far", pose([60, 0, 0]))
            detector.remove("far")

    threads = [threading.Thread(target=ask, args=(100 * index,)) for index in range(3)]
    editor = threading.Thread(target=edit)
    for thread in (*threads, editor):
        thread.start()
    for thread in threads:
        thread.join()
    stop.set()
    editor.join()
    assert not wrong


@pytest.mark.parametrize("margin", [0.0, 0.03])
def test_many_objects_use_a_tree_of_boxes(panda, margin):
    detector = CollisionDetector(panda, margin=margin)
    few = CollisionDetector(panda, margin=margin)
    rng = np.random.default_rng(4)
    boxes = []
    for _ in range(150):
        at = rng.normal(size=3)
        boxes.append(Shape(Box(0.05, 0.1, 0.15), pose(at / np.linalg.norm(at) * 0.9, rpy=rng.uniform(-3, 3, 3))))
    detector.add("boxes", boxes)
    q = np.array([panda.random_positions(rng) for _ in range(100)])
    expected = few.in_collision_many(q)
    for start in range(0, 150, 50):
        few.add("boxes", boxes[start : start + 50])
        expected |= few.in_collision_many(q)
        few.remove("boxes")
    assert expected.any()
    assert not expected.all()
    np.testing.assert_array_equal(detector.in_collision_many(q), expected)
    detector.move("boxes", pose([5, 0, 0]))
    few.margin = 0.0
    np.testing.assert_array_equal(detector.in_collision_many(q), few.in_collision_many(q))


def test_its_repr_says_what_is_there(panda):
    detector = CollisionDetector(panda)
    detector.add("ball", Sphere(0.1))
    assert repr(detector) == "<CollisionDetector of 'panda': 1 obstacle, 0 attached objects>"
    detector.add("box", Box(0.1, 0.1, 0.1), pose([2, 0, 0]))
    detector.attach("tool", Sphere(0.01), "panda_hand")
    assert repr(detector) == "<CollisionDetector of 'panda': 2 obstacles, 1 attached object>"


@pytest.mark.parametrize("name", [info.name for info in models.robots()])
def test_every_built_in_robot_can_be_asked(name):
    robot = models.load(name)
    detector = CollisionDetector(robot)
    rng = np.random.default_rng(0)
    hits = detector.in_collision_many([robot.random_positions(rng) for _ in range(50)])
    assert not hits.all(), "a robot that always collides"
    assert not any("wherever" in each.reason for each in detector.excluded), "shapes that are too fat"


@pytest.mark.parametrize(
    ("name", "wrong"),
    [("srdf", 3), ("srdf", b"file"), ("groups", 3), ("groups", [3]), ("groups", [[]]), ("samples", "x"),
     ("samples", 1.5), ("samples", -1), ("samples", True), ("seed", "x"), ("seed", -1), ("seed", None),
     ("use_visuals", "x"), ("use_visuals", None), ("margin", "x"), ("self_margin", None)],
)  # fmt: skip
def test_options_of_another_kind_are_refused(name, wrong):
    with pytest.raises(InvalidValueError, match=f"^{name} must be"):
        CollisionDetector(beads(), **{name: wrong})


def test_the_robot_of_a_detector_stays(panda):
    detector = CollisionDetector(panda)
    with pytest.raises(AttributeError):
        detector.skeleton = models.load("ur5")
    assert detector.skeleton is panda


@pytest.mark.parametrize(
    "wrong", [[[1j, 0, 0]], [["0", "0", "0"]], [[None, 0, 0]], [[{}, 0, 0]], [[10**400, 0, 0]], "q"]
)
def test_many_configurations_are_read_like_one(wrong):
    detector = CollisionDetector(beads())
    with pytest.raises(InvalidValueError, match=r"q must be|finite"):
        detector.in_collision_many(wrong)
    with pytest.raises((InvalidValueError, ShapeError), match=r"q must|finite"):
        detector.in_collision(wrong[0])


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("far", [1e10, -1e300])
def test_coordinates_beyond_any_sense_are_refused(far):
    robot = beads()
    detector = CollisionDetector(robot)
    q = np.array([0.0, far, 0.0])
    for ask in (detector.in_collision, detector.check, detector.contacts, detector.distance, detector.constraint):
        with pytest.raises(InvalidValueError, match=f"q has {far:g} for 'third_joint'".replace("+", r"\+")):
            ask(q)
    with pytest.raises(InvalidValueError, match="'third_joint'"):
        detector.in_collision_many([np.zeros(3), q])
    assert not detector.in_collision([0.0, 2000 * math.pi, 0.0])
