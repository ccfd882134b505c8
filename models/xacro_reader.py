"""Expands xacro files to URDF."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from .errors import ModelFileError, UnsupportedFeatureError


def expand_xacro(path: Path, arguments: Mapping[str, Any] | None = None) -> str:
    """The URDF text of a xacro file.

    Args:
        path: The file.
        arguments: Values of its ``<xacro:arg>``.

    Raises:
        UnsupportedFeatureError: The package ``xacro`` is not installed.
        ModelFileError: The file cannot be expanded; the message is xacro's.
    """
    try:
        xacro = importlib.import_module("xacro")
    except ImportError:
        raise UnsupportedFeatureError(
            f"{path} is a xacro file, which needs the package xacro: pip install 'kinetree[xacro]'"
        ) from None
    mappings = {str(name): str(value) for name, value in (arguments or {}).items()}
    try:
        document = xacro.process_file(str(path), mappings=mappings)
        text: str = document.toprettyxml(indent="  ")
    except (Exception, SystemExit) as error:  # xacro raises many kinds, and leaves by itself for some
        reason = " ".join(str(error).split()) or type(error).__name__
        raise ModelFileError(f"{path} cannot be expanded by xacro: {reason}") from error
    return text
