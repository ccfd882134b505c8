"""Arms and maps that the tests of reachability share."""

from __future__ import annotations

import numpy as np

from kinetree import models
from kinetree.kinematics import NodeSet, PrismaticJoint, ReachabilityMap, RevoluteJoint, Skeleton, pose

STEPS = {"step_translation": 0.1, "step_rotation": np.deg2rad(36.0)}


def panda() -> NodeSet:
    return models.load("panda").tip.chain()


def small_map(node_set: NodeSet | None = None, samples: int = 20_000, **options: object) -> ReachabilityMap:
    settings = {"progress": False, **STEPS, **options}
    return ReachabilityMap.create(panda() if node_set is None else node_set, samples=samples, **settings)


def slider(limits: tuple[float, float] = (0.0, 1.0)) -> NodeSet:
    """One joint that slides along x: what it reaches is known."""
    robot = Skeleton("slider")
    robot.add_link("base")
    robot.add_link("tip", PrismaticJoint("slide", "x", limits), "base")
    return robot.link("tip").chain(robot.link("base"))


def elbow(first: tuple[float, float] | None = None, last: tuple[float, float] | None = None) -> NodeSet:
    """Three joints: turn about z, bend about y, turn about the last axis, which the tip is a little off."""
    robot = Skeleton("elbow")
    robot.add_link("base")
    robot.add_link("a", RevoluteJoint("turn", "z", first), "base", pose((0.1, 0.2, 0.3)))
    robot.add_link("b", RevoluteJoint("bend", "y", (-1.5, 1.5)), "a", pose((0.0, 0.0, 0.4)))
    robot.add_link("c", RevoluteJoint("roll", "x", last), "b", pose((0.5, 0.0, 0.0)))
    tip = robot.add_frame("tool", "c", pose((0.1, 0.03, 0.02), rpy=(0.3, 0.2, 0.1)))
    return tip.chain(robot.link("base"))


def poses_of(node_set: NodeSet, count: int, seed: int = 0) -> np.ndarray:
    """Poses of the tip in the base at random configurations, by the object path."""
    robot, rng = node_set.skeleton, np.random.default_rng(seed)
    found = []
    for _ in range(count):
        state = robot.state(robot.random_positions(rng, node_set.dof_indices))
        found.append(state.transform(node_set.base).actInv(state.transform(node_set.tip)).homogeneous)
    return np.array(found)
