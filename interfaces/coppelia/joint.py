"""`Joint`: what moves in an environment."""

from __future__ import annotations

import math
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any

import numpy as np
import pinocchio as pin
from numpy.typing import ArrayLike

from ...kinematics.errors import DependencyCycleError, InvalidValueError
from ...kinematics.transforms import Array, read_only
from .constants import JointKind, JointMode
from .dependency import Dependency
from .errors import CallbackError
from .scene_object import SceneObject
from .setting import Setting, as_float, as_quaternion, boolean, number, shown

if TYPE_CHECKING:
    from .environment import Environment

#: Lower limit, range, largest step and limit margin of new joints (rad or m).
_INITIAL = {
    JointKind.REVOLUTE: (-math.pi, math.tau, math.radians(10.0), math.radians(5.0)),
    JointKind.PRISMATIC: (-0.5, 1.0, 0.1, 0.01),
    JointKind.SPHERICAL: (0.0, math.pi, math.radians(10.0), 0.0),
}

#: Joints whose callbacks are being asked.
_asking: ContextVar[tuple[Joint, ...]] = ContextVar("kinetree_coppelia_asking", default=())


class Joint(SceneObject):
    """A joint along or about the z axis of its frame, or about any axis; made by `Environment.add_joint`.

    Revolute joints are cyclic at first: without limits, with angles in (-pi, pi]. Positions are in rad or m.
    """

    noun = "joint"

    limit_margin = Setting(number(0.0), 0.0, "From here on groups that avoid limits keep away from them (rad or m).")
    max_step = Setting(number(0.0, infinite=True), 0.0, "Largest step in an iteration (rad or m).")
    weight = Setting(number(0.0), 1.0, "A joint of a larger weight moves more; one of weight 0 does not move.")

    def __init__(self, environment: Environment, handle: int, name: str, kind: JointKind) -> None:
        super().__init__(environment, handle, name)
        self._kind = kind
        self._minimum, self._range, self._max_step, self._limit_margin = _INITIAL[kind]
        self._cyclic = kind is not JointKind.PRISMATIC
        self._mode = JointMode.IK
        self._screw_lead = 0.0
        self._position = 0.0
        self._quaternion = np.array([0.0, 0.0, 0.0, 1.0])
        self._dependency: Dependency | None = None

    @property
    def kind(self) -> JointKind:
        """Revolute, prismatic or spherical."""
        return self._kind

    @property
    def mode(self) -> JointMode:
        """Whether inverse kinematics may move it."""
        return self._mode

    @mode.setter
    def mode(self, mode: JointMode | int) -> None:
        environment = self.environment
        try:
            self._mode = JointMode(mode)
        except ValueError:
            raise InvalidValueError(f"mode of {self} must be PASSIVE (0) or IK (2), not {shown(mode)}") from None
        environment._note_structure()

    # Limits.

    @property
    def cyclic(self) -> bool:
        """Whether it has no limits. Only revolute joints can become so; they lose their interval and lead by it."""
        return self._cyclic

    @cyclic.setter
    def cyclic(self, cyclic: bool) -> None:
        environment = self.environment
        cyclic = boolean(f"cyclic of {self}", cyclic)
        if cyclic == self._cyclic:
            return
        if self._kind is not JointKind.REVOLUTE:
            raise InvalidValueError(
                f"{self} is {self._kind.name.lower()}; only revolute joints have a choice of cyclic"
            )
        self._cyclic = cyclic
        if cyclic:
            self._minimum, self._range, self._screw_lead = -math.pi, math.tau, 0.0
        self._settle()
        environment._note_structure()

    @property
    def minimum(self) -> float:
        """Lower limit (rad or m)."""
        return self._minimum

    @minimum.setter
    def minimum(self, minimum: float) -> None:
        self.set_interval(minimum, self._range)

    @property
    def range(self) -> float:
        """Upper limit less the lower one (rad or m)."""
        return self._range

    @range.setter
    def range(self, extent: float) -> None:
        self.set_interval(self._minimum, extent)

    @property
    def maximum(self) -> float:
        """Upper limit (rad or m)."""
        return self._minimum + self._range

    def set_interval(self, minimum: float, extent: float) -> None:
        """Sets the limits; the position moves between them.

        Args:
            minimum: Lower limit (rad or m).
            extent: Upper limit less the lower one (rad or m), at least 0.

        Raises:
            InvalidValueError: A joint that is cyclic, or numbers that make no sense.
        """
        environment = self.environment
        if self._kind is JointKind.SPHERICAL or self._cyclic:
            hint = "" if self._kind is JointKind.SPHERICAL else "; set cyclic to False first"
            raise InvalidValueError(f"{self} has no limits{hint}")
        self._minimum, self._range = self.check_interval(minimum, extent)
        self._settle()
        environment._note_structure()

    def check_interval(self, minimum: float, extent: float) -> tuple[float, float]:
        """Limits as they would be kept, for `set_interval`; changes nothing.

        Args:
            minimum: Lower limit (rad or m).
            extent: Upper limit less the lower one (rad or m).
        """
        lower = as_float(f"minimum of {self}", minimum)
        width = number(0.0)(f"range of {self}", extent)
        as_float(f"maximum of {self}", lower + width)
        return lower, width

    @property
    def screw_lead(self) -> float:
        """How far it slides in a turn (m); 0 for none. A screw has limits: it stops being cyclic."""
        return self._screw_lead

    @screw_lead.setter
    def screw_lead(self, lead: float) -> None:
        environment = self.environment
        lead = as_float(f"screw_lead of {self}", lead)
        if self._kind is not JointKind.REVOLUTE and lead != 0.0:
            raise InvalidValueError(f"{self} is {self._kind.name.lower()}; only revolute joints have a screw lead")
        self._screw_lead = lead
        if lead != 0.0:
            self._cyclic = False
        environment._note_structure()

    # Where it is.

    @property
    def position(self) -> float:
        """Angle (rad) or way (m). What is assigned is wrapped, or moved between the limits.

        Raises:
            InvalidValueError: A spherical joint; assigning to a joint that follows another.
            CallbackError: A function that says how a joint follows another raised something, or gave no position.
        """
        self._refuse_spherical("position")
        joint, followers = self, []
        while joint._dependency is not None:  # no recursion: chains may be long
            followers.append(joint)
            joint = joint._dependency.master
        position = joint._position
        for each in reversed(followers):
            position = each._follow(position)
        return position

    @position.setter
    def position(self, position: float) -> None:
        self.environment  # noqa: B018 (raises when it was erased)
        self._refuse_spherical("position")
        if self._dependency is not None:
            raise InvalidValueError(f"{self} follows {self._dependency.master}; set that, or take the dependency away")
        self._position = self._inside(as_float(f"position of {self}", position))

    @property
    def rotation(self) -> Array:
        """Of a spherical joint: unit quaternion x, y, z, w (4,). A rotation matrix (3, 3) may be assigned as well."""
        self._refuse_others("rotation")
        return read_only(self._quaternion.copy())

    @rotation.setter
    def rotation(self, rotation: ArrayLike) -> None:
        self.environment  # noqa: B018 (raises when it was erased)
        self._refuse_others("rotation")
        self._quaternion = as_quaternion(f"rotation of {self}", rotation)

    def motion(self) -> pin.SE3:
        """What it does after its own frame."""
        if self._kind is JointKind.SPHERICAL:
            return pin.SE3(pin.Quaternion(*np.roll(self._quaternion, 1)), np.zeros(3))
        position = self.position
        if self._kind is JointKind.PRISMATIC:
            return pin.SE3(np.eye(3), np.array([0.0, 0.0, position]))
        c, s = math.cos(position), math.sin(position)
        turn = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
        return pin.SE3(turn, np.array([0.0, 0.0, position * self._screw_lead / math.tau]))

    # What it follows.

    @property
    def dependency(self) -> Dependency | None:
        """How it follows another joint; None when it moves on its own, from where it then is."""
        return self._dependency

    @dependency.setter
    def dependency(self, dependency: Dependency | None) -> None:
        environment = self.environment
        if dependency is None:
            self._free()
        elif not isinstance(dependency, Dependency):
            raise InvalidValueError(f"dependency of {self} must be a Dependency or None, not {shown(dependency)}")
        else:
            self._check_master(dependency.master)
            self._dependency = dependency
        environment._note_structure()

    def _follow(self, position: float) -> float:
        """Where it is when the joint that it follows is somewhere."""
        rule = self._dependency
        assert rule is not None
        if rule.callback is None:
            return as_float(f"position of {self}", rule.multiplier * position + rule.offset)
        asking = _asking.get()
        if self in asking:
            raise CallbackError(f"the dependency callback of {self} asks where that joint is, which it is to tell")
        token = _asking.set((*asking, self))
        try:
            answer: Any = rule.callback(self.environment.handle, self._handle, position)
        except Exception as error:
            what = f"raised {type(error).__name__}: {error}"
            raise CallbackError(f"the dependency callback of {self}, asked for {position:g}, {what}") from error
        finally:
            _asking.reset(token)
        try:
            return as_float("position", answer)
        except InvalidValueError:
            what = f"gave {shown(answer)}; it must give a number"
            raise CallbackError(f"the dependency callback of {self}, asked for {position:g}, {what}") from None

    def _check_master(self, master: Joint) -> None:
        self.environment._check_owned(master, f"master of {self}")
        for each in (self, master):
            if not isinstance(each, Joint) or each._kind is JointKind.SPHERICAL:
                raise InvalidValueError(f"{self} cannot follow {master}: {each} has no single position")
        above: Joint | None = master
        while above is not None:
            if above is self:
                raise DependencyCycleError(f"{self} cannot follow {master}, which follows it")
            above = above._dependency.master if above._dependency is not None else None

    def _free(self) -> None:
        """Takes the dependency away; the joint stays where it is, as far as its limits let it.

        Where it was before it followed when that cannot be told, so that a callback that fails can be got rid of.
        """
        if self._dependency is not None:
            try:
                position = self.position
            except (CallbackError, InvalidValueError):
                position = self._position
            self._dependency = None
            self._position = self._inside(position)

    def _settle(self) -> None:
        if self._dependency is None:
            self._position = self._inside(self._position)

    def _inside(self, position: float) -> float:
        if self._cyclic:
            if -math.pi < position <= math.pi:
                return position
            wrapped = math.remainder(position, math.tau)
            return math.pi if wrapped <= -math.pi else wrapped
        return min(max(position, self._minimum), self.maximum)

    def _refuse_spherical(self, what: str) -> None:
        if self._kind is JointKind.SPHERICAL:
            raise InvalidValueError(f"{self} is spherical and has no {what}; it has a rotation")

    def _refuse_others(self, what: str) -> None:
        if self._kind is not JointKind.SPHERICAL:
            raise InvalidValueError(f"{self} is {self._kind.name.lower()} and has no {what}; it has a position")
