"""Files: what is written is read, and what is wrong with a file is told."""

import os
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import h5py
import numpy as np
import pytest

from kinetree import models
from kinetree.kinematics import (
    CollisionDetector,
    DamagedMapError,
    InvalidValueError,
    MapMismatchError,
    MissingPackageError,
    NodeSet,
    ReachabilityError,
    ReachabilityMap,
    SimpleFrame,
    StaleMapError,
    World,
    WrongNodeSetError,
    WrongRobotError,
    pose,
)
from tests.kinematics.reachability.arms import panda, slider, small_map

OPTIONS = [{}, {"symmetric": True}, {"quality": "manipulability", "bits": 16}, {"frame": World()}]


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    path = tmp_path_factory.mktemp("maps") / "panda.h5"
    made = small_map(samples=5000, step_translation=0.2)
    made.save(path)
    return made, path


@pytest.mark.parametrize("options", OPTIONS, ids=["plain", "symmetric", "manipulability", "world"])
def test_what_is_loaded_is_what_was_saved_and_goes_on(options, tmp_path):
    made = small_map(samples=4000, **options)
    made.save(tmp_path / "map.h5")
    for node_set in (None, panda()):
        again = ReachabilityMap.load(tmp_path / "map.h5", node_set)
        np.testing.assert_array_equal(again.values, made.values)
        assert again.values.dtype == made.values.dtype
        assert again.record == made.record
        assert again.grid.cells == made.grid.cells
        poses = made.sample_covered_poses(100)
        np.testing.assert_array_equal(again.counts(poses), made.counts(poses))
    again.add_samples(3000, progress=False)
    made.add_samples(3000, progress=False)
    np.testing.assert_array_equal(again.values, made.values)
    assert again.record == made.record


def test_what_is_in_a_file(saved):
    made, path = saved
    with h5py.File(path) as file:
        for name in (
            "version",
            "robot",
            "robot_hash",
            "node_set",
            "tip",
            "base",
            "frame",
            "steps",
            "lower",
            "upper",
            "seed",
        ):
            assert name in file.attrs
        assert file.attrs["samples"] == 5000
        assert file["values"].shape == made.grid.cells.shape
        assert file.attrs["coordinates"].tolist() == list(made.grid.names)


def test_a_map_without_its_robot_answers_in_its_own_frame_only(saved):
    path = saved[1]
    alone = ReachabilityMap.load(path)
    assert alone.node_set is None
    with pytest.raises(ReachabilityError, match="panda_link0"):
        alone.covers(np.eye(4), relative_to=World())
    with pytest.raises(ReachabilityError, match="cannot go on"):
        alone.add_samples(1)
    assert (alone | small_map(samples=100, seed=3, step_translation=0.2)).record.samples == 5100


# What is wrong.


@pytest.mark.parametrize("part", [0.0, 0.01, 0.5, 0.99])
def test_a_file_that_was_cut_off_is_damaged(saved, tmp_path, part):
    whole = saved[1].read_bytes()
    (tmp_path / "cut.h5").write_bytes(whole[: int(part * len(whole))])
    with pytest.raises(DamagedMapError, match=r"cut\.h5"):
        ReachabilityMap.load(tmp_path / "cut.h5")


def test_other_files_are_no_maps(tmp_path):
    (tmp_path / "text.h5").write_text("no map")
    with pytest.raises(DamagedMapError, match=r"text\.h5"):
        ReachabilityMap.load(tmp_path / "text.h5")
    with h5py.File(tmp_path / "other.h5", "w") as file:
        file["values"] = np.zeros(3)
    with pytest.raises(DamagedMapError, match="no reachability map"):
        ReachabilityMap.load(tmp_path / "other.h5")
    with pytest.raises(FileNotFoundError, match="none"):
        ReachabilityMap.load(tmp_path / "none.h5")


def test_another_robot_is_told(saved):
    with pytest.raises(WrongRobotError, match="'panda', not of 'ur5e'"):
        ReachabilityMap.load(saved[1], models.load("ur5e").tip.chain())
    shorter = panda()
    shorter.skeleton.dof("panda_joint4").limits = (-2.0, -0.1)
    with pytest.raises(WrongRobotError, match="lower joint limits"):
        ReachabilityMap.load(saved[1], shorter)
    longer = panda()
    longer.skeleton.joint("panda_joint5").placement = pose((0.0, 0.5, 0.0))
    with pytest.raises(WrongRobotError, match="places of the joints"):
        ReachabilityMap.load(saved[1], longer)


