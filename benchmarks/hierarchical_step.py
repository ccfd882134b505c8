"""Benchmark: one compiled step of a hierarchy, from configuration to configuration in one Python call."""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from kinetree import models
from kinetree.solvers.compiled.hierarchical_stepper import HierarchicalStepper, TipTask

#: Steps that are timed one by one, and configurations that they start from in turn.
_CALLS, _STARTS = 4000, 200
_POSITION = (True, True, True, False, False, False)
_ROTATION = (False, False, False, True, True, True)


def hierarchical_steps() -> list[dict[str, Any]]:
    """Times forward kinematics, errors, Jacobians, two levels, limits and motion together.

    Returns:
        For each case its name, median, 10th and 90th percentile (us), and how often a step was worked out on
        average: again when joints were held at their limits.
    """
    return [_timed(*case) for case in (_arm(), _arm_with_elbow(), _humanoid(False), _humanoid(True))]


def _arm() -> tuple[str, HierarchicalStepper, list[Any]]:
    arm = models.load("panda")
    rng = np.random.default_rng(0)
    target = arm.state(arm.random_positions(rng)).transform(arm.tip)
    tasks = [TipTask(arm.tip, target, 0, _POSITION), TipTask(arm.tip, target, 1, _ROTATION)]
    starts = [arm.random_positions(rng) for _ in range(_STARTS)]
    return "panda, position before orientation", HierarchicalStepper(arm, tasks, dofs=range(7)), starts


def _arm_with_elbow() -> tuple[str, HierarchicalStepper, list[Any]]:
    arm = models.load("panda")
    rng = np.random.default_rng(0)
    state, elbow = arm.state(arm.random_positions(rng)), arm.links[5]
    tasks = [TipTask(arm.tip, state.transform(arm.tip)), TipTask(elbow, state.transform(elbow), 1, _POSITION)]
    starts = [arm.random_positions(rng) for _ in range(_STARTS)]
    return "panda, pose before elbow", HierarchicalStepper(arm, tasks, dofs=range(7)), starts


def _humanoid(near_limits: bool) -> tuple[str, HierarchicalStepper, list[Any]]:
    robot = models.load("humanoid")
    rng = np.random.default_rng(0)
    low, high = robot.lower_limits, robot.upper_limits
    limited = np.isfinite(low) & np.isfinite(high)
    middle = np.where(limited, 0.5 * (np.where(limited, low, 0.0) + np.where(limited, high, 0.0)), 0.0)
    # Upright, with the limbs stretched, several joints are at or near their limits.
    around = robot.clamp(robot.rest_positions if near_limits else middle)
    starts = [robot.clamp(robot.integrate(around, 0.2 * rng.normal(size=robot.num_dofs))) for _ in range(_STARTS)]
    state = robot.state(starts[0])
    frames = [robot.frame(name) for name in ("left_foot", "right_foot", "left_hand", "right_hand")]
    tasks = [TipTask(frame, state.transform(frame).copy(), k // 2) for k, frame in enumerate(frames)]
    name = "humanoid, both feet before both hands" + (", near limits" if near_limits else "")
    return name, HierarchicalStepper(robot, tasks), starts


def _timed(name: str, stepper: HierarchicalStepper, starts: list[Any]) -> dict[str, Any]:
    step, clock = stepper.step, time.perf_counter_ns
    times, rounds = np.zeros(_CALLS), 0
    for k in range(_CALLS):
        q = starts[k % len(starts)]
        begun = clock()
        step(q)
        times[k] = clock() - begun
        rounds += stepper.rounds
    low, median, high = np.percentile(times, [10, 50, 90]) / 1000.0
    return {"name": name, "median": float(median), "low": float(low), "high": float(high), "rounds": rounds / _CALLS}
