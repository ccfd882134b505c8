"""Kernels: a goal in the frames of a chain of six turning joints that is described by its common normals.

Everything here works on numbers and on lanes of numbers alike.
"""

from __future__ import annotations

from typing import Any

from numba import njit

from ....kinematics.core.lanes import INNER

#: Places in the numbers of a family, as `CommonNormals.numbers` writes them for six joints.
BASE, BASE_POSITION, TIP, TIP_POSITION, SIGNS, ZEROS, OFFSETS, LENGTHS, COSINES, SINES = (
    0, 9, 12, 21, 24, 30, 36, 42, 47, 52,
)  # fmt: skip
#: What a family adds begins here.
MORE = 57


@njit(**INNER)
def goal_in_chain(numbers: Any, goal: Any) -> tuple[Any, Any]:
    """The goal as the rotation, row by row, and the position of the last frame of the chain in its first."""
    x, y, z = goal[9], goal[10], goal[11]
    u, v, w = numbers[TIP_POSITION], numbers[TIP_POSITION + 1], numbers[TIP_POSITION + 2]
    x = x + goal[0] * u + goal[1] * v + goal[2] * w
    y = y + goal[3] * u + goal[4] * v + goal[5] * w
    z = z + goal[6] * u + goal[7] * v + goal[8] * w
    a, b, c = _times_tip(numbers, goal[0], goal[1], goal[2])
    d, e, f = _times_tip(numbers, goal[3], goal[4], goal[5])
    g, h, i = _times_tip(numbers, goal[6], goal[7], goal[8])
    k = BASE_POSITION
    p, q, r = _base_times(numbers, x, y, z)
    a, d, g = _base_times(numbers, a, d, g)
    b, e, h = _base_times(numbers, b, e, h)
    c, f, i = _base_times(numbers, c, f, i)
    return (a, b, c, d, e, f, g, h, i), (p + numbers[k], q + numbers[k + 1], r + numbers[k + 2])


@njit(**INNER)
def _times_tip(numbers: Any, a: Any, b: Any, c: Any) -> Any:
    k = TIP
    return (
        a * numbers[k] + b * numbers[k + 3] + c * numbers[k + 6],
        a * numbers[k + 1] + b * numbers[k + 4] + c * numbers[k + 7],
        a * numbers[k + 2] + b * numbers[k + 5] + c * numbers[k + 8],
    )


@njit(**INNER)
def _base_times(numbers: Any, a: Any, b: Any, c: Any) -> Any:
    k = BASE
    return (
        numbers[k] * a + numbers[k + 1] * b + numbers[k + 2] * c,
        numbers[k + 3] * a + numbers[k + 4] * b + numbers[k + 5] * c,
        numbers[k + 6] * a + numbers[k + 7] * b + numbers[k + 8] * c,
    )


@njit(**INNER)
def turned_back(m: Any, cosine: Any, sine: Any, cosine_of_twist: Any, sine_of_twist: Any) -> Any:
    """rot_x(twist)^T rot_z(angle)^T M, row by row: what is left of a rotation behind one more joint."""
    a, b, c = cosine * m[0] + sine * m[3], cosine * m[1] + sine * m[4], cosine * m[2] + sine * m[5]
    d, e, f = cosine * m[3] - sine * m[0], cosine * m[4] - sine * m[1], cosine * m[5] - sine * m[2]
    k, s = cosine_of_twist, sine_of_twist
    return (
        a,
        b,
        c,
        k * d + s * m[6],
        k * e + s * m[7],
        k * f + s * m[8],
        k * m[6] - s * d,
        k * m[7] - s * e,
        k * m[8] - s * f,
    )


@njit(**INNER)
def value_of_joint(numbers: Any, joint: int, angle: Any) -> Any:
    """The joint's own value, from the angle between the normals."""
    return numbers[SIGNS + joint] * (angle - numbers[ZEROS + joint])


@njit(**INNER)
def angle_of_joint(numbers: Any, joint: int, value: Any) -> Any:
    """The angle between the normals, from the joint's own value."""
    return numbers[SIGNS + joint] * value + numbers[ZEROS + joint]
