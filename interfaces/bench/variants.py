"""`VARIANTS`: kinetree's own solvers, each with the choices that users make."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from types import MappingProxyType

import numpy as np

from ...kinematics import NodeSet, StructureError, unknown_name
from ...solvers import (
    CCDSolver,
    GradientMethod,
    Halley,
    IKMetaSolver,
    InverseKinematics,
    JacobianDLS,
    JacobianIKSolver,
    JacobianPseudoInverse,
    JacobianTranspose,
    LevenbergMarquardt,
    SelectivelyDamped,
    TaskSpaceRegion,
    defaults,
)
from .call import Call
from .effort import Effort
from .module_call import ModuleCall
from .reachable_targets import Workload
from .solver_call import SolverCall
from .variant import Variant, frame_of, module_of

Bind = Callable[[Workload, Effort], Call]

#: Iterations of an attempt that is not given up early.
PATIENT_ITERATIONS = 100


def find_variants(names: Iterable[str] | None = None) -> list[Variant]:
    """Variants by name; the name of a group is all that are in it, and None means all there are.

    Raises:
        UnknownNameError: There is neither such a variant nor such a group.
    """
    if names is None:
        return list(VARIANTS.values())
    found: dict[str, Variant] = {}
    for name in names:
        key = name.lower().replace("_", "-")
        chosen = [each for each in VARIANTS.values() if key in (each.name, each.group)]
        if not chosen:
            groups = dict.fromkeys(each.group for each in VARIANTS.values())
            raise unknown_name("method or group", name, [*VARIANTS, *groups], "kinetree bench")
        found |= {each.name: each for each in chosen}
    return list(found.values())


def method_variant(name: str, group: str, description: str, make: Callable[[], GradientMethod]) -> Variant:
    """The default module with a gradient method of its own; one object for each robot.

    Args:
        name: What it is called in tables.
        group: What it is compared with.
        description: One line about it.
        make: Makes the method.
    """

    def bind(work: Workload, effort: Effort) -> Call:
        module = module_of(work, effort)
        module.gradient_method = make()
        return ModuleCall(module, effort.timeout)

    return Variant(name, group, description, bind)


def _one_attempt(work: Workload, effort: Effort) -> Call:
    module = module_of(work, effort)
    module.problem.attempts = 1
    module.problem.iterations = defaults.SINGLE_ITERATIONS
    module.problem.strikes = defaults.SINGLE_STRIKES
    return ModuleCall(module, effort.timeout)


def _patient(work: Workload, effort: Effort) -> Call:
    module = module_of(work, effort)
    module.problem.iterations = PATIENT_ITERATIONS
    module.problem.improvement = math.inf
    return ModuleCall(module, effort.timeout)


def _dart(work: Workload, effort: Effort) -> Call:
    module = module_of(work, effort)
    module.use_dart_defaults()
    # DART takes each coordinate by itself; a box whose corners are within the tolerance.
    half = np.full(6, effort.tolerance / math.sqrt(3.0))
    if not work.is_full_pose:
        half[3:] = np.inf
    region = TaskSpaceRegion.dart_defaults()
    region.bounds = (-half, half)
    module.error_method = region
    return ModuleCall(module, effort.timeout)


def _python(work: Workload, effort: Effort) -> Call:
    module = module_of(work, effort)
    module.problem.engine = "object"
    return ModuleCall(module, effort.timeout)


def _closed_form(work: Workload, effort: Effort) -> Call:
    module = module_of(work, effort)
    closed = module.analytical()
    if closed is None:
        raise StructureError(_no_closed_form(work, module))
    module.gradient_method = closed
    return ModuleCall(module, effort.timeout)


def _no_closed_form(work: Workload, module: InverseKinematics) -> str:
    """Why there is none for what is asked, and whether there is one for whole poses."""
    why = module.analytical_report
    if work.is_full_pose:
        return why
    of_poses = InverseKinematics(frame_of(work))
    if of_poses.analytical() is None:
        return why
    return (
        "no closed form is known for positions alone, which are asked of fewer than six joints; for whole poses "
        f"this arm has one ({of_poses.analytical_report})"
    )


def restarted(
    solver: object, effort: Effort, attempts: int = defaults.ATTEMPTS, device: NodeSet | None = None
) -> IKMetaSolver:
    """A meta solver that stops at the first solution.

    Args:
        solver: What is called again and again.
        effort: How hard to try.
        attempts: At most, when the effort does not say it.
        device: The chain that is solved for, where the solver does not say it.
    """
    meta = IKMetaSolver(solver, device)
    meta.stop_at_first = True
    meta.max_attempts = attempts if effort.attempts is None else effort.attempts
    meta.timeout = effort.timeout
    return meta


def _meta(work: Workload, effort: Effort) -> Call:
    frame = frame_of(work)
    return SolverCall(restarted(module_of(work, effort, frame), effort), frame.chain())


def _meta_robwork(work: Workload, effort: Effort) -> Call:
    chain = frame_of(work).chain()
    if not work.is_full_pose:
        raise StructureError(
            "JacobianIKSolver solves for whole poses, and fewer than six joints are asked for positions"
        )
    inner = JacobianIKSolver.robwork_defaults(chain)
    inner.max_error = effort.tolerance
    return SolverCall(restarted(inner, effort, defaults.META_ATTEMPTS), chain)


def _meta_ccd(work: Workload, effort: Effort) -> Call:
    chain = frame_of(work).chain()
    inner = CCDSolver(chain, max_error=effort.tolerance, position_only=not work.is_full_pose)
    return SolverCall(restarted(inner, effort), chain)


def _all() -> Iterable[Variant]:
    group = "gradient-methods"
    yield method_variant("levenberg-marquardt", group, "the default: LevenbergMarquardt()", LevenbergMarquardt)
    yield method_variant("halley", group, "Halley()", Halley)
    yield method_variant("dls", group, "JacobianDLS()", JacobianDLS)
    yield method_variant("pseudo-inverse", group, "JacobianPseudoInverse()", JacobianPseudoInverse)
    yield method_variant("selectively-damped", group, "SelectivelyDamped()", SelectivelyDamped)
    yield method_variant("transpose", group, "JacobianTranspose()", JacobianTranspose)
    group = "step-rules"
    yield method_variant("sugihara", group, "LevenbergMarquardt.sugihara()", LevenbergMarquardt.sugihara)
    yield method_variant("chan", group, "LevenbergMarquardt.chan()", LevenbergMarquardt.chan)
    yield method_variant("dls-0.2", group, "JacobianDLS(damping=0.2)", lambda: JacobianDLS(0.2))
    group = "restarts"
    yield Variant("one-attempt", group, "the default method from the seed alone, with more patience", _one_attempt)
    yield Variant("patient", group, "the default method, attempts never given up early", _patient)
    yield Variant("dart", group, "use_dart_defaults(): one attempt of up to 500 iterations", _dart)
    yield Variant("python", "engines", 'the default method with problem.engine = "object"', _python)
    yield Variant("closed-form", "closed-forms", "the branch nearest to the seed, where the arm has them", _closed_form)
    group = "meta-solvers"
    yield Variant("meta", group, "IKMetaSolver(module), stop_at_first", _meta)
    yield Variant(
        "meta-robwork", group, "IKMetaSolver(JacobianIKSolver.robwork_defaults()), 25 attempts", _meta_robwork
    )
    yield Variant("meta-ccd", group, "IKMetaSolver(CCDSolver()), in Python", _meta_ccd)


#: By name, in the order in which they are shown.
VARIANTS = MappingProxyType({each.name: each for each in _all()})
