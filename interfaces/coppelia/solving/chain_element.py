"""`ChainElement`: an element of no group, for a chain that only its Jacobian is wanted of."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from ....kinematics.transforms import Array

if TYPE_CHECKING:
    from ..scene_object import SceneObject


class Mark:
    """A place that is in no environment: hangs on an object, or stands in the world.

    Args:
        parent: What it hangs on; None for the world.
        local: Pose (4, 4) there.
        target: Where it should be, for a tip.
    """

    def __init__(self, parent: SceneObject | None, local: Array, target: Mark | None = None) -> None:
        self.parent = parent
        self.target = target
        self._local = np.array(local, dtype=np.float64)


@dataclass(eq=False)
class ChainElement:
    """What `FlatGroups` wants to know of an element. Weights are ones, and every distance is within the precision."""

    tip: Mark
    base: SceneObject | None
    constraints_base: Mark | None
    constraints: int
    group: Any = None
    handle: int = -1
    enabled: bool = True
    weights: tuple[float, float, float] = (1.0, 1.0, 1.0)
    linear_precision: float = 1e300
    angular_precision: float = 1e300


@dataclass(eq=False)
class ChainGroup:
    """What `FlatGroups` wants to know of a group."""

    elements: tuple[ChainElement, ...]
    name: str = "chain"
    method: int = 0
    damping: float = 0.0
    max_iterations: int = 0
    ignore_max_steps: bool = True
    stop_on_limit_hit: bool = False
    avoid_limits: bool = False
    _joint_limit_hits: dict[Any, float] = field(default_factory=dict)
