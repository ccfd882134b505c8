"""The joint kinds, one per file."""

from .fixed_joint import FixedJoint
from .free_joint import FreeJoint
from .joint import Joint
from .planar_joint import PlanarJoint
from .prismatic_joint import PrismaticJoint
from .revolute_joint import RevoluteJoint
from .screw_joint import ScrewJoint
from .single_axis_joint import SingleAxisJoint
from .spherical_joint import SphericalJoint
from .universal_joint import UniversalJoint

__all__ = [
    "FixedJoint",
    "FreeJoint",
    "Joint",
    "PlanarJoint",
    "PrismaticJoint",
    "RevoluteJoint",
    "ScrewJoint",
    "SingleAxisJoint",
    "SphericalJoint",
    "UniversalJoint",
]
