"""Joints of compiled MJCF models, and the constraints that couple them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pinocchio as pin

from ..kinematics import (
    DependencyCycleError,
    FreeJoint,
    Joint,
    PrismaticJoint,
    RevoluteJoint,
    Skeleton,
    SphericalJoint,
)
from ..kinematics.transforms import Array
from .notes import Notes

# mujoco's mjtJoint, and mjEQ_JOINT of its mjtEq.
_FREE, _BALL, _SLIDE, _HINGE = range(4)
_JOINT_COUPLING = 2


@dataclass(frozen=True)
class Polynomial:
    """A coupling ``y = y0 + c0 + c1 d + c2 d^2 + ...`` with ``d = x - x0``, as a dependence of joints.

    Attributes:
        coefficients: c0 first.
        x0: Reference value of the master.
        y0: Reference value of the follower.
    """

    coefficients: tuple[float, ...]
    x0: float
    y0: float

    def __call__(self, x: float) -> float:
        """The follower's value."""
        return self.y0 + float(np.polynomial.polynomial.polyval(x - self.x0, self.coefficients))

    def derivative(self, x: float) -> float:
        """Its derivative."""
        slopes = np.polynomial.polynomial.polyder(self.coefficients)
        return float(np.polynomial.polynomial.polyval(x - self.x0, slopes))


def make_joint(model: Any, index: int, name: str, notes: Notes) -> tuple[Joint, pin.SE3, pin.SE3]:
    """A joint, its anchor in the body, and what leads from there to where its value is zero.

    MuJoCo writes a body's place at the reference value of its joint (``ref``), not at zero.
    """
    kind = int(model.jnt_type[index])
    if kind == _FREE:
        return FreeJoint(name), pin.SE3.Identity(), pin.SE3.Identity()
    anchor = pin.SE3(np.eye(3), np.array(model.jnt_pos[index], dtype=float))
    limited = bool(model.jnt_limited[index])
    if kind == _BALL:
        if limited:
            notes.add("the ranges of ball joints were ignored", name)
        return SphericalJoint(name), anchor, pin.SE3.Identity()
    limits = (float(model.jnt_range[index][0]), float(model.jnt_range[index][1])) if limited else None
    effort = float(np.abs(model.jnt_actfrcrange[index]).max()) if model.jnt_actfrclimited[index] else np.inf
    maker = PrismaticJoint if kind == _SLIDE else RevoluteJoint
    reference = reference_value(model, index)
    rest = None
    if reference and (limits is None or limits[0] <= reference <= limits[1]):
        rest = reference
    joint = maker(name, _vector(model.jnt_axis[index]), limits, effort_limit=effort, rest=rest)
    return joint, anchor, joint.transform(np.array([-reference]))


def reference_value(model: Any, index: int) -> float:
    """Value of a joint of one degree of freedom where the file draws its body."""
    return float(model.qpos0[int(model.jnt_qposadr[index])])


def couple(model: Any, skeleton: Skeleton, names: dict[int, str], notes: Notes) -> None:
    """Makes joints dependent as the model's equality constraints say, as far as these are between joints."""
    for row in range(model.neq):
        if not bool(model.eq_active0[row]):
            notes.add("constraints that are switched off were ignored")
            continue
        if int(model.eq_type[row]) != _JOINT_COUPLING:
            notes.add("constraints other than between two joints were left out (closed loops stay open)")
            continue
        follower = skeleton.joint(names[int(model.eq_obj1id[row])])
        if follower.is_dependent:
            notes.add("of several constraints the first counts on a joint that is coupled already", follower.name)
            continue
        _couple_one(model, row, skeleton, follower, names, notes)


def _couple_one(model: Any, row: int, skeleton: Skeleton, follower: Joint, names: dict[int, str], notes: Notes) -> None:
    first, second = int(model.eq_obj1id[row]), int(model.eq_obj2id[row])
    coefficients = tuple(float(each) for each in model.eq_data[row][:5])
    y0 = reference_value(model, first)
    if second < 0:
        value = y0 + coefficients[0]
        follower.dofs[0].limits = (value, value)
        notes.add("joints that a constraint holds have equal limits", follower.name)
        return
    master = skeleton.joint(names[second])
    x0 = reference_value(model, second)
    try:
        if any(coefficients[2:]):
            law = Polynomial(coefficients, x0, y0)
            follower.depend_on(master, function=law, derivative=law.derivative)
        else:
            offset, slope = coefficients[:2]
            follower.depend_on(master, slope, y0 + offset - slope * x0)
    except DependencyCycleError:
        notes.add("where joints would follow each other the reverse was ignored", follower.name)


def _vector(values: Any) -> Array:
    return np.array(values, dtype=float)
