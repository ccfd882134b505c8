"""Where everything is in the arrays that the kernels of groups share with Python. Imports no Numba.

An environment is a tree of *steps* for the kernels: each object that matters is one, parents before children, in the
form that `kinetree.kinematics.core.forward` takes. A joint is one motion, a dummy one that never moves. A joint that
is the base of something is two steps: its fixed pose alone, which counts as the base, and its full pose.
"""

from __future__ import annotations

#: Arrays in the order of the argument table. What the environment is, first: steps and constants as in
#: `kinetree.kinematics.core.plan`, local poses (s, 16) of the steps, steps of the spherical joints, their rotations
#: (2 b, 9; first those at present, then those that were read), values of the joints (x), columns, their joints.
STEPS, CONSTANTS, LOCALS, BALLS, TURNS, X, COLUMNS, JOINTS = range(8)
#: Then what columns move: entries and rates as in `kinetree.kinematics.core.plan`, and which of them each element
#: feels: (elements, entries) for the position and for the rotation.
ENTRIES, RATES, PULLS, SPINS = range(8, 12)
#: Then elements (integers, numbers), groups (integers, numbers), settings of the call.
ELEMENTS, ELEMENT_NUMBERS, GROUPS, GROUP_NUMBERS, SETTINGS = range(12, 17)
#: Then what is worked out: frames (s + 1, 12), Jacobian and error of all rows, what each row is, the step of the
#: columns, distances (elements, 2), limits that were passed (n, 2), the report, room for the solves.
FRAMES, JACOBIAN, ERROR, ROWS, STEP, DISTANCES, HITS, REPORT, ROOM = range(17, 26)
#: Then what the search for configurations takes: its numbers, its counts, room in lanes (rows, W), and where it keeps
#: values and rotations of the joints.
SEARCH, SEARCH_COUNTS, LANES, KEPT = range(26, 30)
#: And where the local poses of the steps are read from: address, 16, 1 for each, as tables of arguments have it.
POSES = 30
PLACES = 31

#: Columns of `COLUMNS`: place in x, kind, which spherical joint (-1 for none), which of its three axes.
SLOT, KIND, BALL, AXIS_OF_BALL = range(4)
#: Kinds of columns.
TURNING, SLIDING, ROLLING = range(3)

#: Columns of `JOINTS`, one row per column of the Jacobian.
#: The last three are the ends of random draws, and the weight once more for those who change it for a while.
LOWER, UPPER, MARGIN, MAX_STEP, WEIGHT, CYCLIC, FROM, TO, OWN_WEIGHT = range(9)

#: Columns of `ELEMENTS`: step of the tip, of the target (0 is the world, -1 none), of the constraints base; the
#: constraints; its first row, and how many it has.
TIP, TARGET, BASE, CONSTRAINTS, FIRST_ROW, ROW_COUNT = range(6)
#: Columns of `ELEMENT_NUMBERS`: precision (m, rad), what its rows are multiplied with.
LINEAR_PRECISION, ANGULAR_PRECISION, LINEAR_GAIN, ANGULAR_GAIN = range(4)

#: Columns of `GROUPS`: method, first element, number of elements, first row, rows of the elements, rows at present
#: (with those that keep away from limits).
METHOD, FIRST_ELEMENT, ELEMENT_COUNT, GROUP_ROW, FIXED_ROWS, PRESENT_ROWS = range(6)
#: Columns of `GROUP_NUMBERS`: square of the damping.
SQUARED_DAMPING = 0
#: Methods, as the interface numbers them.
PSEUDO_INVERSE, DAMPED_LEAST_SQUARES, JACOBIAN_TRANSPOSE, UNDAMPED_PSEUDO_INVERSE = range(4)

#: Entries of the settings.
MAX_ITERATIONS, IGNORES_MAX_STEPS, STOPS_ON_LIMIT, AVOIDS_LIMITS, IS_WEIGHTED = range(5)
SETTINGS_SIZE = 5

#: Columns of `ROWS`: 0 to 5 for x, y, z, alpha, beta, gamma or `LIMIT_ROW`, and the element (-1 for none).
ROW_KIND, ROW_ELEMENT = range(2)
LIMIT_ROW = 6

#: Columns of `HITS`: whether the limit was passed, and how far beyond (negative below the lower limit).
IS_HIT, OVERSHOT = range(2)

#: Entries of the report: precision reached (m, rad), iterations, factor of the last step.
WORST_LINEAR, WORST_ANGULAR, ITERATIONS, FACTOR = range(4)
REPORT_SIZE = 4

#: What a call of the compiled function is to do: all of it; look (poses, Jacobian, error, distances); work out a step
#: from Jacobian and error; the inverse of one group, applied to the error in its rows; move by a step.
HANDLE, LOOK, SOLVE, INVERT, MOVE = range(5)

#: Bits of the result.
NOT_PERFORMED, CANNOT_INVERT, NOT_WITHIN_TOLERANCE, STEPS_TOO_BIG, LIMIT_HIT, BAD_CALLBACK = 1, 2, 16, 32, 64, 128

#: One more, which never leaves here: poses are so far away that numbers overflowed.
OVERFLOWED = 1 << 20

#: Bits of the constraints.
ALPHA_BETA, GAMMA = 8, 16

#: Halvings of a step before it counts as one that the largest steps do not allow at all: 2^-60 of a step moves nothing.
MOST_HALVINGS = 60

#: Entries of the numbers of a search: threshold (m), weights of x, y, z (1) and of the angle (m/rad); then how near it
#: came: distance (m, by the metric) of the nearest sample, distance (m) and angle (rad) that the best attempt left, and
#: behind these the values of x there.
THRESHOLD, METRIC, NEAREST_SAMPLE, LEAST_LINEAR, LEAST_ANGULAR, BEST_X = 0, 1, 5, 6, 7, 8
#: Number of weights.
METRIC_SIZE = 4
#: Entries of its counts: random seed, next sample, work that is left before Python looks at the clock, samples tried so
#: far, candidates solved so far, and how it goes about it.
SEED, NEXT, WORK_LEFT, TRIED, SOLVED, MODE = range(6)
SEARCH_COUNTS_SIZE = 6
#: How: solve what is within the threshold with the settings of the group; or take the nearest of a number of samples
#: and descend from there.
BY_THRESHOLD, BY_DESCENT = range(2)


def room_size(rows: int, n: int) -> int:
    """Numbers that the solves need for a group of so many rows and columns."""
    return rows * (n + rows) + 2 * rows + 3 * n
