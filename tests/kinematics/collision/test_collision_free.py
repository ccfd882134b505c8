"""`CollisionFree`: the detector as a constraint."""

import numpy as np
import pytest

from kinetree import models
from kinetree.kinematics import Box, CollisionDetector, CollisionFree, InvalidValueError, QConstraint, Sphere, pose
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


def test_it_tells_whose_configurations_it_takes(detector):
    assert detector.constraint.skeleton is detector.skeleton
    assert detector.constraint.skeletons == (detector.skeleton,)
    other = CollisionDetector(models.load("ur5"))
    plain = QConstraint(lambda q: True, "plain")
    combined = ~(detector.constraint | plain) & other.constraint & detector.constraint
    assert combined.skeletons == (detector.skeleton, other.skeleton)
    assert plain.skeletons == (plain & plain).skeletons == ()


def test_all_pairs_are_told_of_the_deepest_first(detector):
    panda = detector.skeleton
    hand = panda.state(HOME).transform(panda.frame("panda_hand"))
    detector.add("block", Box(0.3, 0.3, 0.3), hand)
    detector.add("sheet", Box(0.5, 0.5, 0.01), hand)
    found = detector.constraint.collisions(HOME)
    assert {each.pair for each in found} == {each.pair for each in detector.contacts(HOME)}
    assert {"panda_hand", "block"} in [set(each.pair) for each in found]
    depths = {each.pair: each.depth for each in detector.contacts(HOME)}
    assert [depths[each.pair] for each in found] == sorted(depths.values(), reverse=True)
    told = detector.constraint.explain(HOME)
    assert told == ", ".join(map(str, found[:3])) + (", ..." if len(found) > 3 else "")


def test_operators_of_a_detector_are_those_of_its_constraint(detector):
    panda = detector.skeleton
    detector.add("ball", Sphere(0.1), panda.state(HOME).transform(panda.frame("panda_hand")))
    away = panda.as_configuration({"panda_joint1": 2.0, "panda_joint2": -0.785, "panda_joint4": -2.356,
                                   "panda_joint6": 1.571})  # fmt: skip
    assert detector.in_collision(HOME)
    assert not detector.in_collision(away)

    def turned(q):
        return q[0] > 1.0

    def never(q):
        return False

    mine = QConstraint(never, "never")
    for both in (detector & turned, turned & detector, QConstraint(turned) & detector, detector & QConstraint(turned)):
        assert [both(HOME), both(away)] == [False, True]
    for either in (detector | mine, mine | detector, never | detector):
        assert [either(HOME), either(away)] == [False, True]
    assert [(~detector)(HOME), (~detector)(away)] == [True, False]
    assert (detector & mine).refusing(HOME) is detector.constraint
