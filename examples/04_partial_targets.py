"""Targets that leave something open: a position alone, and a region to end up in."""

import numpy as np

from kinetree import models
from kinetree.kinematics import pose, rpy_from_rotation
from kinetree.solvers import InverseKinematics, TaskSpaceRegion

robot = models.load("ur5")
ik = InverseKinematics(robot)
target = pose([0.4, 0.2, 0.3], rpy=[180, 0, 0], degrees=True)


def reached(solution):
    at = robot.state(solution.q).transform(ik.frame)
    return f"at {at.translation.round(4)}, rpy {np.rad2deg(rpy_from_rotation(at.rotation)).round(2)} deg"


ik.error_method = TaskSpaceRegion.position_only()
solution = ik.solve(target)
print("position only:       ", solution.reason.name, reached(solution))

# The tool may turn about the vertical and may be up to 5 cm higher or lower, as to pick a round thing.
free = np.inf
ik.error_method = TaskSpaceRegion(bounds=([0, 0, -0.05, 0, 0, -free], [0, 0, 0.05, 0, 0, free]))
solution = ik.solve(target)
print("within 5 cm, any yaw:", solution.reason.name, reached(solution))

ik.error_method = TaskSpaceRegion()
solution = ik.solve(target)
print("full pose:           ", solution.reason.name, reached(solution))
