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
from ...solvers import GradientMethod, IKMetaSolver, InvKinSolver
from .call import Call
from .effort import Effort
from .errors import OwnSolverError
from .module_call import ModuleCall
from .reachable_targets import Workload
from .solver_call import SolverCall
from .variant import Variant, frame_of, module_of
from .variants import restarted

GROUP = "own"
KINDS = "a GradientMethod (an Analytical is one) or an InvKinSolver"


def own_variants(name: str) -> list[Variant]:
    """Variants of a class, or of a function that makes a solver.

    A `GradientMethod` or `Analytical` class is made without arguments and used in the default module. An
    `InvKinSolver` class is given the chain; it is measured as it is and, where it has not restarts of its own, inside
    an `IKMetaSolver` as well. A function is given the chain and returns an object of either kind.

    Args:
        name: ``module:Class``, the module as one would import it, or ``path/to/file.py:Class``.

    Raises:
        OwnSolverError: It cannot be imported, is not there, or is neither.
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
    if not issubclass(what, InvKinSolver):
        raise OwnSolverError(f"{name} is neither {KINDS}")
    variants = [Variant(label, GROUP, name, _own(what, True, False))]
    if not issubclass(what, IKMetaSolver):
        about = f"IKMetaSolver({label}), stop_at_first"
        variants.append(Variant(f"{label} restarted", GROUP, about, _own(what, True, True)))
    return variants


def _own(make: Callable[..., Any], wants_chain: bool, restarts: bool) -> Callable[[Workload, Effort], Call]:
    """How a class or a function becomes a call."""

    def bind(work: Workload, effort: Effort) -> Call:
        frame = frame_of(work)
        chain = frame.chain()
        solver = _made(make, [chain] if wants_chain else [])
        if isinstance(solver, GradientMethod):
            module = module_of(work, effort, frame)
            module.gradient_method = solver
            return ModuleCall(module, effort.timeout)
        if not isinstance(solver, InvKinSolver):
            raise OwnSolverError(f"{_name(make)} made {solver!r}, which is neither {KINDS}")
        return SolverCall(restarted(solver, effort) if restarts else solver, chain)

    return bind


def _made(make: Callable[..., Any], arguments: list[NodeSet]) -> Any:
    try:
        return make(*arguments)
    except KinetreeError:
        raise  # says itself why it does not fit
    except Exception as error:
        given = "the chain" if arguments else "no arguments"
        raise OwnSolverError(
            f"{_name(make)}, called with {given}, raised {type(error).__name__}: {error}; for other arguments name a "
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
    except Exception as error:
        raise OwnSolverError(f"{where} cannot be imported: {type(error).__name__}: {error}") from error


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
    """Names of the solver classes of a module."""
    return [
        name
        for name, each in vars(module).items()
        if isinstance(each, type) and issubclass(each, GradientMethod | InvKinSolver)
    ]
