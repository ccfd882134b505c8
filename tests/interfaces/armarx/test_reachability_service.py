"""Reachability spaces of `RobotIK`: made, asked, saved, loaded, and no longer valid."""

import threading

import numpy as np
import pytest

from kinetree import models
from kinetree.interfaces.armarx import FailureReason, FramedPose, RobotIK, WorkspaceBounds
from kinetree.kinematics import InvalidValueError, ReachabilityMap, SimpleFrame, pose
from tests.interfaces.armarx.services import ARM, READY, frame_pose, panda_service, per_metre

UNITS = pytest.mark.parametrize("units", ["m", "mm"])
SMALL = {"samples": 40_000, "step_rotation": 0.8}


def with_space(units="m", coordinate_system="panda_link0", **options):
    service = panda_service(units)
    assert service.create_reachability_space(
        "arm", coordinate_system, 0.1 * per_metre(service), **{**SMALL, **options}
    ), service.last_outcome
    return service


def corners(service, angles=(-np.pi, np.pi)):
    size, low, high = 1.2 * per_metre(service), *angles
    lower = WorkspaceBounds(-size, -size, -size, low, -np.pi / 2, low)
    return lower, WorkspaceBounds(size, size, size, high, np.pi / 2, high)


@UNITS
def test_no_space_and_not_reachable_are_told_apart(units):
    service = panda_service(units)
    here = frame_pose(service, "panda_hand")
    assert service.has_reachability_space("arm") is False
    assert service.is_pose_reachable("arm", here) is False
    assert service.last_outcome.reason is FailureReason.NO_REACHABILITY_SPACE
    assert service.create_reachability_space("arm", "panda_link0", 0.1 * per_metre(service), **SMALL) is True
    assert service.has_reachability_space("arm") is True
    assert service.is_pose_reachable("arm", here) is True
    assert service.last_outcome.reason is FailureReason.NONE
    assert service.is_pose_reachable("arm", pose(np.array([2.0, 0.0, 0.0]) * per_metre(service))) is False
    assert service.last_outcome.reason is FailureReason.NOT_REACHABLE


@UNITS
def test_it_covers_where_the_arm_goes_and_no_more(units):
    # Poses from forward kinematics of Pinocchio, and the same pushed outwards until no arm of this length gets there.
    service = with_space(units, samples=300_000)
    robot, rng = service.skeleton, np.random.default_rng(5)
    poses = [frame_pose(service, "panda_hand", dict(zip(ARM, q, strict=True)))
             for q in rng.uniform(robot.lower_limits[:7], robot.upper_limits[:7], (60, 7))]  # fmt: skip
    assert np.mean([service.is_pose_reachable("arm", each) for each in poses]) > 0.9
    for each in poses:
        each.translation *= 1.6 * per_metre(service) / np.linalg.norm(each.translation)
    assert not any(service.is_pose_reachable("arm", each) for each in poses)


def test_framed_poses_are_where_their_frames_are_now():
    service = with_space()
    for _ in range(2):
        hand = FramedPose(pose((0.0, 0.0, 0.01)), "panda_hand")
        assert service.is_framed_pose_reachable("arm", hand) is True
        service.set_robot_pose(pose((5.0, 1.0, 0.0), rpy=(0.0, 0.0, 1.0)))
    assert service.is_framed_pose_reachable("arm", FramedPose(np.eye(4), "hand")) is False
    assert service.last_outcome.reason is FailureReason.UNKNOWN_FRAME


@UNITS
def test_a_second_space_is_not_sampled(units):
    service = with_space(units)
    calls = []
    assert service.create_reachability_space("arm", "panda_link1", progress=lambda *_: calls.append(1)) is True
    assert not calls


