"""Everything public is described: what it is, what it takes with shapes and units, what it returns and raises."""

from __future__ import annotations

import inspect
from dataclasses import replace

import pytest

from kinetree.kinematics.transforms import Array
from tests.docstring_rules import described_class, described_function, what_is_missing
from tests.public_names import PublicApi, is_class, own_classes, public_modules, public_names

API = PublicApi()


def everything(module):
    """Each public class, function, method and property of a module that is described there."""
    for name, each in public_names(module):
        if is_class(each) and API.home(each) == module.__name__:
            yield described_class(name, each)
            yield from members(name, each)
        elif inspect.isfunction(each) and API.home(each) == module.__name__:
            it = described_function(name, each)
            yield replace(it, raised=frozenset(), returned="None") if is_routine(module) else it


def is_routine(module):
    """Whether the functions of a module report errors by what they return; see `interfaces.coppelia.routines`."""
    return module.__name__.endswith(".routines")


def members(name, kind):
    for owner in own_classes(kind, API.classes):
        for own, each in vars(owner).items():
            if own[0] == "_" or vars_of(kind, own) is not each:
                continue
            each = getattr(each, "__func__", each)
            if isinstance(each, property):
                yield described_function(f"{name}.{own}", each.fget, kind, is_property=True)
            elif inspect.isfunction(each):
                yield described_function(f"{name}.{own}", each, kind)


def vars_of(kind, name):
    return next((vars(each)[name] for each in kind.__mro__ if name in vars(each)), None)


@pytest.mark.parametrize("name", public_modules())
def test_everything_public_is_described(name):
    if name in API.missing:
        pytest.skip(f"{name} cannot be imported here: {API.missing[name]}")
    missing = [f"{it.name}: {'; '.join(said)}" for it in everything(API.modules[name]) if (said := what_is_missing(it))]
    assert not missing, "\n".join([f"descriptions in {name}:", *missing])


def complete(jacobian: Array, gain: float) -> Array:
    """Solves.

    Args:
        jacobian: Of the task (m, n).
        gain: Largest step (rad).

    Returns:
        The step (n,).

    Raises:
        ValueError: There is none.
    """
    raise ValueError(gain)


@pytest.mark.parametrize(
    ("taken", "put", "said"),
    [
        (None, "", "it is not described"),
        ("        gain: Largest step (rad).\n", "", "argument 'gain' is not described"),
        (" (m, n)", "", "the shape of 'jacobian' is not told"),
        (" (rad)", "", "the unit of 'gain' is not told"),
        ("    Returns:\n        The step (n,).\n", "", "what it returns is not told"),
        ("(n,)", "", "the shape of the result is not told"),
        ("        ValueError: There is none.\n", "", "it raises ValueError, which is not told"),
    ],
)
def test_what_is_missing_is_seen(monkeypatch, taken, put, said):
    assert not what_is_missing(described_function("complete", complete))
    doc = complete.__doc__
    assert taken is None or taken in doc
    raised = described_function("complete", complete).raised
    monkeypatch.setattr(complete, "__doc__", None if taken is None else doc.replace(taken, put))
    assert said in what_is_missing(replace(described_function("complete", complete), raised=raised))
