"""Maps: what they count, what they answer, and that they say when they do not hold any more."""

import math
import re
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from kinetree import models
from kinetree.kinematics import (
    CollisionDetector,
    InvalidPoseError,
    InvalidValueError,
    KinetreeError,
    MapMismatchError,
    MapTooLargeError,
    NodeSet,
    ReachabilityError,
    ReachabilityMap,
    ShapeError,
    SimpleFrame,
    StaleMapError,
    StructureError,
    World,
    pose,
    rank_bases,
)
from kinetree.kinematics.reachability.pose_arrays import poses_from_rows
from kinetree.kinematics.reachability.progress_bar import progress_of
from tests.kinematics.reachability.arms import STEPS, panda, poses_of, slider, small_map


@pytest.fixture(scope="module")
def arm_map() -> ReachabilityMap:
    return small_map()


def test_counts_are_those_of_the_samples():
    made = small_map(samples=5000, bits=16)
    samples = made._job.samples(0, 5000)
    cells = made.grid.index(poses_from_rows(samples.poses))
    np.testing.assert_array_equal(made.values.ravel(), np.bincount(cells, minlength=made.grid.cells.size))


def test_every_pose_that_was_sampled_is_covered_and_far_ones_are_not(arm_map):
    poses = poses_from_rows(arm_map._job.samples(0, 20_000).poses)
    assert arm_map.covers(poses).all()
    far = np.tile(np.eye(4), (3, 1, 1))
    far[:, 0, 3] = 5.0, -5.0, 1.5
    assert not arm_map.covers(far).any()
    assert (arm_map.counts(far) == 0).all()


def test_a_joint_that_slides_covers_what_it_passes():
    made = small_map(
        slider(), samples=2000, bounds=([-0.5, -0.05, -0.05] + [-math.pi] * 3, [1.5, 0.05, 0.05] + [math.pi] * 3)
    )
    at = np.array([pose((x, 0, 0)).homogeneous for x in np.arange(-0.45, 1.5, 0.1)])
    wanted = [0.0 <= round(x, 3) <= 1.0 for x in at[:, 0, 3]]
    assert made.covers(at).tolist() == wanted
    counts = made.counts(at)[wanted]
    assert counts.min() > 140
    assert counts.max() < 256
    turned = at @ pose(rpy=(0, 0, 1.0)).homogeneous
    assert not made.covers(turned).any()


@pytest.mark.parametrize("options", [{}, {"quality": "manipulability"}, {"symmetric": True}, {"bits": 16}])
def test_going_on_is_the_same_as_a_longer_run(options):
    whole = small_map(samples=70_001, **options)
    parts = small_map(samples=3, **options)
    parts.add_samples(0)
    for count in (40_000, 29_998):
        parts.add_samples(count, progress=False)
    np.testing.assert_array_equal(parts.values, whole.values)
    assert parts.record == whole.record
    assert whole.record.samples == 70_001


def test_the_number_of_workers_changes_nothing(arm_map):
    for workers in (1, 3):
        with ThreadPoolExecutor(workers) as executor:
            made = small_map(samples=200_000, executor=executor)
        if workers == 1:
            first = made
    np.testing.assert_array_equal(first.values, made.values)
    assert not np.array_equal(small_map(samples=200_000, seed=1).values, first.values)


def test_counters_stop_where_they_are_full():
    bounds = ([-0.5, -0.5, -0.5] + [-math.pi] * 3, [1.5, 0.5, 0.5] + [math.pi] * 3)
    made = small_map(slider((0.0, 0.01)), samples=255, step_translation=2.0, step_rotation=7.0, bounds=bounds)
    assert made.values.max() == 255
    made.add_samples(10_000, progress=False)
    assert made.values.max() == 255, "never halved, never begun anew"
    assert made.values.sum() == 255
    at_once = small_map(slider((0.0, 0.01)), samples=10_000, step_translation=2.0, step_rotation=7.0, bounds=bounds)
    assert at_once.values.sum() == 255
    wide = small_map(
        slider((0.0, 0.01)), samples=70_000, step_translation=2.0, step_rotation=7.0, bounds=bounds, bits=16
    )
    assert wide.values.max() == 65535


def test_manipulability_is_the_greatest_of_a_cell():
    made = small_map(samples=3000, quality="manipulability", bits=16)
    samples = made._job.samples(0, 3000)
    poses = poses_from_rows(samples.poses)
    cells = made.grid.index(poses)
    best = np.zeros(made.grid.cells.size)
    np.maximum.at(best, cells, samples.qualities)
    step = made.record.scale / 65535
    assert np.abs(made.manipulability(poses) - best[cells]).max() <= step * 1.01
    assert made.manipulability(np.diag([1.0, 1, 1, 1])[None] * 1.0).shape == (1,)


