"""Reads MJCF files through the package mujoco, whose compiler knows includes, defaults and units."""

from __future__ import annotations

import importlib
import logging
from pathlib import Path
from typing import Any

import numpy as np
import pinocchio as pin

from ..kinematics import (
    FixedJoint,
    FreeJoint,
    Joint,
    KinetreeError,
    PrismaticJoint,
    RevoluteJoint,
    Skeleton,
    SphericalJoint,
)
from ..kinematics.transforms import Array
from .errors import ModelFileError, UnsupportedFeatureError
from .mjcf_shapes import shape_of

logger = logging.getLogger(__name__)

_FREE, _BALL, _SLIDE, _HINGE = range(4)
_JOINT_COUPLING = 2


def read_mjcf(path: Path) -> Skeleton:
    """Builds a skeleton from an MJCF file.

    The world body is the root link ``world``, and the positions are those at which the file draws the robot.
    Bodies with several joints get massless links between these. Sites are named frames. Equality constraints
    that couple two joints linearly make one depend on the other; others are noted in ``skeleton.warnings``.

    Args:
        path: The file.

    Raises:
        UnsupportedFeatureError: The package mujoco is not installed.
        ModelFileError: mujoco cannot compile the file; the message is mujoco's.
    """
    try:
        mujoco = importlib.import_module("mujoco")
    except ImportError:
        raise UnsupportedFeatureError(
            f"{path} is an MJCF file, which needs the package mujoco: pip install 'kinetree[mjcf]'"
        ) from None
    try:
        model = mujoco.MjModel.from_xml_path(str(path))
    except (ValueError, RuntimeError) as error:
        raise ModelFileError(f"{path} cannot be read by mujoco: {' '.join(str(error).split())}") from error
    try:
        return _Reader(model, path).skeleton()
    except KinetreeError as error:
        raise ModelFileError(f"{path}: {error}") from error


