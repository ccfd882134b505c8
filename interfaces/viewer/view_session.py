"""`ViewSession`: a robot, a target and a solver; everything of the viewer but the drawing."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import numpy as np
import pinocchio as pin
from numpy.typing import ArrayLike

from ...kinematics import (
    CollisionDetector,
    Frame,
    GeometryError,
    InvalidValueError,
    PoseLike,
    ShapeError,
    Skeleton,
    StructureError,
    as_pose,
    unknown_name,
)
from ...kinematics.transforms import Array, read_only
from ...solvers import ClosedForm, InverseKinematics, Solution
from ..command_line.find import CLOSED_FORM, DEFAULT_METHOD, METHODS
from .branches import Branch, branches_of
from .link_marks import limit_notes, link_marks
from .manipulability_ellipsoid import ManipulabilityEllipsoid
from .moved_frames import find_moved, moved_frames
from .shown_values import check_shown
from .view_picture import ViewPicture

#: Largest difference (rad or m) between a configuration and a branch that it is taken for.
_SAME = 1e-4
#: What requests change.
_CHANGED = ("_q", "_target", "_solution", "_branches", "_module", "_closed", "_method", "lists_branches")


class ViewSession:
    """What is shown and what is asked for. The robot itself is never moved.

    Methods may be called from several threads; one waits for the other.

    Args:
        robot: The robot. It must not be edited meanwhile.
        frame: The frame that targets are for; the natural tip when None.
        detector: Tells what touches; one for the robot alone when None. A robot without shapes has none.
        method: Name of a method, as `kinetree solve` has them.
        q: What is shown first (n,); the present positions when None.

    Raises:
        InvalidValueError: A robot that is none, a detector of another robot, or a value of more than 1e9.
        StructureError: No joint moves anything.
        UnknownNameError: No such frame or method.
    """

    def __init__(
        self,
        robot: Skeleton,
        *,
        frame: str | None = None,
        detector: CollisionDetector | None = None,
        method: str = DEFAULT_METHOD,
        q: ArrayLike | Mapping[str, Any] | None = None,
    ) -> None:
        if not isinstance(robot, Skeleton):
            raise InvalidValueError(f"a viewer needs a Skeleton, not {robot!r}; models.load(name) reads one")
        if detector is not None and detector.skeleton is not robot:
            raise InvalidValueError(f"the detector is of another robot: {detector!r}")
        self.robot = robot
        self._lock = threading.RLock()
        self._detector = _detector_for(robot) if detector is None else detector
        self.avoids_collisions = False
        self.lists_branches = False
        self._q = self._checked_q(q)
        self._frames = moved_frames(robot)
        self._method = _checked_method(method)
        self._solution: Solution | None = None
        self._branches: tuple[Branch, ...] = ()
        self._module: InverseKinematics
        self._closed: ClosedForm | None
        self._target: pin.SE3
        self.choose_frame(frame)

    # What there is.

    @property
    def frames(self) -> tuple[str, ...]:
        """Names of the frames that a joint moves."""
        return tuple(self._frames)

    @property
    def methods(self) -> tuple[str, ...]:
        """Names of the methods that the frame can be moved by: the closed form only where there is one."""
        return (*METHODS, CLOSED_FORM) if self._closed is not None else tuple(METHODS)

    @property
    def detector(self) -> CollisionDetector | None:
        """What tells collisions; None for a robot without shapes."""
        return self._detector

    @property
    def frame(self) -> Frame:
        """The frame that targets are for."""
        return self._module.frame

    @property
    def q(self) -> Array:
        """The configuration that is shown (n,); a copy to be read."""
        return read_only(self._q.copy())

    @property
    def target(self) -> pin.SE3:
        """Where the frame should be in the world; a copy."""
        return pin.SE3(self._target)

    @property
    def solution(self) -> Solution | None:
        """How the last solve ended; None when joints were set by hand since."""
        return self._solution

    @property
    def closed_form(self) -> str:
        """The kind of arm that has a closed form; or why none is known."""
        return self._closed.why if self._closed is not None else self._module.analytical_report

    # What is asked for.

    def choose_frame(self, name: str | None) -> None:
        """Takes another frame to be moved, the natural tip when None; the target is where it is.

        Raises:
            UnknownNameError: No such frame, or one that no joint moves.
        """
        with self._whole():
            module = InverseKinematics(find_moved(self.robot, self._frames, name))
            closed = module.analytical()
            if self._method == CLOSED_FORM and closed is None:
                self._method = DEFAULT_METHOD
            self._module, self._closed = module, closed
            self._use_method()
            self._meet_frame()

    def choose_method(self, name: str) -> None:
        """Takes another method for what is solved from now on.

        Raises:
            UnknownNameError: No such method.
            StructureError: The closed form, and none is known; the message says why.
        """
        with self._whole():
            checked = _checked_method(name)
            if checked == CLOSED_FORM and self._closed is None:
                raise StructureError(self._module.analytical_report)
            self._method = checked
            self._use_method()

    def set_q(self, q: ArrayLike | Mapping[str, Any] | None = None) -> None:
        """Shows a configuration; the target goes with the frame.

        Args:
            q: Configuration (n,) or mapping, whatever its limits; the robot's present positions when None.

        Raises:
            InvalidValueError: A value of more than 1e9 (rad or m), where rounding moves links by more than one sees.
            KinetreeError: See `Skeleton.as_configuration`.
        """
        with self._whole():
            self._q = self._checked_q(q)
            self._meet_frame()

    def set_joint(self, index: int, value: float) -> None:
        """Shows another value (rad or m) of one degree of freedom.

        Args:
            index: Of the degree of freedom, in the order of the robot's `dofs`.
            value: In rad or m.

        Raises:
            ShapeError: There is no such degree of freedom.
            InvalidValueError: nan, infinity, or more than 1e9; see `set_q`.
        """
        with self._lock:
            q = self._q.copy()
            if not 0 <= index < len(q):
                raise ShapeError(f"{self.robot.name!r} has {len(q)} degrees of freedom; there is no number {index}")
            q[index] = value
            self.set_q(q)

    def set_target(self, target: PoseLike) -> Solution:
        """Solves for a target and shows what was found.

        The search begins at the configuration that is shown, so that a target that is dragged is followed. One that
        nothing reaches is followed as near as a descent from there gets; when the way is barred by collisions that are
        to be avoided, the robot stays.

        Args:
            target: Pose of the frame in the world.

        Raises:
            InvalidPoseError: What is no pose.
        """
        with self._whole():
            self._target = as_pose(target, "target")
            constraint = self._detector if self.avoids_collisions else None
            solution = self._module.solve(self._target, seed=self._q, constraint=constraint)
            self._solution = solution
            if solution.success:
                self._q = np.array(solution.q)
            elif self._method != CLOSED_FORM:
                near = self._module.solve(self._target, seed=self._q, attempts=1).q
                if constraint is None or not constraint.in_collision(near):
                    self._q = np.array(near)
            self._list_branches()
            return solution

    def solve_again(self) -> Solution:
        """Solves for the target as it is, for example with another method."""
        return self.set_target(self._target)

    def list_branches(self, wanted: bool) -> None:
        """Lists the branches of the closed form for each target from now on, or no longer."""
        with self._whole():
            self.lists_branches = wanted
            self._list_branches()

    def show_branch(self, index: int) -> None:
        """Shows one of the branches that are listed.

        Raises:
            InvalidValueError: There is no such branch.
        """
        with self._whole():
            if not 0 <= index < len(self._branches):
                raise InvalidValueError(f"there are {len(self._branches)} branches; there is no number {index}")
            self._q = np.array(self._branches[index].q)

    # What is seen.

    def picture(self) -> ViewPicture:
        """What there is to be drawn now."""
        with self._lock:
            robot, q, frame = self.robot, self._q.copy(), self.frame
            state = robot.state(q)
            contacts = () if self._detector is None else self._detector.contacts(q)
            limits = limit_notes(robot, q)
            moved = self._module.active_dofs().indices
            return ViewPicture(
                q=q,
                poses={link.name: pin.SE3(state.transform(link)) for link in robot.links},
                marks=link_marks(robot, limits, contacts),
                limits=limits,
                contacts=contacts,
                frame=frame.name,
                frame_pose=pin.SE3(state.transform(frame)),
                target=self.target,
                solution=self._solution,
                ellipsoid=ManipulabilityEllipsoid.of(robot.state(q, moved), frame),
                branches=self._branches,
                branch=self._shown_branch(),
                method=self._method,
                moved=tuple(moved.tolist()),
            )

    def pose_of(self, frame: str) -> pin.SE3:
        """Where a frame of the robot, or ``"world"``, is at the configuration that is shown."""
        with self._lock:
            if frame == "world" and not self.robot.has_frame(frame):
                return pin.SE3.Identity()
            return pin.SE3(self.robot.state(self._q).transform(self.robot.frame(frame)))

    @property
    def has_closed_form(self) -> bool:
        """Whether one is known for the frame that is moved."""
        return self._closed is not None

    @contextmanager
    def _whole(self) -> Iterator[None]:
        """One change at a time; what raises has changed nothing."""
        with self._lock:
            before = {name: self.__dict__[name] for name in _CHANGED if name in self.__dict__}
            try:
                yield
            except BaseException:
                self.__dict__.update(before)
                if "_module" in before:
                    self._use_method()
                raise

    def _checked_q(self, q: ArrayLike | Mapping[str, Any] | None) -> Array:
        values = self.robot.as_configuration(q)
        check_shown(self.robot, values)
        return values

    def _meet_frame(self) -> None:
        """Takes the place where the frame is for its target."""
        self._target = pin.SE3(self.robot.state(self._q).transform(self.frame))
        self._solution = None
        self._list_branches()

    def _use_method(self) -> None:
        closed = self._closed if self._method == CLOSED_FORM else None
        self._module.gradient_method = METHODS[self._method]() if closed is None else closed

    def _list_branches(self) -> None:
        closed = self._closed if self.lists_branches else None
        self._branches = () if closed is None else branches_of(closed, self._target, self._q, self._detector)

    def _shown_branch(self) -> int | None:
        near = [float(np.abs(branch.q - self._q).max()) for branch in self._branches]
        best = int(np.argmin(near)) if near else 0
        return best if near and near[best] < _SAME else None

    def __repr__(self) -> str:
        return f"<ViewSession of {self.robot.name!r}: {self.frame.name!r} by {self._method}>"


def _detector_for(robot: Skeleton) -> CollisionDetector | None:
    try:
        return CollisionDetector(robot, use_visuals=True)
    except GeometryError:
        return None


def _checked_method(name: str) -> str:
    known = str(name).lower().replace("_", "-")
    if known not in METHODS and known != CLOSED_FORM:
        raise unknown_name("method", name, [*METHODS, CLOSED_FORM], "the viewer")
    return known
