"""Every public name is on a page of the API reference, and nothing else is."""

import importlib.util
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
API = ROOT / "docs" / "api"
ENTRY = re.compile(r"^::: (\S+)", flags=re.MULTILINE)
PACKAGES = ("kinetree.kinematics", "kinetree.models", "kinetree.solvers")


def entries():
    return [name for page in sorted(API.glob("*.md")) for name in ENTRY.findall(page.read_text(encoding="utf-8"))]


def place(package, name):
    """Where the description of a public name is found: a module that is called the same hides a function."""
    module = importlib.util.find_spec(f"{package}.{name}")
    is_hidden = module is not None and module.origin is not None
    return f"{package}.{name}.{name}" if is_hidden else f"{package}.{name}"


@pytest.mark.parametrize("package", PACKAGES)
def test_every_public_name_has_its_place(package):
    public = {place(package, name) for name in importlib.import_module(package).__all__}
    missing = sorted(public - set(entries()))
    assert not missing, f"no page in docs/api describes {missing}"


def test_every_interface_has_its_page():
    interfaces = ROOT / "interfaces"
    public = {
        "kinetree." + ".".join(file.parent.relative_to(ROOT).parts)
        for file in interfaces.rglob("__init__.py")
        if "__all__" in file.read_text(encoding="utf-8")
    }
    missing = sorted(public - set(entries()))
    assert not missing, f"no page in docs/api describes {missing}"


def test_each_is_there_once_and_exists():
    names = entries()
    assert len(names) == len(set(names)), "described twice"
    for name in names:
        package, _, attribute = name.rpartition(".")
        if name.startswith("kinetree.interfaces"):
            assert importlib.util.find_spec(name), f"there is no package {name}"
        else:
            package = package.removesuffix(f".{attribute}")
            assert attribute in importlib.import_module(package).__all__, f"{name} is not public"
