"""`Order`: links, joints and degrees of freedom of a skeleton in the order of its configurations."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from .degree_of_freedom import DegreeOfFreedom
from .joints.joint import Joint
from .transforms import Array

if TYPE_CHECKING:
    from .link import Link
    from .skeleton import Skeleton


@dataclass(frozen=True)
class Order:
    """Links, joints and degrees of freedom of a skeleton in their order, parents first."""

    links: tuple[Link, ...]
    joints: tuple[Joint, ...]
    dofs: tuple[DegreeOfFreedom, ...]
    #: Independent joints with their slice of the configuration.
    slices: tuple[tuple[Joint, slice], ...]
    #: Those of them whose coordinates cannot simply be added.
    curved: tuple[tuple[Joint, slice], ...]
    #: For each dof: adding a turn changes nothing.
    wraps: tuple[int, ...]


def new_order(skeleton: Skeleton) -> tuple[Order, Array]:
    """Works out the order anew and gathers the positions that the degrees of freedom carry."""
    links = tuple(skeleton._root.subtree()) if skeleton._root is not None else ()
    joints = tuple(link._joint for link in links)
    dofs: list[DegreeOfFreedom] = []
    slices = []
    for joint in joints:
        start = len(dofs)
        for dof in joint.dofs:
            dof._slot = None
            if joint._dependence is None:
                dof._slot = len(dofs)
                dofs.append(dof)
        if len(dofs) > start:
            slices.append((joint, slice(start, len(dofs))))
    order = Order(
        links,
        joints,
        tuple(dofs),
        tuple(slices),
        tuple(each for each in slices if not each[0]._is_additive),
        tuple(index for index, dof in enumerate(dofs) if dof.wraps),
    )
    return order, np.array([dof._value for dof in dofs])


def keep_positions(order: Order, positions: Array) -> None:
    """Leaves the positions with the degrees of freedom, for the time until the next `new_order`."""
    for dof, value in zip(order.dofs, positions, strict=True):
        dof._value = float(value)


def moved(order: Order, start: Array, step: Array) -> Array:
    """The configuration after a step, without checks."""
    result = start + step
    for joint, where in order.curved:
        result[where] = joint._integrate(start[where], step[where])
    return result
