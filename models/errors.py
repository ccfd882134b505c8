"""Exceptions of the readers and writers of robot files."""

from __future__ import annotations

from ..kinematics.errors import KinetreeError


class ModelFileError(KinetreeError, ValueError):
    """A robot file is empty, broken, or describes no robot."""


class ModelNotFoundError(KinetreeError, FileNotFoundError):
    """There is no built-in robot and no file of the given name."""


class UnsupportedFeatureError(KinetreeError, ValueError):
    """Something that a format cannot express, or that needs an optional package which is not installed."""


class SceneFileError(KinetreeError, ValueError):
    """A scene file is unreadable, is no TOML, or says something that no scene can have."""
