"""`Units`: lengths in texts, and the texts of all that can go wrong in millimetres."""

import math
import re

import numpy as np
import pytest

from kinetree import models
from kinetree.interfaces.armarx import CoMIKDescriptor, FailureReason, RobotIK, WorkspaceBounds
from kinetree.interfaces.armarx.units import Units
from kinetree.kinematics import Box, CollisionDetector, pose
from tests.interfaces.armarx.services import panda_service, per_metre

#: A length in a text.
LENGTH = re.compile(r"([\d.]+(?:e[-+]\d+)?) (mm|m)(?![\w/])")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("0.312 m from joint 'a'", "312 mm from joint 'a'"),
        ("it is 1e-06 m and 0.2 rad off", "it is 0.001 mm and 0.2 rad off"),
        ("step_translation=0.05 m or step_rotation=0.7", "step_translation=50 mm or step_rotation=0.7"),
        ("-1.5 m, inf m", "-1500 mm, inf mm"),
        ("'2 m rod' is 2 m away", "'2 m rod' is 2000 mm away"),
        ('"the arm\'s 3 m" is 1 m away', '"the arm\'s 3 m" is 1000 mm away'),
        (r"'a\'s 1 m' is 1 m off", r"'a\'s 1 m' is 1000 mm off"),
        ("the tip's 4 m are the limit's", "the tip's 4000 mm are the limit's"),
        ("12 ms, 3 m/s, 4 metres, v1.2 m, 5 mm", "12 ms, 3 m/s, 4 metres, v1.2 m, 5 mm"),
        ("joint 3 moves", "joint 3 moves"),
    ],
)
def test_lengths_in_texts_are_converted_and_names_are_not(text, told):
    assert Units("mm").told(text) == told
    assert Units("m").told(text) == text


def slider_limits(service):
    """The finger would have to go beyond its lower limit."""
    service.define_robot_node_set("finger", ["panda_finger_joint1"], "panda_leftfinger", "panda_hand")
    place = service.skeleton.frame("panda_leftfinger").transform()
    place = place * pose((0.0, -0.02, 0.0))
    return service.explained.compute_ik_global_pose(
        "finger", pose(place.translation * per_metre(service), matrix=place.rotation)
    )


def out_of_reach(service):
    return service.explained.compute_ik_global_pose("arm", pose((3.0 * per_metre(service), 0.0, 0.0)))


def nearly_reached(service):
    return service.explained.compute_extended_ik_global_pose(
        "arm", pose((0.8 * per_metre(service), 0.0, -0.3 * per_metre(service)))
    )


def too_far_a_lean(service):
    return service.explained.compute_com_ik("arm", CoMIKDescriptor(2.0 * per_metre(service), 0.0))


def too_fine_a_space(service):
    return service.explained.create_reachability_space("arm", "panda_link0", 0.001 * per_metre(service), samples=10)


def stale_space(service):
    service.create_reachability_space("arm", "", 0.2 * per_metre(service), samples=1000)
    service.set_robot_pose(pose((0.25 * per_metre(service), 0.0, 0.0)))
    return service.explained.has_reachability_space("arm")


@pytest.mark.parametrize(
    "fail", [slider_limits, out_of_reach, nearly_reached, too_far_a_lean, too_fine_a_space, stale_space]
)
def test_failures_say_the_same_lengths_in_the_units_of_the_service(fail):
    metres, millimetres = (fail(panda_service(units, max_memory=10**6)) for units in ("m", "mm"))
    assert metres.reason is millimetres.reason is not FailureReason.NONE
    expected, found = LENGTH.findall(metres.detail), LENGTH.findall(millimetres.detail)
    assert expected
    assert {unit for _, unit in found} == {"mm"}
    assert [float(value) for value, _ in found] == pytest.approx(
        [1000.0 * float(value) for value, _ in expected], rel=1e-2, abs=1e-6
    )
    # And nothing else differs.
    assert LENGTH.sub("", millimetres.detail) == LENGTH.sub("", metres.detail)


def test_a_limit_of_a_prismatic_joint_is_in_millimetres():
    detail = slider_limits(panda_service("mm")).detail
    assert "'panda_finger_joint1' at -20 mm, 20 mm beyond its lower limit 0 mm" in detail


def test_a_goal_of_the_centre_of_mass_is_in_millimetres():
    assert "mm away from x, y = 2000 mm, 0 mm" in too_far_a_lean(panda_service("mm")).detail


def test_nobody_is_asked_whether_millimetres_are_millimetres():
    # Thousand times as far away as could be reached: in metres that is worth a question.
    far = pose((400_000.0, 0.0, 500_000.0))
    assert "millimetres" not in panda_service("mm").explained.compute_ik_global_pose("arm", far).detail
    near = pose((400.0, 0.0, 500.0))
    assert "are these millimetres?" in panda_service("m").explained.compute_ik_global_pose("arm", near).detail


def test_margins_of_collisions_are_in_millimetres():
    detector = CollisionDetector(models.load("panda"), margin=0.05)
    service = panda_service("mm", collision_detector=detector, attempts=3)
    detector.add("box", Box(0.3, 0.3, 0.3), pose((0.4, 0.1, 0.5)))
    outcome = service.explained.compute_ik_global_pose("arm", pose((400.0, 100.0, 500.0), rpy=(np.pi, 0.1, 0.2)))
    assert outcome.reason is FailureReason.COLLISION
    assert not [unit for _, unit in LENGTH.findall(outcome.detail) if unit == "m"]


@pytest.mark.parametrize("memory", [1, 1000, 30_000, 300_000, 1_000_000])
@pytest.mark.parametrize("step", [1.0, 10.0, 50.0])
@pytest.mark.parametrize("box", [False, True])
def test_steps_that_are_proposed_are_sensible_and_fit(memory, step, box):
    service = RobotIK(models.load("panda"), units="mm", max_memory=memory)
    size, turn = 1200.0, math.pi
    ends = {"min_bounds": WorkspaceBounds(-size, -size, -size, -turn, -turn / 2, -turn),
            "max_bounds": WorkspaceBounds(size, size, size, turn, turn / 2, turn)} if box else {}  # fmt: skip
    outcome = service.explained.create_reachability_space("default", "panda_link0", step, samples=1, **ends)
    if outcome:
        return
    assert outcome.reason is FailureReason.TOO_LARGE
    translations = [float(each) for each in re.findall(r"step_translation=(\S+) mm", outcome.detail)]
    rotations = [float(each) for each in re.findall(r"step_rotation=([^\s;]+)", outcome.detail)]
    assert all(step < each < 500.0 for each in translations)
    assert all(each <= math.pi / 2.0 for each in rotations)
    assert (len(translations) + len(rotations) > 0) == (" would make it fit" in outcome.detail)
    if "with step_rotation" in outcome.detail:
        tries = [(translations[0], rotations[0])]
    else:
        tries = [(each, math.pi / 5.0) for each in translations] + [(step, each) for each in rotations]
    for translation, rotation in tries:
        made = RobotIK(models.load("panda"), units="mm", max_memory=memory).explained.create_reachability_space(
            "default", "panda_link0", translation, rotation, samples=1, **ends
        )
        assert made, made
