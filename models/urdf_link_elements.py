"""What a ``<link>`` of a written URDF file contains."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from xml.etree.ElementTree import Element, SubElement

import numpy as np
import pinocchio as pin

from ..kinematics import Box, Capsule, Cylinder, Geometry, Link, Mesh, Shape, Sphere, rpy_from_rotation
from ..kinematics.shapes import as_shapes
from .errors import UnsupportedFeatureError

_TENSOR = {"ixx": (0, 0), "ixy": (0, 1), "ixz": (0, 2), "iyy": (1, 1), "iyz": (1, 2), "izz": (2, 2)}


class LinkElements:
    """Writes shapes and inertias.

    Args:
        folder: Where the file will be; meshes below it are named relative to it.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    @staticmethod
    def add_inertia(element: Element, link: Link) -> None:
        """Adds the ``<inertial>`` of a link that has one."""
        inertia = link.inertia
        if not (inertia.mass > 0.0 or np.any(inertia.inertia)):
            return
        inertial = SubElement(element, "inertial")
        SubElement(inertial, "origin", xyz=numbers(inertia.lever), rpy="0 0 0")
        SubElement(inertial, "mass", value=repr(float(inertia.mass)))
        tensor = inertia.inertia
        SubElement(inertial, "inertia", {name: repr(float(tensor[place])) for name, place in _TENSOR.items()})

    def add_shapes(self, element: Element, link: Link) -> None:
        """Adds the ``<visual>`` and ``<collision>`` elements of a link.

        Raises:
            UnsupportedFeatureError: An ellipsoid.
        """
        for number, shape in enumerate(as_shapes(link.visuals, f"link {link.name!r}")):
            visual = self._shape(element, "visual", shape, link)
            if shape.color is not None:
                material = SubElement(visual, "material", name=f"{link.name}_{number}")
                SubElement(material, "color", rgba=numbers(shape.color))
        for shape in as_shapes(link.collisions, f"link {link.name!r}"):
            self._shape(element, "collision", shape, link)

    def _shape(self, parent: Element, tag: str, shape: Shape, link: Link) -> Element:
        element = SubElement(parent, tag, {"name": shape.name} if shape.name else {})
        add_origin(element, shape.placement)
        SubElement(element, "geometry").append(self._geometry(shape.geometry, link))
        return element

    def _geometry(self, form: Geometry, link: Link) -> Element:
        if isinstance(form, Box):
            return Element("box", size=numbers((form.x, form.y, form.z)))
        if isinstance(form, Sphere):
            return Element("sphere", radius=repr(float(form.radius)))
        if isinstance(form, Cylinder | Capsule):
            tag = "cylinder" if isinstance(form, Cylinder) else "capsule"
            return Element(tag, radius=repr(float(form.radius)), length=repr(float(form.length)))
        if isinstance(form, Mesh):
            return Element("mesh", filename=self._filename(form.path), scale=numbers(form.scale))
        raise UnsupportedFeatureError(
            f"link {link.name!r} has the shape {form}, which URDF cannot express; "
            "replace it, or write with shapes=False"
        )

    def _filename(self, path: str) -> str:
        absolute = Path(path).resolve()
        if not absolute.is_file():
            return path
        if absolute.is_relative_to(self._folder):
            return absolute.relative_to(self._folder).as_posix()
        return str(absolute)


def add_origin(element: Element, placement: pin.SE3) -> None:
    """Adds an ``<origin>``, unless it is the identity."""
    if np.array_equal(placement.homogeneous, np.eye(4)):
        return
    rpy = rpy_from_rotation(placement.rotation)
    SubElement(element, "origin", xyz=numbers(placement.translation), rpy=numbers(rpy))


def numbers(values: Iterable[float]) -> str:
    """Numbers with as many digits as reading them back takes."""
    return " ".join(repr(float(value)) for value in values)
