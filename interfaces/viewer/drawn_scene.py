"""`DrawnScene`: what is in the picture besides the robot: ground, camera, target, ellipsoid, slice, trace."""

from __future__ import annotations

from typing import Any

import numpy as np
import pinocchio as pin

from ...kinematics import Sphere
from ...kinematics.transforms import Array
from .drawn_things import pose_of, wxyz_of
from .manipulability_ellipsoid import ManipulabilityEllipsoid
from .reach_slice import ReachSlice
from .triangles import triangles_of

#: Seconds of motion that the ellipsoid shows: at this many its half axes (m/s) fit beside an arm.
ELLIPSOID_SECONDS = 0.25
#: Half axes (m) of the drawn ellipsoid are at least this, so that a flat one is seen.
_THINNEST = 0.002
#: From where the camera looks at the robot: half from the side, a little from above.
_VIEW = np.array([1.0, -0.85, 0.55])
#: Angle (rad) that the camera sees from top to bottom.
_ANGLE = 0.8
#: Axes of an image in the slice: it has x to the right, and y down.
_IMAGE_AXES = pin.SE3(np.diag([1.0, -1.0, -1.0]), np.zeros(3))


class DrawnScene:
    """The rest of the scene.

    Args:
        server: The viser server.
        lower: Least corner (3,) of the robot (m).
        upper: Greatest corner (3,) of the robot (m).
        lowest: How far down (m) anything goes: there is the ground, or at zero.
    """

    def __init__(self, server: Any, lower: Array, upper: Array, lowest: float) -> None:
        self._server = server
        scene = server.scene
        scene.world_axes.visible = False
        size = max(0.2, float(np.linalg.norm(upper - lower)))
        self._size = size
        self._paint_sky()
        self._lay_ground(lowest, size)
        self._aim_camera(0.5 * (lower + upper), size)
        self.gizmo = scene.add_transform_controls("/target", scale=0.22 * size, line_width=3.0, depth_test=False)
        self._ellipsoid = self._add_ellipsoid()
        self.tip = scene.add_frame("/tip", axes_length=0.08 * size, axes_radius=0.004 * size)
        self._slice: Any = None
        self._slice_pose: pin.SE3 | None = None
        self._trace: Any = None

    def _lay_ground(self, lowest: float, size: float) -> None:
        cell = 0.1 if size > 0.5 else 0.02
        side = 2.0 * max(1.0, np.ceil(1.5 * size))
        ground = min(0.0, lowest) - 1e-3  # below flat feet, which would flicker
        self._server.scene.add_grid(
            "/ground",
            width=side,
            height=side,
            cell_size=cell,
            section_size=5.0 * cell,
            cell_color=(226, 229, 233),
            section_color=(190, 197, 206),
            plane_color=(250, 251, 252),
            plane_opacity=1.0,
            shadow_opacity=0.2,
            position=(0.0, 0.0, ground),
        )

    def _paint_sky(self) -> None:
        """Darker above, so that pale robots stand out; nearly white at the ground."""
        rows = np.linspace(0.0, 1.0, 64)[:, None, None]
        image = (1.0 - rows) * np.array([205, 214, 224]) + rows * np.array([246, 248, 250])
        self._server.scene.set_background_image(np.tile(image, (1, 64, 1)).astype(np.uint8))

    def _aim_camera(self, center: Array, size: float) -> None:
        camera = self._server.initial_camera
        camera.look_at = tuple(center)
        camera.position = tuple(center + 1.75 * size * _VIEW / np.linalg.norm(_VIEW))
        camera.up = (0.0, 0.0, 1.0)
        camera.fov = _ANGLE

    def _add_ellipsoid(self) -> Any:
        ball = triangles_of(Sphere(1.0))
        return self._server.scene.add_mesh_simple(
            "/ellipsoid",
            vertices=ball.vertices.astype(np.float32),
            faces=ball.faces.astype(np.uint32),
            color=(80, 120, 220),
            opacity=0.35,
            cast_shadow=False,
            visible=False,
        )

    # The target.

    @property
    def gizmo_pose(self) -> pin.SE3:
        """Where the gizmo is."""
        return pose_of(self.gizmo.position, self.gizmo.wxyz)

    def move_gizmo(self, pose: pin.SE3) -> None:
        """Moves the gizmo, unless it is there."""
        if not pose.isApprox(self.gizmo_pose, 1e-6):
            self.gizmo.position, self.gizmo.wxyz = pose.translation, wxyz_of(pose)

    def move_tip(self, pose: pin.SE3) -> None:
        """Moves the axes that show where the frame is."""
        self.tip.position, self.tip.wxyz = pose.translation, wxyz_of(pose)

    # What may be shown.

    def show_ellipsoid(self, ellipsoid: ManipulabilityEllipsoid | None) -> None:
        """Shows the ellipsoid, or hides it."""
        if ellipsoid is None:
            self._ellipsoid.visible = False
            return
        axes = np.maximum(ELLIPSOID_SECONDS * ellipsoid.half_axes, _THINNEST)
        self._ellipsoid.scale = tuple(axes.tolist())
        self._ellipsoid.position, self._ellipsoid.wxyz = ellipsoid.pose.translation, wxyz_of(ellipsoid.pose)
        self._ellipsoid.visible = True

    def show_slice(self, slice_: ReachSlice | None) -> None:
        """Shows a slice of a map, or none; `place_slice` puts it where it belongs."""
        if self._slice is not None:
            self._slice.remove()
            self._slice = None
        self._slice_pose = None if slice_ is None else slice_.pose * _IMAGE_AXES
        if slice_ is not None:
            self._slice = self._server.scene.add_image(
                "/reach",
                slice_.image,
                slice_.width,
                slice_.height,
                format="png",
                cast_shadow=False,
                receive_shadow=False,
            )

    def place_slice(self, map_pose: pin.SE3) -> None:
        """Puts the slice, if there is one, where the frame of its map is in the world."""
        if self._slice is not None and self._slice_pose is not None:
            pose = map_pose * self._slice_pose
            self._slice.position, self._slice.wxyz = pose.translation, wxyz_of(pose)

    def show_trace(self, points: Array | None) -> None:
        """Shows the way (k, 3) of a frame as a line, or none."""
        if self._trace is not None:
            self._trace.remove()
            self._trace = None
        if points is None or len(points) < 2:
            return
        segments = np.stack([points[:-1], points[1:]], axis=1).astype(np.float32)
        self._trace = self._server.scene.add_line_segments(
            "/trace", segments, (30, 110, 220), thickness=3.0, thickness_units="screen"
        )
