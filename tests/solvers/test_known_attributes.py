"""Mistyped options of objects of ours are refused; users' subclasses are theirs."""

import copy

import numpy as np
import pytest

from kinetree.kinematics import CollisionDetector, KinetreeError, Sphere, UnknownAttributeError
from kinetree.kinematics.shapes import Shape
from kinetree.solvers import (
    AmbiguityResolver,
    CCDSolver,
    GradientMethod,
    HierarchicalIK,
    IKMetaSolver,
    InverseKinematics,
    InvKinMethod,
    JacobianDLS,
    JacobianIKSolver,
    ModuleSolver,
    MultiJacobianIKSolver,
    Problem,
)

MADE = {
    "IKMetaSolver": (lambda arm: IKMetaSolver(JacobianIKSolver(arm)), "colision_detector", "collision_detector"),
    "JacobianIKSolver": (JacobianIKSolver, "max_iteration", "max_iterations"),
    "MultiJacobianIKSolver": (lambda arm: MultiJacobianIKSolver(arm, [arm.tip]), "return_bestfit", "return_best_fit"),
    "CCDSolver": (CCDSolver, "maxError", "max_error"),
    "ModuleSolver": (lambda arm: ModuleSolver(InverseKinematics(arm)), "attempt", "attempts"),
    "AmbiguityResolver": (lambda arm: AmbiguityResolver(JacobianIKSolver(arm)), "windows", "window"),
    "InvKinMethod": (lambda arm: InvKinMethod(JacobianIKSolver(arm)), "component_weight", "component_weights"),
    "InverseKinematics": (InverseKinematics, "gradient_metod", "gradient_method"),
    "Problem": (lambda arm: Problem(), "toleranc", "tolerance"),
    "HierarchicalIK": (HierarchicalIK, "problm", "problem"),
    "JacobianDLS": (lambda arm: JacobianDLS(), "dampening", "damping"),
    "Skeleton": (lambda arm: arm, "position", "positions"),
    "RevoluteJoint": (lambda arm: arm.joint("j0"), "placment", "placement"),
}


@pytest.mark.parametrize("kind", MADE)
def test_a_mistyped_option_is_named_with_the_one_that_is_meant(arm, kind):
    make, wrong, right = MADE[kind]
    thing = make(arm)
    before = dict(vars(thing))
    with pytest.raises(UnknownAttributeError) as caught:
        setattr(thing, wrong, 5)
    assert isinstance(caught.value, KinetreeError)
    assert isinstance(caught.value, AttributeError)
    assert str(caught.value).startswith(f"{type(thing).__name__} has no option {wrong!r}; did you mean {right!r}")
    assert vars(thing).keys() == before.keys()
    setattr(thing, right, getattr(thing, right))
    if kind != "Problem":  # which counts every change
        thing._own = 3
        assert thing._own == 3


def test_a_detector(arm):
    arm.link("l3").collisions = [Shape(Sphere(0.05))]
    detector = CollisionDetector(arm)
    with pytest.raises(UnknownAttributeError, match="no option 'margn'; did you mean 'margin'"):
        detector.margn = 0.1
    detector.margin = 0.1
    assert detector.clone().margin == 0.1


def test_what_looks_like_nothing_is_told_what_there_is(arm):
    with pytest.raises(UnknownAttributeError) as caught:
        InverseKinematics(arm).tries = 3
    said = str(caught.value)
    assert "there are: active, error_method, gradient_method" in said
    assert "solve" not in said.partition("there are:")[2]


def test_classes_of_users_are_open(arm):
    class Mine(JacobianIKSolver):
        def __init__(self, chain):
            super().__init__(chain)
            self.count = 0

    class Step(GradientMethod):
        def gradient(self, jacobian, error):
            self.last = np.linalg.norm(error)
            return jacobian.T @ error

    solver = Mine(arm)
    solver.remark = "mine"
    assert (solver.count, copy.copy(solver).remark) == (0, "mine")
    ik = InverseKinematics(arm)
    ik.gradient_method = step = Step()
    ik.solve(arm.state(arm.positions + 0.1).transform(arm.tip), attempts=1)
    assert step.last >= 0.0
