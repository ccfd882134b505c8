"""The program as a user starts it."""

import json
import os
import subprocess
import sys
import tomllib
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import pytest

from kinetree.interfaces.command_line.find import DEFAULT_METHOD, METHODS

ROOT = Path(__file__).parents[2]


def kinetree(*words, **environment):
    return subprocess.run(
        [sys.executable, "-m", "kinetree.interfaces.cli", *words],
        capture_output=True,
        text=True,
        encoding="utf-8",
        stdin=subprocess.DEVNULL,
        env={**os.environ, **environment},
        timeout=120,
        check=False,
    )


def test_version(run):
    done = run("--version")
    assert done.status == 0
    try:
        expected = version("kinetree")
    except PackageNotFoundError:
        pytest.skip("kinetree is imported from a folder, not installed")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert done.out.strip() == f"kinetree {expected}" == f"kinetree {project['version']}"


@pytest.mark.parametrize(
    "words", ["--help", "solve --help", "fk --help", "info --help", "robots --help", "warmup --help"]
)
def test_help(run, words):
    done = run(words)
    assert done.status == 0
    assert "Usage" in done.out


def test_unknown_command(run):
    done = run("sovle panda")
    assert done.status == 2
    assert "sovle" in done.err


def test_solving_as_a_program_does():
    done = kinetree("solve", "panda", "--position", "-0.4", "0.1", "0.5", "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["success"] is True


def test_wrong_use_is_short_and_on_stderr():
    done = kinetree("solve", "pandaa", "--position", "0", "0", "1")
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    assert done.stderr.startswith("kinetree: ")


def test_terminals_without_unicode():
    done = kinetree("info", "panda", PYTHONIOENCODING="ascii", PYTHONUTF8="0", LC_ALL="C")
    assert done.returncode == 0, done.stderr
    assert "panda_joint1" in done.stdout


def test_warmup_names_what_is_ready(run):
    done = run("warmup")
    assert done.status == 0
    for what in (DEFAULT_METHOD, f"{DEFAULT_METHOD}, batches", f"{DEFAULT_METHOD}, paths", "hierarchies"):
        assert f"{what}: compiled" in done.out


def test_warmup_leaves_nothing_to_compile_for_steps_and_maps(run):
    from kinetree.kinematics.reachability.entry_points import sample_entry
    from kinetree.solvers.bounded_kernels.whole_bounded_step import compiled_whole_bounded_step
    from kinetree.solvers.compiled.hierarchical_whole_step import compiled_whole_step

    kernels = [sample_entry, compiled_whole_bounded_step, compiled_whole_step]
    for kernel in kernels:
        kernel.cache_clear()
    done = run("warmup")
    assert "steps of hierarchies, also inside limits: ready after" in done.out
    assert "reachability maps: ready after" in done.out
    assert [kernel.cache_info().currsize for kernel in kernels] == [1, 1, 1]


@pytest.mark.slow
def test_warmup_of_every_method(run):
    done = run("warmup", "--all-methods")
    for method in METHODS:
        assert f"{method}: compiled" in done.out


def test_warmup_of_a_closed_form(run):
    done = run("warmup", "--closed-form", "kr6_r900")
    assert done.status == 0
    assert "closed form of kr6_r900: 6R with a spherical wrist" in done.out
    assert run("warmup", "--closed-form", "nobody").status == 2
