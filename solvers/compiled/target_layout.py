"""What targets of the kinds of IKFast ask for, as numbers that kernels and Python share. Imports no Numba."""

from __future__ import annotations

#: What is asked of the tool's point: nothing, a point, its x and y, a line to be on, a point for another point of
#: the tool than its origin, which the goal gives.
ANYWHERE, AT_POINT, AT_XY, ON_LINE, LOCAL_AT_POINT = range(5)
#: What is asked of the tool's axes: nothing, a rotation, a pose's rotation, a direction, to look at a point, an angle
#: with an axis of the reference, a direction in a plane of the reference by an angle from an axis, an angle about z.
ANY_TURN, ROTATION, POSE_ROTATION, DIRECTION, LOOK_AT, CONE, IN_PLANE, HEADING = range(8)

#: Rows of the error for each.
PLACE_ROWS = (0, 3, 2, 2, 3)
TURN_ROWS = (0, 3, 3, 2, 2, 2, 2, 1)

#: Entries of the task's numbers: the two, the axis (0, 1, 2) for those that have one, two directions at right angles to
#: the tool's and the tool's (3 each), then the pose of the reference: rotation row by row (9), position.
PLACE, TURN, AXIS, TOOL, REFERENCE = 0, 1, 2, 3, 12
TARGET_SIZE = 24

#: Sines below this are those of no angle or of half a turn, where there is no direction to turn away in.
SMALLEST_SINE = 1e-12
#: Largest ratio of an angle that is missing to the sine of the angle that is there. It is exceeded near half a turn
#: only, where turning sideways changes the direction of the error by any amount.
LARGEST_RATIO = 100.0
#: Nearer than this (m) to a point, looking at it does not turn any faster.
NEAREST_SIGHT = 1e-6
#: Projections of a direction shorter than this have no angle.
SHORTEST_PROJECTION = 1e-6
#: An angle with an axis that is this small, or this near to pi, has two rows. With one row, attempts at an angle of 0
#: fail nine times in ten, as nothing says which way round the tip of the cone to go.
NARROW_CONE = 0.3
#: From here on a turn is one of the tool's direction.
FIRST_WITH_DIRECTION = DIRECTION
