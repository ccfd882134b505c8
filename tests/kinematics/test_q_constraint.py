import copy
import math
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kinetree.kinematics import InvalidValueError, QConstraint, as_constraint


def elbow_up(q):
    return q[1] > 0.0


def forward(q):
    return q[0] > 0.0


def twice(q):
    raise LookupError("no such twice")


class Counted(QConstraint):
    """A constraint that counts how often it is asked."""

    def __init__(self, answer, name):
        super().__init__(self._ask, name)
        self.answer = answer
        self.asked = 0

    def _ask(self, q):
        self.asked += 1
        return self.answer


def test_it_is_named_after_its_function_or_as_told():
    assert QConstraint(elbow_up).name == "elbow_up"
    assert QConstraint(elbow_up, "elbow is up").name == "elbow is up"
    assert repr(QConstraint(elbow_up, "elbow is up")) == "<QConstraint 'elbow is up'>"


def test_it_accepts_and_refuses():
    constraint = QConstraint(elbow_up)
    assert constraint(np.array([0.0, 1.0])) is True
    assert constraint(np.array([0.0, -1.0])) is False  # a numpy bool became a plain one


@pytest.mark.parametrize("answer", [math.nan, None, 0.3, 1, 0, "yes", np.array([True]), np.float64(1.0)])
def test_an_answer_that_is_no_bool_is_refused_by_name(answer):
    constraint = QConstraint(lambda q: answer, "odd")
    with pytest.raises(InvalidValueError, match="constraint 'odd' must answer True or False; it answered"):
        constraint(np.zeros(2))
    with pytest.raises(InvalidValueError, match="odd"):
        (~constraint)(np.zeros(2))


def test_what_the_function_raises_comes_through():
    with pytest.raises(LookupError, match="no such twice"):
        (QConstraint(elbow_up) | twice)(np.array([0.0, -1.0]))


@pytest.mark.parametrize("bad", [None, 3, "x", [elbow_up]])
def test_what_cannot_be_called_is_refused(bad):
    with pytest.raises(InvalidValueError, match="function"):
        QConstraint(bad)


def test_an_empty_name_is_refused():
    for name in ("", 3):
        with pytest.raises(InvalidValueError, match="name of a constraint"):
            QConstraint(elbow_up, name)


def test_names_are_built_from_the_parts():
    a, b, c = (QConstraint(elbow_up, name) for name in "abc")
    assert (a & b).name == "(a and b)"
    assert (a & b & c).name == "(a and b and c)"
    assert (a | b | c).name == "(a or b or c)"
    assert (a & (b | c)).name == "(a and (b or c))"
    assert (~(a & b)).name == "not (a and b)"
    assert (~a).name == "not a"
    assert repr(a & ~b) == "<QConstraint (a and not b)>"
    assert ~~a is a


def test_plain_functions_combine_from_both_sides():
    up = QConstraint(elbow_up)
    q = np.array([1.0, 1.0])
    assert (up & forward)(q)
    assert (forward & up)(q)
    assert (forward & up).name == "(forward and elbow_up)"
    assert (forward | up).name == "(forward or elbow_up)"
    assert not (up & (lambda q: False))(q)
    for bad in (None, 3):
        with pytest.raises(InvalidValueError):
            up & bad


def test_the_second_is_only_asked_when_it_matters():
    yes, no, last = Counted(True, "yes"), Counted(False, "no"), Counted(True, "last")
    assert not (no & last)(None)
    assert (yes | last)(None)
    assert last.asked == 0
    assert (yes & last)(None)
    assert last.asked == 1


def test_refusing_finds_the_leaf_and_asks_each_once():
    first, second, third = Counted(True, "first"), Counted(False, "second"), Counted(True, "third")
    assert (first & (second & third)).refusing(None) is second
    assert (first.asked, second.asked, third.asked) == (1, 1, 0)
    both = first | third
    assert (both & first).refusing(None) is None
    assert first.refusing(None) is None


def test_an_or_and_a_not_stand_for_themselves():
    yes, no = Counted(True, "yes"), Counted(False, "no")
    either = no | ~yes
    refused = (yes & either).refusing(None)
    assert refused is either
    assert refused.name == "(no or not yes)"
    assert no.asked == 1
    opposite = ~(yes & yes)
    assert opposite.refusing(None) is opposite


def test_explain_says_why_in_words():
    class Table(QConstraint):
        def explain(self, q):
            return "" if self(q) else "'hand' touches 'table'"

    yes, table = Counted(True, "yes"), Table(lambda q: False, "table")
    assert yes.explain(None) == ""
    assert (~yes).explain(None) == "refused by 'not yes'"
    assert (yes & table).explain(None) == "'hand' touches 'table'"


def test_a_composite_may_be_given_a_name_of_its_own():
    named = QConstraint(QConstraint(elbow_up) & forward, "good posture")
    assert named.refusing(np.array([1.0, -1.0])) is named
    assert named.name == "good posture"


def test_as_constraint_takes_what_callers_have():
    up = QConstraint(elbow_up)

    class Detector:
        constraint = up

    assert as_constraint(None) is None
    assert as_constraint(up) is up
    assert as_constraint(Detector()) is up
    assert as_constraint(elbow_up).name == "elbow_up"
    assert (up & Detector()).name == "(elbow_up and elbow_up)"
    for bad in (3, "collision", {"up": elbow_up}, [elbow_up, None], [[3]]):
        with pytest.raises(InvalidValueError, match="constraint"):
            as_constraint(bad)


def test_of_a_sequence_all_have_to_accept():
    assert as_constraint([]) is None
    up = QConstraint(elbow_up)
    assert as_constraint([up]) is up
    for both in (as_constraint([up, forward]), as_constraint((forward, up)), as_constraint([[up], forward])):
        assert [both(np.array(q)) for q in ([1.0, 1.0], [1.0, -1.0], [-1.0, 1.0])] == [True, False, False]
    assert as_constraint([up, forward]).refusing(np.array([-1.0, 1.0])).name == "forward"


def test_it_can_be_copied_and_pickled():
    constraint = ~(QConstraint(elbow_up) & forward) | forward
    q = np.array([1.0, 1.0])
    for twin in (copy.deepcopy(constraint), pickle.loads(pickle.dumps(constraint))):
        assert twin.name == constraint.name
        assert twin(q) == constraint(q)


#: A tree of constraints over the truth of three names, with the same expression in Python's own logic.
NAMES = "abc"
TREES = st.recursive(
    st.sampled_from(NAMES).map(lambda name: (QConstraint(lambda q: q[name], name), lambda q: q[name])),
    lambda inner: st.one_of(
        st.tuples(inner, inner).map(lambda p: (p[0][0] & p[1][0], lambda q: p[0][1](q) and p[1][1](q))),
        st.tuples(inner, inner).map(lambda p: (p[0][0] | p[1][0], lambda q: p[0][1](q) or p[1][1](q))),
        inner.map(lambda p: (~p[0], lambda q: not p[1](q))),
    ),
    max_leaves=12,
)


@given(TREES, st.tuples(*[st.booleans()] * len(NAMES)))
def test_any_tree_agrees_with_plain_logic(tree, truth):
    constraint, plain = tree
    q = dict(zip(NAMES, truth, strict=True))
    assert constraint(q) == plain(q)
    refusing = constraint.refusing(q)
    assert (refusing is None) == plain(q)
    assert refusing is None or not refusing(q)
    assert (constraint.explain(q) == "") == plain(q)
    assert eval(constraint.name, {}, q) == plain(q)  # the name says what it does
