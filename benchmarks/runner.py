"""Runs benchmarks."""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module

from kinetree.interfaces.bench import Table

from .options import Options

#: Name to where ``measure(options) -> list[Table]`` is; a new benchmark is a file and a line here.
BENCHMARKS: dict[str, str] = {
    "footprint": "footprint",
    "robots": "robots",
    "object_path": "object_path",
    "core.success": "core.success",
    "core.one_target": "core.one_target",
    "core.near_seed": "core.near_seed",
    "core.batch": "core.batch",
    "core.forward": "core.forward",
    "core.hierarchical": "core.hierarchical",
    "core.start_up": "core.start_up",
    "closed_form.six_axis": "closed_form.six_axis",
    "closed_form.general": "closed_form.general",
    "closed_form.seven_axis": "closed_form.seven_axis",
    "closed_form.batch": "closed_form.batch",
    "closed_form.completeness": "closed_form.completeness",
    "closed_form.targets": "closed_form.targets",
    "meta.in_a_cell": "meta.in_a_cell",
    "hierarchy.steps": "hierarchy.steps",
    "coppelia.handle_groups": "coppelia.handle_groups",
    "coppelia.find_config": "coppelia.find_config",
    "reachability.speed": "reachability.speed",
    "reachability.accuracy": "reachability.accuracy",
    "reachability.warm_start": "reachability.warm_start",
    "variants.methods": "variants.methods",
}

#: What a quick run has when nothing is named: what is compared with others, and the variants of our own. The rest
#: compiles too much for a quarter of an hour on a machine that has nothing yet.
QUICK: tuple[str, ...] = (
    "footprint",
    "core.success",
    "core.one_target",
    "core.near_seed",
    "core.batch",
    "core.start_up",
    "closed_form.six_axis",
    "closed_form.seven_axis",
    "closed_form.batch",
    "hierarchy.steps",
    "reachability.speed",
    "reachability.accuracy",
    "variants.methods",
)


def expand(names: Iterable[str]) -> list[str]:
    """Benchmarks by name; the name of a group, such as ``core``, is all of its sections.

    Raises:
        KeyError: There is no such benchmark; its argument is the name.
    """
    found: list[str] = []
    for name in names:
        sections = [each for each in BENCHMARKS if each == name or each.startswith(f"{name}.")]
        if not sections:
            raise KeyError(name)
        found += [each for each in sections if each not in found]
    return found


def run(name: str, options: Options | None = None) -> list[Table]:
    """One benchmark.

    Args:
        name: A key of `BENCHMARKS`.
        options: The benchmark's own choices when None.
    """
    # Imported when it is run: each needs other parts of the library, and some compile.
    module = import_module(f".{BENCHMARKS[name]}", __package__)
    tables: list[Table] = module.measure(options or Options())
    return tables
