"""Robots from files and tables: URDF, xacro, MJCF, Denavit-Hartenberg tables, screws, and built-in ones."""

from .built_in import RobotInfo, robots
from .denavit_hartenberg import from_dh
from .errors import ModelFileError, ModelNotFoundError, SceneFileError, UnsupportedFeatureError
from .load import load
from .scene import Scene
from .scene_reader import load_scene
from .scene_writer import save_scene
from .screws import from_screws
from .urdf_writer import save_urdf

__all__ = [
    "ModelFileError",
    "ModelNotFoundError",
    "RobotInfo",
    "Scene",
    "SceneFileError",
    "UnsupportedFeatureError",
    "from_dh",
    "from_screws",
    "load",
    "load_scene",
    "robots",
    "save_scene",
    "save_urdf",
]
