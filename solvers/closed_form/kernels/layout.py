"""Where everything is in the arrays that the compiled closed forms share with Python. Imports no Numba."""

from __future__ import annotations

#: Arrays of a closed form, in the order of its argument table, beside those of a search (`solvers.compiled.layout`):
#: numbers of the family; seed of the chain (d,) and goal (12,) behind it; candidates of the kernel, at first (most, d),
#: and their flags; what is found out about each (-, 5); then the answer: configurations (most, d), flags (most,),
#: errors (most, 3). For many goals they are bound for a call: goals (m, 16), seeds (m or 1, n), and the answers:
#: configurations (m most, d), flags (m, most), numbers of solutions (m,).
NUMBERS, LOCAL, RAW, RAW_FLAGS, FACTS, ANSWER, VALIDITY, ERRORS = range(8)
GOALS, SEEDS, MANY_ANSWERS, MANY_VALIDITIES, COUNTS = range(8, 13)
PLACES = 13

#: Columns of the facts: squared distance (m^2), squared angle (rad^2), what it is ranked by, how many joints are beyond
#: their limits; and, not of the candidate of the same row, which candidate is ranked there.
DISTANCE, ANGLE, KEY, BEYOND, ORDER = range(5)
FACTS_SIZE = 5

#: Bookkeeping of a lane: the part of the squared error that is its damping; the nearest squared errors; the largest
#: difference from the seed; the number of joints beyond their limits, and of those that are so by next to nothing.
DAMPED_BY, BEST_DISTANCE, BEST_ANGLE, AWAY, BEYOND_LIMITS, HARDLY_BEYOND = range(6)

#: Limits count with this slack (rad or m), as `whole_turns.nearest_equivalent` has it.
SLACK = 1e-12
#: What counts as next to nothing (rad or m).
HARDLY = 1e-6
