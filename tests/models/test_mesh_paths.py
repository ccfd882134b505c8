"""Meshes: found where users keep them, or left out with one note."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from kinetree.kinematics import Mesh, Skeleton
from kinetree.models import load


@pytest.fixture(autouse=True)
def no_ros(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ROS_PACKAGE_PATH", raising=False)
    monkeypatch.delenv("AMENT_PREFIX_PATH", raising=False)


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """``.../src/arm_description`` with a mesh and an empty folder for the robot file."""
    folder = tmp_path / "src" / "arm_description"
    (folder / "meshes").mkdir(parents=True)
    (folder / "urdf").mkdir()
    (folder / "meshes" / "a b.stl").write_text("solid")
    return folder


def robot(folder: Path, *names: str, **options: Any) -> Skeleton:
    meshes = "".join(f'<visual><geometry><mesh filename="{name}"/></geometry></visual>' for name in names)
    file = folder / "arm.urdf"
    file.write_text(f"<robot name='arm'><link name='a'>{meshes}</link></robot>")
    return load(file, **options)


def found(skeleton: Skeleton) -> list[str]:
    return [shape.geometry.path for shape in skeleton.link("a").visuals if isinstance(shape.geometry, Mesh)]


@pytest.mark.parametrize(
    "name",
    [
        "package://arm_description/meshes/a b.stl",
        "package://arm_description/meshes/a%20b.stl",
        "model://arm_description/meshes/a b.stl",
        "../meshes/a b.stl",
        "file://../meshes/a%20b.stl",
    ],
)
def test_beside_the_file_and_in_the_folders_above_it(package: Path, name: str) -> None:
    skeleton = robot(package / "urdf", name)
    assert [Path(path).resolve() for path in found(skeleton)] == [package / "meshes" / "a b.stl"]
    assert skeleton.warnings == []


def test_absolute_names(package: Path, tmp_path: Path) -> None:
    mesh = package / "meshes" / "a b.stl"
    assert len(found(robot(tmp_path, str(mesh), f"file://{mesh}", mesh.as_uri()))) == 3


NAME = "package://arm_description/meshes/a b.stl"


def test_in_given_folders(package: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "robots"
    elsewhere.mkdir()
    assert found(robot(elsewhere, NAME)) == []
    for package_dirs in (package, str(package.parent), [package.parent], {"arm_description": package}):
        assert len(found(robot(elsewhere, NAME, package_dirs=package_dirs))) == 1


def test_in_the_folders_of_ros(package: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    elsewhere = tmp_path / "robots"
    elsewhere.mkdir()
    monkeypatch.setenv("ROS_PACKAGE_PATH", f"/nowhere:{package.parent}")
    assert len(found(robot(elsewhere, NAME))) == 1
    monkeypatch.delenv("ROS_PACKAGE_PATH")
    share = tmp_path / "install" / "share"
    share.mkdir(parents=True)
    package.rename(share / "arm_description")
    monkeypatch.setenv("AMENT_PREFIX_PATH", str(tmp_path / "install"))
    assert len(found(robot(elsewhere, NAME))) == 1


def test_what_is_nowhere_is_left_out_with_one_note(tmp_path: Path) -> None:
    skeleton = robot(tmp_path, *(f"package://nowhere/{k}.stl" for k in range(5)), "package://nowhere/0.stl")
    assert found(skeleton) == []
    (note,) = skeleton.warnings
    assert note.startswith("5 mesh files were not found and left out (package_dirs says where to look)")
    assert "package://nowhere/0.stl" in note
