"""mink: all tasks in one quadratic program, weighted by level; joint limits left out."""

from importlib.metadata import version
from pathlib import Path

import mink
import mujoco
import numpy as np

#: Of each level, relative to the one above.
LESS = 1e-2
#: Links welded together stay bodies of their own, so that they can be targets.
KEEP = '<mujoco><compiler fusestatic="false" discardvisual="true"/></mujoco></robot>'


def make(problem, starts):
    """See `step_worker`."""
    text = Path(problem["urdf"]).read_text(encoding="utf-8").replace("</robot>", KEEP)
    model = mujoco.MjModel.from_xml_string(text)
    rows = np.tile(model.qpos0, (len(starts["values"]), 1))
    for column, name in enumerate(problem["joints"]):
        rows[:, model.joint(name).qposadr[0]] = starts["values"][:, column]
    if problem["floating"]:
        first = model.joint(problem["floating"]).qposadr[0]
        rows[:, first : first + 7] = starts["base"][:, [0, 1, 2, 6, 3, 4, 5]]
    configuration = mink.Configuration(model)
    tasks = []
    for goal in problem["goals"]:
        cost = LESS ** goal["level"]
        position = 0.0 if goal["selection"] == "orientation" else cost
        orientation = 0.0 if goal["selection"] == "position" else cost
        task = mink.FrameTask(goal["frame"], "body", position_cost=position, orientation_cost=orientation)
        task.set_target(mink.SE3.from_matrix(np.array(goal["target"])))
        tasks.append(task)
    if problem["balance"]:
        cost = LESS ** problem["balance"]["level"]
        task = mink.ComTask(cost=np.array([cost, cost, 0.0]))
        task.set_target(np.array([*problem["balance"]["goal"], 0.0]))
        tasks.append(task)

    def step(k):
        configuration.update(rows[k])
        return mink.solve_ik(configuration, tasks, 1.0, "daqp", damping=1e-9, limits=[])

    return version("mink"), step
