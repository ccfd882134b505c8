"""A humanoid reaches with both hands while its feet stay and its centre of mass stays over them, step by step."""

import numpy as np

from kinetree import models
from kinetree.kinematics import SupportArea
from kinetree.solvers import CenterOfMassIK, CenterOfMassTask, HierarchicalDeltaIK, JointLimitTask

robot = models.load("humanoid")
bent = {"hip_pitch": -0.3, "knee": 0.6, "ankle_pitch": -0.3, "elbow": -1.0}
robot.positions = {f"{side}_{name}_joint": value for side in ("left", "right") for name, value in bent.items()}
feet = [robot.frame(f"{side}_foot") for side in ("left", "right")]
area = SupportArea.of(feet)
print("stands on", area, "with", f"{100 * area.margin(robot.com[:2]):.1f} cm to its edge")

# First the centre of mass over the middle of the feet.
balance = CenterOfMassIK(robot, area.center, holding=feet, support="shapes")
print("balance:", balance.solve_and_apply())
print("too far:", balance.solve(area.center + np.array([0.3, 0.0])).detail)

# Then both hands go 35 cm ahead and 25 cm up. The highest priority is served first.
body = HierarchicalDeltaIK(robot, time_step=0.01)
for foot in feet:
    body.add_frame(foot, priority=4)
body.add(CenterOfMassTask(over=area.center), priority=3)
for side in ("left", "right"):
    hand = robot.frame(f"{side}_hand").transform()
    hand.translation += np.array([0.35, 0.0, 0.25])
    body.add_frame(f"{side}_hand", hand, "position", priority=2)
body.add(JointLimitTask(), priority=1)

q, wandered, slipped = robot.positions, 0.0, 0.0
steps, limits = body.prepare(), 0.01 * robot.velocity_limits
count = 0
while count < 200 and steps.misses(q)[:5].max() > 1e-6:
    step = steps.step(q)
    assert (np.abs(step) <= limits + 1e-12).all()
    q = robot.integrate(q, step)
    state = robot.state(q)
    wandered = max(wandered, float(np.linalg.norm(state.com()[:2] - area.center)))
    moved = [foot.transform().translation - state.transform(foot).translation for foot in feet]
    slipped = max(slipped, *(float(np.linalg.norm(each)) for each in moved))
    count += 1

print(f"{count} steps of 10 ms; the hands are off by {1000 * steps.misses(q)[3:5].max():.4f} mm")
print(f"on the way: feet moved by {1000 * slipped:.3f} mm, centre of mass by {1000 * wandered:.3f} mm")
