"""py-opw-kinematics: arms with a parallel base and a spherical wrist (Brandstoetter and others, 2014), in Rust."""

from importlib.metadata import version

import numpy as np
from py_opw_kinematics import KinematicModel, _internal

#: A part of the arm's size by which it may miss what the method is for.
TOLERANCE = 1e-9


class Adapter:
    """The compiled object under ``Robot.inverse``, which takes a matrix as it is; ``Robot.reach`` for many.

    It has no limits; a seed would only sort. Its parameters are found from the axes of the arm. They leave turns of
    the joints' zeros, and poses of base and tool; those are worked into the poses beforehand, into the angles after.
    """

    version = version("py-opw-kinematics")

    def __init__(self, problem):
        found = parameters(problem.axes, problem.offsets)
        names, self._base, self._turns = found["parameters"], found["base"], found["turns"]
        self._signs = found["signs"]
        self._robot = _internal.Robot(KinematicModel(**names), False)
        zero = np.eye(4)
        zero[:3, :3], zero[:3, 3] = problem.tip_rotation, problem.offsets.sum(axis=0)
        self._back = np.linalg.inv(self._base)
        there = np.asarray(self._robot.forward(tuple(self._turns), None))
        self._tool_back = np.linalg.inv(np.linalg.inv(there) @ self._back @ zero)
        self._inverse = self._robot.inverse

    def _theirs(self, targets):
        return np.ascontiguousarray(self._back @ targets @ self._tool_back)

    def query(self, target, seed):
        return (self._theirs(target),)

    def solve(self, target):
        return self._inverse(target, None, None)

    def answers(self, result):
        return (np.array(result).reshape(-1, 6) - self._turns) * self._signs

    def query_all(self, targets, seeds):
        return (self._theirs(targets).reshape(-1, 16),)

    def solve_all(self, poses):
        return self._robot.reach(poses, None, None, 1)

    def answers_all(self, result):
        joints = np.asarray(result[0])
        there = np.isfinite(joints).all(axis=2)
        return (joints[there] - self._turns) * self._signs, there.sum(axis=1)


def parameters(axes, offsets):
    """The seven lengths, and how the joints' zeros and directions differ from the method's.

    In its zero position the arm stands upright along z: axes z, y, y, z, y, z, the second one at x = a1, the third c2
    above it, the wrist a2 further along x and c3 further up, and b aside. Ours is turned there joint by joint.

    Returns:
        ``parameters`` by name, ``base`` (4, 4), and ``turns`` (6,) and ``signs`` (6,) such that the method's angles
        are turns + signs * ours.

    Raises:
        ValueError: The arm is not of this kind; the message says why.
    """
    if len(axes) != 6:
        raise ValueError(f"an arm of {len(axes)} joints")
    origins = np.cumsum(offsets, axis=0)[:6]
    size = np.linalg.norm(offsets, axis=1).sum()
    for i, j in ((0, 1), (1, 3), (3, 4), (4, 5)):
        if abs(axes[i] @ axes[j]) > TOLERANCE:
            raise ValueError(f"axes {i + 1} and {j + 1} are not at right angles")
    if np.linalg.norm(np.cross(axes[1], axes[2])) > TOLERANCE:
        raise ValueError("axes 2 and 3 are not parallel")
    wrist = meeting_point(axes[3:], origins[3:])
    if (
        max(np.linalg.norm(np.cross(h, wrist - o)) for h, o in zip(axes[3:], origins[3:], strict=True))
        > TOLERANCE * size
    ):
        raise ValueError("axes 4, 5 and 6 do not meet in a point")
    rotation = np.stack([np.cross(axes[1], axes[0]), axes[1], axes[0]], axis=1)
    # On the first axis, as high as the second one.
    foot = origins[0] + ((origins[1] - origins[0]) @ axes[0]) * axes[0]
    axes = axes @ rotation
    shoulder, elbow, wrist = (rotation.T @ (point - foot) for point in (origins[1], origins[2], wrist))
    upper = elbow - shoulder
    second = np.arctan2(upper[0], upper[2])
    undo = about_y(-second)
    fore, direction = undo @ (wrist - elbow), undo @ axes[3]
    third = np.arctan2(direction[0], direction[2])
    fore, sign = about_y(-third) @ fore, 1.0
    if fore[2] < 0.0:  # the fourth axis points down: the same one up, turned the other way
        third, sign, fore = third + np.pi, -1.0, about_y(np.pi) @ fore
    undo = about_y(-second - third)
    fifth = undo @ axes[4]
    fourth = np.arctan2(-fifth[0], fifth[1])
    last = about_z(-fourth) @ undo @ axes[5]
    base = np.eye(4)
    base[:3, :3], base[:3, 3] = rotation, foot
    return {
        "parameters": {
            "a1": shoulder[0], "a2": fore[0], "b": wrist[1],
            "c1": 0.0, "c2": np.hypot(upper[0], upper[2]), "c3": fore[2], "c4": 0.0,
        },
        "base": base,
        "turns": np.array([0.0, second, third, fourth, np.arctan2(last[0], last[2]), 0.0]),
        "signs": np.array([1.0, 1.0, np.sign(axes[1] @ axes[2]), sign, 1.0, 1.0]),
    }  # fmt: skip


def meeting_point(axes, origins):
    """The point (3,) nearest to some lines in the sense of least squares."""
    across = np.eye(3) - axes[:, :, None] * axes[:, None, :]
    return np.linalg.solve(across.sum(axis=0), np.einsum("kij,kj->i", across, origins))


def about_y(angle):
    """Rotation (3, 3)."""
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, 0.0, s], [0.0, 1.0, 0.0], [-s, 0.0, c]])


def about_z(angle):
    """Rotation (3, 3)."""
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