def test_bounds_that_are_found_leave_nothing_out():
    for name in ("ur5e", "planar3", "gantry_wrist", "irb4600_40_255"):
        made = small_map(models.load(name).tip.chain(), samples=30_000, step_translation=0.3)
        assert made.record.outside == 0, f"{name} is bigger than its map"


def test_samples_outside_given_bounds_are_counted():
    made = small_map(samples=5000, bits=16, bounds=([0.0, -1, -1] + [-math.pi] * 3, [2.0, 1, 2] + [math.pi] * 3))
    assert 1000 < made.record.outside < 4000
    assert made.record.outside + int(made.values.sum(dtype=int)) == 5000


def test_samples_in_collision_do_not_count():
    node_set = panda()
    detector = CollisionDetector(node_set.skeleton)
    made = small_map(node_set, samples=3000, collision_detector=detector, bits=16)
    free = small_map(node_set, samples=3000, bits=16)
    samples = free._job.samples(0, 3000)
    q = np.tile(node_set.skeleton.positions, (3000, 1))
    q[:, node_set.dof_indices] = samples.values
    hits = np.array([detector.in_collision(row) for row in q])
    assert 0 < hits.sum() < 3000
    assert made.record.rejected == hits.sum()
    assert int(made.values.sum(dtype=int)) == 3000 - hits.sum()
    wanted = free.grid.index(poses_from_rows(samples.poses))[~hits]
    np.testing.assert_array_equal(made.values.ravel(), np.bincount(wanted, minlength=made.grid.cells.size))


def test_a_detector_that_gives_nonsense_is_told_and_nothing_is_counted():
    class Nonsense:
        def in_collision_many(self, q):
            return np.zeros(3)

    with pytest.raises(InvalidValueError, match="truth values"):
        small_map(samples=100, collision_detector=Nonsense())


def test_too_large_a_map_is_refused_before_anything_is_done():
    node_set = panda()
    with pytest.raises(MapTooLargeError, match=r"GB.*step_translation=") as caught:
        small_map(node_set, step_translation=1e-4, samples=10**12)
    assert isinstance(caught.value, MemoryError)
    with pytest.raises(MapTooLargeError, match="MB, and max_memory"):
        small_map(node_set, max_memory=100_000)


def test_the_steps_that_are_named_would_fit():
    node_set = panda()
    with pytest.raises(MapTooLargeError) as caught:
        small_map(node_set, step_translation=0.05, max_memory=10_000_000)
    found = re.search(r"step_translation=([\d.e+-]+) m or step_rotation=([\d.e+-]+)", str(caught.value))
    small_map(node_set, step_translation=float(found[1]), max_memory=10_000_000, samples=1)
    small_map(node_set, step_translation=0.05, step_rotation=float(found[2]), max_memory=10_000_000, samples=1)


def test_steps_that_say_nothing_about_an_arm_are_not_proposed():
    # Alone no sensible step would do here, both together would; a thousandth of that is too little for any.
    with pytest.raises(MapTooLargeError) as caught:
        small_map(panda(), step_translation=0.05, step_rotation=0.1, max_memory=600_000)
    found = re.search(r"step_translation=([\d.e+-]+) m with step_rotation=([\d.e+-]+) would", str(caught.value))
    assert float(found[1]) < 0.5
    assert float(found[2]) <= np.pi / 2
    small_map(panda(), step_translation=float(found[1]), step_rotation=float(found[2]), max_memory=600_000, samples=1)
    with pytest.raises(MapTooLargeError, match=r"far too little; it takes much more, or much narrower bounds$"):
        small_map(panda(), step_translation=0.05, step_rotation=0.1, max_memory=60)


@pytest.mark.parametrize(
    ("options", "what"),
    [
        ({"step_translation": 0.0}, "step_translation"),
        ({"step_rotation": math.nan}, "step_rotation"),
        ({"step_rotation": "1"}, "step_rotation"),
        ({"seed": -1}, "seed"),
        ({"seed": 1.5}, "seed"),
        ({"quality": "speed"}, "quality"),
        ({"bits": 32}, "bits"),
        ({"collision_detector": object()}, "in_collision_many"),
        ({"samples": -1}, "samples"),
        ({"samples": 1.5}, "samples"),
        ({"frame": "base"}, "frame"),
    ],
)
def test_options_that_cannot_be(options, what):
    with pytest.raises(InvalidValueError, match=what):
        small_map(**{"samples": 10, **options})


