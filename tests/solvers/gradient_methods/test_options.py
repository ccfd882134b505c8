import math
from functools import partial

import numpy as np
import pytest

from kinetree.kinematics import InvalidValueError
from kinetree.solvers import (
    JacobianDLS,
    JacobianPseudoInverse,
    JacobianTranspose,
    LevenbergMarquardt,
    SelectivelyDamped,
)

MADE_WITH = {
    "damping": JacobianDLS,
    "cutoff": JacobianPseudoInverse,
    "scaling": JacobianTranspose,
    "gamma_max": SelectivelyDamped,
}


@pytest.mark.parametrize("value", ["x", None, "", math.nan, math.inf, -1.0, True, [1.0, 2.0], 10**400, 1j])
@pytest.mark.parametrize(("name", "kind"), MADE_WITH.items())
def test_what_is_no_such_number_is_told_by_name(name, kind, value):
    with pytest.raises(InvalidValueError, match=f"^{name} must be"):
        kind(value)
    method = kind()
    before = getattr(method, name)
    with pytest.raises(InvalidValueError, match=f"^{name} must be"):
        setattr(method, name, value)
    assert getattr(method, name) == before


@pytest.mark.parametrize("value", ["x", None, math.nan, -1.0])
@pytest.mark.parametrize("name", ["damping", "floor"])
def test_options_of_levenberg_marquardt_are_checked_too(name, value):
    with pytest.raises(InvalidValueError, match=f"^{name} must be"):
        partial(LevenbergMarquardt, **{name: value})()


def test_numbers_of_numpy_are_numbers():
    assert JacobianDLS(np.float32(0.5)).damping == 0.5
    assert LevenbergMarquardt(damping=0).damping == 0.0
