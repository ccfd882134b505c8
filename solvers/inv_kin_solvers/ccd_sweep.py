"""One sweep of cyclic coordinate descent: every joint in turn to where it is best."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import pinocchio as pin

from ...kinematics import Frame, Joint, NodeSet, PrismaticJoint, RevoluteJoint, ScrewJoint, State, StructureError
from ...kinematics.transforms import Array
from ..active_dofs import ActiveDofs
from .joint_optimum import best_angle, best_screw_angle

#: A radian counts as much as this part of the reach of the chain.
_LENGTH = 0.3


class Miss(NamedTuple):
    """Where the tip is and how it misses the target.

    Attributes:
        position: (3,) of the tip, in the world.
        turn: (3, 3) from the tip's axes to the target's, in the world.
    """

    position: Array
    turn: Array


class CcdSweep:
    """A serial chain of joints of one degree of freedom, and a way to make its error smaller joint by joint.

    The error is ``|p - p*|^2 + w |R - R*|_F^2``, the sum of squares of what the position and the axes of the tip miss;
    as a function of one joint it has a minimum in closed form (Wang and Chen 1991). The weight w is fixed for a chain,
    unlike there, so that no sweep makes the error larger.

    Args:
        chain: Its joints, base and tip.
        tip: The frame that is put at the target.
        active: The joints' degrees of freedom; all of this holds as long as they do.
        position_only: Leave the rotation of the tip free.

    Raises:
        StructureError: A joint of another kind, one that another joint follows, or one that does not move the tip.
    """

    def __init__(self, chain: NodeSet, tip: Frame, active: ActiveDofs, position_only: bool) -> None:
        self.tip = tip
        self.position_only = position_only
        joints = [dof.joint for dof in active.dofs]
        _check(chain, tip, joints)
        self._lower, self._upper = active.lower.tolist(), active.upper.tolist()
        self._joints = []
        for joint in joints:
            assert isinstance(joint, RevoluteJoint | PrismaticJoint | ScrewJoint)
            lead = joint.lead / (2.0 * math.pi) if isinstance(joint, ScrewJoint) else 0.0
            link = joint.child_link
            assert link is not None
            self._joints.append((link, joint.child_placement, joint.axis, lead, isinstance(joint, PrismaticJoint)))
        length = _LENGTH * _reach(chain)
        self._weight = 0.0 if position_only else 0.5 * length * length

    def miss(self, state: State, target: pin.SE3) -> Miss:
        """How a state misses a target in the world."""
        at = state.transform(self.tip)
        return Miss(at.translation, target.rotation @ at.rotation.T)

    def lengths(self, miss: Miss, target: pin.SE3) -> tuple[float, float]:
        """Distance (m) and true angle (rad)."""
        away = miss.position - target.translation
        turned = 0.0 if self.position_only else float(np.linalg.norm(pin.log3(miss.turn)))
        return math.sqrt(away.dot(away)), turned

    def error(self, miss: Miss, target: pin.SE3) -> float:
        """What a sweep makes smaller (m^2)."""
        away = miss.position - target.translation
        return float(away.dot(away)) + 2.0 * self._weight * (3.0 - float(np.trace(miss.turn)))

    def sweep(self, state: State, miss: Miss, target: pin.SE3) -> tuple[Array, Miss]:
        """Moves each joint to where it is best, from the tip to the base.

        Args:
            state: Where the chain is; it is not moved.
            miss: See `miss`.
            target: In the world.

        Returns:
            The joints' values (n,) afterwards, inside the limits, and what is missed there.
        """
        x = state.x.tolist()
        position, turn = miss
        goal, weight = target.translation, self._weight
        for k in range(len(x) - 1, -1, -1):
            link, placement, direction, lead, slides = self._joints[k]
            # Joints nearer to the base have not moved yet in this sweep, so this one is where the state has it.
            joint = state.transform(link) * placement
            axis = joint.rotation @ direction
            if slides:
                best = min(max(x[k] + float(axis @ (goal - position)), self._lower[k]), self._upper[k])
                position = position + (best - x[k]) * axis
                x[k] = best
                continue
            arm, wanted = position - joint.translation, goal - joint.translation
            cosine, sine = _overlap(axis, arm, wanted, turn, weight)
            if lead:
                along = float(axis @ (arm - wanted))
                best = best_screw_angle(cosine, sine, along, lead, x[k], self._lower[k], self._upper[k])
            else:
                best = best_angle(cosine, sine, x[k], self._lower[k], self._upper[k])
            by = best - x[k]
            rotation = pin.exp3(by * axis)
            position = joint.translation + rotation @ arm + lead * by * axis
            turn = turn @ rotation.T
            x[k] = best
        return np.array(x), Miss(position, turn)


def _overlap(axis: Array, arm: Array, wanted: Array, turn: Array, weight: float) -> tuple[float, float]:
    """Factors of the cosine and the sine of a turn about an axis, in how well tip and target overlap then.

    Args:
        axis: (3,) of length 1.
        arm: (3,) from the axis to the tip.
        wanted: (3,) from the axis to the target.
        turn: (3, 3) from the tip's axes to the target's.
        weight: Of the axes.
    """
    (a, b, c), (u, v, w), (r, s, t) = axis.tolist(), arm.tolist(), wanted.tolist()
    (m00, m01, m02), (m10, m11, m12), (m20, m21, m22) = turn.tolist()
    along = (a * u + b * v + c * w) * (a * r + b * s + c * t)
    through = a * (m00 * a + m01 * b + m02 * c) + b * (m10 * a + m11 * b + m12 * c) + c * (m20 * a + m21 * b + m22 * c)
    cosine = u * r + v * s + w * t - along + weight * (m00 + m11 + m22 - through)
    sine = (
        a * (v * t - w * s + weight * (m21 - m12))
        + b * (w * r - u * t + weight * (m02 - m20))
        + c * (u * s - v * r + weight * (m10 - m01))
    )
    return cosine, sine


def _check(chain: NodeSet, tip: Frame, joints: list[Joint]) -> None:
    above, link = set(), tip.link
    while link is not None:
        above.add(link.joint)
        link = link.parent_link
    for joint in joints:
        wrong = ""
        if not isinstance(joint, RevoluteJoint | PrismaticJoint | ScrewJoint):
            wrong = f"is {joint.kind}, not of one degree of freedom"
        elif joint not in above:
            wrong = f"does not move {tip.name!r}"
        elif any(other in above for other in joint.dependents):
            wrong = "has another joint of the chain depend on it"
        if wrong:
            raise StructureError(
                f"cyclic coordinate descent cannot move {chain.name!r}: joint {joint.name!r} {wrong}; "
                "JacobianIKSolver can"
            )


def _reach(chain: NodeSet) -> float:
    """How far the chain reaches (m); 1 where that is not known or nothing."""
    reach = chain.tip.chain(chain.base).reach
    return reach if 0.0 < reach < math.inf else 1.0