def test_a_map_is_of_a_node_set():
    with pytest.raises(InvalidValueError, match="NodeSet"):
        small_map(panda().skeleton)


# Frames and robots that change.


def test_a_map_in_the_base_holds_wherever_the_robot_stands():
    node_set = panda()
    made = small_map(node_set)
    poses = poses_of(node_set, 50)
    before = made.covers(poses)
    root = node_set.skeleton.root
    root.joint.placement = pose((1.0, 2.0, 0.0), rpy=(0, 0, 1.0))
    np.testing.assert_array_equal(made.covers(poses), before)
    in_world = node_set.base.transform().homogeneous @ poses
    np.testing.assert_array_equal(made.covers(in_world, relative_to=World()), before)
    target = SimpleFrame("target", World(), pose((0.3, 0.1, 0.2), rpy=(0.1, 0.2, 0.3)))
    in_target = np.linalg.inv(target.transform().homogeneous) @ in_world
    np.testing.assert_array_equal(made.covers(in_target, relative_to=target), before)


def test_a_map_in_the_world_holds_until_the_base_moves():
    node_set = panda()
    made = small_map(node_set, frame=World())
    assert made.record.frame == World().name
    poses = np.eye(4)[None]
    made.covers(poses)
    assert made.is_current
    root = node_set.skeleton.root.joint
    old = root.placement
    root.placement = pose((0.1, 0.0, 0.0))
    for ask in (made.covers, made.counts, lambda p: made.add_samples(1), lambda p: made.sample_covered_poses(1)):
        with pytest.raises(StaleMapError, match=r"'panda_link0' has moved in it \(by 0.1 m"):
            ask(poses)
    assert not made.is_current
    root.placement = old
    assert made.is_current
    made.add_samples(5)


def test_a_joint_between_base_and_tip_that_is_not_of_the_set_must_stay():
    whole = panda()
    robot = whole.skeleton
    some = NodeSet("some", whole.joints[2:], whole.base, whole.tip)
    made = small_map(some, samples=100)
    robot.positions = robot.random_positions(3, some.dof_indices)
    assert made.is_current, "joints of the set may move"
    q = robot.positions.copy()
    q[0] += 0.2
    robot.positions = q
    with pytest.raises(StaleMapError, match="joints outside the set"):
        made.covers(np.eye(4))
    robot.dof("panda_joint7").limits = (-1.0, 1.0)
    q[0] -= 0.2
    robot.positions = q
    with pytest.raises(StaleMapError, match="limits"):
        made.covers(np.eye(4))


def test_a_frame_that_the_set_moves_is_refused():
    node_set = panda()
    with pytest.raises(StructureError, match="panda_link4"):
        small_map(node_set, frame=node_set.skeleton.link("panda_link4"))


# Poses of covered cells, bases, several maps.


def test_covered_poses_are_covered_and_drawn_from_the_seed(arm_map):
    poses = arm_map.sample_covered_poses(2000, seed=3)
    assert arm_map.covers(poses).all()
    np.testing.assert_array_equal(poses, arm_map.sample_covered_poses(2000, seed=3))
    assert not np.array_equal(poses, arm_map.sample_covered_poses(2000, seed=4))
    assert len(set(arm_map.grid.index(poses).tolist())) > 1500, "from many cells"


def test_an_empty_map_has_no_covered_pose():
    with pytest.raises(ReachabilityError, match="no cell"):
        small_map(samples=0).sample_covered_poses(1)


def test_from_the_base_poses_the_target_is_covered(arm_map):
    target = pose((2.0, -1.0, 0.7), rpy=(0.3, 0.2, 2.0))
    bases = arm_map.sample_base_poses(target, 500)
    assert arm_map.covers(np.linalg.inv(bases) @ target.homogeneous).all()
    assert np.linalg.norm(bases[:, :3, 3] - target.translation, axis=1).max() < 1.5


def test_the_union_covers_what_either_does():
    one, other = small_map(samples=9000, bits=16), small_map(samples=7000, bits=16, seed=1)
    both = one | other
    np.testing.assert_array_equal(both.values, one.values.astype(int) + other.values)
    assert both.record.samples == 16_000
    found = one.compare(other)
    assert found.both + found.only_first == one.num_covered
    assert found.both + found.only_second == other.num_covered
    assert found.both + found.only_first + found.only_second == both.num_covered
    assert sum((found.both, found.only_first, found.only_second, found.neither)) == one.grid.cells.size
    assert 0.0 < found.overlap < 1.0
    assert one.compare(one).overlap == 1.0
    with pytest.raises(ReachabilityError, match="cannot go on"):
        both.add_samples(1)


