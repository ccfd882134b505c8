"""Sine, cosine and arc tangent of registers, accurate to the last digits."""

from __future__ import annotations

import math
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from .lane_types import LanesType, lanes_among, vector_of_doubles


class _Exact:
    """Emits arithmetic whose order is kept: no reassociation, only fused multiply-add where it is asked for.

    Numba marks every operation of a fast-maths function as free to be reordered, unless it has a flag already:
    that is all that the harmless "no signed zeros" is here for.
    """

    flags = ("nsz",)

    def __init__(self, builder: Any, width: int) -> None:
        self.builder = builder
        self.width = width

    def constant(self, value: float) -> Any:
        return ir.Constant(vector_of_doubles(self.width), [float(value)] * self.width)

    def add(self, a: Any, b: Any) -> Any:
        return self.builder.fadd(a, b, flags=self.flags)

    def sub(self, a: Any, b: Any) -> Any:
        return self.builder.fsub(a, b, flags=self.flags)

    def mul(self, a: Any, b: Any) -> Any:
        return self.builder.fmul(a, b, flags=self.flags)

    def div(self, a: Any, b: Any) -> Any:
        return self.builder.fdiv(a, b, flags=self.flags)

    def fma(self, a: Any, b: Any, c: Any) -> Any:
        return self._call("fma", a, b, c)

    def rint(self, a: Any) -> Any:
        return self._call("rint", a)

    def absolute(self, a: Any) -> Any:
        return self._call("fabs", a)

    def copysign(self, a: Any, sign: Any) -> Any:
        return self._call("copysign", a, sign)

    def less(self, a: Any, b: Any) -> Any:
        return self.builder.fcmp_ordered("<", a, b, flags=self.flags)

    def select(self, condition: Any, a: Any, b: Any) -> Any:
        return self.builder.select(condition, a, b)

    def polynomial(self, z: Any, coefficients: list[float]) -> Any:
        """Horner's rule; the coefficients begin with the constant."""
        result = self.constant(coefficients[-1])
        for coefficient in coefficients[-2::-1]:
            result = self.fma(result, z, self.constant(coefficient))
        return result

    def _call(self, name: str, *args: Any) -> Any:
        vector = vector_of_doubles(self.width)
        kind = ir.FunctionType(vector, [vector] * len(args))
        callee = cgutils.get_or_insert_function(self.builder.module, kind, f"llvm.{name}.v{self.width}f64")
        return self.builder.call(callee, list(args), fastmath=self.flags)


def _integer(bits: Any, value: int) -> Any:
    return ir.Constant(bits, [value] * bits.count)


# pi / 2 as 33 leading bits and a tail (Cody and Waite): k times the first is exact up to |k| = 2^20.
_HALF_PI_HIGH, _HALF_PI_LOW = 1.57079632673412561417e00, 6.07710050650619224932e-11
# Taylor-like minimax coefficients on [-pi/4, pi/4]: sin r = r + r^3 S(r^2), cos r = 1 - r^2/2 + r^4 C(r^2).
_SINE = [-1.66666666666666324348e-01, 8.33333333332248946124e-03, -1.98412698298579493134e-04,
         2.75573137070700676789e-06, -2.50507602534068634195e-08, 1.58969099521155010221e-10]  # fmt: skip
_COSINE = [4.16666666666666019037e-02, -1.38888888888741095749e-03, 2.48015872894767294178e-05,
           -2.75573143513906633035e-07, 2.08757232129817482790e-09, -1.13596475577881948265e-11]  # fmt: skip