class _Reader:
    def __init__(self, model: Any, path: Path) -> None:
        self._model = model
        self._path = path
        self._notes: list[str] = []
        self._links: dict[int, str] = {}
        self._used: set[str] = set()
        self._joint_names: dict[int, str] = {}

    def skeleton(self) -> Skeleton:
        model = self._model
        name = str(getattr(model, "names", b"").split(b"\0", 1)[0].decode("utf-8", "replace")) or self._path.stem
        result = Skeleton(name or self._path.stem)
        result.source = str(self._path)
        self._links[0] = self._unique("world", "link")
        ground = FixedJoint(self._unique("world_joint", "joint"))
        result.add_link(self._links[0], ground, visuals=self._shapes(0, False), collisions=self._shapes(0, True))
        for body in range(1, model.nbody):
            self._add(result, body)
        self._add_sites(result)
        self._couple(result)
        self._start(result)
        result.warnings = self._notes
        return result

    def _add(self, result: Skeleton, body: int) -> None:
        """Adds a body: its joints act one after the other, each at its anchor in the body's frame."""
        model = self._model
        placement = _pose(model.body_pos[body], model.body_quat[body])
        parent = self._links[int(model.body_parentid[body])]
        name = self._unique(model.body(body).name or f"body_{body}", "link")
        first, count = int(model.body_jntadr[body]), int(model.body_jntnum[body])
        inertia, shapes = self._inertia(body), (self._shapes(body, True), self._shapes(body, False))
        for k in range(count):
            joint, anchor, before = self._joint(first + k)
            if isinstance(joint, FreeJoint):
                placement = pin.SE3.Identity()  # its value is the pose in the world, where the body is drawn at first
            last = k == count - 1
            link = name if last else self._unique(f"{name}_{k + 1}", "link")
            result.add_link(
                link,
                joint,
                parent,
                placement * anchor * before,
                child_placement=anchor,
                inertia=inertia if last else None,
                collisions=shapes[0] if last else (),
                visuals=shapes[1] if last else (),
            )
            parent, placement = link, pin.SE3.Identity()
        if count == 0:
            result.add_link(
                name,
                FixedJoint(self._unique(f"{name}_joint", "joint")),
                parent,
                placement,
                inertia=inertia,
                collisions=shapes[0],
                visuals=shapes[1],
            )
        self._links[body] = name

    def _joint(self, index: int) -> tuple[Joint, pin.SE3, pin.SE3]:
        """A joint, its anchor in the body, and what turns or shifts it back to where its value is zero."""
        model = self._model
        kind = int(model.jnt_type[index])
        name = self._unique(model.jnt(index).name or f"joint_{index}", "joint")
        self._joint_names[index] = name
        anchor = pin.SE3(np.eye(3), np.array(model.jnt_pos[index], dtype=float))
        if kind == _FREE:
            return FreeJoint(name), pin.SE3.Identity(), pin.SE3.Identity()
        limited = bool(model.jnt_limited[index])
        if kind == _BALL:
            if limited:
                self._notes.append(f"the range of ball joint {name!r} was ignored")
            return SphericalJoint(name), anchor, pin.SE3.Identity()
        bounds = (float(model.jnt_range[index][0]), float(model.jnt_range[index][1])) if limited else None
        maker = PrismaticJoint if kind == _SLIDE else RevoluteJoint
        joint = maker(name, np.array(model.jnt_axis[index], dtype=float), bounds)
        # The body is drawn at the reference value, so that is where the file's poses hold.
        reference = float(model.qpos0[int(model.jnt_qposadr[index])])
        return joint, anchor, joint.transform(np.array([-reference]))

    def _start(self, result: Skeleton) -> None:
        """Puts the robot where the file draws it."""
        model = self._model
        for index in range(model.njnt):
            joint, first = result.joint(self._joint_names[index]), int(model.jnt_qposadr[index])
            if joint.is_dependent:
                continue
            if isinstance(joint, FreeJoint):
                at = _pose(model.qpos0[first : first + 3], model.qpos0[first + 3 : first + 7])
                for dof, value in zip(joint.dofs, joint.coordinates(at), strict=True):
                    dof.position = float(value)
            elif joint.num_dofs == 1:
                joint.dofs[0].position = float(model.qpos0[first])

    def _inertia(self, body: int) -> pin.Inertia | None:
        model = self._model
        mass = float(model.body_mass[body])
        if not mass > 0.0:
            return None
        frame = _pose(model.body_ipos[body], model.body_iquat[body])
        tensor = frame.rotation @ np.diag(model.body_inertia[body]) @ frame.rotation.T
        return pin.Inertia(mass, frame.translation, 0.5 * (tensor + tensor.T))

    def _shapes(self, body: int, colliding: bool) -> list[Any]:
        model = self._model
        first, count = int(model.body_geomadr[body]), int(model.body_geomnum[body])
        found = []
        for geom in range(first, first + count):
            collides = bool(model.geom_contype[geom] or model.geom_conaffinity[geom])
            if colliding and not collides:
                continue
            shape = shape_of(model, geom)
            if shape is not None:
                found.append(shape)
        return found

    def _add_sites(self, result: Skeleton) -> None:
        model = self._model
        for site in range(model.nsite):
            name = self._unique(model.site(site).name or f"site_{site}", "link")
            result.add_frame(
                name,
                self._links[int(model.site_bodyid[site])],
                _pose(model.site_pos[site], model.site_quat[site]),
            )

    def _couple(self, result: Skeleton) -> None:
        model = self._model
        for row in range(model.neq):
            if int(model.eq_type[row]) != _JOINT_COUPLING:
                self._notes.append(f"equality constraint {row} is none between joints; it was ignored")
                continue
            follower, master = int(model.eq_obj1id[row]), int(model.eq_obj2id[row])
            coefficients = np.array(model.eq_data[row][:5], dtype=float)
            names = self._joint_names[follower], self._joint_names.get(master, "")
            if master < 0 or np.any(coefficients[2:]):
                self._notes.append(f"the coupling of joint {names[0]!r} is not linear in another joint; it was ignored")
                continue
            rests = [float(model.qpos0[int(model.jnt_qposadr[each])]) for each in (follower, master)]
            # MuJoCo's law is about the reference values: y - y0 = c0 + c1 (x - x0).
            offset = rests[0] + coefficients[0] - coefficients[1] * rests[1]
            result.joint(names[0]).depend_on(result.joint(names[1]), float(coefficients[1]), float(offset))

    def _unique(self, wanted: str, kind: str) -> str:
        name, number = wanted, 2
        while f"{kind} {name}" in self._used:
            name, number = f"{wanted}_{number}", number + 1
        self._used.add(f"{kind} {name}")
        return name


def _pose(position: Array, quaternion: Array) -> pin.SE3:
    w, x, y, z = (float(each) for each in quaternion)
    return pin.SE3(pin.Quaternion(np.array([x, y, z, w])).toRotationMatrix(), np.array(position, dtype=float))
