"""kinetree's own solvers as variants."""

import numpy as np
import pytest

from kinetree import models
from kinetree.interfaces.bench import VARIANTS, Effort, find_variants, measure, workload, workload_of
from kinetree.interfaces.command_line.find import METHODS
from kinetree.kinematics import RevoluteJoint, Skeleton, StructureError, UnknownNameError, pose
from kinetree.solvers import InverseKinematics, Problem
from kinetree.solvers.starts import starts

#: What each solves of the targets of a six-axis arm at least; far below what was measured.
LEAST = {"transpose": 0.2, "one-attempt": 0.3, "dart": 0.05, "dls-0.2": 0.5}


@pytest.fixture(scope="module")
def work():
    return workload("ur5", 12)


@pytest.fixture(scope="module")
def found(work):
    """All of them, with few attempts so that the slow ones end soon."""
    effort = Effort(attempts=30, timeout=0.2)
    return {each.name: each for each in measure(work, find_variants(), effort=effort, time_limit=60.0)}


@pytest.mark.parametrize("name", VARIANTS)
def test_each_solves_and_none_is_wrong(found, name):
    each = found[name]
    assert each, each.note
    assert not each.note
    assert not each.wrong
    assert each.success >= LEAST.get(name, 0.8)
    assert each.success_after(1) <= each.success_after(100) <= each.success


def test_what_a_variant_is_shows_in_its_figures(found):
    assert found["one-attempt"].mean_attempts == found["dart"].mean_attempts == 1
    assert found["patient"].success_after(1) >= found["levenberg-marquardt"].success_after(1)
    assert found["halley"].median_iterations < found["levenberg-marquardt"].median_iterations
    assert found["closed-form"].success_after(1) == 1.0
    assert found["python"].timing.median > 3 * found["levenberg-marquardt"].timing.median


def test_they_leave_the_robot_alone(work):
    before = work.robot.positions
    measure(work.first(2), find_variants(["levenberg-marquardt", "meta"]))
    assert (work.robot.positions == before).all()


def test_names_are_those_of_the_command_line():
    methods = {each.name for each in find_variants(["gradient-methods"])}
    assert methods == set(METHODS)
    assert "closed-form" in VARIANTS


def test_names_and_groups_are_found():
    assert [each.name for each in find_variants(["DLS", "meta_ccd", "dls"])] == ["dls", "meta-ccd"]
    assert {each.group for each in find_variants(["meta-solvers"])} == {"meta-solvers"}
    assert find_variants() == list(VARIANTS.values())
    assert "closed-forms" in repr(VARIANTS["closed-form"])
    with pytest.raises(UnknownNameError, match="did you mean 'halley'"):
        find_variants(["haley"])


def test_no_closed_form_is_said_with_the_reason():
    (found,) = measure(workload("so101", 2), find_variants(["closed-form"]))
    assert not found
    assert "no closed form is known" in found.note


def test_positions_alone_where_joints_are_too_few():
    chosen = find_variants(["levenberg-marquardt", "meta", "meta-ccd", "dart"])
    found = measure(workload("planar3", 6), chosen, effort=Effort(attempts=30))
    assert all(each.success >= (0.1 if each.name == "dart" else 0.9) for each in found)


def test_a_closed_form_for_poses_only_is_not_denied():
    # Five joints, as `kinetree info` sees them: there is a closed form, but not for positions alone.
    robot = five_joints()
    assert InverseKinematics(robot).analytical() is not None
    (found,) = measure(workload_of(robot, "five", 2), find_variants(["closed-form"]))
    assert not found
    assert "no closed form is known for positions alone" in found.note
    assert InverseKinematics(robot).analytical_report in found.note


def five_joints():
    robot = Skeleton("five")
    above = robot.add_link("base")
    for k, (axis, up) in enumerate([("z", 0.1), ("y", 0.1), ("y", 0.4), ("y", 0.3), ("z", 0.1)]):
        above = robot.add_link(
            f"link_{k}",
            RevoluteJoint(f"joint_{k}", axis=axis, limits=(-2.5, 2.5)),
            parent=above,
            placement=pose((0, 0, up)),
        )
    return robot


def test_robworks_solver_says_that_it_is_for_whole_poses():
    (found,) = measure(workload("so101", 2), find_variants(["meta-robwork"]))
    assert not found
    assert "whole poses" in found.note


def test_engines_agree_from_the_same_start_and_begin_again_elsewhere(work):
    """Why success in two attempts differs between them: the second start, one for all targets, is another one."""
    module = InverseKinematics(work.robot)
    seeds = [work.robot.random_positions(np.random.default_rng(k)) for k in range(len(work))]
    found = {}
    for engine in ("compiled", "object"):
        module.problem.engine = engine
        single = module.prepare(attempts=1, explain=False)
        found[engine] = [bool(single.solve(query.target, seed)) for query, seed in zip(work, seeds, strict=True)]
        unreachable = module.solve(([3.0, 0.0, 0.0], [1, 0, 0, 0]), seed=seeds[0], attempts=1)
        assert not unreachable
    assert found["compiled"] == found["object"]
    assert 0 < sum(found["object"]) < len(work)
    problem = Problem(attempts=2)
    second = [list(starts(module.active_dofs(), seed, problem))[1] for seed in seeds]
    assert all((each == second[0]).all() for each in second)


def test_another_frame_than_the_tip():
    robot = models.load("humanoid")
    work = workload_of(robot, "humanoid", 5, frame=robot.frame("left_foot"))
    assert work.chain.tip.name == "left_foot"
    (found,) = measure(work, find_variants(["levenberg-marquardt"]))
    assert found.success == 1.0


def test_an_arm_that_stands_on_something():
    work = workload("dual_arm", 5)
    assert not work.chain.base.transform().isIdentity()
    for found in measure(work, find_variants(["levenberg-marquardt", "meta", "closed-form"])):
        assert found.success == 1.0, found


def test_the_tolerance_and_the_attempts_are_those_of_the_effort(work):
    chosen = find_variants(["levenberg-marquardt", "python", "meta", "dls"])
    exact = measure(work, chosen)
    rough = measure(work, chosen, effort=Effort(tolerance=1e-2))
    few = measure(work, chosen, effort=Effort(attempts=1))
    for one, other, once in zip(exact, rough, few, strict=True):
        assert other.success == 1.0
        assert 1e-6 < other.position_error <= 1e-2
        assert one.position_error <= 1e-6
        assert once.mean_attempts == 1


def test_a_frame_that_nothing_moves_has_no_targets():
    robot = Skeleton("stand")
    base = robot.add_link("base")
    robot.add_link("arm", RevoluteJoint("turn", axis="z"), parent=base)
    with pytest.raises(StructureError, match="no joint moves frame 'base'"):
        workload_of(robot, "stand", 1, frame=base)