def test_another_node_set_is_told(saved):
    robot = panda().skeleton
    with pytest.raises(WrongNodeSetError, match="its tip is 'panda_hand', not 'panda_link8'"):
        ReachabilityMap.load(saved[1], robot.link("panda_link8").chain())
    with pytest.raises(WrongNodeSetError, match="its joints are"):
        ReachabilityMap.load(saved[1], robot.tip.chain(robot.link("panda_link1")))
    joints = robot.tip.chain().joints
    with pytest.raises(WrongNodeSetError, match="its base is 'panda_link0'"):
        ReachabilityMap.load(saved[1], NodeSet("arm", joints, World(), robot.tip))
    renamed = NodeSet("arm", joints, robot.link("panda_link0"), robot.tip)
    assert ReachabilityMap.load(saved[1], renamed).node_set is renamed


def test_a_base_that_moved_is_told(tmp_path):
    made = small_map(samples=100, frame=World())
    made.save(tmp_path / "map.h5")
    moved = panda()
    moved.skeleton.root.joint.placement = pose((0.2, 0.0, 0.0))
    with pytest.raises(StaleMapError, match="panda_link0"):
        ReachabilityMap.load(tmp_path / "map.h5", moved)


def test_a_frame_that_has_no_name_in_the_robot_is_asked_for(tmp_path):
    frame = SimpleFrame("table", World(), pose((1.0, 0.0, 0.0)))
    small_map(samples=100, frame=frame).save(tmp_path / "map.h5")
    with pytest.raises(ReachabilityError, match="'table'"):
        ReachabilityMap.load(tmp_path / "map.h5", panda())
    assert ReachabilityMap.load(tmp_path / "map.h5", panda(), frame=frame).is_current


def test_a_map_with_refused_samples_goes_on_with_a_detector_only(tmp_path):
    node_set = panda()
    detector = CollisionDetector(node_set.skeleton)
    made = small_map(node_set, samples=300, collision_detector=detector)
    made.save(tmp_path / "map.h5")
    with pytest.raises(ReachabilityError, match="collision detector"):
        ReachabilityMap.load(tmp_path / "map.h5", node_set).add_samples(1)
    again = ReachabilityMap.load(tmp_path / "map.h5", node_set, collision_detector=detector)
    again.add_samples(200, progress=False)
    made.add_samples(200, progress=False)
    np.testing.assert_array_equal(again.values, made.values)
    small_map(node_set, samples=1).save(tmp_path / "map.h5")
    with pytest.raises(InvalidValueError, match="refused"):
        ReachabilityMap.load(tmp_path / "map.h5", node_set, collision_detector=detector)


def test_unions_are_saved(tmp_path):
    made = small_map(samples=100) | small_map(samples=200, seed=1)
    made.save(tmp_path / "map.h5")
    again = ReachabilityMap.load(tmp_path / "map.h5", panda())
    np.testing.assert_array_equal(again.values, made.values)
    assert again.is_current
    with pytest.raises(ReachabilityError, match="cannot go on"):
        again.add_samples(1)
    assert again.record == made.record
    with pytest.raises(MapMismatchError, match="count twice"):  # the file knows what is in it
        again.union(small_map(samples=50, seed=1))


def test_unions_of_many_maps_are_saved(tmp_path):
    made = small_map(slider(), samples=10, step_translation=0.5, step_rotation=2.0)
    parts = tuple(f"{made.record.robot_hash} {seed}" for seed in range(20_000))
    many = ReachabilityMap(made.grid, made.values.ravel(), replace(made.record, is_union=True, parts=parts))
    many.save(tmp_path / "map.h5")
    assert ReachabilityMap.load(tmp_path / "map.h5").record == many.record


# Writing.


def test_a_failed_write_leaves_the_old_file_and_nothing_else(saved, tmp_path, monkeypatch):
    path = tmp_path / "map.h5"
    path.write_bytes(saved[1].read_bytes())
    monkeypatch.setattr(os, "replace", lambda *_: (_ for _ in ()).throw(OSError("disk full")))
    with pytest.raises(OSError, match="disk full"):
        small_map(samples=10).save(path)
    assert path.read_bytes() == saved[1].read_bytes()
    assert os.listdir(tmp_path) == ["map.h5"]


