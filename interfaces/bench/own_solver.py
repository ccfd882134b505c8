"""`own_variants`: solver classes of the user's, named ``module:Class``, as variants."""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

from ...kinematics import KinetreeError, NodeSet
from ...kinematics.errors import name_hint
from ...solvers import GradientMethod, IKMetaSolver, InverseKinematics, IterativeIK
from ...solvers.meta.pose_check import stated_error
from .asked_for_positions import AskedForPositions
from .call import Call
from .effort import Effort
from .error_text import error_text
from .errors import OwnSolverError
from .module_call import ModuleCall
from .reachable_targets import Workload
from .solver_call import SolverCall
from .variant import Variant, frame_of, module_of
from .variants import restarted

GROUP = "own"
KINDS = "a GradientMethod (an Analytical is one) nor an InvKinSolver, nor has it a method solve(base_T_end, q)"
#: The argument by which a solver is told that the rotation of the tip does not count, as `CCDSolver` is.
POSITION_ONLY = "position_only"


def own_variants(name: str) -> list[Variant]:
    """Variants of a class, or of a function that makes a solver.

    A `GradientMethod` or `Analytical` class is made without arguments and used in the default module. An
    `InvKinSolver` class, or one that only has a method ``solve(base_T_end, q)``, is given the chain; it is measured as
    it is and, where it has not restarts of its own, inside an `IKMetaSolver` as well. A function is given the chain and
    returns an object of either kind.

    Where the robot is asked for positions alone, what takes an argument ``position_only`` is given it as True. The
    ``max_error`` of an `IterativeIK` is set to the tolerance of the effort.

    Args:
        name: ``module:Class``, the module as one would import it, or ``path/to/file.py:Class``.

    Raises:
        OwnSolverError: It cannot be imported, is not there, or is none of these.
    """
    what = _find(name)
    label = name.rpartition(":")[2]
    if not isinstance(what, type):
        return [Variant(label, GROUP, f"made by {name}", _own(what, True, False))]
    if inspect.isabstract(what):
        missing = ", ".join(sorted(what.__abstractmethods__))  # type: ignore[attr-defined]  # abstract classes have it
        raise OwnSolverError(f"{name} cannot be made: it has yet to define {missing}")
    if issubclass(what, GradientMethod):
        return [Variant(label, GROUP, f"the default module with {name}", _own(what, False, False))]
    if not _solves(what):
        raise OwnSolverError(
            f"{name} is neither {KINDS}; name one, or a function that is given the chain and returns one"
        )
    variants = [Variant(label, GROUP, name, _own(what, True, False))]
    if not issubclass(what, IKMetaSolver):
        about = f"IKMetaSolver({label}), stop_at_first"
        variants.append(Variant(f"{label} restarted", GROUP, about, _own(what, True, True)))
    return variants


def _solves(what: Any) -> bool:
    """Whether something solves as an `IKMetaSolver` wants it; a module takes targets in the world, and does not."""
    kind = what if isinstance(what, type) else type(what)
    return callable(getattr(what, "solve", None)) and not issubclass(kind, InverseKinematics)


def _own(make: Callable[..., Any], wants_chain: bool, restarts: bool) -> Callable[[Workload, Effort], Call]:
    """How a class or a function becomes a call."""

    def bind(work: Workload, effort: Effort) -> Call:
        frame = frame_of(work)
        chain = frame.chain()
        is_told = not work.is_full_pose and wants_chain and _takes(make, POSITION_ONLY)
        solver = _made(make, [chain] if wants_chain else [], {POSITION_ONLY: True} if is_told else {})
        if isinstance(solver, GradientMethod):
            module = module_of(work, effort, frame)
            module.gradient_method = solver
            return ModuleCall(module, effort.timeout)
        if isinstance(solver, type) or not _solves(solver):
            raise OwnSolverError(f"{_name(make)} made {solver!r}, which is neither {KINDS}")
        if isinstance(solver, IterativeIK):
            solver.max_error = effort.tolerance
        remark = "" if work.is_full_pose or is_told or restarts else _NOT_TOLD  # once is enough
        if not restarts:
            return SolverCall(solver, chain, remark)
        asked = solver if work.is_full_pose else AskedForPositions.around(solver, module_of(work, effort, frame))
        meta = restarted(asked, effort, device=chain)
        if not isinstance(solver, IterativeIK) and stated_error(solver) is None:
            meta.max_error = effort.tolerance
        return SolverCall(meta, chain, remark)

    return bind


_NOT_TOLD = (
    "answers count by position alone, as these joints are too few for whole poses, of which the solver is not told; "
    f"one that takes an argument {POSITION_ONLY} is"
)


def _takes(make: Callable[..., Any], argument: str) -> bool:
    try:
        return argument in inspect.signature(make).parameters
    except (TypeError, ValueError):  # built in, without a signature
        return False


def _made(make: Callable[..., Any], arguments: list[NodeSet], options: dict[str, Any]) -> Any:
    try:
        return make(*arguments, **options)
    except KinetreeError:
        raise  # says itself why it does not fit
    except (Exception, SystemExit) as error:
        given = "the chain" if arguments else "no arguments"
        raise OwnSolverError(
            f"{_name(make)}, called with {given}, raised {error_text(error)}; for other arguments name a "
            "function that takes the chain and returns the solver"
        ) from error


def _name(make: Callable[..., Any]) -> str:
    return str(getattr(make, "__name__", make))


def _find(name: str) -> Any:
    """What a name says.

    Raises:
        OwnSolverError: It is not there, or nothing that can be called.
    """
    where, _, what = name.rpartition(":")
    if not where or not what:
        raise OwnSolverError(f"a solver is named module:Class or file.py:Class, not {name!r}")
    module = _module(where)
    found: Any = module
    for part in what.split("."):
        if not hasattr(found, part):
            raise OwnSolverError(f"{where} has no {what!r}; {name_hint(what, _candidates(module))}")
        found = getattr(found, part)
    if not callable(found):
        raise OwnSolverError(f"{name} is {found!r}, neither a class nor a function that makes a solver")
    return found


def _module(where: str) -> ModuleType:
    try:
        return _from_file(Path(where)) if where.endswith(".py") else importlib.import_module(where)
    except (Exception, SystemExit) as error:
        raise OwnSolverError(f"{where} cannot be imported: {error_text(error)}") from error


def _from_file(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None  # the name ends in .py
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    # Kernels and pickles look their module up by name. One that is there already stays.
    sys.modules.setdefault(path.stem, module)
    spec.loader.exec_module(module)
    return module


def _candidates(module: ModuleType) -> list[str]:
    """What a module or package defines, its imports apart, that might be meant: classes that solve, and functions."""
    return [
        name
        for name, each in vars(module).items()
        if not name.startswith("_")
        and (
            inspect.isfunction(each) or (isinstance(each, type) and (issubclass(each, GradientMethod) or _solves(each)))
        )
        and f"{each.__module__}.".startswith(f"{module.__name__}.")
    ]
