"""Configurations, and the branches of a closed form, as they are printed."""

from __future__ import annotations

from typing import Any

from ...kinematics import Collision
from ...solvers import AnalyticalSolution, Validity
from .output import in_unit, number, print_table, print_text, unit_of
from .request import Request


def in_units(request: Request, q: Any) -> list[float]:
    """A configuration (n,) in the units of the request."""
    return [in_unit(dof, value, request.degrees) for dof, value in zip(request.robot.dofs, q, strict=True)]


def branch_data(request: Request, branch: AnalyticalSolution) -> dict[str, Any]:
    """A branch as JSON has it."""
    return {
        "q": in_units(request, branch.q),
        "out_of_reach": bool(branch.validity & Validity.OUT_OF_REACH),
        "limit_violated": bool(branch.validity & Validity.LIMIT_VIOLATED),
        "position_error": branch.position_error,
        "orientation_error": branch.orientation_error,
        "singular": branch.is_singular,
        "free_directions": branch.free_directions.tolist(),
    }


def show_branches(
    request: Request, branches: list[AnalyticalSolution], why: str, collisions: list[Collision] | None
) -> None:
    """Every branch of a closed form, with what is wrong with it."""
    valid = sum(not branch.validity for branch in branches)
    print_text(f"closed form, {why}")
    told = f"{len(branches)} branch{'' if len(branches) == 1 else 'es'}, {valid} of them valid"
    notes = [_branch_note(request, branch) for branch in branches]
    if collisions is not None:
        free = sum(not branch.validity and not hit for branch, hit in zip(branches, collisions, strict=True))
        told += f", {free} of these without a collision"
        found = zip(notes, collisions, strict=True)
        notes = [", ".join(each for each in (note, str(hit) if hit else "") if each) for note, hit in found]
    print_text(told)
    _show_rows(request, [branch.q for branch in branches])
    for k, note in enumerate(notes):
        if note:
            print_text(f"q{k + 1}: {note}")


def _branch_note(request: Request, branch: AnalyticalSolution) -> str:
    notes = []
    if branch.validity & Validity.OUT_OF_REACH:
        notes.append(f"out of reach, {branch.position_error:.3g} m and {branch.orientation_error:.3g} rad off")
    if branch.validity & Validity.LIMIT_VIOLATED:
        beyond = [
            dof.name
            for dof, value in zip(request.robot.dofs, branch.q, strict=True)
            if not dof.lower <= value <= dof.upper
        ]
        notes.append(f"beyond the limits of {', '.join(beyond)}")
    if branch.is_singular:
        names = [dof.name for dof in request.chain.dofs]
        free = [
            " ".join(f"{part:+.3g} {name}" for part, name in zip(row, names, strict=True) if abs(part) > 1e-6)
            for row in branch.free_directions
        ]
        notes.append(f"singular, one of infinitely many: free to move along {'; '.join(free)}")
    return ", ".join(notes)


def show_configurations(request: Request, configurations: list[Any]) -> None:
    """A single one with its limits, a row per degree of freedom; several with a row for each."""
    if len(configurations) > 1:
        _show_rows(request, configurations)
        return
    (q,) = configurations
    rows = []
    for index, dof in enumerate(request.robot.dofs):
        limits = [number(in_unit(dof, bound, request.degrees)) for bound in dof.limits]
        rows.append([dof.name, unit_of(dof, request.degrees), number(in_unit(dof, q[index], request.degrees)), *limits])
    print_table(["joint", "unit", "value", "lower", "upper"], rows)


def _show_rows(request: Request, configurations: list[Any]) -> None:
    dofs = [dof for dof in request.chain.dofs if dof.index is not None]
    rows = []
    for k, q in enumerate(configurations):
        values = [in_unit(dof, float(q[dof.index]), request.degrees) for dof in dofs]
        rows.append([f"q{k + 1}", *(f"{round(value, 9) + 0.0:.5g}" for value in values)])
    print_table(["", *(f"{dof.name} {unit_of(dof, request.degrees)}" for dof in dofs)], rows)
