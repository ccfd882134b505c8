"""Solver classes of the user's, by name."""

from pathlib import Path

import pytest

from kinetree import models
from kinetree.interfaces.bench import OwnSolverError, measure, own_variants, workload, workload_of

FILE = str(Path(__file__).with_name("own_solvers.py"))


@pytest.fixture(scope="module")
def work():
    return workload("ur5", 15)


def one(work, name):
    (variant,) = own_variants(f"{FILE}:{name}")
    (found,) = measure(work, [variant])
    return found


def test_a_gradient_method(work):
    found = one(work, "DampedStep")
    assert found.name == "DampedStep"
    assert found.success == 1.0
    assert found.mean_attempts >= 1


def test_a_closed_form(two_link):
    found = one(workload_of(models.load(two_link), "two_link", 20), "TwoLink")
    assert found.success == 1.0
    assert found.success_after(1) == 1.0


def test_a_closed_form_of_another_robot_says_why_not(work):
    found = one(work, "TwoLink")
    assert not found
    assert "shoulder" in found.note


def test_a_solver_as_it_is_and_restarted(work):
    variants = own_variants(f"{FILE}:OneShot")
    assert [each.name for each in variants] == ["OneShot", "OneShot restarted"]
    alone, restarted = measure(work, variants)
    assert 0.1 < alone.success < 1.0
    assert restarted.success == 1.0
    assert restarted.success_after(1) == alone.success
    assert alone.mean_attempts == 1


def test_a_module_that_is_installed(work):
    (variant,) = own_variants("kinetree.solvers:Halley")
    (found,) = measure(work, [variant])
    assert found.success == 1.0


def test_a_function_that_makes_one(work):
    (variant,) = own_variants(f"{FILE}:tuned")
    assert variant.name == "tuned"
    (found,) = measure(work.first(1), [variant])
    assert found


def test_one_that_claims_too_much_is_found_out(work):
    found, restarted = measure(work, own_variants(f"{FILE}:Liar"))
    assert found.wrong == len(work)
    assert found.success == restarted.success == 0.0
    assert restarted.wrong == 0, "the meta solver checks what it is given"


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("NeedsANumber", "called with no arguments, raised TypeError"),
        ("Broken", "I am broken"),
        ("nonsense", "nonsense made 42, which is neither a GradientMethod"),
    ],
)
def test_one_that_cannot_be_made_or_used_has_a_note(work, name, why):
    found = one(work, name)
    assert not found
    assert why in found.note


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("nothing", "module:Class"),
        (":Halley", "module:Class"),
        ("no_such_module_at_all:Solver", "no_such_module_at_all cannot be imported: ModuleNotFoundError"),
        ("no/such/file.py:Solver", "FileNotFoundError"),
        ("kinetree.solvers:Haley", "did you mean 'Halley'"),
        (f"{FILE}:Unrelated", "neither a GradientMethod"),
        (f"{FILE}:NUMBER", "is 42, neither a class nor a function"),
        (f"{FILE}:MODULE", "neither a GradientMethod"),
        (f"{FILE}:NotDone", "has yet to define chain, solve"),
    ],
)
def test_what_is_no_solver_is_refused(name, why):
    with pytest.raises(OwnSolverError, match=why):
        own_variants(name)


def test_an_error_in_the_file_is_told(tmp_path):
    (tmp_path / "mine.py").write_text("x = 1 / 0\n", encoding="utf-8")
    with pytest.raises(OwnSolverError, match="ZeroDivisionError"):
        own_variants(f"{tmp_path / 'mine.py'}:Solver")
