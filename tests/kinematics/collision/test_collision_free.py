"""`CollisionFree`: the detector as a constraint."""

import numpy as np
import pytest

from kinetree import models
from kinetree.kinematics import CollisionDetector, CollisionFree, InvalidValueError, QConstraint, Sphere, pose
from kinetree.kinematics.q_constraint import as_constraint

HOME = np.array([0, -0.785, 0, -2.356, 0, 1.571, 0.785, 0.02])


@pytest.fixture
def detector() -> CollisionDetector:
    return CollisionDetector(models.load("panda"))


def test_it_asks_the_detector_as_it_is(detector):
    constraint = detector.constraint
    assert isinstance(constraint, CollisionFree)
    assert isinstance(constraint, QConstraint)
    assert constraint is detector.constraint
    assert constraint.detector is detector
    assert constraint(HOME) is True
    tip = detector.skeleton.state(HOME).transform(detector.skeleton.tip).translation
    detector.add("ball", Sphere(0.05), pose(tip))
    assert constraint(HOME) is False
    detector.move("ball", pose(np.add(tip, [0, 0, 1])))
    assert constraint(HOME)
    detector.margin = 1.0
    assert not constraint(HOME)


def test_it_explains_the_pair(detector):
    constraint = detector.constraint
    assert (constraint.name, constraint.explain(HOME), constraint.refusing(HOME)) == ("collision", "", None)
    tip = detector.skeleton.state(HOME).transform(detector.skeleton.tip).translation
    detector.add("ball", Sphere(0.02), pose(tip))
    assert constraint.refusing(HOME) is constraint
    assert constraint.explain(HOME).endswith("touches 'ball'")


def test_it_combines(detector):
    high = QConstraint(lambda q: q[1] > -1.0, "high")
    both = high & detector.constraint
    assert both(HOME)
    detector.add("ball", Sphere(0.5))
    assert both.refusing(HOME) is detector.constraint
    assert "touches 'ball'" in both.explain(HOME)
    assert as_constraint(detector) is detector.constraint


def test_nan_is_refused_and_not_taken_for_free(detector):
    with pytest.raises(InvalidValueError, match="finite"):
        detector.constraint(np.full(8, np.nan))