@pytest.mark.parametrize("angles", [(-np.pi, np.pi), (0.0, 2.0 * np.pi)])
def test_any_whole_turn_of_angles_holds_all_rotations(angles):
    service = panda_service()
    lower, upper = corners(service, angles)
    assert service.create_reachability_space("arm", "panda_link0", 0.15, 0.8, lower, upper, samples=400_000), (
        service.last_outcome
    )
    rng = np.random.default_rng(2)
    robot = service.skeleton
    near = robot.as_configuration(READY)[:7] + rng.uniform(-0.3, 0.3, (40, 7))
    poses = [frame_pose(service, "panda_hand", dict(zip(ARM, q, strict=True))) for q in near]
    assert np.mean([service.is_pose_reachable("arm", each) for each in poses]) > 0.75


def test_corners_make_the_plain_space_of_armarx_in_the_units(tmp_path):
    service = panda_service("mm")
    lower, upper = corners(service)
    assert service.create_reachability_space("arm", "panda_link0", 150.0, 0.8, lower, upper, samples=1000)
    assert service.save_reachability_space("arm", str(tmp_path / "plain.h5"))
    read = ReachabilityMap.load(tmp_path / "plain.h5")
    assert read.grid.kind == "pose"
    assert read.grid.cells.lower[:3] == pytest.approx([-1.2] * 3)
    assert read.grid.cells.steps[:3] == pytest.approx([0.15] * 3)
    assert read.record.samples == 1000
    assert read.record.frame == "panda_link0"


def test_an_arm_without_the_symmetry_gets_a_plain_space(tmp_path):
    robot = models.load("panda")
    robot.dof("panda_joint1").limits = (-0.5, 0.5)
    service = RobotIK(robot)
    service.define_robot_node_set("arm", ARM, "panda_hand", "panda_link0")
    assert service.create_reachability_space("arm", "panda_link0", 0.2, samples=1000, symmetric=True) is False
    assert service.last_outcome.reason is FailureReason.INVALID_INPUT
    assert "first joint" in service.last_outcome.detail
    assert service.create_reachability_space("arm", "panda_link0", 0.2, samples=1000) is True
    assert service.save_reachability_space("arm", str(tmp_path / "plain.h5"))
    assert ReachabilityMap.load(tmp_path / "plain.h5").grid.kind == "pose"


@UNITS
def test_a_space_in_the_world_does_not_hold_once_the_robot_moves(units, tmp_path):
    service = with_space(units, "")
    here = frame_pose(service, "panda_hand")
    assert service.is_pose_reachable("arm", here) is True
    service.set_robot_pose(pose(np.array([0.1, 0.0, 0.0]) * per_metre(service)))
    assert service.has_reachability_space("arm") is False
    assert service.last_outcome.reason is FailureReason.STALE_REACHABILITY_SPACE
    assert "moved" in service.last_outcome.detail
    assert service.is_pose_reachable("arm", here) is False
    assert service.last_outcome.reason is FailureReason.STALE_REACHABILITY_SPACE
    assert service.save_reachability_space("arm", str(tmp_path / "old.h5")) is False
    # It holds again where it was made, and a new one takes its place elsewhere.
    service.set_robot_pose(np.eye(4))
    assert service.is_pose_reachable("arm", here) is True
    service.set_robot_pose(pose(np.array([0.1, 0.0, 0.0]) * per_metre(service)))
    assert service.create_reachability_space("arm", "Global", 0.1 * per_metre(service), **SMALL) is True
    assert service.is_pose_reachable("arm", frame_pose(service, "panda_hand")) is True


def test_a_space_does_not_hold_when_a_joint_before_the_tcp_stands_elsewhere():
    service = panda_service()
    service.define_robot_node_set("wrist", ARM[2:], "panda_hand", "panda_link0")
    assert service.create_reachability_space("wrist", "panda_link0", 0.2, samples=1000)
    assert service.create_reachability_space("arm", "panda_link0", 0.2, samples=1000)
    service.set_joint_values({"panda_joint1": 0.5})
    assert service.has_reachability_space("wrist") is False
    assert service.last_outcome.reason is FailureReason.STALE_REACHABILITY_SPACE
    assert service.has_reachability_space("arm") is True


