"""`Viewer`: a robot in the browser."""

from __future__ import annotations

import atexit
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from numpy.typing import ArrayLike

from ...kinematics import CollisionDetector, InvalidValueError, PoseLike, ReachabilityMap, Skeleton
from ...solvers import Solution
from ..command_line.find import DEFAULT_METHOD
from .background_map import read_map
from .drawn_scene import DrawnScene
from .drawn_things import DrawnThings
from .errors import ViewerStoppedError
from .joint_motion import JointMotion
from .joint_panel import JointPanel
from .look_panel import LookPanel
from .newest_first import NewestFirst
from .page_server import start_server, stop_server
from .path_panel import PathPanel
from .reach_panel import ReachPanel
from .status_text import status_text
from .target_panel import TargetPanel
from .view_session import ViewSession

#: Only programs on this machine can connect.
LOOPBACK = "127.0.0.1"
#: Where the page is, unless that port is taken.
PORT = 8080


class Viewer:
    """Shows a robot in the browser, with a target to drag, sliders, solvers and branches to choose.

    It serves a page; open `url`. What is dragged there is solved here. The robot itself is never moved: what is shown
    is a configuration of the viewer's own, `q`. Methods may be called from several threads.

    ::

        with Viewer(models.load("panda")) as viewer:
            viewer.show({"panda_joint4": -2.0})
            viewer.wait()

    Args:
        robot: The robot; it must not be edited while it is shown.
        frame: Name of the frame that the target is for; the natural tip when None.
        detector: Tells what touches; its obstacles and attached objects are shown as well. One for the robot alone when
            None.
        reachability: A map of the robot, or the path of its file.
        method: Name of a method, as ``kinetree solve`` has them.
        q: What is shown first: configuration (n,) or mapping; the robot's present positions when None.
        degrees: Angles on the page are in degrees.
        host: Address to listen at. The default is only reached from this machine; whoever reaches another one may look
            and drag.
        port: Where to listen; the next free one when it is taken, any free one when 0.

    Raises:
        MissingViewerPackageError: viser is not installed.
        ViewerError: The host is no address of this machine.
        InvalidValueError: A robot that is none, a detector of another robot, a host that is no text, or a port that is
            none.
        UnknownNameError: No such frame or method.
        WrongRobotError: The map is of another robot.
    """

    def __init__(
        self,
        robot: Skeleton,
        *,
        frame: str | None = None,
        detector: CollisionDetector | None = None,
        reachability: ReachabilityMap | str | Path | None = None,
        method: str = DEFAULT_METHOD,
        q: ArrayLike | Mapping[str, Any] | None = None,
        degrees: bool = False,
        host: str = LOOPBACK,
        port: int = PORT,
    ) -> None:
        if isinstance(port, bool) or not isinstance(port, int) or not 0 <= port < 2**16:
            raise InvalidValueError(f"port must be a whole number from 0 to 65535, not {port!r}")
        self.session = ViewSession(robot, frame=frame, detector=detector, method=method, q=q)
        reach = read_map(reachability, robot) if isinstance(reachability, str | Path) else reachability
        self._server = start_server(host, port, f"kinetree: {robot.name}")
        atexit.register(self.stop)
        self._host = host
        self._drawing = threading.RLock()
        self._stopped = threading.Event()
        self._work = NewestFirst("kinetree viewer", self._failed)
        self._degrees = degrees
        self._build()
        if reach is not None:
            self._reach.use(reach)
        self._redraw()

    # For Python.

    @property
    def url(self) -> str:
        """What to open in the browser."""
        host = "localhost" if self._host in ("0.0.0.0", "::") else self._host
        return f"http://{f'[{host}]' if ':' in host else host}:{self._server.get_port()}"

    @property
    def q(self) -> Any:
        """The configuration that is shown (n,); a copy."""
        return self.session.q

    @property
    def is_stopped(self) -> bool:
        """True once `stop` was called."""
        return self._stopped.is_set()

    def show(self, q: ArrayLike | Mapping[str, Any] | None = None) -> None:
        """Shows a configuration; the target goes to where the frame is then.

        Args:
            q: Configuration (n,) or mapping; the robot's present positions when None.

        Raises:
            KinetreeError: See `Skeleton.as_configuration`.
            ViewerStoppedError: The viewer was stopped.
        """
        self._check()
        self.session.set_q(q)
        self._redraw()

    def move_target(self, target: PoseLike) -> Solution:
        """Moves the target as if it were dragged there, and shows what was found.

        Args:
            target: Pose of the frame in the world.

        Returns:
            How the solve ended.

        Raises:
            InvalidPoseError: What is no pose.
            ViewerStoppedError: The viewer was stopped.
        """
        self._check()
        solution = self.session.set_target(target)
        self._redraw()
        return solution

    def choose(self, *, frame: str | None = None, method: str | None = None, branches: bool | None = None) -> None:
        """Makes choices that the page has as well; what is None stays as it is.

        Args:
            frame: Name of the frame that the target is for.
            method: Name of a method.
            branches: List the branches of the closed form.

        Raises:
            UnknownNameError: No such frame or method.
            StructureError: The closed form, and none is known.
            ViewerStoppedError: The viewer was stopped.
        """
        self._check()
        if frame is not None:
            self.session.choose_frame(frame)
        if method is not None:
            self.session.choose_method(method)
        if branches is not None:
            self._target.listing.value = branches
            self.session.list_branches(branches)
        self._redraw()

    def play(self, path: Any, duration: float = 4.0, *, wait: bool = True) -> None:
        """Plays a path, and leaves a slider on the page to go along it; the way of the frame is drawn.

        Args:
            path: A `PathSolution`, or configurations (m, n).
            duration: Seconds for all of it, the same from each row to the next.
            wait: Return at its end; else at once.

        Raises:
            KinetreeError: See `JointMotion`.
            ViewerStoppedError: The viewer was stopped.
        """
        self._check()
        self._path.use(JointMotion(self.session.robot, path, duration))
        self._path.play(wait)

    def refresh(self) -> None:
        """Draws anew, for example after obstacles have moved."""
        self._check()
        self._redraw()

    def wait_idle(self, timeout: float | None = None) -> bool:
        """Waits until everything that was asked for on the page is done; False when that takes longer (s)."""
        return self._work.wait_idle(timeout)

    def wait(self) -> None:
        """Waits until `stop` is called elsewhere, or for Ctrl-C, which stops the viewer."""
        try:
            while not self._stopped.wait(3600.0):
                pass
        except KeyboardInterrupt:
            self.stop()

    def stop(self) -> None:
        """Stops serving the page; a second time it does nothing."""
        if self._stopped.is_set():
            return
        self._stopped.set()
        atexit.unregister(self.stop)
        self._reach.close()
        self._path.stop()
        self._work.close()
        stop_server(self._server)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def __repr__(self) -> str:
        where = "stopped" if self.is_stopped else self.url
        return f"<Viewer of {self.session.robot.name!r}: {where}>"

    # Building the page.

    def _build(self) -> None:
        server, session = self._server, self.session
        self._things = DrawnThings(server, session.robot, session.detector)
        poses = session.picture().poses
        self._scene = DrawnScene(server, *self._things.bounds(poses), self._things.lowest(poses))
        self._status = server.gui.add_markdown("")
        tabs = server.gui.add_tab_group()
        with tabs.add_tab("Target"):
            self._target = TargetPanel(server.gui, session, self._ask, self._degrees)
        with tabs.add_tab("Joints"):
            self._joints = JointPanel(server.gui, session, self._ask, self._degrees)
        with tabs.add_tab("Reach"):
            self._reach = ReachPanel(server.gui, session, self._scene, self._ask, self._failed)
        with tabs.add_tab("Path"):
            self._path = PathPanel(server.gui, session, self._scene, self._ask, self._redraw)
        with tabs.add_tab("Look"):
            self._look = LookPanel(server.gui, self._ask, self._change_shapes)
        self._scene.gizmo.on_update(lambda _: self._work.put("target", self._follow_gizmo))

    def _change_shapes(self) -> None:
        with self._drawing:
            self._things.remove()
            self._things = DrawnThings(
                self._server, self.session.robot, self.session.detector, bool(self._look.collisions.value)
            )

    # Doing and drawing.

    def _ask(self, kind: str, job: Callable[[], Any]) -> None:
        def work() -> None:
            self._path.stop()
            with self._drawing:  # some jobs draw
                job()
            self._redraw()

        self._work.put(kind, work)

    def _follow_gizmo(self) -> None:
        self._path.stop()
        self.session.set_target(self._scene.gizmo_pose)
        self._redraw(gizmo=False)  # it is in the user's hand

    def _redraw(self, gizmo: bool = True) -> None:
        with self._drawing, self._server.atomic():
            picture = self.session.picture()
            self._things.update(picture.poses, picture.marks if self._look.colors.value else {})
            scene, look = self._scene, self._look
            if gizmo:
                scene.move_gizmo(picture.target)
            scene.move_tip(picture.frame_pose)
            scene.gizmo.visible, scene.tip.visible = bool(look.gizmo.value), bool(look.tip.value)
            scene.show_ellipsoid(picture.ellipsoid if look.ellipsoid.value else None)
            self._reach.place_slice()
            self._target.update(picture)
            self._joints.update(picture)
            self._status.content = status_text(picture)

    def _failed(self, error: Exception) -> None:
        self._status.content = f"**{type(error).__name__}** {error}"

    def _check(self) -> None:
        if self._stopped.is_set():
            raise ViewerStoppedError(f"the viewer of {self.session.robot.name!r} was stopped; make another one")