def test_counters_of_a_union_stop_where_they_are_full():
    options = {
        "bounds": ([-1.0] * 3 + [-math.pi] * 3, [2.0] * 3 + [math.pi] * 3),
        "step_translation": 3.0,
        "step_rotation": 7.0,
    }
    one, other = (small_map(slider(), samples=200, seed=seed, **options) for seed in (0, 1))
    assert (one | other).values.max() == 255


def test_the_union_of_two_arms_in_one_frame():
    robot = models.load("dual_arm")
    tips = [robot.frame(f"{side}_tool0") for side in ("left", "right")]
    bounds = ([-1.5] * 3 + [-math.pi] * 3, [1.5] * 3 + [math.pi] * 3)
    options = {"frame": robot.root, "bounds": bounds, "step_translation": 0.25}
    left, right = (small_map(tip.chain(), **options) for tip in tips)
    both = left | right
    assert both.num_covered > left.num_covered
    assert both.node_set is None
    assert "left_tool0 + right_tool0" in both.record.tip
    poses = right.sample_covered_poses(100)
    assert both.covers(poses).all()
    robot.root.joint.placement = pose((1.0, 0.0, 0.0))
    assert both.covers(robot.root.transform().homogeneous @ poses, relative_to=World()).all()


def test_maps_that_do_not_fit_together_are_refused():
    made = small_map(samples=100)
    for other, what in (
        (small_map(samples=100, step_translation=0.2, seed=1), "cells"),
        (small_map(samples=100, frame=World(), seed=1), "frames"),
        (small_map(samples=100, quality="manipulability", seed=1), "count"),
        (small_map(samples=100, symmetric=True, seed=1), "reduced"),
        (small_map(samples=100), "count twice"),
    ):
        with pytest.raises(MapMismatchError, match=what):
            made.union(other)
    with pytest.raises(MapMismatchError, match="no map"):
        made.compare(3)


def test_no_samples_count_twice_in_a_union():
    one, other, third = (small_map(samples=100, seed=seed, step_translation=0.3) for seed in (0, 1, 2))
    both = one | other
    for first, second in ((both, one), (one, both), (both, both), (both, other | third), (both | third, both)):
        with pytest.raises(MapMismatchError, match="count twice"):
            first.union(second)
    with pytest.raises(MapMismatchError, match="seed 0, 1,"):
        both.union(both)
    assert (both | third).record.samples == (one | (other | third)).record.samples == 300
    assert set((both | third).record.parts) == set((one | (other | third)).record.parts)
    empty = small_map(samples=0, seed=0, step_translation=0.3)
    assert (empty | both).record.samples == 200
    kinds = {"quality": "manipulability", "step_translation": 0.3}
    best = small_map(samples=100, **kinds)
    np.testing.assert_array_equal((best | best).values, best.values)


def test_a_robot_counts_once_in_a_union():
    robot = models.load("dual_arm")
    bounds = ([-1.5] * 3 + [-math.pi] * 3, [1.5] * 3 + [math.pi] * 3)
    options = {"frame": robot.root, "bounds": bounds, "step_translation": 0.5, "samples": 100}
    left, right = (robot.frame(f"{side}_tool0").chain() for side in ("left", "right"))
    made = small_map(left, **options) | small_map(right, **options) | small_map(left, seed=1, **options)
    assert made.record.num_robots == 2
    assert made.record.tip == "left_tool0 + right_tool0"


@pytest.mark.parametrize("least", [0, -1, 0.5, 1.0, math.nan, math.inf, True, "x", [1], np.zeros(2)])
def test_what_counts_as_covered_is_a_whole_number_from_one_on(arm_map, least):
    far = pose((50.0, 0.0, 0.0)).homogeneous[None]
    assert not arm_map.covers(far, least=1).any()
    for ask in (
        lambda: arm_map.covers(far, least=least),
        lambda: arm_map.sample_covered_poses(2, least=least),
        lambda: arm_map.sample_base_poses(np.eye(4), 2, least=least),
        lambda: rank_bases(arm_map, far, far, least=least),
    ):
        with pytest.raises(InvalidValueError, match="least must be a whole number from 1 on"):
            ask()


