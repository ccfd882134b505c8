"""Modules, solvers and what they give can be pickled and copied."""

import copy
import pickle
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import numpy as np
import pytest

from kinetree.kinematics import QConstraint
from kinetree.solvers import (
    AmbiguityResolver,
    CCDSolver,
    IKMetaSolver,
    InverseKinematics,
    JacobianIKSolver,
    MultiJacobianIKSolver,
)

Q = np.array([0.3, -1.2, 1.5, -0.8, 1.2, 0.1])


def _accepts(q):
    return True


def closed(six):
    ik = InverseKinematics(six)
    ik.gradient_method = ik.analytical()
    return ik


def whole_body(six):
    ik = InverseKinematics(six)
    ik.use_whole_body()
    return ik


KINDS = {
    "module": InverseKinematics,
    "chosen": lambda six: InverseKinematics(six, dofs=range(6)),
    "whole body": whole_body,
    "closed form": closed,
    "prepared": lambda six: InverseKinematics(six).prepare(),
    "jacobian": lambda six: JacobianIKSolver(six, weights=[1, 2, 1, 1, 1, 1]),
    "ccd": CCDSolver,
    "multi": lambda six: MultiJacobianIKSolver(six, ["tool"]),
    "meta": lambda six: IKMetaSolver(JacobianIKSolver(six), constraint=QConstraint(_accepts)),
    "meta of a closed form": lambda six: IKMetaSolver(closed(six).gradient_method),
    "ambiguities": lambda six: AmbiguityResolver(CCDSolver(six)),
}


def answer(solver, target):
    """All that a solver finds, as numbers."""
    if isinstance(solver, MultiJacobianIKSolver):
        target = [target]
    if hasattr(solver, "chain") or isinstance(solver, MultiJacobianIKSolver):
        return np.array(list(solver.solve(target, Q)))
    return solver.solve(target, Q + 0.1).q if not isinstance(solver, InverseKinematics) else _module(solver, target)


def _module(module, target):
    return module.solve(target, seed=Q + 0.1).q


@pytest.mark.parametrize("kind", KINDS)
def test_solvers_can_be_pickled_and_copied_before_and_after_use(six, kind):
    six.positions = Q
    solver, target = KINDS[kind](six), six.tip.transform()
    for _ in range(2):
        twins = pickle.loads(pickle.dumps(solver)), copy.deepcopy(solver)
        expected = answer(solver, target)
        for twin in twins:
            assert answer(twin, target) == pytest.approx(expected, abs=1e-12)


def test_a_copy_of_a_module_follows_its_own_robot(six):
    module = InverseKinematics(six, dofs=["j0", "j1", "j2"])
    twin = copy.deepcopy(module)
    assert twin.skeleton is not six
    assert [dof.name for dof in twin.dofs] == ["j0", "j1", "j2"]
    assert all(dof.joint.skeleton is twin.skeleton for dof in twin.dofs)


def test_solutions_can_be_pickled_and_copied_and_stay_read_only(six):
    six.positions = Q
    meta = IKMetaSolver(JacobianIKSolver(six))
    meta.constraint = lambda q: q[2] > 0.0
    found = meta.solve(six.tip.transform(), Q)
    for twin in (pickle.loads(pickle.dumps(found)), copy.deepcopy(found)):
        assert np.array_equal(np.array(list(twin)), np.array(list(found)))
        assert twin.report == found.report
        assert str(twin.report) == str(found.report)
        assert twin.report.constraints["nobody"] == found.report.constraints["nobody"] == 0
        with pytest.raises(TypeError):
            twin.report.refused["limits"] = 3
        with pytest.raises(ValueError, match="read-only"):
            twin[0][0] = 1.0


def test_a_module_works_in_another_process(six):
    six.positions = Q
    module, target = InverseKinematics(six), six.tip.transform()
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        q = pool.submit(_module, module, target).result()
    assert q == pytest.approx(_module(module, target), abs=1e-12)