def test_a_process_that_dies_while_writing_leaves_the_old_file(saved, tmp_path):
    path = tmp_path / "map.h5"
    path.write_bytes(saved[1].read_bytes())
    code = (
        "import os, sys\n"
        "from kinetree.kinematics import ReachabilityMap\n"
        "from kinetree.kinematics.reachability import map_file\n"
        "made = ReachabilityMap.load(sys.argv[1])\n"
        "map_file.write_sealed = lambda stream, whole: os._exit(9 if stream.write(whole) else 1)\n"
        "made.save(sys.argv[1])\n"
    )
    done = subprocess.run([sys.executable, "-c", code, str(path)], check=False)
    assert done.returncode == 9
    assert len(os.listdir(tmp_path)) == 2  # what it had written, beside the file
    assert path.read_bytes() == saved[1].read_bytes()


def test_a_full_disk_leaves_the_old_file_and_a_sound_process(saved, tmp_path):
    path = tmp_path / "map.h5"
    path.write_bytes(saved[1].read_bytes())
    code = (
        "import resource, sys\n"
        "import h5py\n"
        "from kinetree.kinematics import ReachabilityMap\n"
        "made = ReachabilityMap.load(sys.argv[1])\n"
        "made.save(sys.argv[1])\n"
        "before = h5py.h5f.get_obj_count(h5py.h5f.OBJ_ALL, h5py.h5f.OBJ_ALL)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (4096, resource.RLIM_INFINITY))\n"
        "for _ in range(3):\n"
        "    try:\n"
        "        made.save(sys.argv[1])\n"
        "    except OSError as error:\n"
        "        print(error)\n"
        "print(h5py.h5f.get_obj_count(h5py.h5f.OBJ_ALL, h5py.h5f.OBJ_ALL) - before)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))\n"
        "made.save(sys.argv[1])\n"
    )
    done = subprocess.run([sys.executable, "-c", code, str(path)], check=False, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert lines == ["[Errno 27] File too large"] * 3 + ["0"]
    assert os.listdir(tmp_path) == ["map.h5"]
    np.testing.assert_array_equal(ReachabilityMap.load(path).values, saved[0].values)


def test_maps_are_saved_and_loaded_in_several_threads_at_once(saved, tmp_path):
    def there_and_back(number):
        path = tmp_path / f"{number}.h5"
        saved[0].save(path)
        return (ReachabilityMap.load(path).values == saved[0].values).all()

    with ThreadPoolExecutor(4) as threads:
        assert all(threads.map(there_and_back, range(20)))


def test_what_is_saved_while_samples_are_added_is_whole(tmp_path):
    made = small_map(samples=0, step_translation=0.3)
    expected = small_map(samples=0, step_translation=0.3)

    def look(done, _):
        made.save(tmp_path / "map.h5")
        again = ReachabilityMap.load(tmp_path / "map.h5")
        assert again.record.samples == done
        expected.add_samples(done - expected.record.samples, progress=False)
        np.testing.assert_array_equal(again.values, expected.values)

    made.add_samples(100_000, progress=look)
    assert expected.record.samples == 100_000


def test_saving_and_counting_wait_for_each_other(tmp_path):
    made = small_map(samples=0, step_translation=0.3)
    jobs = [
        threading.Thread(target=made.save, args=[tmp_path / "map.h5"]),
        threading.Thread(target=made.add_samples, args=[100], kwargs={"progress": False}),
    ]
    for job in jobs:
        with made._counting:
            job.start()
            job.join(0.3)
            assert job.is_alive()
        job.join()
    assert made.record.samples == 100


def test_a_folder_that_is_not_there(tmp_path):
    with pytest.raises(OSError, match="nowhere"):
        small_map(samples=10).save(tmp_path / "nowhere" / "map.h5")


def test_without_h5py_the_way_to_install_it_is_told(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "h5py", None)
    with pytest.raises(MissingPackageError, match=r"kinetree\[reach\]"):
        small_map(samples=10).save(tmp_path / "map.h5")
    with pytest.raises(MissingPackageError, match=r"kinetree\[reach\]"):
        ReachabilityMap.load(tmp_path / "map.h5")
