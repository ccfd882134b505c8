"""`LineElimination`: what the elimination of joints of a 6R arm needs that depends on the arm alone."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...kinematics.transforms import Array
from .chain_geometry import turn
from .kernels.general_6r_layout import CHOICE_SIZE, ROWS

#: Relative size below which singular values count as zero.
_RANK_TOLERANCE = 1e-9
#: Half-angle functions: entry [m, r] gives the coefficients over cos(v/2), sin(v/2), cos(3v/2), sin(3v/2) of cos(v/2)
#: (m = 0) or sin(v/2) (m = 1) times 1, cos v, sin v (r).
_HALVES = np.array(
    [
        [[1.0, 0.0, 0.0, 0.0], [0.5, 0.0, 0.5, 0.0], [0.0, 0.5, 0.0, 0.5]],
        [[0.0, 1.0, 0.0, 0.0], [0.0, -0.5, 0.0, 0.5], [0.5, 0.0, -0.5, 0.0]],
    ]
)


@dataclass(frozen=True, eq=False)
class LineElimination:
    """Four equations in three joints of a 6R arm: one hidden, two kept.

    The axis of one joint, d, is a line; it looks the same whether that joint turns or not. Seen from the frame behind
    joints d + 1 and d + 2 it depends on these two, and, round the other way through the goal, on the three others. Its
    point t and direction u give fourteen numbers, t, u, t.t, t.u, t x u, (t.t) u - 2 (t.u) t, that are sums of products
    of cosines and sines (M. Raghavan and B. Roth, 1993). Combinations that vanish for every d + 1 and d + 2 are left
    over, six or more, in the hidden joint d + 3 and the kept ones. Here they are found once for the arm, for the goal
    is on the other side; and they are split by how the hidden joint stands in them:

    * not at all (degree 0);
    * as a e^(iv) + b, twice because there is a conjugate: two real equations of degree 1 in its half angle;
    * as cosine and sine: degree 2.

    Four equations of lowest degree, times the four products of half-angle sines and cosines of the kept joints, are
    sixteen equations for the sixteen products of cos(v/2), sin(v/2), cos(3v/2), sin(3v/2): their determinant vanishes
    where solutions are. It has degree 16 in the hidden half angle for a general arm, as many as there are solutions,
    and less for many special ones. (Manocha and Canny, 1994, multiply six equations by two functions each instead;
    their matrix is singular throughout for many arms with parallel or intersecting axes, this one is not.)

    Attributes:
        axes: (6, 3) of the chain.
        offsets: (5, 3) between its joints, scaled.
        dropped: Index of joint d, 0 or 1.
        degrees: How many equations have degree 0, 1 and 2.
        coefficients: (8, 3, 15) rows, one for each coefficient of each equation; times 1, cosine and sine of the first
            kept joint; features of a line.
    """

    axes: Array
    offsets: Array
    dropped: int
    degrees: tuple[int, int, int]
    coefficients: Array

    @staticmethod
    def of(axes: Array, offsets: Array, dropped: int, generator: np.random.Generator) -> LineElimination | None:
        """The equations of a chain; None when there are no four of low enough degree.

        Args:
            axes: (6, 3)
            offsets: (5, 3) of about unit length.
            dropped: Index of joint d, 0 or 1.
            generator: For the combinations, of which almost any will do.
        """
        d = dropped
        # What joints d + 1 and d + 2 make of the line; the last feature, one, makes the equations affine.
        moved = _moved(-offsets[d + 1]) @ _turned(axes[d + 1], -1.0, _line(-offsets[d], axes[d])[:, None])
        moved = _moved(-offsets[d + 2]) @ _turned(axes[d + 2], -1.0, moved)
        left = _null_rows(moved[:14, 1:].T)
        turns = [left @ each[:14] @ _moved(offsets[d + 3]) for each in _turns(axes[d + 3])]
        turns[0] = turns[0] - np.outer(left @ moved[:14, 0], _UNIT)
        equations = _by_degree(turns, generator)
        if equations is None:
            return None
        degrees, rows = equations
        coefficients = np.zeros((ROWS // 3, 3, 15))
        coefficients[: len(rows)] = np.stack([rows @ each for each in _turns(axes[d + 4])], axis=1)
        return LineElimination(axes, offsets, d, degrees, coefficients)

    def numbers(self, is_reversed: bool, multiplicity: int) -> Array:
        """(CHOICE_SIZE,) for the kernel, see `kernels.general_6r_layout`."""
        head = [float(is_reversed), float(self.dropped), *map(float, self.degrees), float(multiplicity)]
        table = self.coefficients.reshape(ROWS, 15).T
        result: Array = np.concatenate([head, self.axes.ravel(), self.offsets.ravel(), table.ravel()])
        assert len(result) == CHOICE_SIZE
        return result

    @property
    def solutions(self) -> int:
        """Degree of the determinant: how many values of the hidden joint there can be."""
        return 4 * (self.degrees[1] + 2 * self.degrees[2])

    def matrix(self, rotation: Array, point: Array, hidden: float) -> tuple[Array, Array]:
        """The matrix (16, 16) of the equations, and its derivative with respect to the hidden joint.

        Args:
            rotation: (3, 3) product of all turns.
            point: (3,) of the last joint from the first one, scaled.
            hidden: Angle of the hidden joint (rad).
        """
        features = self._features(rotation, point)
        c, s = np.cos(0.5 * hidden), np.sin(0.5 * hidden)
        powers = (([1.0], [0.0]), ([c, s], [-0.5 * s, 0.5 * c]), ([c * c, c * s, s * s], [-c * s, c * c - 0.5, c * s]))
        blocks, slopes, row = [], [], 0
        for degree, (values, derivatives) in enumerate(powers):
            for _ in range(self.degrees[degree]):
                part = self.coefficients[row : row + degree + 1] @ features
                row += degree + 1
                expanded = np.einsum("kab,mar,nbs->kmnrs", part, _HALVES, _HALVES).reshape(degree + 1, 4, 16)
                blocks.append(np.tensordot(values, expanded, 1))
                slopes.append(np.tensordot(derivatives, expanded, 1))
        return np.vstack(blocks), np.vstack(slopes)

    def _features(self, rotation: Array, point: Array) -> Array:
        """(15, 3) of the line from the goal's side, for 1, cosine and sine of the second kept joint."""
        if self.dropped == 0:
            line = _line(-rotation.T @ point, rotation.T @ self.axes[0])[:, None]
            return np.asarray(_moved(self.offsets[4]) @ _turned(self.axes[5], 1.0, line))
        line = _turned(self.axes[0], 1.0, _line(self.offsets[0], self.axes[1])[:, None])
        return np.asarray(_blocks(rotation.T, 1.0) @ _moved(-point) @ line)