@intrinsic  # type: ignore[misc, untyped-decorator]
def lane_sincos(typingctx: Any, x: Any) -> Any:
    """Sine and cosine: reduction to [-pi/4, pi/4], then polynomials."""
    if not isinstance(x, LanesType):
        return None

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        width = sig.args[0].width
        e = _Exact(builder, width)
        bits = ir.VectorType(ir.IntType(64), width)
        k = e.rint(e.mul(args[0], e.constant(2.0 / math.pi)))
        r = e.fma(k, e.constant(-_HALF_PI_LOW), e.fma(k, e.constant(-_HALF_PI_HIGH), args[0]))
        z = e.mul(r, r)
        sine = e.fma(e.mul(r, z), e.polynomial(z, _SINE), r)
        cosine = e.fma(e.mul(z, z), e.polynomial(z, _COSINE), e.fma(z, e.constant(-0.5), e.constant(1.0)))
        # Adding 1.5 * 2^52 leaves the integer k in the lowest bits.
        quadrant = builder.bitcast(e.add(k, e.constant(6755399441055744.0)), bits)
        odd = builder.icmp_unsigned("!=", builder.and_(quadrant, _integer(bits, 1)), _integer(bits, 0))
        values = builder.select(odd, cosine, sine), builder.select(odd, sine, cosine)
        turned = quadrant, builder.add(quadrant, _integer(bits, 1))
        signed = [
            builder.bitcast(
                builder.xor(
                    builder.bitcast(value, bits), builder.shl(builder.and_(turn, _integer(bits, 2)), _integer(bits, 62))
                ),
                vector_of_doubles(width),
            )
            for value, turn in zip(values, turned, strict=True)
        ]
        return context.make_tuple(builder, sig.return_type, signed)

    return types.UniTuple(x, 2)(x), codegen


# atan t = t + t^3 A(t^2) for |t| <= tan(pi / 8): Chebyshev fit of A, error 3e-17.
_ARCTANGENT = [-0.3333333333333333, 0.19999999999995516, -0.14285714284665682, 0.11111111015187018,
               -0.0909090457530649, 0.07692183125376892, -0.06664510525508936, 0.05858140904866328,
               -0.050854078345894844, 0.03923044778479309, -0.019175404711104935]  # fmt: skip
# pi / 4, pi / 2 and pi, each as the nearest double and what that leaves out.
_QUARTER, _HALF, _WHOLE = ((math.pi * f, 1.2246467991473532e-16 * f) for f in (0.25, 0.5, 1.0))


@intrinsic  # type: ignore[misc, untyped-decorator]
def lane_atan2(typingctx: Any, y: Any, x: Any) -> Any:
    """Angle of (x, y): reduction to [-pi/8, pi/8] with the lost digits kept, then a polynomial."""
    lanes = lanes_among((y, x))
    if lanes is None:
        return None

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        e = _Exact(builder, lanes.width)
        y, x = args
        ay, ax = e.absolute(y), e.absolute(x)
        zero, one = e.constant(0.0), e.constant(1.0)
        # First octant: the angle of (large, small) is in [0, pi/4]; near pi/4 it is pi/4 + atan((s - l) / (s + l)).
        swapped = e.less(ax, ay)
        large, small = e.select(swapped, ay, ax), e.select(swapped, ax, ay)
        near = e.less(e.mul(large, e.constant(0.41421356237309503)), small)
        top = e.select(near, e.sub(small, large), small)
        bottom = e.select(near, e.add(small, large), large)
        # What rounding the difference and the sum left out.
        lost_top = e.select(near, e.sub(small, e.add(top, large)), zero)
        lost = e.select(near, e.sub(small, e.sub(bottom, large)), zero)
        bottom = e.select(e.less(zero, bottom), bottom, one)  # the origin gives 0
        t = e.div(top, bottom)
        missing = e.add(e.fma(e.sub(zero, t), bottom, top), e.sub(lost_top, e.mul(t, lost)))
        z = e.mul(t, t)
        rest = e.div(missing, e.fma(bottom, z, bottom))  # the derivative of the arc tangent is 1 / (1 + t^2)
        bend = e.fma(e.mul(t, z), e.polynomial(z, _ARCTANGENT), rest)
        # The octants are put together as C + s * atan t, with C in two parts so that one rounding is left.
        high, low = (
            e.select(near, e.constant(_QUARTER[0]), zero),
            e.select(near, e.constant(_QUARTER[1]), zero),
        )
        for condition, parts in ((swapped, _HALF), (e.less(x, zero), _WHOLE)):
            t = e.select(condition, e.sub(zero, t), t)
            bend = e.select(condition, e.sub(zero, bend), bend)
            mirrored = e.sub(e.constant(parts[0]), high)
            lost = e.sub(e.sub(e.constant(parts[0]), mirrored), high)
            low = e.select(condition, e.add(e.sub(e.constant(parts[1]), low), lost), low)
            high = e.select(condition, mirrored, high)
        total = e.add(high, t)
        lost = e.sub(t, e.sub(total, high))
        return e.copysign(e.add(total, e.add(lost, e.add(bend, low))), y)

    return lanes(lanes, lanes), codegen