@UNITS
def test_a_saved_space_is_loaded_where_there_is_none(units, tmp_path):
    service, file = with_space(units), str(tmp_path / "panda.h5")
    here = frame_pose(service, "panda_hand")
    assert service.save_reachability_space("arm", file) is True
    assert service.load_reachability_space(file) is False
    assert service.last_outcome.reason is FailureReason.EXISTS_ALREADY
    # A file has no units: it is read by a service of either kind.
    other = panda_service("m" if units == "mm" else "mm")
    assert other.load_reachability_space(file) is True
    here.translation *= per_metre(other) / per_metre(service)
    assert other.is_pose_reachable("arm", here) is True
    assert other.has_reachability_space("arm") is True


def test_saving_needs_a_space_and_a_place(tmp_path):
    service = panda_service()
    assert service.save_reachability_space("arm", str(tmp_path / "map.h5")) is False
    assert service.last_outcome.reason is FailureReason.NO_REACHABILITY_SPACE
    assert not list(tmp_path.iterdir())
    service = with_space()
    assert service.save_reachability_space("arm", str(tmp_path / "missing" / "map.h5")) is False
    assert service.last_outcome.reason is FailureReason.FILE_ERROR


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("missing.h5", FailureReason.FILE_NOT_FOUND),
        ("damaged.h5", FailureReason.FILE_DAMAGED),
        (".", FailureReason.FILE_ERROR),
        ("a\0b", FailureReason.FILE_REFUSED),
        ("", FailureReason.FILE_REFUSED),
    ],
)
def test_files_that_cannot_be_read_say_why(name, reason, tmp_path):
    (tmp_path / "damaged.h5").write_bytes(b"no map")
    service = panda_service()
    assert service.load_reachability_space(str(tmp_path / name) if name else "") is False
    assert service.last_outcome.reason is reason


def test_a_file_of_another_robot_or_set_is_refused(tmp_path):
    file = str(tmp_path / "panda.h5")
    assert with_space().save_reachability_space("arm", file)
    without = RobotIK(models.load("panda"))
    assert "arm" not in without.node_sets
    assert without.load_reachability_space(file) is False
    assert without.last_outcome.reason is FailureReason.UNKNOWN_NODE_SET
    without.define_robot_node_set("arm", ARM[1:], "panda_hand", "panda_link0")
    assert without.load_reachability_space(file) is False
    assert without.last_outcome.reason is FailureReason.FILE_MISMATCH
    assert "joints" in without.last_outcome.detail
    robot = models.load("panda")
    robot.dof("panda_joint2").limits = (-1.0, 1.0)
    limited = RobotIK(robot)
    limited.define_robot_node_set("arm", ARM, "panda_hand", "panda_link0")
    assert limited.load_reachability_space(file) is False
    assert limited.last_outcome.reason is FailureReason.FILE_MISMATCH
    assert limited.has_reachability_space("arm") is False