@pytest.mark.parametrize("count", [-1, 1.5, True, "x", None])
def test_how_many_poses_is_a_whole_number(arm_map, count):
    with pytest.raises(InvalidValueError, match="count must be a whole number from 0 on"):
        arm_map.sample_covered_poses(count)
    with pytest.raises(InvalidValueError, match="count must be a whole number from 0 on"):
        arm_map.sample_base_poses(np.eye(4), count)
    assert arm_map.sample_covered_poses(0).shape == (0, 4, 4)


@pytest.mark.parametrize("share", ["x", None, True, math.nan, -0.1])
def test_shares_are_numbers_from_0_to_1(arm_map, share):
    with pytest.raises(InvalidValueError, match="share must be a number from 0 to 1"):
        arm_map.level(share)


@pytest.mark.parametrize("value", [300, 256, -1, 0.7, math.nan, math.inf, -0.5, 1j, "a", None])
def test_values_that_a_cell_cannot_hold_are_refused(arm_map, value):
    values = np.zeros(arm_map.grid.cells.shape, dtype=type(value) if value is not None else object)
    values.flat[3] = value
    with pytest.raises(InvalidValueError, match="values must be"):
        arm_map.refined(values)


def test_values_that_a_cell_can_hold_are_taken(arm_map):
    shape = arm_map.grid.cells.shape
    for values in (np.full(shape, 255), np.full(shape, 7.0), np.ones(shape, dtype=bool), np.zeros(shape, np.int8)):
        np.testing.assert_array_equal(arm_map.refined(values).values, values)
    wide = small_map(samples=10, bits=16, step_translation=0.3)
    assert wide.refined(np.full(wide.grid.cells.shape, 300)).values.max() == 300
    for wrong in (np.zeros(3), [[1, 2], [3]], 5):
        with pytest.raises(ShapeError, match="shape"):
            arm_map.refined(wrong)


@pytest.mark.parametrize("most", [-1, 1.5, "x", True])
def test_memory_that_is_no_number_of_bytes_is_refused(most):
    with pytest.raises(InvalidValueError, match="max_memory"):
        small_map(samples=1, max_memory=most)


def test_levels_are_shares_of_the_samples(arm_map):
    assert arm_map.level(0.0) == 1
    assert arm_map.level(1e-4) == 2
    assert (arm_map.covers(arm_map.sample_covered_poses(300), least=2)).mean() < 1.0
    with pytest.raises(InvalidValueError, match="bits=16"):
        arm_map.level(0.5)
    with pytest.raises(InvalidValueError):
        arm_map.level(1.5)


def test_values_cannot_be_written_to(arm_map):
    with pytest.raises(ValueError, match="read-only"):
        arm_map.values[0] = 1
    arm_map.add_samples(0)


def test_poses_that_are_none_are_refused(arm_map):
    with pytest.raises(InvalidPoseError, match="row 1"):
        arm_map.covers(np.array([np.eye(4), np.full((4, 4), math.nan)]))
    assert arm_map.covers(np.zeros((0, 4, 4))).shape == (0,)


def test_what_a_map_says_of_itself(arm_map):
    assert "20000 samples" in repr(arm_map)
    assert "panda_hand" in repr(arm_map)
    assert 0.0 < arm_map.share_covered < 1.0
    assert arm_map.nbytes == arm_map.grid.cells.size


def test_progress_can_be_a_function():
    seen = []
    small_map(samples=100_000, progress=lambda done, total: seen.append((done, total)))
    assert seen[-1] == (100_000, 100_000)
    assert seen == sorted(seen)


def test_an_interrupted_run_leaves_a_shorter_one():
    made = small_map(samples=0, bits=16)

    class StopError(Exception):
        pass

    def stop(done, total):
        if done > 100_000:
            raise StopError

    with pytest.raises(StopError):
        made.add_samples(300_000, progress=stop)
    assert 100_000 < made.record.samples < 300_000
    np.testing.assert_array_equal(made.values, small_map(samples=made.record.samples, bits=16).values)
    made.add_samples(300_000 - made.record.samples, progress=False)
    np.testing.assert_array_equal(made.values, small_map(samples=300_000, bits=16).values)


def test_errors_are_of_the_library():
    assert issubclass(ReachabilityError, KinetreeError)
    assert STEPS


def test_a_bar_is_shown_on_terminals_only(monkeypatch, capsys):
    with progress_of(True) as report:
        assert report is None
    monkeypatch.setenv("FORCE_COLOR", "1")
    with progress_of(True) as report:
        report(5, 10)
    shown = capsys.readouterr()
    assert "samples" in shown.err
    assert not shown.out
