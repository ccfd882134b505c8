"""A reachability space of the service: made, saved, loaded by another service, and asked.

Needs h5py for the file: pip install 'kinetree[reach]'.
"""

import tempfile
import time
from pathlib import Path

import numpy as np

from kinetree import models
from kinetree.interfaces.armarx import FramedPose, RobotIK
from kinetree.kinematics import pose


def new_service() -> RobotIK:
    """Panda in millimetres, with its arm as a node set."""
    service = RobotIK(models.load("panda"), units="mm")
    joints = [f"panda_joint{k}" for k in range(1, 8)]
    service.define_robot_node_set("arm", joints, tcp="panda_hand", root="panda_link0")
    return service


def main() -> None:
    service = new_service()
    grasp = pose((400.0, 100.0, 300.0), rpy=(np.pi, 0.0, 0.0))
    # No space is not the same as not reachable; both are False.
    print("before:", service.is_pose_reachable("arm", grasp), "because of", service.last_outcome)

    begun = time.perf_counter()
    made = service.create_reachability_space("arm", "panda_link0", step_translation=50.0, samples=1_000_000)
    print(f"made: {made}, in {time.perf_counter() - begun:.1f} s")
    print("made again, without sampling:", service.create_reachability_space("arm", "panda_link0"))

    with tempfile.TemporaryDirectory() as folder:
        file = str(Path(folder) / "arm.h5")
        print("saved:", service.save_reachability_space("arm", file))
        other = new_service()
        print("loaded:", other.load_reachability_space(file), "and again:", other.load_reachability_space(file))

    # Along a table, with the answer of inverse kinematics beside it.
    for x in range(200, 1000, 100):
        grasp = pose((float(x), 100.0, 300.0), rpy=(np.pi, 0.0, 0.0))
        covered, solved = other.is_pose_reachable("arm", grasp), bool(other.compute_ik_global_pose("arm", grasp))
        print(f"  x = {x} mm: {'covered' if covered else 'not covered'}, {'solved' if solved else 'not solved'}")

    # The space is in the frame of the base, so it goes with the robot.
    other.set_robot_pose(pose((2000.0, 0.0, 0.0)))
    ahead = FramedPose(pose((400.0, 100.0, 300.0), rpy=(np.pi, 0.0, 0.0)), "panda_link0")
    print("2 m on, the same before the robot:", other.is_framed_pose_reachable("arm", ahead))
    print("where it was in the world:", other.is_pose_reachable("arm", ahead.pose), "-", other.last_outcome)


if __name__ == "__main__":
    main()
