"""Libraries side by side: answers are verified by us, and trouble of one is no trouble of the others."""

import numpy as np
import pytest

from benchmarks.contest import compete
from benchmarks.core import comparison
from kinetree.interfaces.bench import workload


def quiet(_):
    return None


@pytest.fixture(scope="module")
def work():
    return workload("panda", 6)


def test_wrong_answers_and_answers_beyond_limits_do_not_count(fake, work):
    answers = work.of_chain(work.witnesses)
    answers[1, 0] += 1e-4  # misses
    answers[2, 6] += 2.0 * np.pi  # reaches, beyond the limit
    answers[3, 6] = np.nan  # none
    answers[4] += 1e-8  # near enough
    problem, (outcome,) = compete([fake("answer", answers)], work, work.seeds, rounds=2, say=quiet)
    assert outcome.solved(problem).tolist() == [True, False, False, False, True, True]
    check = outcome.verification
    assert check.answered.tolist() == [True, True, True, False, True, True]
    assert check.inside.tolist() == [True, True, False, False, True, True]
    assert 1e-6 < check.orientation_error[1] <= 1.1e-4
    (row,) = comparison.rows("panda", problem, [outcome])
    assert row["solved"] == 50.0
    assert (row["wrong"], row["outside"]) == (1, 1)
    assert row["median_ratio"] == 1.0
    assert len(outcome.rounds) == 2


def test_trouble_is_words_in_a_row(fake, work):
    peers = [fake(does, work.of_chain(work.witnesses), name=does) for does in ("answer", "refuse", "crash", "raise")]
    problem, outcomes = compete(peers, work, work.seeds, rounds=3, say=quiet)
    rows = comparison.rows("panda", problem, outcomes)
    assert [row["library"] for row in rows] == ["answer", "refuse", "crash", "raise"]
    assert rows[0]["solved"] == 100.0
    assert rows[1]["note"].startswith("refused: ValueError: no robot with 7 joints")
    assert rows[2]["note"] == "crashed: exit status 3, out of luck"
    assert "median_us" not in rows[1]
    assert "median_us" not in rows[2]
    assert rows[3]["solved"] == 0.0
    assert rows[3]["note"] == "RuntimeError: target 0 is ugly"


def test_all_solutions_of_each_target(fake, work):
    right = work.of_chain(work.witnesses)
    answers = [np.array([q, q + 1e-3, q]) for q in right]
    answers[1] = np.empty((0, 7))
    _, (outcome,) = compete([fake("answer", answers)], work, work.seeds, all_solutions=True, rounds=2, say=quiet)
    assert outcome.words == ""
    assert outcome.counts.tolist() == [3, 0, 3, 3, 3, 3]
    errors = outcome.verification.position_error.reshape(5, 3)
    assert (errors[:, [0, 2]] < 1e-12).all()
    assert (errors[:, 1] > 1e-5).all()
    np.testing.assert_array_equal(work.of_chain(outcome.q)[3], right[2])


def test_all_solutions_of_many_targets_in_one_call(fake, work):
    _, outcomes = compete(
        [fake("answer"), fake("malformed")], work, work.seeds, together=True, all_solutions=True, rounds=2, say=quiet
    )
    assert outcomes[0].counts.tolist() == [2] * 6
    assert len(outcomes[0].rounds) == 2
    assert outcomes[1].words.startswith("failed: it counted the solutions of 2 targets of 3")


def test_malformed_batches_are_refused(fake, work):
    _, (outcome,) = compete([fake("malformed")], work, work.seeds, together=True, say=quiet)
    assert outcome.words.startswith("failed: it gave configurations of shape (1, 1)")


def test_ratios_are_met_or_not(fake, work):
    answers = work.of_chain(work.witnesses)
    peers = [fake("answer", answers, "kinetree"), fake("pause", answers, "slow"), fake("refuse", (), "shy")]
    _, (ours, *others) = compete(peers, work, work.seeds, say=quiet)
    ratio = comparison.Ratio
    wanted = [
        ratio("slow", "median", 3.0),
        ratio("slow", "mean", 1e9),
        ratio("shy", "mean", 1.0),
        ratio("absent", "mean", 1.0),
    ]
    figures = comparison.ratio_figures("panda", ours, others, wanted)
    assert [figure.is_met for figure in figures] == [True, False, None]
    assert figures[2].note.startswith("refused")
    (tail,) = comparison.tail_figure("panda", ours, others, 2.0)
    assert "slow" in tail.what
    assert tail.is_met


def test_a_slow_library_is_asked_for_as_much_as_its_time_is_enough_for(fake, work):
    q = work.of_chain(work.witnesses)
    _, (slow,) = compete([fake("pause", [q[0], q[3]])], work, work.seeds, rounds=2, seconds=1e-3, say=quiet)
    assert slow.asked.tolist() == [0, 3]  # the first of each part
    assert [len(each) for each in slow.rounds] == [1, 1]
    problem, (quick,) = compete([fake("answer", q)], work, work.seeds, rounds=2, say=quiet)
    assert quick.asked.tolist() == [0, 1, 2, 3, 4, 5]
    assert quick.solved(problem).all()
    rows = comparison.rows("panda", problem, [quick, slow])
    assert [row["targets"] for row in rows] == [6, 2]
    assert [point[1] for point in rows[0]["curve"]][-1] == 100.0
