"""`JointPanel`: a slider for each degree of freedom."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...kinematics import DegreeOfFreedom
from .user_events import Ask, on_change, on_click
from .view_picture import ViewPicture
from .view_session import ViewSession

#: Range of sliders of joints without limits: a turn, or this far (m).
_FREE_RANGE = 1.0
#: Step of a slider by the unit of its joint. Its ends are rounded to a tenth of that, so that they can be read.
_STEPS = {"deg": 0.1, "rad": 0.005, "m": 0.001}


class JointPanel:
    """The sliders, and buttons for configurations.

    Args:
        gui: Where to add them.
        session: What they set.
        ask: Has something done, and drawn afterwards: ``ask(kind, job)``.
        degrees: Show angles in degrees.
    """

    def __init__(self, gui: Any, session: ViewSession, ask: Ask, degrees: bool) -> None:
        self._units = [180.0 / math.pi if degrees and dof.is_angular else 1.0 for dof in session.robot.dofs]
        self.sliders: list[Any] = []
        for index, dof in enumerate(session.robot.dofs):
            self.sliders.append(self._slider(gui, session, ask, index, dof, degrees))
        rest, random = gui.add_button("Rest"), gui.add_button("Random")
        rng = np.random.default_rng(0)
        on_click(rest, lambda: ask("joints", lambda: session.set_q(session.robot.rest_positions)))
        on_click(random, lambda: ask("joints", lambda: session.set_q(session.robot.random_positions(rng))))

    def _slider(
        self,
        gui: Any,
        session: ViewSession,
        ask: Ask,
        index: int,
        dof: DegreeOfFreedom,
        degrees: bool,
    ) -> Any:
        lower, upper = slider_range(dof)
        unit = self._units[index]
        name = ("deg" if degrees else "rad") if dof.is_angular else "m"
        step = _STEPS[name]
        low, high = (round(10.0 * unit * each / step) * step / 10.0 for each in (lower, upper))
        low, high = round(low, 6), round(high, 6)
        slider = gui.add_slider(
            f"{dof.name} ({name})",
            min=low,
            max=max(high, low + step),
            step=step,
            initial_value=min(max(unit * float(session.q[index]), low), high),
            disabled=not high > low,
        )

        def move() -> None:
            session.set_joint(index, min(max(float(slider.value) / unit, lower), upper))  # its ends are rounded

        on_change(slider, lambda: ask(f"joint {index}", move))
        return slider

    def update(self, picture: ViewPicture) -> None:
        """Moves the sliders to where the joints are; those beyond their limits to the limit."""
        for slider, unit, value in zip(self.sliders, self._units, picture.q.tolist(), strict=True):
            shown = min(max(unit * value, slider.min), slider.max)
            if abs(shown - slider.value) > 0.51 * slider.step:  # not the one that is being dragged
                slider.value = shown


def slider_range(dof: DegreeOfFreedom) -> tuple[float, float]:
    """From where to where a slider goes (rad or m): the limits, or what is sensible where there are none."""
    free = math.pi if dof.is_angular else _FREE_RANGE
    lower = dof.lower if math.isfinite(dof.lower) else (dof.upper if math.isfinite(dof.upper) else 0.0) - free
    upper = dof.upper if math.isfinite(dof.upper) else (dof.lower if math.isfinite(dof.lower) else 0.0) + free
    return lower, upper
