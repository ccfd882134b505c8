"""Reads MJCF files through the package mujoco, whose compiler knows includes, defaults and units."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pinocchio as pin

from ..kinematics import FixedJoint, FreeJoint, KinetreeError, Skeleton, SphericalJoint
from .errors import ModelFileError
from .mjcf_joints import couple, make_joint, reference_value
from .mjcf_model import STAND_IN_MASS, compile_mjcf
from .mjcf_shapes import placement, shapes_of
from .notes import Notes


def read_mjcf(path: Path) -> Skeleton:
    """Builds a skeleton from an MJCF file.

    The world body is the root link ``world``; every other body is a link, with massless links before it when
    it has several joints (named after body and joint). Values of joints are those of MuJoCo's ``qpos``,
    rotations as rotation vectors, and the skeleton starts where the file draws it. Sites are named frames. An
    equality constraint that couples two joints makes one depend on the other; other constraints (closed
    loops, tendons) are left out. All that was left out is in ``skeleton.warnings``.

    Args:
        path: The file.

    Raises:
        UnsupportedFeatureError: The package mujoco is not installed.
        ModelFileError: mujoco cannot compile the file; the message is mujoco's.
    """
    notes = Notes()
    model = compile_mjcf(path, notes)
    try:
        return _Reader(model, path, notes).skeleton()
    except KinetreeError as error:
        raise ModelFileError(f"{path}: {error}") from error


class _Reader:
    def __init__(self, model: Any, path: Path, notes: Notes) -> None:
        self._model = model
        self._folder = path.absolute().parent
        self._notes = notes
        name = bytes(model.names).split(b"\0", 1)[0].decode("utf-8", "replace").strip()
        self._skeleton = Skeleton(name or path.stem)
        self._skeleton.source = str(path)
        self._links: dict[int, str] = {}
        self._joints: dict[int, str] = {}
        # Names that the file gives come first, so that ours make way for them.
        self._frame_names = _names(model.body, model.nbody)
        self._joint_names = _names(model.jnt, model.njnt)

    def skeleton(self) -> Skeleton:
        model, skeleton = self._model, self._skeleton
        collisions, visuals = shapes_of(model, 0, self._folder, self._notes)
        self._links[0] = "world"
        ground = FixedJoint(self._free("world_joint", self._joint_names))
        skeleton.add_link("world", ground, collisions=collisions, visuals=visuals)
        for body in range(1, model.nbody):
            self._add_body(body)
        self._add_sites()
        couple(model, skeleton, self._joints, self._notes)
        self._move_to_start()
        skeleton.warnings = self._notes.sentences()
        return skeleton

    def _add_body(self, body: int) -> None:
        """Adds a body: its joints act one after the other, each at its anchor in the body's frame."""
        model = self._model
        at = placement(model.body_pos[body], model.body_quat[body])
        parent = self._links[int(model.body_parentid[body])]
        name = str(model.body(body).name) or self._free(f"body_{body}", self._frame_names)
        self._links[body] = name
        collisions, visuals = shapes_of(model, body, self._folder, self._notes)
        content: dict[str, Any] = {
            "inertia": self._inertia(body),
            "collisions": collisions,
            "visuals": visuals,
        }
        first, count = int(model.body_jntadr[body]), int(model.body_jntnum[body])
        if count == 0:
            fixed = FixedJoint(self._free(f"{name}_joint", self._joint_names))
            self._skeleton.add_link(name, fixed, parent, at, **content)
            return
        for index in range(first, first + count):
            called = str(model.jnt(index).name) or self._free(f"{name}_joint", self._joint_names)
            self._joints[index] = called
            joint, anchor, to_zero = make_joint(model, index, called, self._notes)
            if isinstance(joint, FreeJoint):
                at = pin.SE3.Identity()  # its value is the pose in the world, the written one at first
            last = index == first + count - 1
            link = name if last else self._free(f"{name}_{called}", self._frame_names)
            self._skeleton.add_link(
                link,
                joint,
                parent,
                at * anchor * to_zero,
                child_placement=anchor,
                **(content if last else {}),
            )
            parent, at = link, pin.SE3.Identity()

    def _inertia(self, body: int) -> pin.Inertia | None:
        model = self._model
        mass = float(model.body_mass[body])
        if mass <= STAND_IN_MASS:
            return None
        frame = placement(model.body_ipos[body], model.body_iquat[body])
        tensor = frame.rotation @ np.diag(model.body_inertia[body]) @ frame.rotation.T
        return pin.Inertia(mass, frame.translation, 0.5 * (tensor + tensor.T))

    def _add_sites(self) -> None:
        model = self._model
        for site in range(model.nsite):
            name = str(model.site(site).name)
            if not name:
                continue  # nobody can ask for it
            unique = self._free(name, self._frame_names)
            if unique != name:
                self._notes.add("sites with the name of a body were renamed", f"{name} to {unique}")
            at = placement(model.site_pos[site], model.site_quat[site])
            self._skeleton.add_frame(unique, self._links[int(model.site_bodyid[site])], at)

    def _move_to_start(self) -> None:
        """Puts the robot where the file draws it, and makes that the rest position of floating bodies."""
        model = self._model
        for index, name in self._joints.items():
            joint, first = self._skeleton.joint(name), int(model.jnt_qposadr[index])
            if joint.is_dependent:
                continue
            if isinstance(joint, FreeJoint):
                at = placement(model.qpos0[first : first + 3], model.qpos0[first + 3 : first + 7])
                for dof, value in zip(joint.dofs, joint.coordinates(at), strict=True):
                    dof.rest = dof.position = float(value)
            elif not isinstance(joint, SphericalJoint):
                joint.dofs[0].position = reference_value(model, index)

    def _free(self, wanted: str, taken: set[str]) -> str:
        name, number = wanted, 2
        while name in taken:
            name, number = f"{wanted}_{number}", number + 1
        taken.add(name)
        return name


def _names(of: Any, count: int) -> set[str]:
    return {str(of(index).name) for index in range(count)}
