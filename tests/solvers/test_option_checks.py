"""Options that make no sense are typed errors wherever they are given."""

import numpy as np
import pytest

from kinetree.kinematics import InvalidValueError
from kinetree.solvers import IKMetaSolver, InverseKinematics, JacobianIKSolver, MultiJacobianIKSolver

TWO_WORDS = np.array(["a", "b"])


@pytest.mark.parametrize(
    ("name", "value"), [("timeout", "1"), ("timeout", True), ("order", TWO_WORDS), ("order", ["found"])]
)
def test_options_of_a_meta_solver(six, name, value):
    meta = IKMetaSolver(JacobianIKSolver(six))
    before = getattr(meta, name)
    with pytest.raises(InvalidValueError, match=name):
        setattr(meta, name, value)
    assert getattr(meta, name) == before


@pytest.mark.parametrize(
    "options",
    [
        {"strategy": "graph", "allow_jumps": "x"},
        {"strategy": "graph", "allow_jumps": 1},
        {"strategy": "graph", "metric": ["length"]},
        {"strategy": "graph", "metric": TWO_WORDS},
        {"strategy": "graph", "time_step": "1"},
        {"strategy": TWO_WORDS},
        {"continuity": "1"},
        {"tolerance": "1e-6"},
        {"tolerance": ("1e-6", 1e-6)},
    ],
)
def test_options_of_a_path(six, options):
    with pytest.raises(InvalidValueError):
        InverseKinematics(six).solve_path([six.tip.transform()], **options)


def test_options_of_a_problem(six):
    with pytest.raises(InvalidValueError, match="engine"):
        InverseKinematics(six).problem.engine = TWO_WORDS


@pytest.mark.parametrize("frames", [None, 3])
def test_frames_that_are_none(six, frames):
    with pytest.raises(InvalidValueError, match="frames"):
        MultiJacobianIKSolver(six, frames)
    with pytest.raises(InvalidValueError, match="device"):
        MultiJacobianIKSolver(frames, ["tool"])
