"""What a robot is and where its frames are: frames, joints, skeletons, poses and Jacobians."""

from .chain import Chain
from .collision import (
    AttachedObject,
    Collision,
    CollisionDetector,
    CollisionFree,
    Contact,
    Distance,
    ExcludedPair,
    Obstacle,
    Srdf,
)
from .degree_of_freedom import DegreeOfFreedom
from .dependence import Dependence
from .errors import (
    DependencyCycleError,
    DuplicateNameError,
    GeometryError,
    InvalidPoseError,
    InvalidValueError,
    KinetreeError,
    ShapeError,
    SrdfError,
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
from .q_constraint import QConstraint, as_constraint
from .shapes import Box, Capsule, Cylinder, Ellipsoid, Geometry, Mesh, OcTree, Plane, Shape, Sphere
from .simple_frame import SimpleFrame
from .skeleton import Skeleton
from .state import State
from .support_area import SupportArea
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
    "AttachedObject",
    "Box",
    "Capsule",
    "Chain",
    "Collision",
    "CollisionDetector",
    "CollisionFree",
    "Contact",
    "Cylinder",
    "DegreeOfFreedom",
    "Dependence",
    "DependencyCycleError",
    "Distance",
    "DuplicateNameError",
    "Ellipsoid",
    "ExcludedPair",
    "FixedJoint",
    "Frame",
    "FreeJoint",
    "Geometry",
    "GeometryError",
    "InvalidPoseError",
    "InvalidValueError",
    "Joint",
    "KinetreeError",
    "Link",
    "Mesh",
    "NodeSet",
    "Obstacle",
    "OcTree",
    "PlanarJoint",
    "Plane",
    "PoseLike",
    "PrismaticJoint",
    "QConstraint",
    "RevoluteJoint",
    "ScrewJoint",
    "Shape",
    "ShapeError",
    "SimpleFrame",
    "SingleAxisJoint",
    "Skeleton",
    "Sphere",
    "SphericalJoint",
    "Srdf",
    "SrdfError",
    "State",
    "StructureError",
    "SupportArea",
    "UniversalJoint",
    "UnknownNameError",
    "World",
    "as_axis",
    "as_constraint",
    "as_pose",
    "as_vector",
    "pose",
    "rotation_angle",
    "rotation_from_rpy",
    "rotation_vector",
    "rpy_from_rotation",
    "unknown_name",
]
