"""placo: level 0 as hard constraints of a quadratic program, the others weighted; joint limits left out."""

import re
from importlib.metadata import version
from pathlib import Path

import numpy as np
import placo

#: Of each level, relative to the one above.
LESS = 1e-2


def make(problem, starts):
    """See `step_worker`."""
    text = Path(problem["urdf"]).read_text(encoding="utf-8")
    if problem["floating"]:
        # It brings a floating base of its own, on which the root link hangs.
        text = re.sub(rf'<joint name="{problem["floating"]}".*?</joint>', "", text, flags=re.DOTALL)
        text = re.sub(rf'<link name="{problem["root"]}"\s*/>', "", text)
    robot = placo.RobotWrapper("", placo.Flags.ignore_collisions, text)
    names = list(robot.model.names)
    rows = np.tile(np.array(robot.state.q), (len(starts["values"]), 1))
    places = {name: robot.model.joints[k].idx_q for k, name in enumerate(names)}
    for column, name in enumerate(problem["joints"]):
        rows[:, places[name]] = starts["values"][:, column]
    if problem["floating"]:
        rows[:, :7] = starts["base"]
    solver = placo.KinematicsSolver(robot)
    solver.enable_joint_limits(False)
    solver.enable_velocity_limits(False)
    solver.mask_fbase(not problem["floating"])
    for number, goal in enumerate(problem["goals"]):
        pose = np.array(goal["target"])
        priority = "hard" if goal["level"] == 0 else "soft"
        weight = LESS ** goal["level"]
        if goal["selection"] == "position":
            solver.add_position_task(goal["frame"], pose[:3, 3]).configure(str(number), priority, weight)
        elif goal["selection"] == "orientation":
            solver.add_orientation_task(goal["frame"], pose[:3, :3]).configure(str(number), priority, weight)
        else:
            solver.add_frame_task(goal["frame"], pose).configure(str(number), priority, weight, weight)
    if problem["balance"]:
        task = solver.add_com_task(np.array([*problem["balance"]["goal"], 0.0]))
        task.mask.set_axises("xy")
        task.configure("balance", "soft", LESS ** problem["balance"]["level"])
    solver.add_regularization_task(1e-6)
    state = robot.state

    def step(k):
        state.q = rows[k]
        robot.update_kinematics()
        return solver.solve(False)

    return version("placo"), step
