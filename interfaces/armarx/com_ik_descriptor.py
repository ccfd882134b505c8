"""`CoMIKDescriptor`: where the centre of mass should be."""

from __future__ import annotations

from dataclasses import dataclass

from ...kinematics import InvalidValueError
from .checks import as_names, as_number, as_positive, as_switch, as_text, as_whole


@dataclass(frozen=True)
class CoMIKDescriptor:
    """The centre of mass over a point of the ground plane.

    Attributes:
        gx: Where on the x axis of the coordinate system (units of the service).
        gy: Where on its y axis (likewise).
        priority: For the hierarchical operation only: the task with the highest number comes first.
        node_set_bodies: Node set whose nodes' bodies count; empty for all of the robot.
        tolerance: How far off the centre of mass may be (units of the service), for `compute_com_ik`; 1e-6 m when None.
        coordinate_system: Name of the frame whose axes these are; empty or ``"Global"`` for the world.
        holding: Frames that stay where they are, such as feet, for `compute_com_ik`; ArmarX's type has no such thing.
        check_support: For `compute_com_ik`: a point that is not over what is held, the convex hull of the collision
            shapes of its links seen from above, is unreachable. ArmarX's type has no such thing, and without it, the
            default, a robot may be told to lean further than it can without falling.

    Raises:
        InvalidValueError: A number that is not finite, a tolerance that is not positive, a name that is no text; a
            check of the support without anything that is held, or for a part of the robot: it is all of it that falls.
    """

    gx: float
    gy: float
    priority: int = 0
    node_set_bodies: str = ""
    tolerance: float | None = None
    coordinate_system: str = ""
    holding: tuple[str, ...] = ()
    check_support: bool = False

    def __post_init__(self) -> None:
        as_number("gx", self.gx)
        as_number("gy", self.gy)
        as_whole("priority", self.priority)
        as_text("node_set_bodies", self.node_set_bodies)
        as_text("coordinate_system", self.coordinate_system)
        if self.tolerance is not None:
            as_positive("tolerance", self.tolerance)
        object.__setattr__(self, "holding", as_names("holding", self.holding))
        if as_switch("check_support", self.check_support):
            if not self.holding:
                raise InvalidValueError("check_support needs holding=, the frames that the robot stands on")
            if self.node_set_bodies:
                raise InvalidValueError(
                    "check_support is about the centre of mass of all of the robot: leave node_set_bodies out"
                )
