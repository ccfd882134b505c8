"""Random skeletons: a seeded builder over every joint kind, and hypothesis strategies for it."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pinocchio as pin
from hypothesis import strategies as st

from kinetree.kinematics import (
    FixedJoint,
    FreeJoint,
    Joint,
    PlanarJoint,
    PrismaticJoint,
    RevoluteJoint,
    ScrewJoint,
    Skeleton,
    SphericalJoint,
    UniversalJoint,
)

#: Kinds of one number, which may depend on each other.
SINGLE = ("revolute", "prismatic", "screw")
MOVING = (*SINGLE, "universal", "spherical", "planar", "free")
KINDS = ("fixed", *MOVING)
#: How a joint follows its master.
RULES = ("linear", "callable", "callable with derivative")
AXES = ("x", "-x", "y", "-y", "z", "-z")


def random_rotation(rng: np.random.Generator) -> np.ndarray:
    return pin.Quaternion(normalised(rng.normal(size=4))).toRotationMatrix()


def random_pose(rng: np.random.Generator, reach: float = 1.0) -> pin.SE3:
    return pin.SE3(random_rotation(rng), rng.uniform(-reach, reach, 3))


def normalised(vector: np.ndarray) -> np.ndarray:
    return vector / np.linalg.norm(vector)


def random_axis(rng: np.random.Generator) -> str | np.ndarray:
    return str(rng.choice(AXES)) if rng.random() < 0.4 else rng.normal(size=3)


def random_joint(kind: str, name: str, rng: np.random.Generator) -> Joint:
    """A joint of a kind, about any axis, with or without limits."""
    limits = None if rng.random() < 0.3 else (-rng.uniform(0.2, 3.5), rng.uniform(0.2, 3.5))
    if kind == "fixed":
        return FixedJoint(name)
    if kind == "revolute":
        return RevoluteJoint(name, random_axis(rng), limits)
    if kind == "prismatic":
        return PrismaticJoint(name, random_axis(rng), limits)
    if kind == "screw":
        return ScrewJoint(name, random_axis(rng), rng.uniform(-0.5, 0.5), limits)
    if kind == "universal":
        return UniversalJoint(
            name, (rng.normal(size=3), rng.normal(size=3)), None if limits is None else (limits, None)
        )
    if kind == "spherical":
        return SphericalJoint(name)
    if kind == "planar":
        return PlanarJoint(name, random_axis(rng))
    return FreeJoint(name)


def random_inertia(rng: np.random.Generator) -> pin.Inertia:
    return pin.Inertia(rng.uniform(0.1, 3.0), rng.uniform(-0.3, 0.3, 3), np.diag(rng.uniform(0.1, 0.2, 3)))


def follow(joint: Joint, master: Joint, rule: str, rng: np.random.Generator) -> None:
    """Makes a joint depend on another by one of `RULES`."""
    a, b, c = rng.uniform(-1.0, 1.0, 3)
    if rule == "linear":
        joint.depend_on(master, multiplier=2.0 * a, offset=b)
    elif rule == "callable":
        joint.depend_on(master, function=lambda q: a * math.sin(q + b) + c * q)
    else:
        joint.depend_on(
            master, function=lambda q: a * math.sin(q + b) + c * q, derivative=lambda q: a * math.cos(q + b) + c
        )


def build(
    kinds: Sequence[str],
    parents: Sequence[int] | None = None,
    rules: Sequence[tuple[int, int, str]] = (),
    seed: int = 0,
) -> Skeleton:
    """A skeleton with one link per kind, at random positions; the root hangs by ``joint0``.

    Args:
        kinds: Joint kind of each link, the root's first.
        parents: For each link but the root, the number of its parent; a serial chain when None.
        rules: (dependent joint, master joint, rule) for joints of one number.
        seed: Of axes, placements, limits, inertias and positions.
    """
    rng = np.random.default_rng(seed)
    robot = Skeleton("random")
    for index, kind in enumerate(kinds):
        parent = None if index == 0 else f"link{index - 1 if parents is None else parents[index - 1]}"
        robot.add_link(
            f"link{index}",
            random_joint(kind, f"joint{index}", rng),
            parent,
            random_pose(rng),
            child_placement=random_pose(rng, 0.3) if rng.random() < 0.5 else None,
            inertia=random_inertia(rng) if rng.random() < 0.8 else None,
        )
    for dependent, master, rule in rules:
        follow(robot.joint(f"joint{dependent}"), robot.joint(f"joint{master}"), rule, rng)
    robot.positions = robot.random_positions(rng)
    return robot


def random_tree(seed: int, size: int = 9, kinds: Sequence[str] = KINDS, dependences: bool = True) -> Skeleton:
    """`build` with everything drawn from one seed."""
    rng = np.random.default_rng(seed)
    chosen = [str(rng.choice(kinds)) for _ in range(size)]
    parents = [int(rng.integers(0, index)) for index in range(1, size)]
    single = [index for index, kind in enumerate(chosen) if kind in SINGLE]
    rules = []
    for place, index in enumerate(single[1:], start=1):
        if dependences and rng.random() < 0.4:
            rules.append((index, single[int(rng.integers(0, place))], str(rng.choice(RULES))))
    return build(chosen, parents, rules, int(rng.integers(1 << 30)))


@st.composite
def trees(
    draw: st.DrawFn,
    kinds: Sequence[str] = KINDS,
    max_size: int = 7,
    dependences: bool = True,
    root: Sequence[str] | None = None,
) -> Skeleton:
    """Random trees that shrink to few links of simple kinds.

    Args:
        draw: Given by hypothesis.
        kinds: What joints to choose from.
        max_size: Number of links at most.
        dependences: Let joints depend on others, in chains and across branches.
        root: Kinds for the root; ``kinds`` when None.
    """
    chosen = [draw(st.sampled_from(kinds if root is None else root))]
    chosen += draw(st.lists(st.sampled_from(kinds), min_size=1, max_size=max_size - 1))
    parents = [draw(st.integers(0, index - 1)) for index in range(1, len(chosen))]
    rules = []
    if dependences:
        single = [index for index, kind in enumerate(chosen) if kind in SINGLE]
        # In a random order, so that masters come before and after their dependents in the tree.
        single = draw(st.permutations(single))
        for place, index in enumerate(single[1:], start=1):
            if draw(st.booleans()):
                rules.append((index, single[draw(st.integers(0, place - 1))], draw(st.sampled_from(RULES))))
    return build(chosen, parents, rules, draw(seeds))


seeds = st.integers(0, 2**32 - 1)


def configurations(rng: np.random.Generator, skeleton: Skeleton, count: int) -> list[np.ndarray]:
    """Random configurations, every second one far outside the limits."""
    result = []
    for index in range(count):
        q = skeleton.random_positions(rng)
        result.append(q if index % 2 == 0 else 3.0 * q)
    return result
