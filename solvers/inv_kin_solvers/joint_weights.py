"""Weights of joints for one solver, beside those that the joints have themselves."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence

import numpy as np

from ...kinematics import InvalidValueError, NodeSet, ShapeError
from ...kinematics.transforms import Array
from ..active_dofs import ActiveDofs, dof_indices


def as_joint_weights(chain: NodeSet, weights: Sequence[float] | Mapping[str, float] | None) -> Array | None:
    """Weights (n,) of the degrees of freedom of a chain, checked.

    Args:
        chain: n degrees of freedom.
        weights: n positive numbers; a mapping from names of joints or degrees of freedom, those left out weighing 1; or
            None for no weights.

    Raises:
        ShapeError: Not n numbers.
        UnknownNameError: A name that is not in the skeleton.
        InvalidValueError: A joint that is not in the chain; a weight that is not positive and finite.
    """
    if weights is None:
        return None
    names = [dof.name for dof in chain.dofs]
    if isinstance(weights, Mapping):
        values = np.ones(len(names))
        places = {int(index): column for column, index in enumerate(chain.dof_indices)}
        for name, weight in weights.items():
            for index in dof_indices(chain.skeleton, [name]):
                if index not in places:
                    raise InvalidValueError(f"{name!r} has a weight, and is not in {chain.name!r}: {', '.join(names)}")
                values[places[index]] = weight
    else:
        values = np.array(weights, dtype=float)
        if values.shape != (len(names),):
            raise ShapeError(
                f"weights of {chain.name!r} must be {len(names)} numbers, for {', '.join(names)}; "
                f"they have shape {values.shape}"
            )
    for name, weight in zip(names, values, strict=True):
        if not (np.isfinite(weight) and weight > 0.0):
            raise InvalidValueError(f"the weight of {name!r} must be positive and finite, not {weight}")
    values.flags.writeable = False
    return values


def weighted(active: ActiveDofs, weights: Array) -> ActiveDofs:
    """A copy for steps dq that are short in the sense of dq^T W dq, with W the diagonal of ``weights`` (n,).

    A search scales the columns of the Jacobian by the square roots of how readily joints move, which is the
    inverse of W; what the joints themselves say about that still counts.
    """
    twin = copy.copy(active)
    roots = 1.0 / np.sqrt(weights)
    twin.root_weights = roots if active.root_weights is None else roots * active.root_weights
    twin._states, twin.kept = [], {}
    return twin
