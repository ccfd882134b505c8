"""The distribution: every package and data file is in it, and texts agree with each other."""

import re
import subprocess
import sys
import tomllib
from importlib.metadata import PackageNotFoundError, metadata
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
LAYERS = ("kinematics", "models", "solvers", "interfaces")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
SETUPTOOLS = PROJECT["tool"]["setuptools"]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def package_folders():
    return sorted(
        each.parent.relative_to(ROOT)
        for layer in LAYERS
        for each in (ROOT / layer).rglob("__init__.py")
        if "__pycache__" not in each.parts
    )


def dotted(folder):
    return "kinetree." + ".".join(folder.parts)


def readme_commands():
    blocks = re.findall(r"^```bash\n(.*?)^```", README, flags=re.MULTILINE | re.DOTALL)
    return [block.strip() for block in blocks if block.startswith("python3 -m venv")]


def test_every_package_folder_is_listed():
    assert sorted(SETUPTOOLS["packages"]) == sorted(dotted(folder) for folder in package_folders())


def test_every_python_file_is_in_a_package():
    packages = set(package_folders())
    stray = [
        str(each.relative_to(ROOT))
        for layer in LAYERS
        for each in (ROOT / layer).rglob("*.py")
        if each.parent.relative_to(ROOT) not in packages
    ]
    assert not stray, f"these files are in no package, so they would not be installed: {stray}"


def test_every_data_file_is_package_data():
    listed = {
        path
        for package, patterns in SETUPTOOLS["package-data"].items()
        for pattern in patterns
        for path in (ROOT / Path(*package.split(".")[1:])).glob(pattern)
    }
    data = {
        each
        for layer in LAYERS
        for each in (ROOT / layer).rglob("*")
        if each.is_file() and each.suffix not in {".py", ".pyc"}
    }
    missing = sorted(str(each.relative_to(ROOT)) for each in data - listed)
    assert not missing, f"add these to package-data in pyproject.toml: {missing}"


@pytest.mark.parametrize("layer", LAYERS)
def test_type_information_is_shipped(layer):
    assert (ROOT / layer / "py.typed").is_file()
    assert "py.typed" in SETUPTOOLS["package-data"][f"kinetree.{layer}"]


def test_top_folders_are_mapped_below_kinetree():
    assert SETUPTOOLS["package-dir"] == {f"kinetree.{layer}": layer for layer in LAYERS}


def test_kinetree_is_a_namespace_package():
    code = "import kinetree; assert getattr(kinetree, '__file__', None) is None"
    subprocess.run([sys.executable, "-c", code], check=True, cwd=ROOT / "docs")


def test_installed_version_is_that_of_the_project():
    try:
        installed = metadata("kinetree")
    except PackageNotFoundError:
        pytest.skip("kinetree is imported from a folder, not installed")
    assert installed["Version"] == PROJECT["project"]["version"]


def test_changelog_has_the_version():
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert re.search(rf"^## {re.escape(PROJECT['project']['version'])}\b", changelog, flags=re.MULTILINE)


def test_licence_agrees():
    assert PROJECT["project"]["license"] == "BSD-3-Clause"
    assert (ROOT / "LICENSE").read_text(encoding="utf-8").startswith("BSD 3-Clause License")


def test_readme_has_the_two_commands():
    run, test = readme_commands()
    assert "kinetree solve panda" in run
    assert test.endswith("-m pytest -n auto")
    assert "\n" not in run + test, "each is one line, so that it can be copied as one"


def test_ci_takes_its_commands_from_the_readme():
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    assert "README.md" in script
    assert "pytest" not in script, "the test command is the README's"
    assert all(command.startswith("python3 -m venv .venv && ") for command in readme_commands())


def test_every_dependency_has_a_reason():
    reasons = (ROOT / "docs" / "dependencies.md").read_text(encoding="utf-8")
    groups = [PROJECT["project"]["dependencies"], *PROJECT["project"]["optional-dependencies"].values()]
    names = {re.match(r"[\w-]+", each).group() for group in groups for each in group} - {"kinetree"}
    missing = sorted(name for name in names if f"`{name}`" not in reasons)
    assert not missing, f"docs/dependencies.md does not say why these are needed: {missing}"


def test_classifiers_match_the_supported_versions():
    versions = [
        int(each.rpartition(".")[2])
        for each in PROJECT["project"]["classifiers"]
        if each.startswith("Programming Language :: Python :: 3.")
    ]
    assert PROJECT["project"]["requires-python"] == f">=3.{min(versions)},<3.{max(versions) + 1}"
