"""What solvers of the user's give, whatever that is."""

from fractions import Fraction

import numpy as np
import pytest

from kinetree.interfaces.bench import measure, workload
from kinetree.interfaces.bench.call import Answer
from kinetree.interfaces.bench.checked_answer import checked_answer
from kinetree.interfaces.bench.errors import AnswerError
from kinetree.interfaces.bench.solver_call import SolverCall
from kinetree.solvers import Solutions, SolutionsReport


class Unspeakable(Exception):
    def __str__(self):
        raise RuntimeError("no words")


class Unreadable:
    def __iter__(self):
        raise Unspeakable


class Leaves:
    def __iter__(self):
        raise SystemExit(0)


@pytest.fixture(scope="module")
def work():
    return workload("ur5", 12)


@pytest.fixture(scope="module")
def call(work):
    return SolverCall(None, work.chain)


REPORT = SolutionsReport("many", 1, {})


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ([np.zeros(3)], r"shape \(3,\), not \(6,\)"),
        (np.zeros(3), r"shape \(3,\), not \(6,\)"),
        ([0.0], r"shape \(1,\), not \(6,\)"),
        ([np.zeros((2, 6))], r"shape \(2, 6\)"),
        (["hello"], "shape"),
        ("hello!", "shape"),
        ([["1"] * 6], "not of real numbers"),
        ([[None] * 6], "not of real numbers"),
        ([[[0.0], 1]], "ValueError"),
        ([{"a": 1}], "shape"),
        (5, "it gave a int, reading which raised TypeError"),
        (np.float64(5.0), "TypeError"),
        ([np.zeros(6) + 1j], "complex128, not of real numbers"),
        ([np.zeros(6, dtype=bool)], "not of real numbers"),
        ([np.full(6, np.nan)], "not finite"),
        ([np.full(6, np.inf)], "not finite"),
        ([10**400] * 6, "OverflowError"),
        (Solutions([np.zeros(6)], REPORT), "'many' attempts"),
        (Solutions([np.zeros(6)], REPORT._replace(attempts=-1)), "-1 attempts"),
        (Solutions([np.zeros(6)], REPORT._replace(attempts=np.nan)), "nan attempts"),
        (Unreadable(), "Unspeakable, whose message cannot be shown"),
        (Leaves(), "SystemExit"),
    ],
)
def test_what_is_no_answer_says_why(call, given, why):
    with pytest.raises(AnswerError, match=why):
        checked_answer(call, given, 6)


@pytest.mark.parametrize("given", [None, [], (), np.empty(0), np.empty((0, 6)), Solutions()])
def test_nothing_found_is_an_answer(call, given):
    assert checked_answer(call, given, 6).q is None


@pytest.mark.parametrize(
    "given",
    [
        [1, 2, 3, 4, 5, 6],
        [[1, 2, 3, 4, 5, 6], [0, 0, 0, 0, 0, 0]],
        np.arange(1, 7),
        np.arange(1, 7, dtype=np.float32)[None],
        [Fraction(k) for k in range(1, 7)],
        Solutions([np.arange(1.0, 7.0)]),
    ],
)
def test_numbers_of_any_kind_are_a_configuration(call, given):
    q = checked_answer(call, given, 6).q
    assert q.dtype == np.float64
    assert q.tolist() == [1, 2, 3, 4, 5, 6]


def test_an_answer_is_a_copy(call):
    buffer = np.zeros(6)
    q = checked_answer(call, [buffer], 6).q
    buffer[:] = 1.0
    assert not q.any()


def test_a_solver_may_write_all_answers_to_one_array(work, fake_variant):
    buffer = np.zeros(6)

    def does(k):
        buffer[:] = work.witnesses[k]
        return buffer

    (found,) = measure(work, [fake_variant(does)])
    assert found.success == 1.0


def test_a_bad_answer_is_not_solved_and_the_others_count(work, fake_variant):
    def does(k):
        return Answer(work.witnesses[k] if k % 3 else np.zeros(2), None, 1)

    def never(k):
        return Answer(["a"] * 6)

    found, hopeless = measure(work, [fake_variant(does), fake_variant(never)])
    assert found.solved.tolist() == [k % 3 != 0 for k in range(12)]
    assert found.note == "no usable answer for 4 of 12 targets, first: its configuration has shape (2,), not (6,)"
    assert len(hopeless) == 12
    assert not hopeless.answered.any()
    assert "no usable answer for 12 of 12" in hopeless.note


@pytest.mark.parametrize("error", [SystemExit(0), Unspeakable()])
def test_whatever_is_raised_is_a_failure_with_a_note(work, fake_variant, error):
    def does(k):
        if k % 2 == 0:
            raise error
        return work.witnesses[k]

    def never(k):
        raise error

    found, hopeless = measure(work, [fake_variant(does), fake_variant(never)])
    assert found.solved.tolist() == [k % 2 == 1 for k in range(12)]
    assert f"raised for 6 of 12 targets, first {type(error).__name__}" in found.note
    assert not hopeless
    assert type(error).__name__ in hopeless.note
