"""pink: all tasks in one quadratic program, weighted by level; joint limits left out."""

from importlib.metadata import version

import numpy as np
import pink
import pinocchio as pin

#: Of each level, relative to the one above.
LESS = 1e-2


def make(problem, starts):
    """See `step_worker`."""
    model = pin.buildModelFromUrdf(problem["urdf"])
    data = model.createData()
    places = {model.names[k]: model.idx_qs[k] for k in range(1, model.njoints)}
    rows = np.tile(pin.neutral(model), (len(starts["values"]), 1))
    for column, name in enumerate(problem["joints"]):
        rows[:, places[name]] = starts["values"][:, column]
    if problem["floating"]:
        first = places[problem["floating"]]
        rows[:, first : first + 7] = starts["base"]
    configuration = pink.Configuration(model, data, rows[0])
    tasks = []
    for goal in problem["goals"]:
        cost = LESS ** goal["level"]
        position = 0.0 if goal["selection"] == "orientation" else cost
        orientation = 0.0 if goal["selection"] == "position" else cost
        task = pink.tasks.FrameTask(goal["frame"], position_cost=position, orientation_cost=orientation)
        task.set_target(pin.SE3(np.array(goal["target"])))
        tasks.append(task)
    if problem["balance"]:
        cost = LESS ** problem["balance"]["level"]
        task = pink.tasks.ComTask(cost=np.array([cost, cost, 0.0]))
        task.set_target(np.array([*problem["balance"]["goal"], 0.0]))
        tasks.append(task)

    def step(k):
        configuration.update(rows[k])
        return pink.solve_ik(configuration, tasks, 1.0, solver="daqp", limits=[], damping=1e-9)

    return version("pin-pink"), step
