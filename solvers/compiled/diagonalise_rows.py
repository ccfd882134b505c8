"""Kernel: eigenvectors of A = J J^T by Jacobi rotations of the rows of J, which leaves A itself unformed.

Each rotation makes two rows perpendicular; when all are, they are the rows of U^T J for the eigenvectors U of A,
and their squared lengths are its eigenvalues (Hestenes, "Inversion of matrices by biorthogonalization and related
results", Journal of the SIAM 6(1), 1958). Rotating A instead takes about as many operations for a robot arm, but
A has the squared condition of J: a singular value of 1e-3 of the largest would keep 10 digits, one of 1e-9 none,
while here all keep nearly as many digits as J has.
"""

from __future__ import annotations

from typing import Any

from numba import njit

from ...kinematics.core.lanes import JIT, absolute, any_lane, maximum, minimum, sqrt, where

#: Sweeps over all pairs of rows, at most; six rows take five or six.
MOST_SWEEPS = 16

#: Two rows count as perpendicular when the square of the cosine between them is at most this.
_SQUARED_COSINE = 1e-26

#: And when one is so much shorter (squared) than the other that it is what rounding left of a row that depended on
#: others. Turning it any further would only turn noise, sweep after sweep.
_NOISE = 1e-29


@njit(**JIT)
def diagonalise_rows(work: Any, first: int, rows: int, n: int, length: int) -> None:
    """Rotates rows until their first n numbers are perpendicular to each other.

    What stands behind the first n numbers is rotated along: an error e becomes U^T e, an identity U^T.

    A lane whose rows are perpendicular is left alone to the last bit, so that what it holds does not depend on
    its neighbours, although the sweeps go on until all lanes are done. Rows of zeros are perpendicular to all.

    Args:
        work: Numbers or registers; row i begins at ``first + i * length``.
        first: Where row 0 begins.
        rows: Number of rows.
        n: How many numbers of each count.
        length: Length of a row, n or more.
    """
    for _ in range(MOST_SWEEPS):
        turned = False
        # Pairs with the same i + j (modulo the rows) share no row, so that the processor may overlap them.
        for total in range(rows):
            for i in range(rows):
                j = total - i if i <= total else total - i + rows
                if i < j and _make_perpendicular(work, first + i * length, first + j * length, n, length):
                    turned = True
        if not turned:
            break


@njit(**JIT)
def _make_perpendicular(work: Any, i: int, j: int, n: int, length: int) -> bool:
    """Rotates the rows that begin at i and j by the smaller angle that will do; False when no lane needs it."""
    a = 0.0 * work[i]
    b = 0.0 * work[i]
    product = 0.0 * work[i]
    for k in range(n):
        x = work[i + k]
        y = work[j + k]
        a += x * x
        b += y * y
        product += x * y
    slanted = (product * product > _SQUARED_COSINE * a * b) & (minimum(a, b) > _NOISE * maximum(a, b))
    if not any_lane(slanted):
        return False
    # The angle t makes tan 2t = 2 p / (a - b); sine and cosine are written without cancellation. Lanes that stay as
    # they are get numbers that make them exactly 0 and 1.
    difference = where(slanted, a - b, 1.0)
    double = where(slanted, 2.0 * product, 0.0)
    hypotenuse = sqrt(difference * difference + double * double)
    longer = hypotenuse + absolute(difference)
    scale = 1.0 / sqrt(2.0 * hypotenuse * longer)
    cosine = longer * scale
    sine = where(difference < 0.0, -double * scale, double * scale)
    for k in range(length):
        x = work[i + k]
        y = work[j + k]
        work[i + k] = cosine * x + sine * y
        work[j + k] = cosine * y - sine * x
    return True
