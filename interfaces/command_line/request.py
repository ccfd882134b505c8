"""`Request`: what ``kinetree solve`` was asked to do, checked."""

from __future__ import annotations

import math
from dataclasses import dataclass

import pinocchio as pin

from ...kinematics import Chain, Frame, InvalidValueError, Skeleton, StructureError, as_vector
from ...solvers import IkTarget
from .arguments import Array, find_frame, load_robot, read_configuration, split_words
from .typed_target import TargetWords, read_pose, read_typed, refuse_typed


@dataclass(frozen=True)
class Request:
    """A target for a frame of a robot.

    Attributes:
        robot: The robot.
        frame: What is to be moved.
        frame_source: Why this frame.
        base: The frame that the target is given in; None for the world.
        target: The pose; its rotation means nothing when `oriented` is False, and the whole when there is a `kind`.
        kind: A target of a kind of its own; None for a pose or a position.
        placed: Whether a place was asked for.
        oriented: Whether a rotation, or part of one, was asked for.
        seed: Where to start (n,).
        degrees: Show angles in degrees.
    """

    robot: Skeleton
    frame: Frame
    frame_source: str
    base: Frame | None
    target: pin.SE3
    kind: IkTarget | None
    placed: bool
    oriented: bool
    seed: Array
    degrees: bool

    @property
    def base_name(self) -> str:
        """Name of the frame that the target is given in."""
        return "world" if self.base is None else self.base.name

    @property
    def chain(self) -> Chain:
        """The joints that may move."""
        return self.frame.chain(self.base)

    def world_target(self) -> pin.SE3:
        """The target in the world, for the seed."""
        if self.base is None:
            return self.target
        return self.robot.state(self.seed).transform(self.base) * self.target

    def reached(self, q: Array) -> pin.SE3:
        """The pose of the frame at q, in the frame that the target is given in."""
        state = self.robot.state(q)
        at = state.transform(self.frame)
        return at if self.base is None else state.transform(self.base).actInv(at)


def read_request(
    robot_name: str,
    words: TargetWords,
    frame_name: str | None,
    base_name: str | None,
    seed_config: str | None,
    degrees: bool,
) -> Request:
    """Checks what the user wrote; raises a `KinetreeError` that says what is wrong."""
    target, oriented = pin.SE3.Identity(), True
    if words.type is None:
        target, oriented = _pose(words, degrees), words.rpy is not None or words.quaternion is not None
    robot = load_robot(robot_name)
    frame, source = find_frame(robot, frame_name)
    base = None if base_name in (None, "world") else robot.frame(str(base_name))
    chain = frame.chain(base)
    if not chain.dofs:
        start = "the root" if base is None else repr(base.name)
        raise StructureError(f"no joint moves frame {frame.name!r} relative to {start}")
    seed = read_configuration(robot, split_words(seed_config or ""), degrees, chain.dofs, "--seed-config")
    if words.type is None:
        return Request(robot, frame, source, base, target, None, True, oriented, seed, degrees)
    kind = read_typed(words, base, degrees)
    return Request(robot, frame, source, base, target, kind, kind.has_place(), kind.has_turn(), seed, degrees)


def _pose(words: TargetWords, degrees: bool) -> pin.SE3:
    refuse_typed(words)
    return read_pose(words, as_vector(words.position, 3, "--position"), degrees)  # type: ignore[arg-type]  # it is there


def checked_tolerance(value: float | None) -> float | None:
    """A tolerance that is positive and finite, or None."""
    if value is not None and not (math.isfinite(value) and value > 0.0):
        raise InvalidValueError(f"--tolerance must be positive and finite, not {value}")
    return value


def checked_attempts(value: int | None) -> int | None:
    """A number of attempts of at least one, or None."""
    if value is not None and value < 1:
        raise InvalidValueError(f"--attempts must be at least 1, not {value}")
    return value
