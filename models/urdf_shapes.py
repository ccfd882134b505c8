"""Shapes, colours and inertias of URDF links."""

from __future__ import annotations

import numpy as np
import pinocchio as pin

from ..kinematics import (
    Box,
    Capsule,
    Cylinder,
    Geometry,
    InvalidValueError,
    Mesh,
    Shape,
    Sphere,
    rotation_from_rpy,
)
from .errors import ModelFileError
from .mesh_paths import MeshPaths
from .notes import Notes
from .robot_xml import XmlElement

Color = tuple[float, float, float, float]

_ZERO = (0.0, 0.0, 0.0)
_TENSOR = (("ixx", 0, 0), ("ixy", 0, 1), ("ixz", 0, 2), ("iyy", 1, 1), ("iyz", 1, 2), ("izz", 2, 2))


def origin(element: XmlElement) -> pin.SE3:
    """The pose in the ``<origin>`` of an element; the identity when it has none."""
    found = element.first("origin")
    if found is None:
        return pin.SE3.Identity()
    return pin.SE3(rotation_from_rpy(*found.vector("rpy", _ZERO)), found.vector("xyz", _ZERO))


class UrdfShapes:
    """Reads the shapes and the inertia of the links of one robot.

    Args:
        robot: The ``<robot>`` element, for the materials that shapes refer to by name.
        meshes: Finds mesh files.
        notes: Takes what had to be left out.
    """

    def __init__(self, robot: XmlElement, meshes: MeshPaths, notes: Notes) -> None:
        self._meshes = meshes
        self._notes = notes
        self._missing: dict[str, None] = {}
        self._colors: dict[str, Color] = {}
        for element in robot.walk():
            # Some files define a material in the first shape that has it and name it in others.
            if element.tag == "material" and element.attributes.get("name"):
                color = self._rgba(element)
                if color is not None:
                    self._colors.setdefault(element.attributes["name"], color)

    def shapes(self, link: XmlElement, tag: str) -> list[Shape]:
        """The ``visual`` or ``collision`` shapes of a ``<link>``, without missing and degenerate ones."""
        result = []
        for element in link.all(tag):
            geometry = element.first("geometry")
            found = None if geometry is None else self._geometry(geometry, link.attributes["name"])
            if found is not None:
                name = element.attributes.get("name", "")
                result.append(Shape(found, origin(element), name, self._color(element)))
        return result

    def inertia(self, link: XmlElement) -> pin.Inertia | None:
        """The inertia of a ``<link>`` in the link's frame; None when it has none.

        Numbers that no body can have are kept, with a note: kinematics has no use for them.

        Raises:
            ModelFileError: A negative mass, or a number that is none.
        """
        element = link.first("inertial")
        if element is None:
            return None
        weight, tensor = element.first("mass"), element.first("inertia")
        mass = 0.0 if weight is None else weight.number("value")
        if weight is not None and mass < 0.0:
            raise weight.error(f"has the negative value {mass}")
        matrix = np.zeros((3, 3))
        if tensor is not None:
            for name, i, j in _TENSOR:
                matrix[i, j] = matrix[j, i] = tensor.number(name, 0.0)
        moments = np.linalg.eigvalsh(matrix)
        slack = 1e-6 * abs(moments[2])  # files round their numbers
        if moments[0] < -slack or moments[0] + moments[1] < moments[2] - slack:
            self._notes.add("links with an inertia tensor that no body can have", link.attributes["name"])
        at = origin(element)
        result = pin.Inertia.Zero()
        # Set one by one: the constructor refuses tensors that no body can have.
        result.mass, result.lever, result.inertia = mass, at.translation, at.rotation @ matrix @ at.rotation.T
        return result

    def finish(self) -> None:
        """Notes the mesh files that were not found; one sentence for all."""
        missing = list(self._missing)
        if missing:
            listed = ", ".join(missing[:3]) + (", ..." if len(missing) > 3 else "")
            self._notes.add(
                f"{len(missing)} mesh file{'s were' if len(missing) > 1 else ' was'} not found and left out "
                f"(package_dirs says where to look): {listed}"
            )

    def _geometry(self, element: XmlElement, link: str) -> Geometry | None:
        for kind in element.children:
            try:
                return self._one_geometry(kind)
            except InvalidValueError:
                self._notes.add("shapes without any extent were left out of links", link)
                return None
            except _UnknownGeometryError:
                self._notes.add(f"shapes of the unknown kind <{kind.tag}> were left out of links", link)
        return None

    def _one_geometry(self, kind: XmlElement) -> Geometry | None:
        if kind.tag == "box":
            x, y, z = kind.vector("size", _ZERO)
            return Box(float(x), float(y), float(z))
        if kind.tag == "sphere":
            return Sphere(kind.number("radius"))
        if kind.tag == "cylinder":
            return Cylinder(kind.number("radius"), kind.number("length"))
        if kind.tag == "capsule":
            return Capsule(kind.number("radius"), kind.number("length"))
        if kind.tag == "mesh":
            name = kind.text("filename")
            path = self._meshes.find(name)
            if path is None:
                self._missing[name] = None
                return None
            x, y, z = kind.vector("scale", (1.0, 1.0, 1.0))
            return Mesh(path, (float(x), float(y), float(z)))
        raise _UnknownGeometryError

    def _color(self, shape: XmlElement) -> Color | None:
        material = shape.first("material")
        if material is None:
            return None
        return self._rgba(material) or self._colors.get(material.attributes.get("name", ""))

    def _rgba(self, material: XmlElement) -> Color | None:
        color = material.first("color")
        if color is None:
            return None
        try:
            r, g, b, a = color.vector("rgba", (0.0, 0.0, 0.0, 1.0))
        except ModelFileError:
            # A colour is decoration: not worth refusing a robot for, unlike everything that has a place in
            # it.
            self._notes.add("unreadable colours were left out of materials", material.attributes.get("name", ""))
            return None
        return float(r), float(g), float(b), float(a)


class _UnknownGeometryError(Exception):
    """A geometry element that is not in the format."""
