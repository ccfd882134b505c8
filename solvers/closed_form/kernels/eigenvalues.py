"""Eigenvalues and eigenvectors of small real matrices that are not symmetric.

Reduction to Hessenberg form by reflections, Francis' double-shift QR steps for the eigenvalues, inverse iteration on
the Hessenberg matrix for the vectors that are wanted (Golub and Van Loan, Matrix Computations, sections 7.4 to 7.6).
LAPACK does the same, but at sixteen rows a call of it takes longer than the work.
"""

from __future__ import annotations

from math import sqrt

from numba import njit

from ....kinematics.core.lanes import INNER

#: What a sum of two doubles cannot resolve.
ROUNDING = 2.3e-16
#: QR steps that one eigenvalue may take; two or three are usual.
MOST_STEPS = 40


@njit(**INNER)
def hessenberg(a, n, reflectors):
    """Turn ``a`` (n, n) into its Hessenberg form Q' a Q, in place.

    Args:
        a: Upper Hessenberg afterwards, zeros below included.
        n: Rows, at most ``len(a)``.
        reflectors: (n, n) row k receives the vector u of the k-th reflection 1 - u u', |u|^2 = 2 or u = 0.
    """
    for k in range(n - 2):
        u = reflectors[k]
        size = 0.0
        for i in range(k + 2, n):
            size += a[i, k] * a[i, k]
        for i in range(n):
            u[i] = 0.0
        if size == 0.0:
            continue
        head = a[k + 1, k]
        length = sqrt(size + head * head)
        if head < 0.0:
            length = -length
        # u = (x + length e) / sqrt(length (length + head)), so that |u|^2 = 2.
        scale = 1.0 / sqrt(length * (length + head))
        u[k + 1] = (head + length) * scale
        for i in range(k + 2, n):
            u[i] = a[i, k] * scale
        a[k + 1, k] = -length
        for i in range(k + 2, n):
            a[i, k] = 0.0
        _reflect(a, n, k, u, reflectors[n - 1])


@njit(**INNER)
def _reflect(a, n, k, u, sums):
    """Apply the k-th reflection from both sides; from the left only to the columns after k."""
    for j in range(n):
        sums[j] = 0.0
    for i in range(k + 1, n):
        for j in range(n):
            sums[j] += u[i] * a[i, j]
    for i in range(k + 1, n):
        for j in range(k + 1, n):
            a[i, j] -= u[i] * sums[j]
    for i in range(n):
        along = 0.0
        for j in range(n):
            along += a[i, j] * u[j]
        for j in range(n):
            a[i, j] -= along * u[j]


@njit(**INNER)
def back_transform(vector, n, reflectors):
    """Turn an eigenvector of the Hessenberg form into one of the matrix, in place."""
    for k in range(n - 3, -1, -1):
        along = 0.0
        for i in range(k + 1, n):
            along += reflectors[k, i] * vector[i]
        for i in range(k + 1, n):
            vector[i] -= along * reflectors[k, i]


@njit(**INNER)
def _start_of_block(h, last, norm):
    """First row of the unreduced block that ends at ``last``; sets the negligible entry before it to zero."""
    row = last
    while row > 0:
        near = abs(h[row - 1, row - 1]) + abs(h[row, row])
        if near == 0.0:
            near = norm
        if abs(h[row, row - 1]) <= ROUNDING * near:
            h[row, row - 1] = 0.0
            break
        row -= 1
    return row


@njit(**INNER)
def _pair(h, last, real, imaginary):
    """The eigenvalues of the 2x2 block that ends at ``last``."""
    a, b = h[last - 1, last - 1], h[last - 1, last]
    c, d = h[last, last - 1], h[last, last]
    half = 0.5 * (a - d)
    inside = half * half + b * c
    if inside >= 0.0:
        # The larger one first, the other from the product: no cancellation.
        root = half + sqrt(inside) if half >= 0.0 else half - sqrt(inside)
        real[last - 1] = d + root
        real[last] = d if root == 0.0 else d - b * c / root
        imaginary[last - 1] = 0.0
        imaginary[last] = 0.0
    else:
        real[last - 1] = real[last] = d + half
        imaginary[last - 1] = sqrt(-inside)
        imaginary[last] = -imaginary[last - 1]


