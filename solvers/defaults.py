"""The numbers that are used when nobody says otherwise; nowhere else in the solvers."""

from __future__ import annotations

#: When a pose counts as reached (m, rad). A thousandth of a millimetre is below what a robot can do, and
#: above what rounding leaves over at a reach of some metres.
POSITION_TOLERANCE = 1e-6
ORIENTATION_TOLERANCE = 1e-6

#: Iterations of an attempt. Second-order methods that get there at all need about ten.
ITERATIONS = 25
#: Attempts of a solve: the seed, then random configurations.
ATTEMPTS = 1000
#: An iteration that leaves more than this part of the squared error is a strike; a new attempt is cheaper
#: than an old one that creeps.
IMPROVEMENT = 0.9
#: Strikes after which an attempt is given up. With 3 instead of 2, two thirds of the attempts succeed instead of half
#: of them, in the same time.
STRIKES = 3
#: The same for methods of first order and for methods that we do not know: they creep by nature. A transpose
#: step takes hundreds of iterations to 1e-6.
SLOW_ITERATIONS = 1000
SLOW_IMPROVEMENT = 0.999
SLOW_STRIKES = 20
#: What they may spend on all attempts together; without it a target out of reach would take half a minute.
SLOW_TOTAL_ITERATIONS = 100_000
#: The same three for methods that converge linearly, as damped least squares with a fixed damping does.
STEADY_ITERATIONS = 1000
STEADY_IMPROVEMENT = 0.99
STEADY_STRIKES = 6
#: Largest change of a coordinate in one iteration (rad or m); the whole step is scaled.
MAX_STEP = 1.5
#: Random numbers are reproducible by default.
RANDOM_SEED = 0

#: Levenberg-Marquardt: the damping is DAMPING times the squared error plus DAMPING_FLOOR.
DAMPING = 0.01
DAMPING_FLOOR = 1e-9
#: What Sugihara's and Chan's papers have instead.
SUGIHARA_BIAS = 1e-5
CHAN_DAMPING = 1.0
#: Damped least squares: lambda, which is squared when used.
DLS_DAMPING = 0.05
#: Selectively damped least squares: largest change of a joint in a step (rad or m), a quarter of pi as in the paper.
SELECTIVE_STEP = 0.7853981633974483
#: Pseudo-inverse: singular values below this part of the largest are dropped.
PSEUDO_INVERSE_CUTOFF = 1e-3

#: Attempts when the target is provably out of reach: enough to come near it.
OUT_OF_REACH_ATTEMPTS = 20
#: Attempts without limits that look for the reason of a failure.
DIAGNOSIS_ATTEMPTS = 5
#: Iterations that bring the nearest configuration of a failed search nearer still.
NEAREST_ITERATIONS = 100

#: Damping of Levenberg-Marquardt for that: enough for the steps to fall short of the nearest pose, not beyond it.
NEAREST_DAMPING = 1.0
#: The same where iterations are compiled, and cost next to nothing.
NEAREST_KERNEL_ITERATIONS = 1000

#: Steps along the null space that reduce an objective, at most, and what counts as progress of it.
OBJECTIVE_STEPS = 100
OBJECTIVE_PROGRESS = 1e-9

#: Single attempts that stand alone, as in a meta solver of few attempts, are given more time than attempts of
#: which a thousand follow: it takes the share of those that succeed from 50 to 65 % (panda) and 57 to 72 %
#: (KR 6).
SINGLE_ITERATIONS = 100
SINGLE_STRIKES = 6
#: Poses on the way of a solver that interpolates: iterations for each, and what part of the step it may be missed by.
INTERPOLATION_ITERATIONS = 10
INTERPOLATION_TOLERANCE = 0.1
#: Cyclic coordinate descent: sweeps, and earlier sweeps that are looked at for where they go. A sweep that leaves more
#: than this part of the squared error is a strike. A descent that gets there takes about 20 sweeps; with fewer strikes
#: than these one near a singularity is given up that would get there.
CCD_SWEEPS = 300
CCD_DEPTH = 8
CCD_IMPROVEMENT = 0.999
CCD_STRIKES = 40
#: Configurations that an `AmbiguityResolver` lists, at most. A six-joint arm of two turns a joint has 64 for a branch.
AMBIGUITIES = 10_000
#: RobWork's defaults of the meta solver.
META_ATTEMPTS = 25
PROXIMITY_LIMIT = 1e-5
#: By how much (m, rad) a solution of a solver may miss the pose that does not say what it counts as there. Lenient for
#: that reason: it is to tell solutions from nonsense.
META_MAX_ERROR = 1e-3

#: Largest change of a coordinate (rad or m) between neighbours of a path that is taken for following it.
CONTINUITY = 0.2

#: Hierarchies: a step is dearer, and levels settle one after another.
HIERARCHY_ITERATIONS = 60
HIERARCHY_ATTEMPTS = 20
HIERARCHY_IMPROVEMENT = 0.98
HIERARCHY_STRIKES = 5
#: Iterations that settle the required tasks again after the others have moved.
SETTLE_ITERATIONS = 15
#: Steps for wishes (tasks that are not required): how many, the largest change of a coordinate in one (rad or
#: m), the least, and what part of the squared error a step may leave to count as one.
WISH_STEPS = 50
WISH_STEP = 0.5
WISH_LEAST_STEP = 1e-3
WISH_IMPROVEMENT = 0.999
#: Singular values below this part of the largest are zero when null spaces are worked out. Small on purpose:
#: a direction that a task can still move, however little, is not left to the tasks below it.
RANK_TOLERANCE = 1e-12
