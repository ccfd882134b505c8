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


def test_an_object_with_nothing_but_a_method_solve(work):
    alone, restarted = measure(work, own_variants(f"{FILE}:Bare"))
    (one, again) = measure(work, own_variants(f"{FILE}:OneShot"))
    assert alone.success == one.success
    assert restarted.success == again.success == 1.0


@pytest.mark.parametrize("name", ["PositionNewton", "ToldOfPositions"])
def test_a_solver_for_positions_is_restarted_until_the_position_is_met(name):
    work = workload("so101", 15)
    assert not work.is_full_pose
    alone, restarted = measure(work, own_variants(f"{FILE}:{name}"))
    assert 0.0 < alone.success < 1.0
    assert restarted.success == 1.0
    assert ("position_only" in alone.note) == (name == "PositionNewton")
    assert not restarted.note


def test_a_position_that_is_missed_is_refused_by_the_meta_solver():
    alone, restarted = measure(workload("so101", 5), own_variants(f"{FILE}:Liar"))
    assert alone.missed == 5
    assert not restarted.answered.any()
    assert "wrong pose" in restarted.note


def test_errors_name_the_users_class():
    work = workload("so101", 2)
    _, restarted = measure(work, own_variants(f"{FILE}:Raises"))
    assert restarted.note == "Raises.solve raised ValueError: oops"


def test_one_that_solves_nothing_has_the_meta_solvers_reason(work):
    alone, restarted = measure(work.first(2), own_variants(f"{FILE}:GivesUp"))
    assert "solved nothing; the first that failed: 0 found in 1 attempt" in alone.note
    assert "not solved" in restarted.note


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
        (f"{FILE}:Unrelated", "nor an InvKinSolver, nor has it a method solve"),
        (f"{FILE}:Unrelated", "a function that is given the chain"),
        (f"{FILE}:Bear", "did you mean 'Bare'"),
        (f"{FILE}:Tuned_", "did you mean 'tuned'"),
        (f"{FILE}:NotDone", "has yet to define chain, solve"),
    ],
)
def test_what_is_no_solver_is_refused(name, why):
    with pytest.raises(OwnSolverError, match=why):
        own_variants(name)


def test_names_of_a_file_are_its_own_and_not_its_imports(tmp_path):
    text = "import math\nfrom kinetree.solvers import GradientMethod\n\ndef made(chain):\n    return None\n"
    (tmp_path / "few.py").write_text(text, encoding="utf-8")
    with pytest.raises(OwnSolverError, match=r"there are: made$"):
        own_variants(f"{tmp_path / 'few.py'}:Xyz")


def test_an_error_in_the_file_is_told(tmp_path):
    (tmp_path / "mine.py").write_text("x = 1 / 0\n", encoding="utf-8")
    with pytest.raises(OwnSolverError, match="ZeroDivisionError"):
        own_variants(f"{tmp_path / 'mine.py'}:Solver")
