"""`TargetPanel`: the frame, where it should be, the method, and the branches."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pinocchio as pin

from ...kinematics import rotation_from_rpy, rpy_from_rotation
from .status_text import branch_labels
from .user_events import Ask, on_change, on_click
from .view_picture import ViewPicture
from .view_session import ViewSession

#: What the list of branches says when it has none.
NO_BRANCH = "none"


class TargetPanel:
    """Fields for the target and the solver.

    Args:
        gui: Where to add them.
        session: What they set.
        ask: Has something done, and drawn afterwards: ``ask(kind, job)``.
        degrees: Show angles in degrees.
    """

    def __init__(self, gui: Any, session: ViewSession, ask: Ask, degrees: bool) -> None:
        self._session = session
        self._unit = 180.0 / math.pi if degrees else 1.0
        self._units = [self._unit if dof.is_angular else 1.0 for dof in session.robot.dofs]
        self._decimals = 0 if degrees and all(dof.is_angular for dof in session.robot.dofs) else 2
        self.frame = gui.add_dropdown("frame", session.frames, initial_value=session.frame.name)
        self.position = gui.add_vector3("position (m)", (0.0, 0.0, 0.0), step=0.001)
        self.rpy = gui.add_vector3(
            f"rpy ({'deg' if degrees else 'rad'})", (0.0, 0.0, 0.0), step=0.1 if degrees else 0.005
        )
        self.to_frame = gui.add_button("Target to frame", hint="Put the target where the frame is")
        self.method = gui.add_dropdown("method", session.methods)
        blind = session.detector is None
        self.avoid = gui.add_checkbox("avoid collisions", session.avoids_collisions, disabled=blind)
        hint = "All solutions of the closed form; the first time it is compiled, which takes up to a minute"
        self.listing = gui.add_checkbox("list branches", session.lists_branches, hint=hint)
        self.branch = gui.add_dropdown("branch", (NO_BRANCH,), disabled=True)
        self._connect(ask)

    def _connect(self, ask: Ask) -> None:
        session = self._session

        def listens(handle: Any, kind: str, job: Callable[[], Any]) -> None:
            on_change(handle, lambda: ask(kind, job))

        listens(self.frame, "frame", lambda: session.choose_frame(self.frame.value))
        listens(self.position, "target", lambda: session.set_target(self.typed_target()))
        listens(self.rpy, "target", lambda: session.set_target(self.typed_target()))
        listens(self.method, "method", self._choose_method)
        listens(self.avoid, "method", self._choose_avoidance)
        listens(self.listing, "branches", lambda: session.list_branches(self.listing.value))
        listens(self.branch, "branch", self._choose_branch)
        on_click(self.to_frame, lambda: ask("target", lambda: session.set_q(session.q)))

    def typed_target(self) -> pin.SE3:
        """The pose that the fields say."""
        roll, pitch, yaw = (each / self._unit for each in self.rpy.value)
        return pin.SE3(rotation_from_rpy(roll, pitch, yaw), np.array(self.position.value))

    def _choose_method(self) -> None:
        self._session.choose_method(self.method.value)
        self._session.solve_again()

    def _choose_avoidance(self) -> None:
        self._session.avoids_collisions = bool(self.avoid.value)
        self._session.solve_again()

    def _choose_branch(self) -> None:
        number = self.branch.value.partition(":")[0]
        if number.isdigit():
            self._session.show_branch(int(number) - 1)

    def update(self, picture: ViewPicture) -> None:
        """Shows the target and the choices as they are."""
        _set(self.frame, picture.frame)
        _set_vector(self.position, picture.target.translation)
        # Angles that say the same rotation are left as the user wrote them.
        if not self.typed_target().isApprox(picture.target, 1e-4):
            _set_vector(self.rpy, self._unit * rpy_from_rotation(picture.target.rotation))
        methods = self._session.methods
        if tuple(self.method.options) != methods:
            self.method.options = methods
        _set(self.method, picture.method)
        self._show_branches(picture)

    def _show_branches(self, picture: ViewPicture) -> None:
        self.listing.disabled = not self._session.has_closed_form
        labels = branch_labels(picture, self._units, self._decimals) or (NO_BRANCH,)
        shown = (*labels, NO_BRANCH) if picture.branches and picture.branch is None else labels
        if tuple(self.branch.options) != shown:
            self.branch.options = shown
        _set(self.branch, NO_BRANCH if picture.branch is None else labels[picture.branch])
        self.branch.disabled = not picture.branches


def _set(handle: Any, value: str) -> None:
    if handle.value != value:
        handle.value = value


def _set_vector(handle: Any, values: Any) -> None:
    rounded = tuple(round(float(each), 6) + 0.0 for each in values)
    if max(abs(one - other) for one, other in zip(handle.value, rounded, strict=True)) > 1e-6:
        handle.value = rounded
