"""`PartialCenterOfMass`: the centre of mass of some links of a skeleton."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from .errors import InvalidValueError, StructureError
from .link import Link
from .skeleton import Skeleton
from .state import State
from .transforms import Array


class PartialCenterOfMass:
    """Where the common centre of mass of chosen links is, and how it moves.

    It holds for one version of the skeleton.

    Args:
        skeleton: The robot.
        links: Links of it or their names; each counts once.

    Attributes:
        links: The links that count.
        mass: What they weigh together (kg).

    Raises:
        InvalidValueError: No links.
        UnknownNameError: A link that the skeleton does not have.
        StructureError: They have no mass together; the message names them.
    """

    def __init__(self, skeleton: Skeleton, links: Iterable[Link | str]) -> None:
        self.links = tuple(dict.fromkeys(skeleton._own_link(each) for each in links))
        self.version = skeleton.version
        self.mass = sum(link.mass for link in self.links)
        if not self.links:
            raise InvalidValueError(f"no links of {skeleton.name!r} are given whose centre of mass is meant")
        if not self.mass > 0.0:
            names = ", ".join(repr(link.name) for link in self.links)
            raise StructureError(
                f"the bodies {names} of skeleton {skeleton.name!r} have no mass together, so they have no centre of "
                "mass; set link inertias, or count others"
            )
        source = skeleton._pinocchio_model()
        model = source.model
        # Links that are welded together are one body: what moves them is a joint of Pinocchio's, 0 for the world.
        moments = np.zeros((model.njoints, 3))
        masses = np.zeros(model.njoints)
        for link in self.links:
            if link.mass > 0.0:
                joint, placement, _ = source._bodies[link]
                masses[joint] += link.mass
                moments[joint] += link.mass * placement.act(link._inertia.lever)
        self._fixed_moment = moments[0]
        self._joints = [joint for joint in range(1, model.njoints) if masses[joint] > 0.0]
        self._masses = masses[self._joints]
        self._levers = moments[self._joints] / self._masses[:, None]
        self._moved = np.zeros((model.nv, len(self._joints)))  # 1 where a velocity moves a body
        for column, joint in enumerate(self._joints):
            for each in model.supports[joint]:
                first = model.idx_vs[each]
                self._moved[first : first + model.nvs[each], column] = 1.0
        self._moved_masses = self._moved @ self._masses

    def com(self, state: State) -> Array:
        """Centre of mass (3,) in the world."""
        centre: Array = (self._fixed_moment + self._moments(state).sum(axis=0)) / self.mass
        return centre

    def com_jacobian(self, state: State) -> Array:
        """Jacobian (3, len(state.dofs)) of the centre of mass in world axes."""
        moments = self._moved @ self._moments(state)
        # Columns are twists at the world's origin: a point c of a body moves with v + w x c.
        twists = state.data.J.reshape(6, -1)
        linear, angular = twists[:3], twists[3:]
        full = linear * self._moved_masses + np.cross(angular.T, moments).T
        jacobian: Array = state._select(full / self.mass)
        return jacobian

    def _moments(self, state: State) -> Array:
        """Mass times centre (b, 3) in the world of each body that moves."""
        placements = state.data.oMi
        centres = [placements[joint].act(lever) for joint, lever in zip(self._joints, self._levers, strict=True)]
        moments: Array = self._masses[:, None] * np.array(centres).reshape(-1, 3)
        return moments
