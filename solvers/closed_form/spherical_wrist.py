"""Six turning joints, the last three about axes that meet: most industrial arms."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...kinematics.transforms import Array
from .chain_geometry import ChainGeometry
from .common_normals import CommonNormals
from .family import Family, Fit
from .mirrored import mirrored

#: Axes that miss meeting, or being parallel, by less are taken to be exact (part of the size, rad).
EXACT = 1e-9
#: Up to this much (part of the size) an arm is solved as if its axes met; polishing closes the gap.
NEARLY = 2e-3
#: How the two equations for the first and the third joint are solved: joint 1 first, joint 3 first, both at once.
FIRST_JOINT_FIRST, THIRD_JOINT_FIRST, COUPLED = 0, 1, 2
_SMALL = 1e-9


def fit(geometry: ChainGeometry, direction: Array | None = None) -> Fit | str:
    """The numbers for the kernel when the last three axes meet, else why the arm has no spherical wrist."""
    if len(geometry) != 6 or geometry.slides.any():
        return f"it takes six turning joints, and this chain has {len(geometry)}, {geometry.slides.sum()} sliding"
    if geometry.are_parallel(3, 4) or geometry.are_parallel(4, 5):
        return "neighbouring axes of the wrist are parallel"
    miss = max(geometry.distance(3, 4), geometry.distance(4, 5), _miss(geometry))
    if miss > NEARLY * geometry.size:
        return f"axes 4, 5 and 6 miss a common point by {miss * 1e3:.3g} mm"
    exact = miss <= EXACT * geometry.size
    centre = geometry.meeting_point((3, 4, 5))
    normals = CommonNormals.of(geometry, EXACT, dict.fromkeys((3, 4, 5), centre))
    normals.lengths[3:], normals.offsets[4] = 0.0, 0.0
    arm = _arm_numbers(normals, geometry.size)
    if isinstance(arm, str):
        return arm
    numbers, how = arm
    slack = 0.0 if exact else 10.0 * miss / geometry.size
    why = "axes 4, 5 and 6 meet in one point"
    if not exact:
        why = f"axes 4, 5 and 6 nearly meet in one point ({miss * 1e3:.3g} mm apart; the rest is polished)"
    return Fit(np.concatenate([normals.numbers(), numbers, [slack]]), f"{why}, {how}")


def _miss(geometry: ChainGeometry) -> float:
    centre = geometry.meeting_point((3, 4, 5))
    return max(float(np.linalg.norm(np.cross(geometry.axes[k], centre - geometry.origins[k]))) for k in (3, 4, 5))


def _arm_numbers(normals: CommonNormals, size: float) -> tuple[Array, str] | str:
    """What the kernel needs to know of the first three joints.

    With (x, y, z) the centre of the wrist, r^2 = x^2 + y^2, X + iY = e^(-i v1) (x + iy), N = r^2 + z^2, and
    g = e^(i v3) (a3 - i sin(t3) d4), gz = cos(t3) d4 + d3 (a, d, t lengths, offsets and twists, counted from 1), the
    height along axis 2 and the distance from the end of the first normal give (D. L. Pieper, 1968)

        -sin(t1) Y + cos(t1) z = d2 + cos(t2) gz + sin(t2) Im g
        N + a1^2 - 2 a1 X + 2 d2 (sin(t1) Y - cos(t1) z) = a2^2 - d2^2 + |g|^2 + gz^2 + 2 a2 Re g.

    Where one of the angles can be eliminated the equations are solved one after the other: a line that meets the circle
    of X and Y, line_x X + line_y Y = m, and the elbow, cos(v3 + phase) = c.
    """
    a, d = normals.lengths, normals.offsets
    cosines, sines = np.cos(normals.twists), np.sin(normals.twists)
    wrist = complex(a[2], -sines[2] * d[3])
    height = cosines[2] * d[3] + d[2]
    if abs(wrist) <= _SMALL * size:
        return "axis 3 goes through the centre of the wrist"
    parallel12, parallel23 = sines[0] <= _SMALL, sines[1] <= _SMALL
    meet12, meet23 = abs(a[0]) <= _SMALL * size, abs(a[1]) <= _SMALL * size
    if (parallel12 and (parallel23 or meet12)) or (parallel23 and meet23):
        return "two of the first three axes are the same line, or all three are parallel"
    reach = abs(wrist)
    # The first equation as rows over (1, z, N, X, Y, Re g, Im g), all on the left; the second likewise.
    first = np.array([-d[1] - cosines[1] * height, cosines[0], 0.0, 0.0, -sines[0], 0.0, -sines[1]])
    second = np.array(
        [
            a[0] ** 2 - a[1] ** 2 + d[1] ** 2 - reach**2 - height**2,
            -2.0 * d[1] * cosines[0],
            1.0,
            -2.0 * a[0],
            2.0 * d[1] * sines[0],
            -2.0 * a[1],
            0.0,
        ]
    )
    kind, line, elbow, how = COUPLED, first, second, "the first three axes are general"
    if parallel23:
        kind, how = FIRST_JOINT_FIRST, "axes 2 and 3 are parallel"
    elif meet23:
        kind, line, elbow, how = FIRST_JOINT_FIRST, second, first, "axes 2 and 3 meet"
    elif parallel12:
        kind, line, elbow, how = THIRD_JOINT_FIRST, second, first, "axes 1 and 2 are parallel"
    elif meet12:
        # Without the Y in it.
        kind, elbow, how = THIRD_JOINT_FIRST, second + 2.0 * d[1] * first, "axes 1 and 2 meet"
    numbers = [float(kind), wrist.real, wrist.imag, height, reach, size]
    if kind == COUPLED:
        numbers += list(first) + list(second)
    else:
        line = line / math.hypot(line[3], line[4])
        amplitude = complex(elbow[5], elbow[6]) * reach
        elbow = -elbow / abs(amplitude)
        # Re(conj(amplitude) e^(i v)) is largest where v is the angle of the amplitude.
        turn = np.exp(1j * np.angle(amplitude))
        numbers += list(line) + list(elbow) + [turn.real, turn.imag]
        back = turn * np.conj(wrist) / reach
        numbers += [back.real, back.imag]
    padded = np.zeros(26)
    padded[: len(numbers)] = numbers
    return padded, how


def _kernel() -> Any:
    from .kernels.spherical_wrist import candidates

    return candidates


SPHERICAL_WRIST = Family(
    name="6R with a spherical wrist",
    joints="RRRRRR",
    target="transform_6d",
    most=8,
    fit=fit,
    kernel=_kernel,
    paper="D. L. Pieper, The kinematics of manipulators under computer control, 1968",
)

SPHERICAL_WRIST_AT_BASE = mirrored(SPHERICAL_WRIST, "6R with a spherical wrist at the base")
