"""Chains and frames as solvers are given them: objects, or names where there is a skeleton to look these up in."""

from __future__ import annotations

from typing import Any

from ...kinematics import Frame, InvalidValueError, NodeSet, QConstraint, Skeleton, StructureError
from ..gradient_method import GradientMethod
from ..inverse_kinematics import InverseKinematics


def device_of(solver: Any, device: NodeSet | Frame | Skeleton | None) -> NodeSet:
    """The joints with base and tip that a meta solver solves for, as they are now.

    Args:
        solver: Its own chain is the device when none is given.
        device: A chain, the frame of its tip, or a skeleton, which means its natural tip.

    Raises:
        InvalidValueError: There is neither.
    """
    if device is None:
        device = getattr(solver, "chain", None)
    if isinstance(device, Skeleton | Frame):
        device = as_chain(device, "device")
    if not isinstance(device, NodeSet):
        raise InvalidValueError(
            f"IKMetaSolver needs the device that {type(solver).__name__} solves for: a chain, or the frame of its tip"
        )
    return device


def as_chain(value: Any, name: str) -> NodeSet:
    """A chain or node set as it is, a frame's chain, or the chain of a skeleton's natural tip.

    Raises:
        InvalidValueError: Something else.
    """
    if isinstance(value, Skeleton):
        value = value.tip
    if isinstance(value, Frame):
        value = value.chain()
    if not isinstance(value, NodeSet):
        also = f"; give the frame itself, robot.frame({value!r})" if isinstance(value, str) else ""
        raise InvalidValueError(f"{name} must be a chain, a frame or a skeleton, not {value!r}{also}")
    return value


def as_frame(value: Any, skeleton: Skeleton, name: str) -> Frame:
    """A frame as it is, or the one of that name.

    Raises:
        UnknownNameError: The skeleton has no frame of that name.
        InvalidValueError: Something else.
    """
    if isinstance(value, str):
        return skeleton.frame(value)
    if not isinstance(value, Frame):
        raise InvalidValueError(f"{name} must be a frame or its name, not {value!r}")
    return value


def as_device(value: Any, solver: Any) -> NodeSet | Frame | Skeleton | None:
    """The device argument of a solver around another one, in which a name is a frame of the inner solver's robot.

    Raises:
        UnknownNameError: There is no frame of that name.
        InvalidValueError: Something else; also a detector or a constraint, which have arguments of their own.
        StructureError: It is of another robot than the inner solver's.
    """
    if isinstance(value, str):
        skeleton = _skeleton_of(solver)
        if skeleton is None:
            raise InvalidValueError(
                f"device {value!r} is a name, and {type(solver).__name__} does not say of which robot; give the frame "
                f"itself, robot.frame({value!r})"
            )
        return skeleton.frame(value)
    if value is not None and not isinstance(value, NodeSet | Frame | Skeleton):
        kind = type(value).__name__
        if callable(getattr(value, "in_collision", None)):
            raise InvalidValueError(f"you gave a {kind} as the device; write collision_detector=...")
        if isinstance(value, QConstraint) or callable(value):
            raise InvalidValueError(f"you gave a constraint ({kind}) as the device; write constraint=...")
        raise InvalidValueError(f"device must be a chain, a frame or its name, or a skeleton, not {value!r}")
    # A gradient method is given to another robot by just that.
    own = None if value is None or isinstance(solver, GradientMethod) else _skeleton_of(solver)
    other = value if isinstance(value, Skeleton) or value is None else value.skeleton
    if own is not None and other is not own:
        whose = "no robot" if other is None else repr(other.name)
        raise StructureError(f"device is of {whose}, and {type(solver).__name__} solves for {own.name!r}")
    return value


def _skeleton_of(solver: Any) -> Skeleton | None:
    """The robot that a solver is for, when it says so."""
    if isinstance(solver, GradientMethod):
        solver = solver.ik
    if isinstance(solver, InverseKinematics):
        return solver.skeleton
    chain = getattr(solver, "chain", None)
    return chain if isinstance(chain, Skeleton) else chain.skeleton if isinstance(chain, NodeSet | Frame) else None


def with_tip(chain: NodeSet, tip: Frame) -> NodeSet:
    """The joints of a chain with another tip, which at least one of them moves."""
    joints, link = {joint for joint in chain.joints if joint.is_moving}, tip.link
    while link is not None and link.joint not in joints:
        link = link.parent_link
    if link is None:
        raise InvalidValueError(f"tip {tip.name!r} is moved by no joint of {chain.name!r}")
    return NodeSet(f"{chain.base.name} to {tip.name}", chain.joints, chain.base, tip)
