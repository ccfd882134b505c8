"""The inverse-kinematics module for the tcp of a node set and a part of a pose."""

from __future__ import annotations

import math

import numpy as np

from ...kinematics import NodeSet, World
from ...solvers import CartesianSelection, InverseKinematics, TaskSpaceRegion


def pose_module(node_set: NodeSet, selection: CartesianSelection) -> InverseKinematics:
    """A module whose target counts only in the selected part, along the world's axes."""
    module = InverseKinematics(node_set)
    if selection is not CartesianSelection.ALL:
        size = np.where(np.array(selection.rows), 0.0, math.inf)
        module.error_method = TaskSpaceRegion((-size, size), reference_frame=World())
    return module
