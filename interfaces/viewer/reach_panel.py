"""`ReachPanel`: builds a reachability map in the background, and moves a slice through it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...kinematics import ReachabilityMap
from .background_map import BackgroundMap
from .drawn_scene import DrawnScene
from .reach_slice import PLANES, across, reach_slice
from .user_events import Ask, on_change, on_click
from .view_session import ViewSession

#: Samples of a map unless the user wants another number: some seconds, and dense enough to be looked at.
_SAMPLES = 2_000_000


class ReachPanel:
    """Fields for the map and the slice.

    Args:
        gui: Where to add them.
        session: Whose frame a map is built of.
        scene: Where the slice is shown.
        ask: Has something done, and drawn afterwards: ``ask(kind, job)``.
        failed: Called with what went wrong.
    """

    def __init__(
        self,
        gui: Any,
        session: ViewSession,
        scene: DrawnScene,
        ask: Ask,
        failed: Callable[[Exception], Any],
    ) -> None:
        self._session, self._scene, self._ask, self._failed = session, scene, ask, failed
        self._map: ReachabilityMap | None = None
        self._background = BackgroundMap(self._progress, self._built, self._not_built)
        self.text = gui.add_markdown("no map")
        self.samples = gui.add_number("samples", _SAMPLES, min=1000, max=1_000_000_000, step=1000)
        self.build = gui.add_button("Build map", hint="Of the frame that is moved, in the background")
        self.bar = gui.add_progress_bar(0.0, visible=False)
        self.visible = gui.add_checkbox("show slice", True, disabled=True)
        self.plane = gui.add_dropdown("plane", tuple(PLANES), disabled=True)
        self.place = gui.add_slider("at (m)", min=-1.0, max=1.0, step=0.01, initial_value=0.0, disabled=True)
        on_click(self.build, self.start)
        on_change(self.visible, lambda: ask("slice", self.draw))
        on_change(self.place, lambda: ask("slice", self.draw))
        on_change(self.plane, lambda: ask("slice", self._fit))

    @property
    def map(self) -> ReachabilityMap | None:
        """The map; None before there is one."""
        return self._map

    def start(self) -> None:
        """Builds a map of the frame that is moved, in the background."""
        self.bar.value, self.bar.visible = 0.0, True
        self.text.content = f"sampling `{self._session.frame.name}` ..."
        self._background.start(self._session.frame, int(self.samples.value))

    def use(self, reachability: ReachabilityMap) -> None:
        """Shows a slice of a map from now on."""
        self._map = reachability
        record = reachability.record
        self.text.content = (
            f"`{record.tip}` in `{record.frame}`: {reachability.share_covered:.1%} of "
            f"{reachability.grid.cells.size:,} cells, {record.samples:,} samples"
        )
        for handle in (self.visible, self.plane, self.place):
            handle.disabled = False
        self._fit()

    def close(self) -> None:
        """Gives up a map that is being built."""
        self._background.cancel()

    def _progress(self, part: float) -> None:
        self.bar.value = 100.0 * part

    def _built(self, reachability: ReachabilityMap) -> None:
        self.bar.visible = False
        self._ask("map", lambda: self.use(reachability))

    def _not_built(self, error: Exception) -> None:
        self.bar.visible = False
        self.text.content = "no map"
        self._failed(error)

    def _fit(self) -> None:
        """The slider goes over the whole map."""
        assert self._map is not None
        lower, upper = across(self._map, self.plane.value)
        self.place.min, self.place.max = round(lower, 3), round(upper, 3)
        self.place.value = min(max(0.0, self.place.min), self.place.max)
        self.draw()

    def draw(self) -> None:
        """Shows the slice that is asked for, or none."""
        reachability = self._map
        if reachability is None or not self.visible.value:
            self._scene.show_slice(None)
            return
        self._scene.show_slice(reach_slice(reachability, self.plane.value, float(self.place.value)))
        self.place_slice()

    def place_slice(self) -> None:
        """Puts the slice where the frame of the map is now."""
        if self._map is not None:
            self._scene.place_slice(self._session.pose_of(self._map.record.frame))
