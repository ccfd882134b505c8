"""Triangles have the volume and the extent of the shape, are closed, and face outwards."""

import math

import numpy as np
import pytest

from kinetree.interfaces.viewer.triangles import triangles_of
from kinetree.kinematics import Box, Capsule, Cylinder, Ellipsoid, GeometryError, Mesh, OcTree, Plane, Sphere

#: Geometry, volume (m^3), half extent (m).
SOLIDS = [
    (Box(0.2, 0.4, 0.6), 0.2 * 0.4 * 0.6, (0.1, 0.2, 0.3)),
    (Sphere(0.5), 4.0 / 3.0 * math.pi * 0.125, (0.5, 0.5, 0.5)),
    (Cylinder(0.2, 1.0), math.pi * 0.04, (0.2, 0.2, 0.5)),
    (Capsule(0.2, 1.0), math.pi * 0.04 + 4.0 / 3.0 * math.pi * 0.008, (0.2, 0.2, 0.7)),
    (Ellipsoid(0.1, 0.2, 0.3), 4.0 / 3.0 * math.pi * 0.006, (0.1, 0.2, 0.3)),
]
TETRAHEDRON = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"


def volume(triangles):
    """By the divergence theorem; negative when the triangles face inwards."""
    a, b, c = (triangles.vertices[triangles.faces[:, k]] for k in range(3))
    return float(np.einsum("ij,ij->i", a, np.cross(b, c)).sum() / 6.0)


def edges(triangles):
    """Directed edges between places, without those of triangles that have shrunk to a line."""
    places = {}
    corner = [places.setdefault(tuple(np.round(each, 9) + 0.0), len(places)) for each in triangles.vertices]
    faces = [[corner[k] for k in face] for face in triangles.faces]
    return [(f[k], f[k - 2]) for f in faces if len(set(f)) == 3 for k in range(3)]


@pytest.mark.parametrize(("solid", "expected", "half"), SOLIDS, ids=lambda each: type(each).__name__)
def test_solids(solid, expected, half):
    triangles = triangles_of(solid)
    assert 0.97 * expected < volume(triangles) < expected * (1.0 + 1e-12)
    np.testing.assert_allclose(triangles.vertices.max(axis=0), half, rtol=1e-9)
    np.testing.assert_allclose(triangles.vertices.min(axis=0), np.negative(half), rtol=1e-9)
    found = edges(triangles)
    assert len(found) == len(set(found))
    assert set(found) == {(b, a) for a, b in found}  # closed: each edge has a neighbour that takes it the other way


def test_cells_of_an_octree():
    triangles = triangles_of(OcTree([[0.05, 0.05, 0.05], [0.25, 0.05, 0.05]], 0.1))
    assert volume(triangles) == pytest.approx(0.002)
    np.testing.assert_allclose(triangles.vertices.max(axis=0), [0.3, 0.1, 0.1])


def test_a_plane_is_drawn_as_a_square_that_faces_up():
    vertices, faces = triangles_of(Plane())
    a, b, c = vertices[faces[0]]
    assert np.cross(b - a, c - a)[2] > 0.0


@pytest.mark.parametrize("scale", [1.0, (2.0, 1.0, 1.0), (-1.0, 1.0, 1.0), (-1.0, -1.0, 1.0)])
def test_meshes(tmp_path, scale):
    path = tmp_path / "tetrahedron.obj"
    path.write_text(TETRAHEDRON, encoding="ascii")
    mesh = Mesh(path, scale)
    assert volume(triangles_of(mesh)) == pytest.approx(abs(math.prod(mesh.scale)) / 6.0)


def test_files_that_are_no_mesh(tmp_path):
    with pytest.raises(GeometryError, match=r"missing\.stl"):
        triangles_of(Mesh(tmp_path / "missing.stl"))
    (tmp_path / "text.obj").write_text("no mesh", encoding="ascii")
    with pytest.raises(GeometryError, match=r"text\.obj"):
        triangles_of(Mesh(tmp_path / "text.obj"))
