"""Files whose seal is right and whose content is wrong: each wrong thing is told, and nothing is made from it."""

import h5py
import numpy as np
import pytest

from kinetree import models
from kinetree.kinematics import DamagedMapError, ReachabilityMap
from kinetree.kinematics.reachability import MapTooLargeError
from kinetree.kinematics.reachability.sampling_plan import SamplingPlan
from tests.kinematics.reachability.arms import panda, small_map
from tests.kinematics.reachability.map_files import changed, replaced

TEXTS = ["robot", "robot_hash", "node_set", "tip", "base", "frame", "quality", "format", "grid", "parts"]
WHOLES = ["seed", "samples", "outside", "rejected", "bits", "version"]
FLAGS = ["is_tested", "is_union", "is_refined"]
ROWS = ["lower", "upper", "steps", "shape", "turns", "joints", "coordinates"]
ANYTHING = {
    "empty": h5py.Empty("f"),
    "row": np.arange(3),
    "bytes": np.bytes_(b"\xff\xfe"),
    "complex": 1j,
    "table": np.zeros(2, dtype=[("a", "i4"), ("b", "f8")]),
}
#: Values of the right type that cannot be.
IMPOSSIBLE = [
    ("robot_hash", "abc"),
    ("robot_hash", "0" * 64 + " + " + "1" * 64),
    ("quality", "nonsense"),
    ("quality", "manipulability"),
    ("grid", "zzz"),
    ("grid", "pose"),
    ("version", 1),
    ("bits", 0),
    ("bits", 12),
    ("bits", 16),
    ("seed", -1),
    ("samples", -5),
    ("samples", 0),
    ("outside", 10**9),
    ("rejected", 1),
    ("scale", np.nan),
    ("scale", 1.0),
    ("parts", "0" * 64 + " 0"),
    ("lower", np.full(4, np.nan)),
    ("lower", np.zeros(4)),
    ("lower", np.zeros(3)),
    ("upper", np.zeros(4)),
    ("upper", np.full(4, np.inf)),
    ("steps", np.zeros(4)),
    ("steps", -np.ones(4)),
    ("steps", np.full(4, 1e308)),
    ("shape", np.array([-1, 2, 3, 4])),
    ("shape", np.array([0, 2, 3, 4])),
    ("shape", np.array([2, 3, 4])),
    ("shape", np.full(4, np.inf)),
    ("shape", np.full(4, 2.0)),
    ("turns", np.ones(4, dtype=bool)),
    ("turns", np.zeros(2, dtype=bool)),
    ("turns", np.zeros(4)),
    ("joints", np.arange(7)),
    ("joints", 5),
    ("coordinates", ["a", "b", "c", "d"]),
]
WRONG_ARRAYS = {
    "values float": replaced("values", data=np.zeros((3, 3, 3, 3))),
    "values text": replaced("values", data=np.full((3, 3, 3, 3), b"abc")),
    "values empty": replaced("values", data=h5py.Empty("u1")),
    "values other shape": replaced("values", shape=(3, 3, 3, 3), dtype="u1"),
    "frame_T_base short": replaced("frame_T_base", data=np.zeros(3)),
    "frame_T_base text": replaced("frame_T_base", data="x"),
    "frame_T_base zero": replaced("frame_T_base", data=np.zeros((4, 4))),
    "frame_T_base nan": replaced("frame_T_base", data=np.full((4, 4), np.nan)),
    "symmetry/base short": replaced("symmetry/base", data=np.zeros(1)),
    "symmetry/tool zero": replaced("symmetry/tool", data=np.zeros((4, 4))),
    "symmetry/canonical_pose short": replaced("symmetry/canonical_pose", data=np.zeros(1)),
    "symmetry/ranges zero": replaced("symmetry/ranges", data=np.zeros(2)),
    "symmetry missing": lambda file: file.__delitem__("symmetry"),
    "plan five": lambda file: (file.__delitem__("plan"), file.__setitem__("plan", 5)),
    "plan without frame_T_base": lambda file: file.__delitem__("frame_T_base"),
    "plan/lower nan": replaced("plan/lower", data=np.full(7, np.nan)),
    "plan/lower short": replaced("plan/lower", data=np.zeros(1)),
    "plan/draws strange": replaced("plan/draws", data=np.full(7, 9)),
    "plan/tip_frame text": replaced("plan/tip_frame", data="x"),
    "plan/tip_frame row": replaced("plan/tip_frame", data=np.arange(3)),
    "plan/tip_frame far": replaced("plan/tip_frame", data=99),
    "plan/steps packed": replaced("plan/steps", data=np.zeros((7, 3), dtype=int), compression="gzip"),
    "another group": lambda file: file.create_group("more"),
    "another attribute": lambda file: file.attrs.__setitem__("more", 1),
}


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    path = tmp_path_factory.mktemp("maps") / "panda.h5"
    small_map(samples=2000, symmetric=True, step_translation=0.2).save(path)
    return path


def check_refused(path, name):
    for node_set in (None, panda()):
        with pytest.raises(DamagedMapError, match=name):
            ReachabilityMap.load(path, node_set)


