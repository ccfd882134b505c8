"""Tests of telling classes of ours from those of users."""

import pytest

from kinetree import solvers
from kinetree.kinematics import Skeleton
from kinetree.solvers.own_class import is_own_class


@pytest.mark.parametrize("kind", [solvers.IKMetaSolver, solvers.JacobianIKSolver, solvers.ClosedForm, solvers.Solution])
def test_solvers_are_ours_whichever_folder_they_are_in(kind):
    assert is_own_class(kind)


def test_classes_of_users_and_of_other_layers_are_not():
    class Own(solvers.JacobianIKSolver):
        pass

    assert not is_own_class(Own)
    assert not is_own_class(Skeleton)
