"""The service by names, in millimetres as ArmarX has it: a humanoid reaches with both hands and keeps its balance."""

import numpy as np

from kinetree import models
from kinetree.interfaces.armarx import CoMIKDescriptor, FramedPose, IKTask, RobotIK
from kinetree.kinematics import SupportArea, pose

robot = models.load("humanoid")
bent = {"hip_pitch": -0.3, "knee": 0.6, "ankle_pitch": -0.3, "elbow": -1.0}
robot.positions = {f"{side}_{name}_joint": value for side in ("left", "right") for name, value in bent.items()}
service = RobotIK(robot, units="mm")
service.define_robot_node_set("body", [joint.name for joint in robot.joints], tcp="left_hand", root="")


def world_pose(frame: str, by: tuple[float, float, float] = (0.0, 0.0, 0.0)) -> FramedPose:
    """Where a frame of the service's robot is now (mm), moved by so much."""
    now = service.skeleton.frame(frame).transform()
    return FramedPose(pose(1000.0 * now.translation + by, matrix=now.rotation))


# The centre of mass over the middle of the feet, which stay where they are.
feet = {name: world_pose(name).pose for name in ("left_foot", "right_foot")}
area = SupportArea.of([robot.frame(name) for name in feet])
x, y = 1000.0 * area.center
balanced = service.compute_com_ik("body", CoMIKDescriptor(x, y, holding=tuple(feet)))
service.set_joint_values(balanced)
print(f"balance over ({x:.1f}, {y:.1f}) mm: {service.last_outcome}")
print("too far:", service.explained.compute_com_ik("body", CoMIKDescriptor(x + 2000.0, y, holding=tuple(feet))))

# Both hands 350 mm ahead and 250 mm up. The highest priority is served first.
hands = {name: world_pose(name, (350.0, 0.0, 250.0)).pose for name in ("left_hand", "right_hand")}
tasks = [IKTask(name, there, priority=3) for name, there in feet.items()]
tasks += [IKTask(name, there, priority=1, selection="position") for name, there in hands.items()]
com = CoMIKDescriptor(x, y, priority=2)

count, wandered, misses = 0, 0.0, {"so far": 1.0}
while count < 200 and max(misses.values()) > 0.01:
    count += 1
    delta = service.compute_hierarchical_delta_ik(
        "body", tasks, com, step_size=0.2, avoid_joint_limits=True, enable_center_of_mass=True
    )
    values = service.joint_values
    service.set_joint_values({name: values[name] + change for name, change in delta.items()})
    now = service.skeleton
    wandered = max(wandered, 1000.0 * float(np.linalg.norm(now.com[:2] - area.center)))
    misses = {
        name: float(np.linalg.norm(1000.0 * now.frame(name).transform().translation - there.translation))
        for name, there in {**feet, **hands}.items()
    }

print(f"after {count} steps the hands are off by {max(misses[name] for name in hands):.4f} mm")
print(f"and the feet by {max(misses[name] for name in feet):.4f} mm; the centre of mass wandered {wandered:.3f} mm")
print(f"from the edge of the feet it keeps {1000.0 * area.margin(now.com[:2]):.0f} mm")
