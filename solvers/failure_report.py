"""Why a search found nothing, in words with numbers."""

from __future__ import annotations

import math

import numpy as np

from ..kinematics import Joint, Link, StructureError
from ..kinematics.transforms import Array
from . import defaults
from .active_dofs import ActiveDofs
from .descent import AnyDescent, Ended, Outcome
from .few_joints import too_few_joints
from .gradient_method import GradientMethod
from .gradient_methods.levenberg_marquardt import LevenbergMarquardt
from .joint_change import NearbyDofs
from .reason import Reason
from .request import Request
from .targets.ik_target import IkTarget
from .tasks.task_space_region import TaskSpaceRegion

#: A target so many times farther away than the reach may be in another unit.
_FAR_AWAY = 20.0
#: What is added then.
MILLIMETRES = "; are these millimetres? Lengths are in metres"


def out_of_reach(request: Request) -> str:
    """Says so when the target is further from the first joint than the chain is long; otherwise empty.

    Only positions that are asked for exactly and stand still are judged, and only when nothing that may move
    carries the first joint.
    """
    method = request.error_method
    if not isinstance(method, TaskSpaceRegion | IkTarget):
        return ""
    goal = method.fixed_position()
    first = _first_joint(request)
    if goal is None or first is None:
        return ""
    frame = request.module.frame
    parent = first.parent_link
    placement = first.placement
    if parent is not None:
        placement = request.active.skeleton.state(request.seed).transform(parent) * placement
    try:
        reach = frame.chain(parent).reach
    except StructureError:
        return ""
    offset = request.module.offset
    if offset is not None:
        reach += float(np.linalg.norm(offset))
    distance = float(np.linalg.norm(goal - placement.translation))
    if distance <= reach + request.problem.tolerance[0]:
        return ""
    reduced = float(np.linalg.norm(goal / 1000.0 - placement.translation))
    in_millimetres = distance > _FAR_AWAY * reach and reduced <= reach
    return (
        f"the target is {distance:.3g} m from joint {first.name!r}, and {frame.name!r} gets at most "
        f"{reach:.3g} m away from it" + (MILLIMETRES if in_millimetres else "")
    )


def for_nearest(method: GradientMethod) -> LevenbergMarquardt:
    """A method that comes to rest at the nearest pose of a target that cannot be reached, whatever was used before.

    With an error that stays, the curvature of the motion counts as much as the Jacobian, and a method that leaves it
    out steps too far and swings about the nearest pose. Damping in proportion to the squared error makes up for it.
    """
    own = method.damping if isinstance(method, LevenbergMarquardt) else 0.0
    return LevenbergMarquardt(max(defaults.NEAREST_DAMPING, own))


def _first_joint(request: Request) -> Joint | None:
    """The active joint nearest to the root among those that carry the frame."""
    active = {id(dof.joint) for dof in request.active.dofs}
    first = None
    link: Link | None = request.module.frame.link
    while link is not None:
        joint = link.joint
        masters = joint
        while masters.dependence is not None:
            masters = masters.dependence.master
        if id(masters) in active:
            first = joint
        link = link.parent_link
    return first


def why_not(descent: AnyDescent, nearest: Outcome, attempts: int) -> tuple[Reason, str]:
    """The reason of a failure, and what was in the way.

    A few attempts without limits tell whether those were in the way. Running out of iterations and too few
    attempts are only blamed when that gives no answer. An arm with too few joints for its target is told so in every
    case: it may be that the target is one of the few that it reaches.
    """
    limits = _change_in_the_way(descent, nearest, attempts) or _limits_in_the_way(descent, nearest, attempts)
    if limits:
        return Reason.LIMITS, limits
    request = descent.request
    few = too_few_joints(request.active, request.error_method, request.seed)
    though = f", though {few}" if few else ""
    if nearest.ended is Ended.OUT_OF_ITERATIONS:
        return Reason.ITERATIONS, (
            f"the error was still falling after {descent.pace.iterations} iterations; allow more of them{though}"
        )
    if attempts < defaults.DIAGNOSIS_ATTEMPTS:
        count = "1 attempt" if attempts == 1 else f"{attempts} attempts"
        return Reason.ITERATIONS, f"{count} got stuck on the way; allow more attempts{though}"
    return Reason.UNREACHABLE, f"none of {attempts} attempts got there" + (f": {few}" if few else "")


def _change_in_the_way(descent: AnyDescent, nearest: Outcome, attempts: int) -> str:
    """Which joints would have to go further from the seed than they may, if that is all that is in the way."""
    request = descent.request
    active, wide = request.active, request.wide
    if wide is None or not isinstance(active, NearbyDofs):
        return ""
    free = descent.without_change_limit()
    rng = np.random.default_rng(defaults.RANDOM_SEED)
    best, least = "", math.inf
    for attempt in range(min(attempts, defaults.DIAGNOSIS_ATTEMPTS)):
        outcome = free.run(nearest.q if attempt == 0 else active.random(rng, request.seed))
        if outcome.ended is not Ended.CONVERGED:
            continue
        x = wide.active.nearest(outcome.q[active.indices], active.near, wide.problem.respect_limits)
        amount = float((np.abs(x - active.near) - active.change).max())
        if 0.0 < amount < least:
            least, best = amount, active.too_far(x)
    return f"reached only with {best}" if best else ""


def _limits_in_the_way(descent: AnyDescent, nearest: Outcome, attempts: int) -> str:
    request = descent.request
    if request.wide is not None and not request.wide.problem.respect_limits:
        return ""
    active = (request.wide or request).active
    limited = np.isfinite(active.lower) | np.isfinite(active.upper)
    if not descent.respects_limits or not limited.any():
        return ""
    free = descent.without_limits()
    rng = np.random.default_rng(defaults.RANDOM_SEED)
    best = ""
    least = math.inf
    for attempt in range(min(attempts, defaults.DIAGNOSIS_ATTEMPTS)):
        start = nearest.q if attempt == 0 else request.active.random(rng, request.seed)
        outcome = free.run(start)
        if outcome.ended is not Ended.CONVERGED:
            continue
        x = active.nearest(outcome.q[active.indices], outcome.q[active.indices])
        amount = float(np.maximum(active.lower - x, x - active.upper).max())
        if 0.0 < amount < least:
            least, best = amount, beyond_limits(active, x)
    return f"reached only beyond joint limits: {best}" if best else ""


def beyond_limits(active: ActiveDofs, x: Array) -> str:
    """The joints whose values (k,) are beyond their limits, the worst one first, in words."""
    amounts = np.maximum(active.lower - x, x - active.upper)
    parts: list[str] = []
    for column in np.argsort(-amounts):
        if amounts[column] <= 0.0 or len(parts) == 3:
            break
        dof = active.dofs[column]
        # Lengths have their unit each: who speaks of millimetres looks for it. Angles have it once.
        unit, mark = ("rad", "") if dof.is_angular else ("m", " m")
        side, limit = ("upper", dof.upper) if x[column] > dof.upper else ("lower", dof.lower)
        parts.append(
            f"{dof.name!r} at {x[column]:.4g} {unit}, {amounts[column]:.3g}{mark} beyond its {side} limit "
            f"{limit:.4g}{mark}"
        )
    return ", ".join(parts)
