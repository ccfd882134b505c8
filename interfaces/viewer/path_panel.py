"""`PathPanel`: plays a path, and goes to any place on it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from ...kinematics.transforms import Array
from .drawn_scene import DrawnScene
from .joint_motion import JointMotion
from .user_events import Ask, on_change, on_click
from .view_session import ViewSession

#: Seconds from one picture to the next.
_PAUSE = 1.0 / 30.0


class PathPanel:
    """A slider along the path and a button to play it.

    Args:
        gui: Where to add them.
        session: What is moved.
        scene: Where the way of the frame is drawn.
        ask: Has something done, and drawn afterwards: ``ask(kind, job)``.
        redraw: Draws what is shown.
    """

    def __init__(
        self,
        gui: Any,
        session: ViewSession,
        scene: DrawnScene,
        ask: Ask,
        redraw: Callable[[], Any],
    ) -> None:
        self._session, self._scene, self._redraw = session, scene, redraw
        self._motion: JointMotion | None = None
        self._stopped = threading.Event()
        self.text = gui.add_markdown("no path; `Viewer.play` shows one")
        self.place = gui.add_slider("place", min=0.0, max=1.0, step=0.001, initial_value=0.0, disabled=True)
        self.button = gui.add_button("Play", disabled=True)
        on_change(self.place, lambda: ask("place", self._go))
        on_click(self.button, lambda: self.play(wait=False))

    def use(self, motion: JointMotion) -> None:
        """Takes a path, and draws the way of the frame."""
        self.stop()
        self._motion = motion
        self.text.content = f"{len(motion)} configurations, {motion.duration:g} s"
        self.place.disabled = self.button.disabled = False
        self._scene.show_trace(_way(self._session, motion.rows))

    def play(self, wait: bool) -> None:
        """Plays the path from its beginning; returns at its end, or at once."""
        motion = self._motion
        if motion is None:
            return
        self.stop()
        stopped = self._stopped = threading.Event()
        if wait:
            self._run(motion, stopped)
        else:
            threading.Thread(target=self._run, args=(motion, stopped), name="kinetree path", daemon=True).start()

    def stop(self) -> None:
        """Stops where the robot is."""
        self._stopped.set()

    def _run(self, motion: JointMotion, stopped: threading.Event) -> None:
        begun = time.monotonic()
        while not stopped.is_set():
            passed = time.monotonic() - begun
            self._session.set_q(motion.at(passed))
            self.place.value = min(1.0, passed / motion.duration)
            self._redraw()
            if passed >= motion.duration:
                return
            stopped.wait(_PAUSE)

    def _go(self) -> None:
        self.stop()
        if self._motion is not None:
            self._session.set_q(self._motion.at(float(self.place.value) * self._motion.duration))


def _way(session: ViewSession, rows: Array) -> Array:
    """Where the frame is (m, 3) at configurations (m, n)."""
    robot, frame = session.robot, session.frame
    return np.array([robot.state(q).transform(frame).translation for q in rows])
