"""Robots from files and tables: URDF, xacro, MJCF, Denavit-Hartenberg tables, screws, and built-in ones."""

from .built_in import RobotInfo, robots
from .denavit_hartenberg import from_dh
from .errors import ModelFileError, ModelNotFoundError, UnsupportedFeatureError
from .load import load
from .screws import from_screws
from .urdf_writer import save_urdf

__all__ = [
    "ModelFileError",
    "ModelNotFoundError",
    "RobotInfo",
    "UnsupportedFeatureError",
    "from_dh",
    "from_screws",
    "load",
    "robots",
    "save_urdf",
]