def test_what_is_only_sealed_again_is_read(saved, tmp_path):
    again = ReachabilityMap.load(changed(saved, tmp_path / "map.h5", lambda file: None), panda())
    assert again.record == ReachabilityMap.load(saved).record


@pytest.mark.parametrize("name", [*TEXTS, *WHOLES, *FLAGS, *ROWS, "scale"])
def test_attributes_of_another_type_or_missing_are_refused(saved, tmp_path, name):
    wrong = dict(ANYTHING)
    if name not in TEXTS:
        wrong["text"] = "many"
    if name not in WHOLES:
        wrong["whole"] = 5
    if name not in (*ROWS, "scale"):
        wrong["nan"] = np.nan
    for value in wrong.values():
        path = changed(saved, tmp_path / "bad.h5", lambda file, value=value: file.attrs.__setitem__(name, value))
        with pytest.raises(DamagedMapError, match=name):
            ReachabilityMap.load(path)
    path = changed(saved, tmp_path / "bad.h5", lambda file: file.attrs.__delitem__(name))
    with pytest.raises(DamagedMapError, match=f"missing: {name}"):
        ReachabilityMap.load(path)


@pytest.mark.parametrize(("name", "value"), IMPOSSIBLE)
def test_values_that_cannot_be_are_refused(saved, tmp_path, name, value):
    path = changed(saved, tmp_path / "bad.h5", lambda file: file.attrs.__setitem__(name, value))
    check_refused(path, r"bad\.h5")


@pytest.mark.parametrize("step", [0.0, -0.1, 5e-324])
def test_steps_that_make_no_cells_are_refused(saved, tmp_path, step):
    def put(file):
        file.attrs["steps"] = np.full(4, step)
        file.attrs["upper"] = file.attrs["lower"] + file.attrs["shape"] * step

    check_refused(changed(saved, tmp_path / "bad.h5", put), "steps are")


@pytest.mark.parametrize("name", WRONG_ARRAYS)
def test_arrays_that_cannot_be_are_refused(saved, tmp_path, name):
    check_refused(changed(saved, tmp_path / "bad.h5", WRONG_ARRAYS[name]), r"bad\.h5")


@pytest.mark.parametrize("name", ["values", "frame_T_base", "plan/lower", "symmetry/base"])
def test_links_to_somewhere_else_are_not_followed(saved, tmp_path, name):
    (tmp_path / "other.h5").write_bytes(saved.read_bytes())
    for link in (h5py.ExternalLink(str(tmp_path / "other.h5"), name), h5py.SoftLink("/elsewhere/" + name)):

        def put(file, link=link):
            file.copy(name, "/elsewhere/" + name) if isinstance(link, h5py.SoftLink) else None
            replaced(name, link=link)(file)

        path = changed(saved, tmp_path / "bad.h5", put)
        check_refused(path, r"bad\.h5")


@pytest.mark.parametrize("kind", ["external", "virtual"])
def test_numbers_outside_the_file_are_not_read(saved, tmp_path, kind):
    (tmp_path / "outside.bin").write_bytes(bytes(1000))

    def put(file):
        del file["frame_T_base"]
        if kind == "external":
            outside = [(str(tmp_path / "outside.bin"), 0, 128)]
            file.create_dataset("frame_T_base", shape=(4, 4), dtype=float, external=outside)
        else:
            layout = h5py.VirtualLayout(shape=(4, 4), dtype=float)
            layout[:] = h5py.VirtualSource(str(saved), "frame_T_base", shape=(4, 4))
            file.create_virtual_dataset("frame_T_base", layout)

    check_refused(changed(saved, tmp_path / "bad.h5", put), "no numbers in the file itself")


def test_cells_that_need_more_memory_than_allowed_are_not_read(saved, tmp_path):
    with h5py.File(saved) as file:
        needed = file["values"].size
    assert ReachabilityMap.load(saved, max_memory=needed).nbytes == needed
    with pytest.raises(MapTooLargeError, match="max_memory"):
        ReachabilityMap.load(saved, max_memory=needed - 1)


def test_a_small_file_with_a_huge_map_is_refused(saved, tmp_path):
    def enlarge(file):
        shape = np.array([10_000, 10_000, 10_000, 10_000])
        file.attrs["shape"] = shape
        file.attrs["upper"] = file.attrs["lower"] + shape * file.attrs["steps"]
        replaced("values", shape=tuple(shape), dtype="u1", chunks=(10, 10, 100, 100), compression="gzip")(file)

    with pytest.raises(MapTooLargeError, match="1e\\+04 TB"):
        ReachabilityMap.load(changed(saved, tmp_path / "huge.h5", enlarge))


def test_the_robots_there_are_can_be_saved(tmp_path):
    for name in ("panda", "ur5e", "humanoid", "dual_arm", "kr6_r900"):
        robot = models.load(name)
        made = small_map(robot.tip.chain(), samples=10, step_translation=0.5, step_rotation=2.0)
        made.save(tmp_path / "map.h5")
        again = ReachabilityMap.load(tmp_path / "map.h5", robot.tip.chain())
        assert SamplingPlan.of(again.node_set).digest == again.record.robot_hash
