"""Tasks with priorities: both feet stay, the centre of mass stays over them, a hand reaches far down."""

import numpy as np

from kinetree import models
from kinetree.solvers import CenterOfMassTask, HierarchicalIK, InverseKinematics, TaskSpaceRegion

robot = models.load("humanoid")
for side in ("left", "right"):
    robot.positions = {
        f"{side}_hip_pitch_joint": -0.3,
        f"{side}_knee_joint": 0.6,
        f"{side}_ankle_pitch_joint": -0.3,
        f"{side}_elbow_joint": -1.0,
    }

# The target of a module is where its frame is now, until it is set. The floating base moves, too, so each
# task may use the whole body.
feet = [InverseKinematics(robot.frame(f"{side}_foot")) for side in ("left", "right")]
hand = InverseKinematics(robot.frame("right_hand"))
hand.error_method = TaskSpaceRegion.position_only()
for task in (*feet, hand):
    task.use_whole_body()
middle = sum(foot.frame.transform().translation for foot in feet) / 2
hand.target = hand.frame.transform()
goal = middle + np.array([0.45, -0.15, 0.35])
hand.target.set_translation(goal)

body = HierarchicalIK(robot)
for foot in feet:
    body.add(foot, level=0)
body.add(CenterOfMassTask(over=middle[:2]), level=1)
body.add(hand, level=2)
solution = body.solve_and_apply()

print(solution)
for task in solution.tasks:
    print(f"  level {task.level}: {task.name}, off by {task.position_error:.0e} m")
print("hand:          ", hand.frame.transform().translation.round(3), "wanted", goal.round(3))
print("centre of mass:", robot.com.round(3), "over", middle[:2].round(3))
print("pelvis:        ", robot.frame("pelvis").transform().translation.round(3))
