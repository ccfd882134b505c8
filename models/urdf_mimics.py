"""Mimic joints of URDF files: joints that follow other joints."""

from __future__ import annotations

import numpy as np

from ..kinematics import DependencyCycleError, FixedJoint, Skeleton
from .notes import Notes
from .urdf_joints import JointEntry


def check_mimics(entries: list[JointEntry], notes: Notes) -> None:
    """Follows each mimic joint to the joint at the head of its chain, before there is a tree.

    A joint that ends at a fixed one never moves: its entry becomes fixed, at the value that the law gives.

    Raises:
        DependencyCycleError: Joints follow each other in a circle; the message names them.
        ModelFileError: A master that does not exist, or that has several degrees of freedom.
    """
    known = {entry.name: entry for entry in entries}
    values: dict[str, float] = {}
    for entry in entries:
        chain = _chain(entry, known)
        head = chain[-1]
        if head is entry:
            continue
        if isinstance(head.joint, FixedJoint):
            _fix(chain, values, notes)
        elif head.joint.num_dofs != 1:
            raise entry.element.error(
                f"mimics joint {head.name!r}, which has {head.joint.num_dofs} degrees of freedom, not one"
            )


def apply_mimics(skeleton: Skeleton, entries: list[JointEntry]) -> None:
    """Makes the joints of a skeleton depend on their masters; chains and offsets compose there."""
    for entry in entries:
        if entry.mimic is not None:
            rule = entry.mimic
            entry.joint.depend_on(skeleton.joint(rule.master), rule.multiplier, rule.offset)


def _chain(entry: JointEntry, known: dict[str, JointEntry]) -> list[JointEntry]:
    chain = [entry]
    while (rule := chain[-1].mimic) is not None:
        master = known.get(rule.master)
        if master is None:
            raise chain[-1].element.missing("mimics joint", rule.master, known)
        if master in chain:
            circle = [each.name for each in chain[chain.index(master) :]]
            names = " -> ".join([*circle, master.name])
            raise DependencyCycleError(f"{entry.element.file}: joints mimic each other in a circle: {names}")
        chain.append(master)
    return chain


def _fix(chain: list[JointEntry], values: dict[str, float], notes: Notes) -> None:
    """Fixes the joints of a chain whose head (last) is fixed, from the head on.

    Args:
        chain: Each joint mimics the next one.
        values: Values of the joints that were fixed before; the other fixed ones have the value zero.
        notes: Takes what was done.
    """
    value = values.get(chain[-1].name, 0.0)
    for entry in reversed(chain[:-1]):
        assert entry.mimic is not None
        value = entry.mimic.multiplier * value + entry.mimic.offset
        values[entry.name] = value
        entry.placement = entry.placement * entry.joint.transform(np.array([value]))
        entry.joint = FixedJoint(entry.name)
        entry.mimic = None
        notes.add("joints that mimic a fixed joint are fixed", entry.name)
