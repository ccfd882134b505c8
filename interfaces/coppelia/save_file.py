"""Environments as bytes, and back: the format is described in docs/coppelia.md."""

from __future__ import annotations

import logging
import struct
import zlib
from typing import TYPE_CHECKING

import numpy as np

from ...kinematics.errors import KinetreeError
from ...kinematics.transforms import as_pose
from .byte_stream import ByteReader, ByteWriter
from .constants import JointKind, JointMode, Method
from .dependency import Dependency
from .dummy import Dummy
from .environment import Environment
from .environment_contents import FIRST_GROUP
from .errors import SaveFileError
from .joint import Joint
from .scene_object import SceneObject
from .setting import as_float

if TYPE_CHECKING:
    from .ik_group import IkGroup

_log = logging.getLogger(__name__)

MAGIC = b"KTREE-IK"
VERSION = 1
_HEADER = struct.Struct("<8sIQ")
_FOOTER = struct.Struct("<I")
_MOST = 2**53
_DUMMY = 0
_NONE = -1


def save(environment: Environment) -> bytes:
    """See `Environment.save`."""
    following = [j.name for j in environment.joints if j.dependency is not None and j.dependency.callback is not None]
    if following:
        _log.warning("functions cannot be saved: %s will follow by multiplier and offset alone", ", ".join(following))
    return packed(environment)


def packed(environment: Environment) -> bytes:
    """The bytes; says nothing about callbacks."""
    writer = ByteWriter()
    writer.integers(environment._next_object, environment._next_group)
    writer.integers(len(environment.objects), len(environment.groups))
    for each in environment.objects:
        _write_object(writer, each)
    for group in environment.groups:
        _write_group(writer, group)
    content = writer.bytes()
    head = _HEADER.pack(MAGIC, VERSION, len(content)) + content
    return head + _FOOTER.pack(zlib.crc32(head))


def load(data: bytes) -> Environment:
    """See `Environment.load`."""
    content = _checked(data)
    try:
        environment = _Loader(content).environment
    except SaveFileError:
        raise
    except KinetreeError as error:
        raise SaveFileError(f"the content contradicts itself: {error}") from error
    if packed(environment) != bytes(data):
        raise SaveFileError("the content says things that cannot be, such as a sphere with a screw lead")
    return environment


def copied(environment: Environment) -> Environment:
    """See `Environment.duplicate`."""
    twin = load(packed(environment))
    for joint in environment.joints:
        rule, other = joint.dependency, twin.joint(joint.handle)
        if rule is not None and rule.callback is not None:
            other._dependency = Dependency(twin.joint(rule.master.handle), rule.multiplier, rule.offset, rule.callback)
    for group in environment.groups:
        hits = {twin.joint(each.handle): amount for each, amount in group._joint_limit_hits.items()}
        twin.group(group.handle)._joint_limit_hits = hits
    return twin


def _checked(data: bytes) -> bytes:
    """The content behind the head, when length and checksum are right."""
    if not isinstance(data, bytes | bytearray | memoryview):
        raise SaveFileError(f"saved content is bytes, not {type(data).__name__}")
    data = bytes(data)
    if not data.startswith(MAGIC):
        if data[:4] in (b"\x00\x00\x00\x00", b"\x01\x00\x00\x00"):
            raise SaveFileError("this may be content that CoppeliaSim saved; its single-precision format is not read")
        raise SaveFileError("this is no saved kinematic content: it does not begin with its mark")
    if len(data) < _HEADER.size + _FOOTER.size:
        raise SaveFileError(f"the content is cut off: it has {len(data)} bytes only")
    _, version, size = _HEADER.unpack_from(data)
    if version != VERSION:
        raise SaveFileError(f"the content is of version {version}; this is written for version {VERSION}")
    if len(data) != _HEADER.size + size + _FOOTER.size:
        raise SaveFileError(f"the content should have {_HEADER.size + size + _FOOTER.size} bytes; it has {len(data)}")
    if zlib.crc32(data[: -_FOOTER.size]) != _FOOTER.unpack_from(data, len(data) - _FOOTER.size)[0]:
        raise SaveFileError("the content is damaged: its checksum is wrong")
    return data[_HEADER.size : -_FOOTER.size]


def _handle_of(each: SceneObject | None) -> int:
    return _NONE if each is None else each.handle


def _write_object(writer: ByteWriter, each: SceneObject) -> None:
    writer.integers(each.handle, each.kind if isinstance(each, Joint) else _DUMMY)
    writer.text(each.name)
    writer.integers(_handle_of(each.parent))
    writer.reals(*each._local[:3].ravel())
    if isinstance(each, Dummy):
        writer.integers(_handle_of(each.target))
    elif isinstance(each, Joint):
        rule = each.dependency
        writer.integers(each.mode, each.cyclic, _NONE if rule is None else rule.master.handle)
        writer.reals(each.minimum, each.range, each.limit_margin, each.max_step, each.weight, each.screw_lead)
        writer.reals(each._position, *each._quaternion)
        writer.reals(*((1.0, 0.0) if rule is None else (rule.multiplier, rule.offset)))


