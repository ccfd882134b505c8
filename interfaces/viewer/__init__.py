"""A viewer of robots in the browser: `Viewer`, and `ViewSession`, which is all of it but the drawing."""

from .branches import Branch
from .errors import MissingViewerPackageError, ViewerError, ViewerStoppedError
from .joint_motion import JointMotion
from .link_marks import LimitNote, LinkMark
from .manipulability_ellipsoid import ManipulabilityEllipsoid
from .reach_slice import ReachSlice, reach_slice
from .view_picture import ViewPicture
from .view_session import ViewSession
from .viewer import Viewer

__all__ = [
    "Branch",
    "JointMotion",
    "LimitNote",
    "LinkMark",
    "ManipulabilityEllipsoid",
    "MissingViewerPackageError",
    "ReachSlice",
    "ViewPicture",
    "ViewSession",
    "Viewer",
    "ViewerError",
    "ViewerStoppedError",
    "reach_slice",
]
