"""The script that follows the start page in a fresh environment."""

import importlib.util
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FENCE = "`" * 3
PAGE = f"""
{FENCE}bash
word=there
{FENCE}
{FENCE}python title="first.py"
print("one")
{FENCE}
{FENCE}python
raise SystemExit("only to read")
{FENCE}
{FENCE}python title="first.py, at the end"
print("two")
{FENCE}
{FENCE}bash
cat first.py; echo "$word"
{FENCE}
"""


@pytest.fixture(scope="module")
def follow():
    spec = importlib.util.spec_from_file_location("follow", ROOT / "docs" / "tools" / "follow.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def run(script, folder):
    return subprocess.run(["bash", "-c", script], cwd=folder, capture_output=True, text=True, check=False)


def test_blocks_are_followed_in_order_in_one_shell(follow, tmp_path):
    done = run(follow.script_of(PAGE), tmp_path)
    assert done.returncode == 0, done.stderr
    assert [line for line in done.stdout.splitlines() if not line.startswith("$ ")] == [
        'print("one")',
        'print("two")',
        "there",
    ]


def test_a_command_that_fails_ends_it(follow, tmp_path):
    done = run(follow.script_of(f"{FENCE}bash\nfalse\n{FENCE}\n{FENCE}bash\ntouch late\n{FENCE}\n"), tmp_path)
    assert done.returncode != 0
    assert not (tmp_path / "late").exists()


def test_a_page_without_commands_is_refused(follow):
    with pytest.raises(ValueError, match="no shell block"):
        follow.script_of("# Nothing to do\n")


def test_the_start_page_goes_from_an_installation_to_a_solution(follow):
    script = follow.script_of((ROOT / "docs" / "index.md").read_text(encoding="utf-8"))
    assert script.index("pip install .") < script.index("python first.py") < script.index("kinetree solve")