def _write_group(writer: ByteWriter, group: IkGroup) -> None:
    writer.integers(group.handle)
    writer.text(group.name)
    writer.integers(group.method, group.max_iterations, group.flags, group._next_element, len(group.elements))
    writer.reals(group.damping)
    for each in group.elements:
        writer.integers(each.handle, each.tip.handle, _handle_of(each.base), _handle_of(each.constraints_base))
        writer.integers(each.constraints, each.enabled)
        writer.reals(each.linear_precision, each.angular_precision, *each.weights)


class _Loader:
    """Builds an environment from content whose checksum is right, and believes it no more than that."""

    def __init__(self, content: bytes) -> None:
        self.environment = Environment()
        self._reader = reader = ByteReader(content)
        #: Objects with the handle of what they need that may come later.
        self._parents: list[tuple[SceneObject, int]] = []
        self._targets: list[tuple[Dummy, int]] = []
        self._rules: list[tuple[Joint, int, tuple[float, ...]]] = []
        next_object = reader.integer(0, FIRST_GROUP, "the next handle of an object")
        next_group = reader.integer(FIRST_GROUP, _MOST, "the next handle of a group")
        objects = reader.integer(0, len(content), "the number of objects")
        groups = reader.integer(0, len(content), "the number of groups")
        for _ in range(objects):
            self._read_object()
        self._connect()
        for _ in range(groups):
            self._read_group(next_group)
        reader.end()
        self.environment._next_object, self.environment._next_group = next_object, next_group

    def _read_object(self) -> None:
        reader, environment = self._reader, self.environment
        handle = environment._next_object = reader.integer(0, FIRST_GROUP - 1, "the handle of an object")
        if handle in environment._objects:
            raise SaveFileError(f"two objects have handle {handle}")
        kind = reader.integer(0, max(JointKind), "the kind of an object")
        name = reader.text()
        each: SceneObject = environment.add_dummy(name) if kind == _DUMMY else environment.add_joint(kind, name)
        (parent,) = reader.integers(1)
        self._parents.append((each, parent))
        matrix = np.vstack([np.array(reader.reals(12)).reshape(3, 4), [0.0, 0.0, 0.0, 1.0]])
        as_pose(matrix, f"pose of {each}")  # has to be one, and is kept as it is
        each._local[:] = matrix
        if isinstance(each, Dummy):
            (target,) = reader.integers(1)
            self._targets.append((each, target))
        elif isinstance(each, Joint):
            self._read_joint(each)

    def _read_joint(self, joint: Joint) -> None:
        reader = self._reader
        mode, cyclic, master = reader.integers(3)
        joint.mode = JointMode(mode) if mode in (0, 2) else mode
        minimum, extent, joint.limit_margin, joint.max_step, joint.weight, lead = reader.reals(6)
        if joint.kind is JointKind.REVOLUTE:
            joint.cyclic = bool(cyclic)
            joint.screw_lead = lead
        if joint.kind is not JointKind.SPHERICAL and not joint.cyclic:
            joint.set_interval(minimum, extent)
        position, *quaternion = reader.reals(5)
        joint._position = as_float(f"position of {joint}", position)
        if master == _NONE and joint.kind is not JointKind.SPHERICAL and joint._inside(position) != position:
            raise SaveFileError(f"the position of {joint} is {position:g}, which is not between its limits")
        if abs(np.linalg.norm(quaternion) - 1.0) > 1e-6 or not np.isfinite(quaternion).all():
            raise SaveFileError(f"the rotation of {joint} is no unit quaternion: {quaternion}")
        joint._quaternion = np.array(quaternion)
        self._rules.append((joint, master, reader.reals(2)))

    def _connect(self) -> None:
        """Hangs everything where it belongs."""
        for each, parent in self._parents:
            each.set_parent(self._object(parent), keep_in_place=False)
        for dummy, target in self._targets:
            found = self._object(target)
            if found is not None:
                dummy.target = self._dummy(found)
        for joint, master, (multiplier, offset) in self._rules:
            leader = self._object(master)
            if leader is not None:
                if not isinstance(leader, Joint):
                    raise SaveFileError(f"{joint} follows {leader}, which is no joint")
                joint.dependency = Dependency(leader, multiplier, offset)

    def _read_group(self, following: int) -> None:
        reader, environment = self._reader, self.environment
        environment._next_group = reader.integer(environment._next_group, following - 1, "the handle of a group")
        group = environment.add_group(reader.text())
        method, iterations, group.flags, next_element, count = reader.integers(5)
        (damping,) = reader.reals(1)
        group.set_calculation(Method(method) if method in range(4) else method, damping, iterations)
        for _ in range(count):
            group._next_element = reader.integer(group._next_element, next_element - 1, "the handle of an element")
            tip, base, view, constraints, enabled = reader.integers(5)
            element = group.add_element(self._dummy(self._object(tip)))
            element.set_bases(self._object(base), self._object(view))
            element.constraints = constraints
            element.enabled = bool(enabled)
            element.linear_precision, element.angular_precision, *weights = reader.reals(5)
            element.weights = (weights[0], weights[1], weights[2])
        if next_element < group._next_element:
            raise SaveFileError(f"the next handle of an element of {group} is {next_element}, which is taken")
        group._next_element = next_element

    def _object(self, handle: int) -> SceneObject | None:
        return None if handle == _NONE else self.environment.object(handle)

    @staticmethod
    def _dummy(each: SceneObject | None) -> Dummy:
        if not isinstance(each, Dummy):
            raise SaveFileError(f"{each} should be a dummy")
        return each
