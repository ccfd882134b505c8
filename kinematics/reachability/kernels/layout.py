"""Places of the arrays in the table of the sampling kernel."""

from __future__ import annotations

(STEPS, CONSTANTS, ENTRIES, RATES, CARRIES, TIPS, LIMITS, DRAWS, CELLS, COUNTS, SETTINGS, LANES, INDICES, QUALITIES,
 SAMPLES, PLACES) = range(16)  # fmt: skip

#: Rows of the float array CELLS (3, d): where the box begins, one over the size of a cell, cells in a turn (0: none).
LOWER, INVERSE, TURN = range(3)
#: Entries of the integer array SETTINGS. FIRST and COUNT: of the samples; KEY: from the seed, see `counter`;
#: IS_REDUCED: height, tilt and canonical position instead of a pose; WITH_QUALITY: manipulability too; WITH_SAMPLES:
#: write joint values and poses too; TIP_FRAME: what carries the tip.
FIRST, COUNT, KEY, IS_REDUCED, WITH_QUALITY, WITH_SAMPLES, TIP_FRAME, NUM_SETTINGS = range(8)
#: A coordinate this part of a cell beyond the bounds is still inside, as in `cells.EDGE`.
EDGE = 1e-6
