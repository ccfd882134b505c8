"""Solutions are judged by Pinocchio: found, found but for a direction that moves nothing, missing, wrong."""

import numpy as np
import pytest

from benchmarks.closed_form import comparison
from benchmarks.closed_form.branches import judge
from benchmarks.contest import compete
from kinetree.interfaces.bench import Workload, workload


def judged(work, answers):
    q = work.whole(np.concatenate(answers))
    counts = np.array([len(each) for each in answers])
    at = Workload(work.name, work.robot, work.chain, np.repeat(work.targets, counts, axis=0), q, q)
    return judge(work, q, counts, at.verify(q))


def test_what_counts_as_found():
    work = workload("kr6_r900", 6)
    right = work.of_chain(work.witnesses)
    answers = [right[k : k + 1].copy() for k in range(6)]
    answers[1] += np.array([2.0 * np.pi, 0.0, -2.0 * np.pi, 0.0, 0.0, 0.0])  # the same angles
    answers[2] += 1e-8
    answers[3] += 1e-3  # misses the pose
    answers[4] = np.empty((0, 6))
    answers[5] = np.concatenate([answers[5] + 1e-3, answers[5]])
    branches = judged(work, answers)
    assert branches.found.tolist() == [True, True, True, False, False, True]
    assert branches.close.tolist() == [True, True, False, False, False, True]
    assert branches.missing.tolist() == [False, False, False, True, True, False]
    assert not branches.singular.any()
    assert branches.wrong == 2
    assert branches.outside == 1
    assert branches.per_target == pytest.approx(4 / 6)
    assert branches.position_error < 1e-7


def test_another_configuration_along_a_singular_direction_will_do():
    # With the wrist stretched, axes 4 and 6 are one.
    work = workload("kr6_r900", 2)
    q = work.witnesses.copy()
    q[:, 4] = 0.0
    work = Workload(work.name, work.robot, work.chain, work.poses(q), work.seeds, q)
    answers = [row[None].copy() for row in q]
    answers[0] += np.array([0.0, 0.0, 0.0, 0.4, 0.0, -0.4])
    answers[1] += np.array([0.0, 0.0, 0.0, 0.4, 0.0, -0.3])
    branches = judged(work, answers)
    assert branches.singular.tolist() == [True, False]
    assert branches.missing.tolist() == [False, True]


def test_slides_have_no_turns():
    work = workload("scara", 1)
    answers = work.of_chain(work.witnesses)[None]
    answers[0, 0, 2] += 2.0 * np.pi
    assert judged(work, list(answers)).missing.all()


def test_only_a_complete_peer_is_raced_against(fake):
    work = workload("kr6_r900", 4)
    right = [q[None] for q in work.of_chain(work.witnesses)]
    peers = [fake("answer", right, "ours"), fake("answer", [], "hasty"), fake("pause", right, "thorough")]
    _, outcomes = compete(peers, work, work.seeds, all_solutions=True, rounds=2, say=lambda _: None)
    rows = comparison.rows(work, outcomes)
    assert [row["found"] for row in rows] == [100.0, 0.0, 100.0]
    (figure,) = comparison.against_fastest("kr6_r900", rows, 3.0)
    assert "thorough" in figure.what
    assert figure.measured == pytest.approx(rows[2]["median_us"] / rows[0]["median_us"])
    assert figure.measured > 3.0
    assert comparison.against_fastest("kr6_r900", rows[:2], 3.0) == []


def test_a_peer_that_refuses_is_a_row(fake):
    work = workload("kr6_r900", 2)
    right = [q[None] for q in work.of_chain(work.witnesses)]
    peers = [fake("refuse", name="ours"), fake("answer", right, "other")]
    _, outcomes = compete(peers, work, work.seeds, all_solutions=True, rounds=1, say=lambda _: None)
    rows = comparison.rows(work, outcomes)
    assert rows[0]["note"].startswith("refused: ValueError")
    (figure,) = comparison.against_fastest("kr6_r900", rows, 3.0)
    assert figure.is_met is None
    assert comparison.median_at_most("kr6_r900", rows[0], 1.0).is_met is None
