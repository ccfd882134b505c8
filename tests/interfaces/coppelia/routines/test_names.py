"""Every routine and constant is there under its name, with its arguments in their order."""

import inspect
import tomllib
import typing
from pathlib import Path

import pytest

from kinetree.interfaces.coppelia import routines

HERE = Path(__file__).parent
ROUTINES = tomllib.loads((HERE / "routines.toml").read_text(encoding="utf-8"))
CONSTANTS = tomllib.loads((HERE / "constants.toml").read_text(encoding="utf-8"))


def test_nothing_else_has_such_a_name():
    names = {name for name in routines.__all__ if name.startswith("ik")}
    assert names == ROUTINES.keys() | CONSTANTS.keys()
    assert len(ROUTINES) == 73


@pytest.mark.parametrize("name", ROUTINES)
def test_arguments(name):
    function = getattr(routines, name)
    parameters = inspect.signature(function).parameters.values()
    positional = [each.name for each in parameters if each.kind is each.POSITIONAL_OR_KEYWORD]
    assert positional == ROUTINES[name]["in"]
    assert all(each.default is not each.empty for each in parameters if each.kind is each.KEYWORD_ONLY)


@pytest.mark.parametrize("name", ROUTINES)
def test_what_comes_out(name):
    expected = ROUTINES[name]
    kind = typing.get_type_hints(getattr(routines, name))["return"]
    if expected["out"]:
        first = {"bool": "success", "int": "result"}.get(expected["returns"], "data")
        assert list(kind._fields) == [first, *expected["out"]]
    else:
        assert kind is {"bool": bool, "std::string": str, "void": type(None)}[expected["returns"]]


@pytest.mark.parametrize("name", CONSTANTS)
def test_constants(name):
    assert getattr(routines, name) == CONSTANTS[name]