@njit(**INNER)
def _double_step(h, first, last, total, product):
    """One implicit QR step with the two shifts whose sum and product are given, on rows first to last."""
    # First column of h^2 - total h + product.
    a, b = h[first, first], h[first, first + 1]
    c, d = h[first + 1, first], h[first + 1, first + 1]
    x = a * (a - total) + product + b * c
    y = c * (a + d - total)
    z = c * h[first + 2, first + 1]
    for k in range(first, last):
        rows = min(3, last - k + 1)
        if k > first:
            x, y = h[k, k - 1], h[k + 1, k - 1]
            z = h[k + 2, k - 1] if rows == 3 else 0.0
        scale = abs(x) + abs(y) + abs(z)
        if scale == 0.0:
            continue
        x, y, z = x / scale, y / scale, z / scale
        length = sqrt(x * x + y * y + z * z)
        if x < 0.0:
            length = -length
        if k > first:
            h[k, k - 1] = -scale * length
            h[k + 1, k - 1] = 0.0
            if rows == 3:
                h[k + 2, k - 1] = 0.0
        # The reflection 1 - v w' with v = (1, y, z) / ..., w parallel to it.
        x += length
        v1, v2 = y / x, z / x
        w0, w1, w2 = x / length, y / length, z / length
        if rows == 3:
            for j in range(k, last + 1):
                along = h[k, j] + v1 * h[k + 1, j] + v2 * h[k + 2, j]
                h[k, j] -= along * w0
                h[k + 1, j] -= along * w1
                h[k + 2, j] -= along * w2
            for i in range(first, min(last, k + 3) + 1):
                along = w0 * h[i, k] + w1 * h[i, k + 1] + w2 * h[i, k + 2]
                h[i, k] -= along
                h[i, k + 1] -= along * v1
                h[i, k + 2] -= along * v2
        else:
            for j in range(k, last + 1):
                along = h[k, j] + v1 * h[k + 1, j]
                h[k, j] -= along * w0
                h[k + 1, j] -= along * w1
            for i in range(first, last + 1):
                along = w0 * h[i, k] + w1 * h[i, k + 1]
                h[i, k] -= along
                h[i, k + 1] -= along * v1


@njit(**INNER)
def eigenvalues(h, n, real, imaginary):
    """All eigenvalues of an upper Hessenberg matrix.

    Args:
        h: (n, n) destroyed.
        n: Rows.
        real: (n,) receives the real parts; conjugate pairs stand side by side.
        imaginary: (n,) receives the imaginary parts.

    Returns:
        False when an eigenvalue was not found in `MOST_STEPS` steps; then those before it are not set.
    """
    norm = 0.0
    for i in range(n):
        for j in range(max(0, i - 1), n):
            norm += abs(h[i, j])
    last, steps = n - 1, 0
    while last >= 0:
        first = _start_of_block(h, last, norm)
        if first == last:
            real[last], imaginary[last] = h[last, last], 0.0
            last, steps = last - 1, 0
        elif first == last - 1:
            _pair(h, last, real, imaginary)
            last, steps = last - 2, 0
        elif steps == MOST_STEPS:
            return False
        else:
            steps += 1
            total = h[last - 1, last - 1] + h[last, last]
            product = h[last - 1, last - 1] * h[last, last] - h[last - 1, last] * h[last, last - 1]
            if steps % 10 == 0:
                # A shift from elsewhere ends the rare cycles.
                size = abs(h[last, last - 1]) + abs(h[last - 1, last - 2])
                total, product = 1.5 * size, size * size
            _double_step(h, first, last, total, product)
    return True


@njit(**INNER)
def eigenvector(h, n, value, work, vector):
    """The eigenvector of an upper Hessenberg matrix to a real eigenvalue, by three steps of inverse iteration.

    An even number would not do: beside a double root, which rounding turned into a conjugate pair, every second step
    leads away from the eigenvector.


    Args:
        h: (n, n)
        n: Rows.
        value: The eigenvalue, as well as it is known.
        work: (n, n) scratch.
        vector: (n,) receives the vector, of unit length.
    """
    norm = 0.0
    for i in range(n):
        for j in range(n):
            work[i, j] = h[i, j]
            norm = max(norm, abs(h[i, j]))
        work[i, i] -= value
        vector[i] = 1.0
    tiny = ROUNDING * norm + 1e-300
    # U replaces the matrix, the multipliers stand below its diagonal. The first right side is L times ones.
    for k in range(n - 1):
        if abs(work[k + 1, k]) > abs(work[k, k]):
            for j in range(k, n):
                work[k, j], work[k + 1, j] = work[k + 1, j], work[k, j]
            # An exchange is remembered by a mark above one: multipliers are at most one.
            mark = 2.0
        else:
            mark = 0.0
        if abs(work[k, k]) < tiny:
            work[k, k] = tiny
        factor = work[k + 1, k] / work[k, k]
        for j in range(k + 1, n):
            work[k + 1, j] -= factor * work[k, j]
        work[k + 1, k] = factor + (mark if factor >= 0.0 else -mark)
    if abs(work[n - 1, n - 1]) < tiny:
        work[n - 1, n - 1] = tiny
    for step in range(3):
        if step > 0:
            for k in range(n - 1):
                factor = work[k + 1, k]
                if abs(factor) > 1.5:
                    vector[k], vector[k + 1] = vector[k + 1], vector[k]
                    factor = factor - 2.0 if factor > 0.0 else factor + 2.0
                vector[k + 1] -= factor * vector[k]
        for i in range(n - 1, -1, -1):
            total = vector[i]
            for j in range(i + 1, n):
                total -= work[i, j] * vector[j]
            vector[i] = total / work[i, i]
            if abs(vector[i]) > 1e100:
                for j in range(n):
                    vector[j] *= 1e-100
        _normalise(vector, n)


@njit(**INNER)
def _normalise(vector, n):
    largest = 0.0
    for i in range(n):
        largest = max(largest, abs(vector[i]))
    size = 0.0
    for i in range(n):
        vector[i] /= largest
        size += vector[i] * vector[i]
    scale = 1.0 / sqrt(size)
    for i in range(n):
        vector[i] *= scale