def test_what_the_robot_does_not_allow_is_a_failure():
    service = panda_service(max_memory=1000)
    for arguments, reason in (
        (("arm", "table"), FailureReason.UNKNOWN_FRAME),
        (("arm", "panda_link3"), FailureReason.INVALID_INPUT),  # the set moves that frame
        (("arm", "panda_link0", 0.01), FailureReason.TOO_LARGE),
    ):
        assert service.create_reachability_space(*arguments) is False
        assert service.last_outcome.reason is reason
        assert service.has_reachability_space("arm") is False


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"step_translation": 0.0}, "step_translation"),
        ({"step_rotation": -1.0}, "step_rotation"),
        ({"step_rotation": np.nan}, "step_rotation"),
        ({"samples": 0}, "samples"),
        ({"samples": 1e6}, "samples"),
        ({"min_bounds": WorkspaceBounds(0, 0, 0, 0, 0, 0)}, "max_bounds"),
        ({"min_bounds": WorkspaceBounds(0, 0, 0, 0, 0, 0), "max_bounds": WorkspaceBounds(1, 1, 0, 1, 1, 1)}, "below"),
        ({"min_bounds": (0,) * 6, "max_bounds": (1,) * 6}, "WorkspaceBounds"),
        ({"symmetric": True, "min_bounds": WorkspaceBounds(0, 0, 0, 0, 0, 0),
          "max_bounds": WorkspaceBounds(1, 1, 1, 1, 1, 1)}, "corners"),
        ({"symmetric": 1}, "symmetric"),
        ({"min_bounds": np.zeros(6), "max_bounds": np.ones(6)}, "min_bounds must be WorkspaceBounds"),
        ({"max_bounds": np.ones(6)}, "min_bounds must be WorkspaceBounds"),
    ],
)  # fmt: skip
def test_requests_that_make_no_sense_raise(options, message):
    service = panda_service()
    with pytest.raises(InvalidValueError, match=message):
        service.create_reachability_space("arm", "panda_link0", **options)
    assert service.has_reachability_space("arm") is False


def test_progress_is_told_and_may_end_the_sampling():
    service = panda_service()
    seen = []
    assert service.create_reachability_space(
        "arm", "panda_link0", 0.2, samples=3000, progress=lambda done, total: seen.append((done, total))
    )
    assert seen[-1] == (3000, 3000)

    def enough(done, total):
        raise TimeoutError("enough")

    other = panda_service()
    with pytest.raises(TimeoutError, match="enough"):
        other.create_reachability_space("arm", "panda_link0", 0.2, samples=3000, progress=enough)
    assert other.has_reachability_space("arm") is False
    assert other.create_reachability_space("arm", "panda_link0", 0.2, samples=3000)


def test_others_are_served_while_a_space_is_made():
    service = panda_service()
    service.define_robot_node_set("other", ARM, "panda_link8", "panda_link0")
    begun, go_on = threading.Event(), threading.Event()

    def wait(done, total):
        begun.set()
        assert go_on.wait(20.0)

    made = []
    first = threading.Thread(
        target=lambda: made.append(
            service.create_reachability_space("arm", "panda_link0", 0.2, samples=2000, progress=wait)
        )
    )
    second = threading.Thread(
        target=lambda: made.append(service.create_reachability_space("arm", "panda_link0", 0.5, samples=1))
    )
    first.start()
    assert begun.wait(20.0)
    second.start()
    try:
        assert service.has_reachability_space("arm") is False
        assert service.compute_ik_global_pose("arm", frame_pose(service, "panda_hand"))
        assert service.create_reachability_space("other", "panda_link0", 0.2, samples=2000) is True
    finally:
        go_on.set()
        first.join()
        second.join()
    assert made == [True, True]
    assert service.has_reachability_space("arm") is True


def test_the_node_set_may_hang_on_a_frame_of_the_robot():
    robot = models.load("panda")
    robot.add_frame("tool", "panda_hand", pose((0.0, 0.0, 0.1)))
    assert isinstance(robot.frame("tool"), SimpleFrame)
    service = RobotIK(robot)
    service.define_robot_node_set("arm", ARM, "tool", "panda_link0")
    assert service.create_reachability_space("arm", "panda_link0", 0.1, **SMALL)
    service.set_joint_values(READY)
    tool = service.skeleton.frame("tool").transform()
    assert service.is_pose_reachable("arm", tool) is True
    assert service.is_framed_pose_reachable("arm", FramedPose(np.eye(4), "tool")) is True


