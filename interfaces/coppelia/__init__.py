"""CoppeliaSim's inverse kinematics: environments of joints and dummies, groups and elements.

`kinetree.interfaces.coppelia.routines` has the same as functions under the names that they have in CoppeliaSim.
"""

from .constants import Constraint, GroupFlag, JointKind, JointMode, Method
from .dependency import Dependency
from .dummy import Dummy
from .environment import Environment
from .errors import CallbackError, ErasedError, HandleError, NoEnvironmentError, SaveFileError
from .from_skeleton import environment_from_skeleton
from .ik_element import IkElement
from .ik_group import IkGroup
from .joint import Joint
from .scene_object import SceneObject

__all__ = [
    "CallbackError",
    "Constraint",
    "Dependency",
    "Dummy",
    "Environment",
    "ErasedError",
    "GroupFlag",
    "HandleError",
    "IkElement",
    "IkGroup",
    "Joint",
    "JointKind",
    "JointMode",
    "Method",
    "NoEnvironmentError",
    "SaveFileError",
    "SceneObject",
    "environment_from_skeleton",
]
