"""The bound behind 'never': no distance changes faster than it says. What is concluded is tested elsewhere."""

import numpy as np
import pinocchio as pin
import pytest

from kinetree import models
from kinetree.kinematics import Box, OcTree, Plane, PrismaticJoint, RevoluteJoint, ScrewJoint, Shape, Skeleton, Sphere
from kinetree.kinematics.collision.coal_geometry import CoalGeometries
from kinetree.kinematics.collision.link_geometries import LinkGeometries
from kinetree.kinematics.collision.separation_proof import SeparationProof, set_pairs
from tests.kinematics.collision.random_robots import along, random_robot

SEED = 41


class Pairs:
    """The pairs of links of a robot with the bounds of the proof, and their true distances."""

    def __init__(self, robot):
        self.links = LinkGeometries(robot, False, CoalGeometries())
        self.proof = SeparationProof(self.links)
        self.model = self.links.source.model
        self.data = self.model.createData()
        self.geometry = self.links.geometry.copy()

    def __iter__(self):
        """(shapes, joints, rates) of each pair of links for which there is a bound."""
        names = [link.name for link in self.links.links]
        for first in range(len(names)):
            for second in range(first + 1, len(names)):
                found = self.of(names[first], names[second])
                if found is not None:
                    yield found

    def of(self, first, second):
        robot = self.links.skeleton
        bodies = [self.links.source._bodies[robot.link(name)][0] for name in (first, second)]
        shapes = [[i for i, owner in enumerate(self.links.names) if owner == name] for name in (first, second)]
        found = self.proof.rates(bodies[0], shapes[0], bodies[1], shapes[1])
        return None if found is None else (shapes, *found)

    def distances(self, shapes, configurations):
        set_pairs(self.geometry, [shapes])
        for q in configurations:
            results = self.geometry.createData()
            index = pin.computeDistances(self.model, self.data, self.geometry, results, q)
            yield results.distanceResults[index].min_distance


def used(robot, rng, configurations):
    """The largest part of the bound that a true change of distance takes up; more than 1 contradicts it."""
    pairs = Pairs(robot)
    most = 0.0
    for shapes, spans, rates in pairs:
        q = pairs.links.source.neutral.copy()
        for _ in range(configurations):
            for span in spans:
                q[span.coordinate] = rng.uniform(span.lower, span.upper)
            nearby = q.copy()
            span = spans[rng.integers(len(spans))]
            step = 1e-3 * rng.choice([-1.0, 1.0])
            nearby[span.coordinate] += step
            start, end = pairs.distances(shapes, (q, nearby))
            if min(start, end) > 0.01:  # coal's depths are no distances
                most = max(most, (abs(end - start) - 1e-6) / (rates[spans.index(span)] * abs(step)))
    return most


def test_no_distance_changes_faster_than_the_bound():
    rng = np.random.default_rng(SEED)
    most = max(used(random_robot(rng), rng, 20) for _ in range(40))
    assert 0.9 < most <= 1.0  # nor is the bound a wild guess


@pytest.mark.slow
def test_no_distance_changes_faster_than_the_bound_in_many_robots():
    rng = np.random.default_rng(SEED + 1)
    most = max(used(random_robot(rng), rng, 100) for _ in range(1000))
    assert 0.9 < most <= 1.0


@pytest.mark.parametrize("name", ["panda", "irb4600_40_255", "scara"])
def test_no_distance_changes_faster_than_the_bound_in_arms(name):
    assert used(models.load(name), np.random.default_rng(SEED), 30) <= 1.0


def turned_arm():
    """A ball 0.8 m off the axis of the last of three joints: the bounds can be told by hand."""
    robot = Skeleton("arm")
    robot.add_link("a", collisions=[Shape(Sphere(0.01), along(0.0, 0.0, 9.0))])
    robot.add_link("b", RevoluteJoint("j1", axis="z", limits=(-1, 1)), "a", along(0.0, 0.0, 1.0))
    robot.add_link("c", PrismaticJoint("j2", axis="x", limits=(-0.2, 0.5)), "b", along(0.3, 0.4, 5.0))
    ball = [Shape(Box(0.2, 0.2, 0.2), along(0.7, 0.0, 3.0))]
    robot.add_link("d", RevoluteJoint("j3", axis="z", limits=(-1, 1)), "c", along(1.0), collisions=ball)
    return robot


def test_the_bounds_of_a_small_arm_by_hand():
    _, spans, rates = Pairs(turned_arm()).of("a", "d")
    assert [span.coordinate for span in spans] == [0, 1, 2]
    assert [(span.lower, span.upper) for span in spans] == [(-1, 1), (-0.2, 0.5), (-1, 1)]
    # The side that is nearer to the axis counts: for the first joint that is the ball of "a".
    assert rates[0] == pytest.approx(np.hypot(0.01, 0.01))
    assert rates[1] == 1.0
    assert rates[2] == pytest.approx(np.hypot(0.8, 0.1))
    robot = turned_arm()
    robot.link("a").collisions[:] = [Shape(Sphere(0.01), along(99.0))]
    _, _, rates = Pairs(robot).of("a", "d")
    box = np.linalg.norm([0.8, 0.1, 3.1])  # its farthest corner from the last joint, which is 1 m from the slide
    assert rates[0] == pytest.approx(0.5 + (1.0 + 0.5) + box)


def test_a_screw_slides_as_it_turns():
    robot = turned_arm()
    robot.replace_joint("d", ScrewJoint("screw", axis="z", lead=0.3 * np.pi, limits=(-1, 2)))
    _, spans, rates = Pairs(robot).of("a", "d")
    assert rates[2] == pytest.approx(np.hypot(0.8, 0.1) + 0.15)
    assert spans[2].extension == pytest.approx(2 * 0.15)


def test_what_cannot_be_bounded():
    robot = turned_arm()
    robot.add_link("e", RevoluteJoint("j4", axis="z", limits=(-1, 1)), "d", collisions=[Shape(Sphere(0.1))])
    pairs = Pairs(robot)
    assert pairs.of("d", "e") is not None
    assert pairs.of("a", "e") is None  # four joints
    robot.link("e").collisions[:] = [Shape(Plane())]
    _, _, rates = Pairs(robot).of("d", "e")  # it has no end, but the other side has
    assert rates == pytest.approx([np.hypot(0.8, 0.1)])
    robot.link("d").collisions[:] = [Shape(Plane())]
    assert Pairs(robot).of("d", "e") is None


def test_octrees_are_bodies_like_others():
    robot = turned_arm()
    robot.link("a").collisions[:] = [Shape(OcTree([[0.0, 0.0, -3.0], [0.1, 0.0, -3.0]], 0.05))]
    pairs = Pairs(robot)
    proof, links = pairs.proof, pairs.links
    (shapes, _, _) = pairs.of("a", "d")
    bodies = [links.source._bodies[robot.link(name)][0] for name in "ad"]
    assert proof.holds(bodies[0], shapes[0], bodies[1], shapes[1])