@UNITS
@pytest.mark.parametrize("system", ["panda_link0", ""])
@pytest.mark.parametrize("options", [{"samples": 500_000}, {"symmetric": False}])
def test_single_answers_are_those_of_the_map(units, system, options, tmp_path):
    service = with_space(units, system, **options)
    service.set_robot_pose(pose())
    service.save_reachability_space("arm", str(tmp_path / "map.h5"))
    read = ReachabilityMap.load(tmp_path / "map.h5")
    rng = np.random.default_rng(11)
    if system:
        service.set_robot_pose(pose(np.array([0.5, -0.2, 0.3]) * per_metre(service), rpy=(0.1, 0.2, 0.3)))
    base = service.robot_pose
    poses = [pose(rng.uniform(-0.6, 0.6, 3), rpy=rng.uniform(-3.0, 3.0, 3)) for _ in range(300)]
    expected = read.covers([each.homogeneous for each in poses])
    assert 3 < expected.sum() < 297
    assert read.least > 1 or options == {"symmetric": False}  # then a cell may be filled and not count
    for each, covered in zip(poses, expected, strict=True):
        wanted = base * pose(each.translation * per_metre(service), matrix=each.rotation)
        assert service.is_pose_reachable("arm", wanted) == covered


def test_whether_a_space_holds_is_looked_up_once_for_a_state(monkeypatch):
    looked = []
    whole = ReachabilityMap.check
    service = with_space()
    monkeypatch.setattr(ReachabilityMap, "check", lambda self: (looked.append(self), whole(self))[1])
    here = frame_pose(service, "panda_hand")
    for _ in range(5):
        assert service.is_pose_reachable("arm", here)
    assert len(looked) <= 1
    service.set_joint_values({"panda_joint1": 0.2})
    for _ in range(5):
        assert service.is_pose_reachable("arm", here)
    assert len(looked) == 2


@pytest.mark.parametrize("turns", [False, True])
@pytest.mark.parametrize("boxed", [False, True])
def test_more_cells_than_can_be_counted_are_too_large(turns, boxed):
    service = panda_service()
    steps, box = (0.1, 1e-320) if turns else (1e-300, 0.6), corners(service) if boxed else ()
    assert service.create_reachability_space("arm", "panda_link0", *steps, *box) is False
    assert service.last_outcome.reason is FailureReason.TOO_LARGE
    far = (WorkspaceBounds(*[-1e308] * 6), WorkspaceBounds(*[1e308] * 6))
    assert service.create_reachability_space("arm", "panda_link0", 0.1, 0.6, *far) is False
    assert service.last_outcome.reason is FailureReason.TOO_LARGE


def test_a_space_that_cannot_be_asked_any_more_makes_room_for_another(tmp_path, monkeypatch):
    service, file = with_space(), str(tmp_path / "map.h5")
    assert service.save_reachability_space("arm", file)
    here = frame_pose(service, "panda_hand")
    check = ReachabilityMap.check
    for again in (
        lambda: service.load_reachability_space(file),
        lambda: service.create_reachability_space("arm", "panda_link0", 0.1, **SMALL),
    ):
        broken = service.explained._spaces._spaces["arm"].map
        monkeypatch.setattr(ReachabilityMap, "check", lambda self: 1 / 0 if self is broken else check(self))  # noqa: B023
        service.set_joint_values({"panda_joint1": service.joint_values["panda_joint1"] + 0.01})
        with pytest.raises(ZeroDivisionError):
            service.is_pose_reachable("arm", here)
        assert again() is True
        assert service.is_pose_reachable("arm", here) is True


def test_how_far_the_robot_has_moved_is_told_with_its_units():
    service = with_space("mm", "")
    service.set_robot_pose(pose((30.0, 0.0, 0.0), rpy=(0.0, 0.0, 0.2)))
    assert service.has_reachability_space("arm") is False
    assert "by 30 mm and 0.2 rad" in service.last_outcome.detail
    robot = models.load("panda")
    robot.define_node_set("wrist", ARM[2:], "panda_hand", "panda_link0")
    other = RobotIK(robot)
    assert other.create_reachability_space("wrist", "panda_link0", 0.2, samples=1000)
    other.set_joint_values({"panda_joint1": 0.5})
    assert other.has_reachability_space("wrist") is False
    assert "(m, or entries of rotations)" in other.last_outcome.detail
