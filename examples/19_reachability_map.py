"""Where an arm can go: a map that is built, saved, loaded and asked, and a place for the robot that reaches most.

Needs h5py for the file: pip install 'kinetree[reach]'.
"""

import tempfile
import time
from pathlib import Path

import numpy as np

from kinetree import models
from kinetree.kinematics import ReachabilityMap, bases_on_plane, pose, rank_bases


def main() -> None:
    arm = models.load("panda").tip.chain()
    begun = time.perf_counter()
    reach = ReachabilityMap.create(
        arm, step_translation=0.05, step_rotation=np.deg2rad(36.0), samples=1_000_000, symmetric=True
    )
    print(f"{reach}\nmade in {time.perf_counter() - begun:.1f} s, {reach.nbytes / 1e3:.0f} kB")

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "panda.h5"
        reach.save(file)
        reach = ReachabilityMap.load(file, arm)
        print(f"saved and loaded: {file.stat().st_size / 1e3:.0f} kB")

    # Grasps from above, along a table.
    grasps = np.array([pose((x, 0.0, 0.2), rpy=(np.pi, 0, 0)).homogeneous for x in np.arange(0.2, 1.0, 0.1)])
    for grasp, covered in zip(grasps, reach.covers(grasps), strict=True):
        print(f"  x = {grasp[0, 3]:.1f} m: {'covered' if covered else 'not covered'}")

    poses = reach.sample_covered_poses(100_000)
    begun = time.perf_counter()
    reach.covers(poses)
    print(f"asked for {len(poses)} poses, {1e6 * (time.perf_counter() - begun) / len(poses):.2f} us each")

    # Where should the robot stand for grasps on both sides of a box?
    sides = [pose((x, y, 0.3), rpy=(np.pi, 0, 0)).homogeneous for x in (1.0, 1.4) for y in (0.6, 1.0, 1.4)]
    places = bases_on_plane(np.arange(0.0, 2.5, 0.1), np.arange(0.0, 2.1, 0.1))
    best = rank_bases(reach, sides, places)
    x, y = best.poses[0][:2, 3]
    print(f"best of {len(places)} places: ({x:.1f}, {y:.1f}) m, from which {best.reached[0]:.0%} are reached")


if __name__ == "__main__":
    main()
