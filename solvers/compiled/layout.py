"""Where everything is in the arrays that the compiled searches share with Python. Imports no Numba."""

from __future__ import annotations

from typing import Any

#: Arrays of a search, in the order of its argument table: those of the plan, columns of the joints, settings, counts,
#: what the task needs to know, goals (one row of a 4x4 matrix each), seeds (n,) each, workspace, answers.
STEPS, CONSTANTS, ENTRIES, RATES, CARRIES, TIP_FRAMES, TIP_POSES = range(7)
JOINTS, SETTINGS, COUNTS, TASK, GOALS, SEEDS, WORK, ANSWERS = range(7, 15)
PLACES = 15

#: Entries of the settings: tolerances (m, rad), the part of the squared error that an iteration may leave to
#: count as progress, then the parameters of the step rule.
POSITION_TOLERANCE, ORIENTATION_TOLERANCE, KEPT, PARAMETERS = range(4)
#: Most parameters of a step rule, and length of the settings.
MOST_PARAMETERS = 8
SETTINGS_SIZE = PARAMETERS + MOST_PARAMETERS

#: Entries of the counts: iterations of an attempt, last attempt plus one, attempts without progress before one is
#: given up, random seed, first attempt, rows of the error, whether joints have weights, whether the components
#: of the step are weighted or clamped, whether limits are kept, whether goals are poses.
ITERATIONS, ATTEMPTS, STRIKES, RANDOM_SEED, FIRST, ROWS, WEIGHTED, SHAPED, LIMITED, POSES = range(10)
COUNTS_SIZE = 10

#: Rows of the joints: how each meets its limits, the limits, the ends of random draws, whether whole turns may be
#: added, the place in the configuration, one over the largest step, square root of the weight, factor and clamp
#: of the step.
KIND, LOWER, UPPER, FROM, TO, TURNS, PLACE, INVERSE_STEP, ROOT_WEIGHT, FACTOR, CLAMP = range(11)
JOINT_ROWS = 11
#: How a degree of freedom meets its limits: it has none, it stops there, or it always goes on one turn further back
#: (its range is a full turn or more, so that the same pose is inside). The last three are the first coordinate of a
#: spherical, free or planar joint, whose other coordinates FOLLOW.
UNLIMITED, STOPS, WRAPS, FOLLOWS, SPHERICAL, FREE, PLANAR = range(7)

#: Entries of the report behind the configuration in an answer: solved (1 or 0), attempts begun, iterations of the
#: attempt that is told of, its distance and angle, whether its iterations ran out while it was still getting
#: nearer, the solving attempt (-1 when none).
SOLVED, TRIED, TAKEN, DISTANCE, ANGLE, UNFINISHED, FOUND = range(7)
REPORT_SIZE = 7

#: How a search takes its goal and seed: with a look at whether they are right, or without.
CHECKED, UNCHECKED = range(2)

#: What a search returns: it found nothing, it found a solution, the goal is no proper pose, the seed is not
#: finite, the seed is outside the limits (nothing was searched in the last three cases).
NOT_FOUND, SOLUTION, BAD_GOAL, BAD_SEED, SEED_OUTSIDE = range(5)

#: Rows of the bookkeeping of a lane: attempt (-1 at rest), iterations, strikes, squared error before, target, whether
#: it has just begun; nearest squared error, its two parts, its iteration.
ATTEMPT, ITERATION, STRUCK, BEFORE, TARGET, FRESH, NEAREST, NEAREST_DISTANCE, NEAREST_TURN, NEAREST_AT = range(10)

#: Larger than any squared error.
FAR = 1e300
#: Rows of the workspace (rows, W) that do not depend on the robot.
ERROR, SQUARES, BOOKKEEPING, TIP, AIM, FRAMES = 0, 6, 8, 18, 30, 42
#: Most rows of the error of a compiled task.
MOST_ROWS = 6


def scratch_size(rows: int, n: int) -> int:
    """How many numbers a step rule finds behind the n of the gradient."""
    return (rows + 1) * n + 2 * rows * rows + 8 * rows + 8


def workspace_rows(n: int, s: int) -> Any:
    """First rows of the moving parts of the workspace.

    Args:
        n: Degrees of freedom.
        s: Steps of the plan.

    Returns:
        First rows of x, of the Jacobian, of the gradient, of the Jacobian's rate, of what tasks and rates keep of
        the frames (6 numbers a frame), of the nearest x, and the number of rows in all.
    """
    x = FRAMES + 12 * (s + 1)
    jacobian = x + n
    gradient = jacobian + MOST_ROWS * n
    # With `scratch_size` written out: kernels are compiled from this very function, which then may not call another.
    scratch = (MOST_ROWS + 1) * n + 2 * MOST_ROWS * MOST_ROWS + 8 * MOST_ROWS + 8
    rate = gradient + n + scratch
    moments = rate + MOST_ROWS * n
    nearest = moments + 6 * (s + 1)
    return x, jacobian, gradient, rate, moments, nearest, nearest + n
