"""What the report of an `IKMetaSolver` tells: what was in the way, and how far off the nearest attempt was."""

import numpy as np
import pytest

from kinetree.kinematics import QConstraint, pose
from kinetree.solvers import (
    IKMetaSolver,
    InverseKinematics,
    JacobianIKSolver,
    Solutions,
    SolutionsReport,
    TaskSpaceRegion,
)
from tests.solvers.recorded import Recorded, refused, relative, unmeasured


class Detector:
    """Says that configurations collide whose first joint is beyond 0.5, and with what."""

    class Hit:
        def __init__(self, pair):
            self.pair = pair

    def in_collision(self, q):
        return bool(q[0] > 0.5)

    def check(self, q):
        return self.Hit(("wrist", "table") if q[0] < 1.0 else ("elbow", "shelf"))


def at(*values):
    return np.array([values[0], 0.0, 0.0, -1.5, values[1], 1.5, 0.0])


def test_collisions_are_counted_by_pair(arm):
    answers = [[at(0.6, 0), at(0.7, 0), at(1.2, 0), at(0.1, 0)]]
    solutions = unmeasured(Recorded(answers, arm.tip.chain()), collision_detector=Detector()).solve(pose(), None, 1)
    report = solutions.report
    assert dict(report.collisions) == {("wrist", "table"): 2, ("elbow", "shelf"): 1}
    assert str(report) == ("1 found in 1 attempt; refused: 3 collision ('wrist'-'table': 2, 'elbow'-'shelf': 1)")
    assert repr(solutions) == f"<Solutions: {report}>"


def test_constraints_are_counted_by_name(arm):
    def upright(q):
        return q[4] < 0.5

    tame = QConstraint(lambda q: q[0] < 1.0, "tame")
    either = QConstraint(lambda q: q[4] > 0.2, "bent") | (lambda q: q[0] < 0.3)
    answers = [[at(1.2, 0.9), at(0.2, 0.9), at(0.5, 0.9), at(0.4, 0.1), at(0.2, 0.1)]]
    meta = unmeasured(Recorded(answers, arm.tip.chain()), constraint=tame & upright & either)
    solutions = meta.solve(pose(), None, 1)
    assert len(solutions) == 1
    assert dict(solutions.report.constraints) == {"tame": 1, "upright": 2, "(bent or <lambda>)": 1}
    assert solutions.report.in_the_way == {"'upright'": 2, "'tame'": 1, "'(bent or <lambda>)'": 1}
    # A detector may be given as the constraint too, and is told from others.
    asked = unmeasured(Recorded(answers, arm.tip.chain()), collision_detector=Detector(), constraint=upright)
    assert refused(asked.solve(pose(), None, 1)) == {"collision": 1, "constraint": 2}


def test_limits_are_counted_by_joint_and_how_far_beyond_is_told(arm):
    beyond, less = at(0, 0), at(0, 0)
    beyond[[1, 3]] = 1.9, 0.2
    less[3] = 0.03
    solutions = unmeasured(Recorded([[beyond, less]], arm.tip.chain())).solve(pose(), None, 2)
    report = solutions.report
    assert dict(report.limits) == {"j1": 2, "j3": 4}
    assert report.detail == ("nearest to the limits: 'j3' at 0.03 rad, 0.0998 beyond its upper limit -0.0698")
    assert "4 limits ('j3': 4, 'j1': 2)" in str(report)


@pytest.mark.parametrize("clamps", [True, False])
def test_limits_that_a_solver_of_ours_leaves_are_counted_here(arm, rng, clamps):
    solver = JacobianIKSolver(arm, clamp_to_bounds=clamps)
    meta = IKMetaSolver(solver)
    report = meta.solve(relative(arm, arm.random_positions(rng), meta.chain), arm.random_positions(rng)).report
    assert solver.check_joint_limits
    assert (sum(report.limits.values()) > 0) is not clamps
    assert (report.refused["limits"] > 0) is not clamps


def test_limits_that_a_users_solver_tests_itself_are_told_as_that(arm):
    own = Solutions((), SolutionsReport(1, 0, {"not solved": 0, "limits": 1}))
    assert refused(unmeasured(Recorded([own, []], arm.tip.chain())).solve(pose(), None, 4)) == {
        "limits": 2,
        "not solved": 2,
    }


def test_an_empty_result_says_how_far_off_and_why(arm):
    meta = IKMetaSolver(JacobianIKSolver(arm))
    report = meta.solve(pose([3, 0, 0])).report
    assert refused(meta.solve(pose([3, 0, 0]))) == {"not solved": 25}
    # As far as the arm is long, and no more than 0.3 m short of that.
    assert 1.8 < report.nearest[0] < 2.4
    assert "'j0'" in report.detail
    assert "the nearest attempt is" in str(report)
    assert report.detail in str(report)
    python = IKMetaSolver(InverseKinematics(arm))
    python.solver.problem.engine = "object"
    again = python.solve(pose([3, 0, 0]), max_attempts=4).report
    assert 1.8 < again.nearest[0] < 2.8
    # Nobody says how far off a solver that gives nothing was.
    assert unmeasured(Recorded([[]], arm.tip.chain())).solve(pose()).report.nearest is None


def test_a_solution_says_nothing_of_the_kind(arm, rng):
    meta = IKMetaSolver(JacobianIKSolver(arm))
    target = relative(arm, arm.random_positions(rng), meta.chain)
    report = meta.solve(target).report
    assert report.found > 0
    assert report.detail == ""
    assert "nearest" not in str(report)
    assert report.remaining == 0
    assert 0.0 < report.elapsed < 10.0


def test_counts_add_up_whatever_the_round(six, rng):
    ik = InverseKinematics(six)
    meta = IKMetaSolver(ik, constraint=lambda q: q[0] > 0.0)
    target = six.state(six.random_positions(rng)).transform(six.tip).copy()
    for attempts in (1, 7, 8, 9, 100, 300):
        solutions = meta.solve(target, max_attempts=attempts)
        report = solutions.report
        assert report.attempts == attempts
        assert report.found + sum(report.refused.values()) == attempts
    stopped = meta.solve(target, six.random_positions(rng), stop_at_first=True).report
    assert stopped.found + sum(stopped.refused.values()) == stopped.attempts
    assert stopped.attempts + stopped.remaining == 25


def test_a_report_cannot_be_changed(arm):
    report = unmeasured(Recorded([at(0, 0)], arm.tip.chain())).solve(pose()).report
    with pytest.raises(AttributeError):
        report.found = 3
    for counts in (report.refused, report.limits, report.collisions, report.constraints):
        with pytest.raises(TypeError):
            counts["none"] = 1


def test_the_rotation_that_is_free_is_not_missed(arm):
    ik = InverseKinematics(arm)
    ik.error_method = TaskSpaceRegion.position_only()
    report = IKMetaSolver(ik).solve(pose([0, 3, 0])).report
    assert report.nearest[1] == 0.0
