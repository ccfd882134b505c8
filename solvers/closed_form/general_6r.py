"""Six turning joints with axes anywhere: every 6R arm, up to sixteen solutions."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...kinematics.transforms import Array
from .chain_geometry import ChainGeometry
from .chain_numbers import chain_numbers
from .family import Family, Fit
from .line_elimination import LineElimination, chain_forward

#: Configurations at which the ways to eliminate are compared, and at how many of them it is made sure that the matrix
#: is regular elsewhere.
_SAMPLES, _ELSEWHERE = 16, 3
#: Ways to eliminate that the kernel gets; it uses the second one when the first leaves a doubt.
_MOST_CHOICES = 4
#: Relative size of a singular value that counts as zero, or as that of a matrix which is singular everywhere.
_ZERO = 1e-11
#: Most solutions with the same value of the hidden joint that the kernel separates.
_MOST_TOGETHER = 4
#: By how much (radians, parts of the lengths) an arm is changed that no elimination fits.
_CHANGES = (1e-4, 1e-2, 1e-1)


class _Choice(NamedTuple):
    elimination: LineElimination
    is_reversed: bool
    multiplicity: int
    quality: float


def fit(geometry: ChainGeometry, direction: Array | None = None) -> Fit | str:
    """The numbers for the kernel, for any arm with six turning joints.

    Four ways to eliminate are possible: the arm taken from its base or from its tip, and the axis of its first or
    second joint left out. They are compared at random configurations by how well the matrix of each tells its root.
    """
    if len(geometry) != 6 or geometry.slides.any():
        return f"it takes six turning joints, and this chain has {len(geometry)}, {int(geometry.slides.sum())} sliding"
    axes = np.array(geometry.axes)
    along, offsets = _short_offsets(axes, geometry.offsets[1:6])
    unit = max(1e-6, float(np.linalg.norm(offsets, axis=1).mean()))
    offsets /= unit
    base, tip = geometry.offsets[0] + along[0] * axes[0], geometry.offsets[6] - along[5] * axes[5]
    choices = _choices(axes, offsets)
    why = "no simpler geometry was found"
    if not choices:
        # Nearly the same arm is solved, and what it finds is polished on this one.
        choices = _choices_of_bent(axes, offsets)
        why += "; it moves in fewer than six directions, or nearly so"
    kept = choices[:_MOST_CHOICES]
    if kept:
        best = kept[0]
        hidden = best.elimination.dropped + 3
        joint = 6 - hidden if best.is_reversed else hidden + 1
        why += f"; the polynomial of joint {joint} has degree {best.elimination.solutions}"
    numbers = [
        np.array([len(kept), unit]),
        axes.ravel(),
        offsets.ravel(),
        base,
        tip,
        chain_numbers(geometry),
        geometry.tip_rotation.ravel(),
        *[each.elimination.numbers(each.is_reversed, each.multiplicity) for each in kept],
    ]
    return Fit(np.concatenate(numbers), why)


def _short_offsets(axes: Array, offsets: Array) -> tuple[Array, Array]:
    """How far (6,) to move each joint's origin along its axis for short offsets, and the offsets (5, 3) then."""
    matrix = np.zeros((15, 6))
    for k in range(5):
        matrix[3 * k : 3 * k + 3, k], matrix[3 * k : 3 * k + 3, k + 1] = -axes[k], axes[k + 1]
    along = np.asarray(np.linalg.lstsq(matrix, -offsets.ravel(), rcond=None)[0], dtype=float)
    return along, offsets + np.asarray(matrix @ along, dtype=float).reshape(5, 3)


def _choices(axes: Array, offsets: Array) -> list[_Choice]:
    """The ways to eliminate that work, the best first."""
    choices = []
    generator = np.random.default_rng(5)
    samples = generator.uniform(-np.pi, np.pi, (_SAMPLES, 6))
    for is_reversed in (False, True):
        chain = (-axes[::-1], -offsets[::-1]) if is_reversed else (axes, offsets)
        for dropped in (0, 1):
            elimination = LineElimination.of(*chain, dropped, generator)
            if elimination is None:
                continue
            judged = _judge(elimination, samples)
            if judged is not None:
                choices.append(_Choice(elimination, is_reversed, *judged))
    # One solution for each root is safer than several, a low degree faster, then the better conditioned one.
    return sorted(choices, key=lambda each: (each.multiplicity, each.elimination.solutions, -each.quality))


def _choices_of_bent(axes: Array, offsets: Array) -> list[_Choice]:
    """The ways to eliminate for an arm that is changed as little as lets one of them work."""
    generator = np.random.default_rng(7)
    for change in _CHANGES:
        bent = axes + change * generator.standard_normal((6, 3))
        bent /= np.linalg.norm(bent, axis=1)[:, None]
        choices = _choices(bent, offsets + change * generator.standard_normal((5, 3)))
        if choices:
            return choices
    return []


def _judge(elimination: LineElimination, samples: Array) -> tuple[int, float] | None:
    """How many solutions share a root, and how well it is told; None where the matrix does not tell roots."""
    qualities, together = [], []
    for k, q in enumerate(samples):
        goal, hidden = chain_forward(elimination.axes, elimination.offsets, q), float(q[elimination.dropped + 3])
        matrix, slope = elimination.matrix(*goal, hidden)
        left, values, right = np.linalg.svd(matrix)
        count = int((values < _ZERO * values[0]).sum())
        if count == 0 or count == len(values):
            return None
        if k < _ELSEWHERE:
            elsewhere = np.linalg.svd(elimination.matrix(*goal, hidden + 1.0)[0], compute_uv=False)
            if elsewhere[-1] < _ZERO * elsewhere[0]:
                return None
        # How fast the singular values that vanish here leave zero, and how far the next one is.
        away = np.linalg.svd(left[:, -count:].T @ slope @ right[-count:].T, compute_uv=False)
        together.append(count)
        qualities.append(min(float(away[-1]), float(values[-count - 1])) / values[0])
    multiplicity = int(np.bincount(together).argmax())
    if multiplicity > _MOST_TOGETHER:
        return None
    return multiplicity, float(np.quantile(qualities, 0.1))


def _kernel() -> Any:
    from .kernels.general_6r import candidates

    return candidates


GENERAL_6R = Family(
    name="general 6R",
    joints="RRRRRR",
    target="transform_6d",
    most=16,
    fit=fit,
    kernel=_kernel,
    paper=(
        "M. Raghavan and B. Roth, Inverse kinematics of the general 6R manipulator and related linkages, ASME Journal "
        "of Mechanical Design 115 (1993); D. Manocha and J. F. Canny, Efficient inverse kinematics for general 6R "
        "manipulators, IEEE Transactions on Robotics and Automation 10 (1994)"
    ),
)