_UNIT = np.eye(15)[14]


def _line(t: Array, u: Array) -> Array:
    """The fifteen features of the line through t with direction u."""
    return np.concatenate([t, u, [t @ t, t @ u], np.cross(t, u), (t @ t) * u - 2.0 * (t @ u) * t, [1.0]])


def _cross(v: Array) -> Array:
    return np.cross(v, np.eye(3)).T


def _moved(p: Array) -> Array:
    """(15, 15) what adding p to the point does to the features."""
    m = np.eye(15)
    m[0:3, 14] = p
    m[6, 0:3], m[6, 14] = 2.0 * p, p @ p
    m[7, 3:6] = p
    m[8:11, 3:6] = _cross(p)
    m[11:14, 8:11] = -2.0 * _cross(p)
    m[11:14, 3:6] += p @ p * np.eye(3) - 2.0 * np.outer(p, p)
    m[11:14, 7] = -2.0 * p
    return m


def _blocks(matrix: Array, scalar: float) -> Array:
    """(15, 15) a matrix for each of the four vectors, a factor for the numbers."""
    m = np.zeros((15, 15))
    for k in (0, 3, 8, 11):
        m[k : k + 3, k : k + 3] = matrix
    m[[6, 7, 14], [6, 7, 14]] = scalar
    return m


def _turns(axis: Array, sign: float = 1.0) -> list[Array]:
    """What turning about an axis (backwards with sign -1) does to the features: times 1, cosine, sine."""
    along = np.outer(axis, axis)
    return [_blocks(along, 1.0), _blocks(np.eye(3) - along, 0.0), _blocks(sign * _cross(axis), 0.0)]


def _turned(axis: Array, sign: float, features: Array) -> Array:
    """(15, 3 k) features (15, k) turned, for 1, cosine and sine."""
    return np.hstack([each @ features for each in _turns(axis, sign)])


def _null_rows(matrix: Array, size: float | None = None) -> Array:
    """Orthonormal rows x with matrix @ x = 0; ``size`` is what singular values are compared with."""
    _, values, rows = np.linalg.svd(matrix)
    scale = values.max(initial=0.0) if size is None else size
    rank = int((values > _RANK_TOLERANCE * max(scale, 1e-300)).sum())
    return np.asarray(rows[rank:])


def _by_degree(turns: list[Array], generator: np.random.Generator) -> tuple[tuple[int, int, int], Array] | None:
    """Four equations of lowest degree in the half angle: how many have which, and their coefficients, row by row."""
    fixed, cosine, sine = turns
    size = float(np.linalg.norm(np.hstack(turns), 2))
    free = _null_rows(np.hstack([cosine, sine]).T, size)
    rest = _null_rows(free)
    # Complex rows k + i m that vanish on cosine + i sine leave one exponential only; divided by the square root of it,
    # they are two real rows in cos(v/2) and sin(v/2).
    one_sided = _null_rows((rest @ (cosine + 1j * sine)).T, size).conj() @ rest
    k, m = one_sided.real, one_sided.imag
    a, b, c, d = k @ cosine, k @ sine, k @ fixed, m @ fixed
    linear = np.stack([np.vstack([b - d, a + c]), np.vstack([c - a, b + d])], axis=1)
    others = _null_rows(np.vstack([free, k, m]))
    g, h, f = others @ cosine, others @ sine, others @ fixed
    quadratic = np.stack([f + g, 2.0 * h, f - g], axis=1)
    count0 = min(len(free), 3)
    count1 = min(len(linear), 4 - count0)
    count2 = 4 - count0 - count1
    if count2 > len(quadratic) or count1 + 2 * count2 > 4:
        return None
    constant = (free @ fixed)[:, None, :]
    chosen = [
        np.einsum("ij,jkf->ikf", _some(count, len(rows), generator), rows).reshape(-1, 15)
        for count, rows in ((count0, constant), (count1, linear), (count2, quadratic))
    ]
    return (count0, count1, count2), np.vstack(chosen)


def _some(count: int, of: int, generator: np.random.Generator) -> Array:
    """(count, of) orthonormal combinations; all when all are taken."""
    if count == of:
        return np.eye(of)
    return np.asarray(np.linalg.qr(generator.standard_normal((of, of)))[0][:count])


def chain_forward(axes: Array, offsets: Array, q: Array) -> tuple[Array, Array]:
    """Product of all turns (3, 3), and the last joint's origin from the first one's (3,)."""
    rotation, point = np.eye(3), np.zeros(3)
    for k in range(len(axes)):
        rotation = rotation @ turn(axes[k], float(q[k]))
        if k < len(offsets):
            point = point + rotation @ offsets[k]
    return rotation, point
