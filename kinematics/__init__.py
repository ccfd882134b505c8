"""What a robot is and where its frames are: frames, joints, skeletons, poses and Jacobians."""

from .chain import Chain
from .degree_of_freedom import DegreeOfFreedom
from .dependence import Dependence
from .errors import (
    DependencyCycleError,
    DuplicateNameError,
    InvalidPoseError,
    InvalidValueError,
    KinetreeError,
    ShapeError,
    StructureError,
    UnknownNameError,
    unknown_name,
)
from .frame import Frame
from .joints import (
    FixedJoint,
    FreeJoint,
    Joint,
    PlanarJoint,
    PrismaticJoint,
    RevoluteJoint,
    ScrewJoint,
    SingleAxisJoint,
    SphericalJoint,
    UniversalJoint,
)
from .link import Link
from .node_set import NodeSet
from .shapes import Box, Capsule, Cylinder, Ellipsoid, Geometry, Mesh, Shape, Sphere
from .simple_frame import SimpleFrame
from .skeleton import Skeleton
from .state import State
from .transforms import (
    PoseLike,
    as_axis,
    as_pose,
    as_vector,
    pose,
    rotation_angle,
    rotation_from_rpy,
    rotation_vector,
    rpy_from_rotation,
)
from .world import World

__all__ = [
    "Box",
    "Capsule",
    "Chain",
    "Cylinder",
    "DegreeOfFreedom",
    "Dependence",
    "DependencyCycleError",
    "DuplicateNameError",
    "Ellipsoid",
    "FixedJoint",
    "Frame",
    "FreeJoint",
    "Geometry",
    "InvalidPoseError",
    "InvalidValueError",
    "Joint",
    "KinetreeError",
    "Link",
    "Mesh",
    "NodeSet",
    "PlanarJoint",
    "PoseLike",
    "PrismaticJoint",
    "RevoluteJoint",
    "ScrewJoint",
    "Shape",
    "ShapeError",
    "SimpleFrame",
    "SingleAxisJoint",
    "Skeleton",
    "Sphere",
    "SphericalJoint",
    "State",
    "StructureError",
    "UniversalJoint",
    "UnknownNameError",
    "World",
    "as_axis",
    "as_pose",
    "as_vector",
    "pose",
    "rotation_angle",
    "rotation_from_rpy",
    "rotation_vector",
    "rpy_from_rotation",
    "unknown_name",
]
