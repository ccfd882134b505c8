"""The public names and their signatures are those of the checked-in list, so that no change of them goes unseen."""

import ast
import difflib
import re
import sys

import pytest

from tests import public_names
from tests.public_names import LIST, ROOT, PublicApi, public_modules

API = PublicApi()
HINT = "If the change is meant, write the list anew with `python -m tests.public_names` and say so in CHANGELOG.md."


def listed():
    """The parts of the list by module."""
    parts = LIST.read_text(encoding="utf-8").rstrip("\n").split("\n\n")
    return {part.partition("\n")[0]: part for part in parts}


def test_the_list_has_every_public_module():
    assert sorted(listed()) == public_modules(), HINT


@pytest.mark.parametrize("name", public_modules())
def test_names_and_signatures_are_as_listed(name):
    if name in API.missing:
        pytest.skip(f"{name} cannot be imported here: {API.missing[name]}")
    then, now = listed().get(name, ""), API.described(name).rstrip("\n")
    changes = difflib.unified_diff(then.splitlines(), now.splitlines(), LIST.name, "now", lineterm="", n=1)
    assert then == now, "\n".join(["the public names changed:", *changes, HINT])


def guide_imports():
    """(module, name) of all that the guide and the examples import from kinetree."""
    blocks = [page.read_text(encoding="utf-8") for page in (ROOT / "examples").glob("*.py")]
    for page in [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]:
        blocks += re.findall(r"^```python[^\n]*\n(.*?)^```", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    return sorted(
        {
            (node.module, each.name)
            for block in blocks
            for node in ast.walk(ast.parse(block))
            if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("kinetree.")
            for each in node.names
        }
    )


def test_what_the_guide_imports_is_public():
    own = {(name, line.split("(")[0].split(":")[0].split(" = ")[0].split()[-1])
           for name, part in listed().items() for line in part.splitlines() if re.match(r" {4}\S", line)}  # fmt: skip
    packages = {f"{name}" for name in listed()}
    missing = [f"{module}.{name}" for module, name in guide_imports()
               if (module, name) not in own and f"{module}.{name}" not in packages]  # fmt: skip
    assert not missing, f"the guide imports {missing}, which the list of public names does not have"


def test_a_change_is_seen(monkeypatch):
    from kinetree.kinematics import Skeleton

    def clone(self, name: str = "") -> Skeleton: ...

    clone.__annotations__["return"] = "Skeleton"
    then = set(API.described("kinetree.kinematics").splitlines())
    monkeypatch.setattr(Skeleton, "clone", clone)
    monkeypatch.setattr(Skeleton, "twin", clone, raising=False)
    now = set(API.described("kinetree.kinematics").splitlines())
    assert {line.strip() for line in then - now} == {"clone(name: str | None = None) -> Skeleton"}
    assert {line.strip() for line in now - then} == {
        "clone(name: str = '') -> Skeleton",
        "twin(name: str = '') -> Skeleton",
    }


@pytest.mark.parametrize("word", ["--help", "--check", "kinetree.solvers"])
def test_the_command_takes_no_words_for_rewrite(monkeypatch, tmp_path, word):
    monkeypatch.setattr(public_names, "LIST", tmp_path / "names.txt")
    monkeypatch.setattr(sys, "argv", ["public_names", word])
    with pytest.raises(SystemExit) as done:
        public_names.main()
    assert done.value.code == (0 if word == "--help" else 2)
    assert not list(tmp_path.iterdir())
