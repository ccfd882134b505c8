"""`CommonNormals`: a chain of turning joints described by the common normals of neighbouring axes."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ...kinematics.transforms import Array
from .chain_geometry import ChainGeometry


@dataclass(frozen=True, eq=False)
class CommonNormals:
    """Denavit and Hartenberg's parameters of a chain, with frames at both ends that make them fit any base and tip.

    With v(i) = signs[i] q[i] + zeros[i], the tip is at

        base^-1 Z1 X1 Z2 X2 ... X(n-1) Zn tip^-1,   Zi = rot_z(v(i)) shift_z(offsets[i]),
                                                     Xi = shift_x(lengths[i]) rot_x(twists[i]).

    So a goal G of the tip is ``base G tip`` for the chain of Z and X alone. The first and the last offset are zero.

    Attributes:
        base: Rotation (3, 3) and translation (3,).
        tip: Rotation (3, 3) and translation (3,).
        signs: (n,) 1 or -1.
        zeros: (n,) rad.
        offsets: (n,) m, between the normals along each axis.
        lengths: (n - 1,) m, of the normals; may be negative.
        twists: (n - 1,) rad in [0, pi], about the normals.
    """

    base: tuple[Array, Array]
    tip: tuple[Array, Array]
    signs: Array
    zeros: Array
    offsets: Array
    lengths: Array
    twists: Array

    @staticmethod
    def of(geometry: ChainGeometry, tolerance: float = 1e-9, through: dict[int, Array] | None = None) -> CommonNormals:
        """The parameters of a chain.

        Args:
            geometry: The chain, without sliding joints.
            tolerance: Axes that miss being parallel by less than this (rad), or meeting by less than this part of
                the chain's size, are taken to be so.
            through: Points (3,) to which axes are shifted sideways, by index of the joint: axes that nearly meet are
                made to. The tip stays where it is with all joints at zero.
        """
        n = len(geometry)
        points = np.array(geometry.origins)
        for joint, point in (through or {}).items():
            points[joint] = point
        signs = np.ones(n)
        axes = np.array(geometry.axes)
        for i in range(n - 1):
            # Parallel axes are made to point the same way, so that their angles add up.
            if np.linalg.norm(np.cross(axes[i], axes[i + 1])) <= tolerance:
                signs[i + 1] = math.copysign(1.0, float(axes[i] @ axes[i + 1]))
                axes[i + 1] = axes[i]
        feet, ends, normals, lengths, twists = _normals(axes, points, tolerance, tolerance * geometry.size)
        offsets, zeros = np.zeros(n), np.zeros(n)
        for i in range(1, n - 1):
            offsets[i] = float((feet[i] - ends[i]) @ axes[i])
            zeros[i] = math.atan2(
                float(np.cross(normals[i - 1], normals[i]) @ axes[i]), float(normals[i - 1] @ normals[i])
            )
            if abs(offsets[i]) <= tolerance * geometry.size:
                offsets[i] = 0.0
        first = np.column_stack([normals[0], np.cross(axes[0], normals[0]), axes[0]])
        last = np.column_stack([normals[-1], np.cross(axes[-1], normals[-1]), axes[-1]])
        rotation, position = geometry.forward(np.zeros(n))
        return CommonNormals(
            base=(first.T, -first.T @ feet[0]),
            tip=(rotation.T @ last, rotation.T @ (ends[-1] - position)),
            signs=signs,
            zeros=zeros,
            offsets=offsets,
            lengths=lengths,
            twists=twists,
        )

    def numbers(self) -> Array:
        """All of it for a kernel, with cosines and sines of the twists; `kernels.common_normals` says where what is."""
        return np.concatenate(
            [
                self.base[0].ravel(),
                self.base[1],
                self.tip[0].ravel(),
                self.tip[1],
                self.signs,
                self.zeros,
                self.offsets,
                self.lengths,
                _exact(np.cos(self.twists)),
                _exact(np.sin(self.twists)),
            ]
        )


def _normals(axes: Array, points: Array, parallel: float, small: float) -> tuple[Array, Array, Array, Array, Array]:
    """Where the normals begin (n, 3) and end (n, 3), their directions (n - 1, 3), lengths and twists (n - 1,)."""
    n = len(axes)
    feet, ends = np.array(points), np.array(points)
    normals, lengths, twists = np.zeros((n - 1, 3)), np.zeros(n - 1), np.zeros(n - 1)
    for i in range(n - 1):
        between = points[i + 1] - points[i]
        normal = np.cross(axes[i], axes[i + 1])
        sine = float(np.linalg.norm(normal))
        if sine > parallel:
            cosine = float(axes[i] @ axes[i + 1])
            along = float(between @ axes[i] - cosine * (between @ axes[i + 1])) / sine**2
            feet[i] = points[i] + along * axes[i]
            ends[i + 1] = points[i + 1] + (cosine * along - float(between @ axes[i + 1])) * axes[i + 1]
            normals[i] = normal / sine
            lengths[i] = float(between @ normals[i])
            twists[i] = math.atan2(sine, cosine)
        else:
            # The normal of parallel axes may be anywhere: it goes on where the one before ended.
            feet[i] = ends[i]
            across = points[i + 1] - feet[i]
            across = across - float(across @ axes[i]) * axes[i]
            ends[i + 1] = feet[i] + across
            lengths[i] = float(np.linalg.norm(across))
            is_one_line = lengths[i] <= small
            normals[i] = _across(axes[i], normals[i - 1] if i else None) if is_one_line else across / lengths[i]
    lengths[np.abs(lengths) <= small] = 0.0
    twists[np.abs(twists - 0.5 * math.pi) <= 1e-12] = 0.5 * math.pi
    return feet, ends, normals, lengths, twists


def _across(axis: Array, like: Array | None) -> Array:
    """A unit vector across an axis."""
    other = like if like is not None else np.eye(3)[int(np.argmin(np.abs(axis)))]
    result: Array = other - float(other @ axis) * axis
    return result / np.linalg.norm(result)


def _exact(values: Array) -> Array:
    """Cosines and sines with right angles free of rounding."""
    return np.where(
        np.abs(values) < 1e-15, 0.0, np.where(np.abs(np.abs(values) - 1.0) < 1e-15, np.sign(values), values)
    )
