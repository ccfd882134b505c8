"""Kinds, modes, methods and bits of CoppeliaSim's kinematics, with the numbers that they have there."""

from __future__ import annotations

from enum import IntEnum, IntFlag


class JointKind(IntEnum):
    """What a joint can do."""

    REVOLUTE = 10
    PRISMATIC = 11
    SPHERICAL = 12


class JointMode(IntEnum):
    """Whether inverse kinematics may move a joint."""

    PASSIVE = 0
    IK = 2


class Method(IntEnum):
    """How a group works out its step."""

    PSEUDO_INVERSE = 0
    DAMPED_LEAST_SQUARES = 1
    JACOBIAN_TRANSPOSE = 2
    UNDAMPED_PSEUDO_INVERSE = 3


class Constraint(IntFlag):
    """What of a tip has to agree with its target."""

    X = 1
    Y = 2
    Z = 4
    POSITION = 7
    ALPHA_BETA = 8
    GAMMA = 16
    ORIENTATION = 24
    POSE = 31


class GroupFlag(IntFlag):
    """How a group is handled."""

    ENABLED = 1
    IGNORE_MAX_STEPS = 2
    RESTORE_ON_BAD_LINEAR_TOLERANCE = 4
    RESTORE_ON_BAD_ANGULAR_TOLERANCE = 8
    STOP_ON_LIMIT_HIT = 16
    AVOID_LIMITS = 64
