"""Variants side by side: what is counted as solved, attempts, errors, time shares."""

import numpy as np
import pytest

from kinetree.interfaces.bench import Effort, Variant, find_variants, measure, trial, workload
from kinetree.interfaces.bench.call import Answer
from kinetree.kinematics import InvalidValueError, ShapeError, StructureError
from kinetree.solvers import InverseKinematics


@pytest.fixture(scope="module")
def work():
    return workload("ur5", 40)


def test_answers_are_judged_by_pinocchio_and_not_by_the_solver(work, fake_variant):
    off, beyond = work.witnesses.copy(), work.witnesses.copy()
    off[:, 0] += 1e-4
    beyond[:, 0] = work.robot.upper_limits[0] + 1e-3

    def does(k):
        return [work.witnesses[k], off[k], beyond[k], None][k % 4]

    (found,) = measure(work, [fake_variant(does)])
    assert found.solved.tolist() == [k % 4 == 0 for k in range(40)]
    assert found.answered.tolist() == [k % 4 != 3 for k in range(40)]
    assert found.success == 0.25
    assert found.wrong == 20
    assert found.position_error > 1e-5


def test_the_tolerance_of_the_effort_counts(work, fake_variant):
    off = work.witnesses.copy()
    off[:, 5] += 1e-4  # turns the tool about its axis
    (strict,) = measure(work, [fake_variant(lambda k: off[k])])
    (loose,) = measure(work, [fake_variant(lambda k: off[k])], effort=Effort(tolerance=2e-4))
    assert (strict.success, loose.success) == (0.0, 1.0)
    assert strict.orientation_error == pytest.approx(1e-4, rel=1e-6)


def test_the_fewest_attempts_are_looked_for(work, fake_variant):
    def does(k):
        return Answer(work.witnesses[k], 3, 8)

    seen, said, unknown, at_once = measure(
        work,
        [
            fake_variant(does, enough=4),
            fake_variant(does, enough=7),
            fake_variant(lambda k: work.witnesses[k]),
            fake_variant(lambda k: Answer(work.witnesses[k], 3, 1), enough=100),
        ],
    )
    assert set(seen.needed) == {5}
    assert set(said.needed) == {8}
    assert [seen.success_after(k) for k in (2, 5)] == [0.0, 1.0]
    assert unknown.success_after(5) is None
    assert at_once.success_after(1) == 1.0
    assert seen.mean_attempts == 8
    assert seen.median_iterations == 3


def test_success_after_attempts_is_what_searches_with_so_few_give(work):
    fast, python = measure(work, find_variants(["levenberg-marquardt", "python"]))
    for attempts in (1, 2, 5):
        # The engine in Python makes one attempt after the other, so the number that it reports is the one that solved.
        expected = np.mean(python.solved & (python.attempts <= attempts))
        assert python.success_after(attempts) == expected
    assert fast.success_after(1) == python.success_after(1) < 1.0
    searched = InverseKinematics(work.robot).prepare(attempts=2, explain=False)
    solved = [bool(searched.solve(query.target, query.seed)) for query in work]
    assert fast.success_after(2) == np.mean(solved)
    assert fast.success == 1.0


def test_a_solver_that_raises_has_not_solved_that_target(work, fake_variant):
    def does(k):
        if k > 20 and k % 2:
            raise RuntimeError("no luck")
        return work.witnesses[k]

    (found,) = measure(work, [fake_variant(does)])
    assert found.solved.sum() == 30
    assert found.note == "raised for 10 of 40 targets, first RuntimeError: no luck"


def test_what_does_not_fit_has_a_note_and_no_figures(work, fake_variant):
    def refuse(work, effort):
        raise StructureError("no closed form is known")

    def break_down(k):
        raise ZeroDivisionError("division by zero")

    refused, broken, good = measure(
        work,
        [
            Variant("refused", "fakes", "", refuse),
            fake_variant(break_down),
            fake_variant(lambda k: work.witnesses[k]),
        ],
    )
    assert not refused
    assert refused.note == "no closed form is known"
    assert np.isnan(refused.success)
    assert refused.timing is None
    assert not broken
    assert broken.note == "ZeroDivisionError: division by zero"
    assert good
    assert "40 of 40" in repr(good)
    assert "no closed form" in repr(refused)


def test_what_fast_ones_leave_of_the_time_is_for_slow_ones(work, monkeypatch, fake_variant):
    clock = [0.0]
    monkeypatch.setattr(trial.time, "perf_counter", lambda: clock[0])

    def variant(name, seconds):
        def does(k):
            clock[0] += seconds
            return work.witnesses[k]

        return fake_variant(does, name)

    fast, slow, slower = measure(
        work, [variant("fast", 0.1), variant("slow", 1.0), variant("slower", 3.0)], time_limit=44.0
    )
    # 44 s less the 4 s of the fast one are 20 s for each of the others.
    assert len(fast) == 40
    assert 19 <= len(slow) <= 21
    assert 6 <= len(slower) <= 7
    np.testing.assert_allclose(slow.seconds, 1.0)
    assert slow.timing.median == pytest.approx(1e6)
    assert slow.success == 1.0
    assert slow.success_within(0.5) == 0.0


def test_they_take_turns_and_say_how_far_they_are(work, fake_variant):
    told = []
    variants = [fake_variant(lambda k: work.witnesses[k], name) for name in ("a", "b")]
    measure(work, variants, progress=lambda *news: told.append(news))
    assert told[:2] == [("a", 0, True), ("b", 0, True)]
    assert told[2:6] == [("a", 4, False), ("b", 4, False), ("a", 8, False), ("b", 8, False)]
    assert told[-1] == ("b", 40, False)


def test_compiling_is_not_timed(work, fake_variant):
    calls = []
    (found,) = measure(work, [fake_variant(lambda k: work.witnesses[k], made=calls.append)])
    assert calls[0].calls == len(work) + trial.WARM_UP
    assert len(found) == len(work)


def test_seeds_are_those_that_were_given(work):
    (far,) = measure(work, find_variants(["one-attempt"]))
    (near,) = measure(work, find_variants(["one-attempt"]), seeds=work.near_seeds())
    assert near.success > far.success
    assert near.success > 0.95


def test_bad_input_is_refused(work):
    with pytest.raises(ShapeError, match="seeds"):
        measure(work, [], seeds=work.seeds[:3])
    with pytest.raises(InvalidValueError, match="time_limit"):
        measure(work, [], time_limit=0.0)
    for options in ({"tolerance": 0.0}, {"timeout": np.nan}, {"attempts": 0}):
        with pytest.raises(InvalidValueError, match=next(iter(options))):
            Effort(**options)
