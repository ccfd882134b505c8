"""Imports go one way, imports stay light, and the library neither prints nor draws unseeded numbers."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
#: What each layer may import.
ALLOWED = {
    "kinematics": {"kinematics"},
    "models": {"models", "kinematics"},
    "solvers": {"solvers", "kinematics"},
    "interfaces": {"interfaces", "kinematics", "models", "solvers"},
}
#: `frame.ik` and `skeleton.ik` hand out modules of the layer above; they import them when asked to.
LATE = {
    ("kinematics/frame.py", "solvers.inverse_kinematics"),
    ("kinematics/skeleton.py", "solvers.hierarchy.whole_body_ik"),
}
FILES = sorted(path for layer in ALLOWED for path in (ROOT / layer).rglob("*.py"))


def relative(path):
    return path.relative_to(ROOT).as_posix()


def parse(path):
    return ast.parse(path.read_text(encoding="utf-8"))


def imports(path, tree):
    """(dotted name below kinetree, True when it runs as the module is imported) of each import of ours."""
    package = path.relative_to(ROOT).parent.parts
    late = {
        id(node)
        for outer in ast.walk(tree)
        if isinstance(outer, ast.FunctionDef | ast.AsyncFunctionDef) or is_type_checking(outer)
        for node in ast.walk(outer)
    }
    for node in ast.walk(tree):
        for name in imported_names(node, package):
            yield name, id(node) not in late


def is_type_checking(node):
    return isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"


def imported_names(node, package):
    if isinstance(node, ast.Import):
        names = [each.name for each in node.names]
        return [name.removeprefix("kinetree.") for name in names if name.split(".")[0] == "kinetree"]
    if not isinstance(node, ast.ImportFrom):
        return []
    module = node.module.split(".") if node.module else []
    if node.level:
        assert node.level <= len(package) + 1, "a relative import leaves the distribution"
        module = [*package[: len(package) - node.level + 1], *module]
    elif module[0] == "kinetree":
        module = module[1:]
    else:
        return []
    # ``from .. import solvers`` names the layer itself.
    return [".".join(module)] if module else [each.name for each in node.names]


@pytest.mark.parametrize("path", FILES, ids=relative)
def test_imports_go_one_way(path):
    layer = path.relative_to(ROOT).parts[0]
    for name, at_import in imports(path, parse(path)):
        if name.split(".")[0] not in ALLOWED[layer]:
            assert not at_import, f"{relative(path)} imports {name} from a layer above"
            assert (relative(path), name) in LATE, f"{relative(path)} imports {name} from a layer above"


@pytest.mark.parametrize("path", FILES, ids=relative)
def test_imports_inside_the_package_are_relative(path):
    for node in ast.walk(parse(path)):
        modules = []
        if isinstance(node, ast.ImportFrom) and not node.level:
            modules = [node.module]
        elif isinstance(node, ast.Import):
            modules = [each.name for each in node.names]
        top = {module.split(".")[0] for module in modules}
        assert not top & {"kinetree", *ALLOWED}, f"{relative(path)}:{node.lineno} imports {modules}"


@pytest.mark.parametrize("path", FILES, ids=relative)
def test_no_print_and_no_global_random_numbers(path):
    for node in ast.walk(parse(path)):
        where = f"{relative(path)}:{getattr(node, 'lineno', 0)}"
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            notice = any(ast.unparse(each.value) == "sys.stderr" for each in node.keywords)
            assert node.func.id != "print" or notice, f"{where} prints; use logging, or typer.echo"
        if isinstance(node, ast.Attribute) and ast.unparse(node.value) in {"np.random", "numpy.random"}:
            assert node.attr in {"Generator", "default_rng", "SeedSequence"}, f"{where} uses global random state"
        if isinstance(node, ast.Call) and ast.unparse(node.func).endswith("random.default_rng"):
            assert node.args or node.keywords, f"{where} makes a generator without a seed"
        if isinstance(node, ast.Import):
            assert all(each.name != "random" for each in node.names), f"{where} imports random"
        if isinstance(node, ast.ImportFrom):
            assert node.module != "random", f"{where} imports random"


@pytest.mark.parametrize(
    ("layer", "absent"),
    [
        ("kinematics", {"numba", "typer", "mujoco", "kinetree.models", "kinetree.solvers"}),
        ("models", {"numba", "typer", "mujoco", "kinetree.solvers"}),
        ("solvers", {"numba", "typer", "mujoco", "kinetree.models"}),
    ],
)
def test_importing_a_layer_stays_light(layer, absent):
    code = f"import sys, kinetree.{layer}; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert not absent & set(done.stdout.split())
