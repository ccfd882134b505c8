import json
import shutil

import pytest

from tests.solvers.ikfast import generated_code as code

KEYS = {
    "library",
    "type",
    "type_id",
    "num_joints",
    "free_parameters",
    "real",
    "ikfast_version",
    "kinematics_hash",
    "built_by_kinetree",
}


def test_build_and_info(run, tmp_path, monkeypatch):
    code.compiler()
    monkeypatch.setenv("CXXFLAGS", "-O0")
    source, output = tmp_path / "arm.cpp", tmp_path / "libarm.so"
    shutil.copy(code.LIFTED_ARM, source)
    done = run("ikfast", "build", str(source), "-o", str(output), "--float", "-I", str(tmp_path))
    assert done.status == 0, done.err
    for words in ("Transform6D (0x67000001)", "4, number 0 (from 0) free", "float", "61", "lifted-arm"):
        assert words in done.out
    assert run("ikfast", "info", str(output)).out == done.out


def test_json_has_the_documented_keys(run):
    data = run("ikfast", "info", str(code.path_of("lifted_arm")), "--json").json
    assert set(data) == KEYS
    assert data["type"] == "Transform6D"
    assert data["free_parameters"] == [0]
    assert data["real"] == "double"
    assert data["built_by_kinetree"] is True
    plain = run("ikfast", "info", str(code.plain_path_of("lifted_arm")), "--json").json
    assert plain["built_by_kinetree"] is False


def test_check(run):
    library = str(code.path_of("kr6"))
    done = run("ikfast", "check", library, "kr6_r900")
    assert done.status == 0, done.err
    assert "it is for kr6_r900: tool0 (natural tip" in done.out
    assert "solved: joint_a1 joint_a2" in done.out
    assert "free: none" in done.out
    data = run("ikfast", "check", library, "kr6_r900", "--json").json
    assert set(data) > KEYS
    assert data["base"] == "base_link"


def test_check_of_another_robot_fails_and_says_why(run):
    done = run("ikfast", "check", str(code.path_of("panda")), "panda", "--json")
    assert done.status == 2
    assert "pass tip='panda_link8'" in json.loads(done.out)["error"]
    assert run("ikfast", "check", str(code.path_of("panda")), "panda", "--frame", "panda_link8").status == 0


@pytest.mark.parametrize("words", [["info", "none.so"], ["build", "none.cpp"], ["check", "none.so", "panda"]])
def test_wrong_use(run, words):
    done = run("ikfast", *words)
    assert done.status == 2
    assert done.err.startswith("kinetree: ")
    assert "Traceback" not in done.err + done.out


def test_help_names_the_commands(run):
    done = run("ikfast", "--help")
    for word in ("build", "info", "check"):
        assert word in done.out
