"""Environments for tests: those of the predicted cases, and random ones."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pinocchio as pin

from kinetree.interfaces.coppelia import (
    Constraint,
    Dependency,
    Environment,
    IkElement,
    Joint,
    JointKind,
    JointMode,
    Method,
    SceneObject,
)

CASES = sorted((Path(__file__).parent / "cases").glob("*.json"))


def read_case(path: Path) -> dict[str, Any]:
    return json.loads(path.read_text(encoding="utf-8"))


def environment_of(case: dict[str, Any]) -> Environment:
    """The scene of a case, with its groups; handles are the places in its list."""
    environment = Environment()
    made: list[Any] = [
        environment.add_dummy() if each["k"] == "d" else environment.add_joint(JointKind(each["type"]))
        for each in case["objects"]
    ]
    for scene_object, each in zip(made, case["objects"], strict=True):
        if each["p"] >= 0:
            scene_object.parent = made[each["p"]]
        scene_object.pose = pin.SE3(np.array(each["T"]))
        if each["k"] == "j":
            _set_joint(scene_object, each)
    for scene_object, each in zip(made, case["objects"], strict=True):
        if each["k"] == "j" and each["dep"] >= 0:
            scene_object.dependency = Dependency(made[each["dep"]], each["mult"], each["off"])
        if each["k"] == "d" and each["target"] >= 0:
            scene_object.target = made[each["target"]]
    for each in case["groups"]:
        _add_group(environment, each, made)
    return environment


def _set_joint(joint: Joint, values: dict[str, Any]) -> None:
    if joint.kind is JointKind.SPHERICAL:
        joint.rotation = pin.Quaternion(np.array(values["Q"])).coeffs()
    else:
        if joint.kind is JointKind.REVOLUTE:
            joint.cyclic = values["cyc"]
        if not joint.cyclic:
            joint.minimum, joint.range = values["lo"], values["rng"]
        joint.screw_lead = values["lead"]
        joint.position = values["q"]
    joint.weight, joint.max_step, joint.limit_margin = values["w"], values["step"], values["mar"]
    joint.mode = JointMode(values["mode"])


def _add_group(environment: Environment, values: dict[str, Any], made: list[Any]) -> None:
    group = environment.add_group()
    group.method, group.damping = Method(values["method"]), values["damping"]
    group.max_iterations, group.flags = values["max_iterations"], values["flags"]
    for each in values["elements"]:
        element = group.add_element(made[each["tip"]])
        element.base = made[each["base"]] if each["base"] >= 0 else None
        element.constraints_base = made[each["constraints_base"]] if each["constraints_base"] >= 0 else None
        element.constraints = each["constraints"]
        element.linear_precision, element.angular_precision = each["precision"]
        element.weights = tuple(each["weights"])
        element.enabled = bool(each["enabled"])


def random_pose(rng: np.random.Generator, reach: float = 0.5) -> pin.SE3:
    quaternion = pin.Quaternion(rng.normal(size=4))
    quaternion.normalize()
    return pin.SE3(quaternion.toRotationMatrix(), rng.uniform(-reach, reach, size=3))


def random_environment(rng: np.random.Generator, callbacks: bool = False) -> tuple[Environment, IkElement]:
    """A tree with joints of all kinds, some passive, some that follow others; an element with random bases.

    Joints are away from their limits, so that what a small motion does can be measured.
    """
    environment = Environment()
    trunk = environment.add_dummy("trunk")
    trunk.pose = random_pose(rng)
    way: list[SceneObject] = [trunk]
    for k in range(int(rng.integers(3, 9))):
        way.append(_random_joint(environment, rng, way[-1], f"way{k}"))
        if rng.random() < 0.3:
            way.append(_hung(environment.add_dummy(), way[-1], rng))
    tip = _hung(environment.add_dummy("tip"), way[-1], rng)
    fork = way[int(rng.integers(len(way)))]
    branch: list[SceneObject] = [fork]
    for k in range(3):
        branch.append(_random_joint(environment, rng, branch[-1], f"branch{k}"))
    aside = _hung(environment.add_dummy("aside"), branch[-1], rng)
    target = _hung(environment.add_dummy("target"), None, rng)
    tip.target = target
    _make_dependent(environment, rng, callbacks)
    element = environment.add_group("group").add_element(tip)
    base = [None, *way[: len(way) // 2]][int(rng.integers(1 + len(way) // 2))]
    element.base = base
    element.constraints_base = [None, aside, *branch[:3]][int(rng.integers(5))]
    element.constraints = Constraint(int(rng.integers(1, 32)))
    return environment, element


def _hung(scene_object: Any, parent: SceneObject | None, rng: np.random.Generator) -> Any:
    scene_object.parent = parent
    scene_object.pose = random_pose(rng)
    return scene_object


def _random_joint(environment: Environment, rng: np.random.Generator, parent: SceneObject, name: str) -> Joint:
    kind = [JointKind.REVOLUTE, JointKind.REVOLUTE, JointKind.PRISMATIC, JointKind.SPHERICAL][int(rng.integers(4))]
    joint = _hung(environment.add_joint(kind, name), parent, rng)
    if kind is JointKind.SPHERICAL:
        joint.rotation = pin.Quaternion(random_pose(rng).rotation).coeffs()
    else:
        if kind is JointKind.REVOLUTE and rng.random() < 0.5:
            joint.cyclic = False
            joint.minimum, joint.range = -2.5, 5.0
            joint.screw_lead = float(rng.choice([0.0, 0.3]))
        joint.position = rng.uniform(-0.4, 0.4)
    if rng.random() < 0.2:
        joint.mode = JointMode.PASSIVE
    return joint


def _make_dependent(environment: Environment, rng: np.random.Generator, callbacks: bool) -> None:
    joints = [each for each in environment.objects if isinstance(each, Joint) and each.kind is not JointKind.SPHERICAL]
    for k in range(1, len(joints)):
        if rng.random() < 0.3:
            master = joints[int(rng.integers(k))]
            callback = (lambda environment, slave, q: 0.3 * math.sin(q)) if callbacks else None
            joints[k].dependency = Dependency(master, float(rng.uniform(-1.5, 1.5)), 0.1, callback)
