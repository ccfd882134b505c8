"""The conversation with a peer's process, and every way in which it can go wrong, said in words."""

import numpy as np
import pytest

from benchmarks.peers.errors import PeerError
from benchmarks.peers.problem import problem_of
from kinetree.interfaces.bench import workload


@pytest.fixture(scope="module")
def work():
    return workload("planar3", 4)


@pytest.fixture(scope="module")
def problem(work):
    with problem_of(work) as problem:
        yield problem


@pytest.fixture
def opened(fake, problem):
    """Starts a peer that behaves as told, and hands it the robot."""
    sessions = []

    def start(*arguments):
        peer = fake(*arguments)
        sessions.append(peer.start())
        sessions[-1].open(problem.with_options(peer.options), timeout=30.0)
        return sessions[-1]

    yield start
    for session in sessions:
        session.close()


def test_answers_come_back_in_order_with_a_time_for_each(opened, work):
    session = opened("pause", work.witnesses[:3])
    assert session.version == "1.2.3"
    answers = session.measure(work.in_base(), work.seeds)
    np.testing.assert_array_equal(answers.q[:3], work.witnesses[:3])
    assert np.isnan(answers.q[3]).all()
    assert answers.nanoseconds.shape == (4,)
    assert (answers.nanoseconds > 2_000_000).all()
    assert answers.error == ""


def test_many_targets_in_one_call_have_one_time(opened, work):
    answers = opened().measure(work.in_base(), work.seeds, together=True)
    np.testing.assert_array_equal(answers.q, work.seeds)
    assert answers.nanoseconds.shape == (1,)
    assert answers.nanoseconds[0] > 2_000_000


def test_a_call_that_raises_is_no_answer(opened, work):
    answers = opened("raise").measure(work.in_base(), work.seeds)
    assert np.isnan(answers.q).all()
    assert answers.error == "RuntimeError: target 0 is ugly"


@pytest.mark.parametrize(
    ("does", "words"),
    [
        ("refuse", "^refused: ValueError: no robot with 3 joints, thank you$"),
        ("panic", "^refused: SystemExit: not an Exception$"),
    ],
)
def test_a_refusal(opened, does, words):
    with pytest.raises(PeerError, match=words):
        opened(does)


@pytest.mark.parametrize(
    ("does", "words"),
    [
        ("crash", "^crashed: exit status 3, out of luck$"),
        ("hang", "^timed out: no answer within 1 s$"),
        ("malformed", "^failed: ValueError: "),
        ("garble", "^garbled its answer: "),
    ],
)
def test_trouble_while_solving(opened, work, does, words):
    session = opened(does, work.witnesses)
    with pytest.raises(PeerError, match=words):
        session.measure(work.in_base(), work.seeds, timeout=1.0 if does == "hang" else 30.0)


def test_a_dead_peer_stays_dead(opened, work):
    session = opened("crash")
    for _ in range(2):
        with pytest.raises(PeerError, match=r"^crashed: exit status 3"):
            session.measure(work.in_base(), work.seeds)


def test_no_process_is_left(opened, work):
    session = opened("hang")
    with pytest.raises(PeerError):
        session.measure(work.in_base(), work.seeds, timeout=0.5)
    assert session._process.poll() is not None
