"""Where the numbers of the redundant arms stand in their arrays. No Numba here: the fits use it as well."""

JOINTS = 7

# Fit.numbers begins with what the search needs.
MEASURE = 0  #: 0: the largest joint difference; 1: the weighted sum of squares
WEIGHTS = 1
LOWER = WEIGHTS + JOINTS
UPPER = LOWER + JOINTS
REVERSED = UPPER + JOINTS  #: 1 where the arm is solved from its tip; limits and weights are in the solved order
GEOMETRY = REVERSED + 1

#: What stands for no limit: kernels know no infinity.
UNLIMITED = 1e30

# Three axes a, b, c of which each carries the next one, and the rotation R = Ra Rb Rc.
ROWS = 0  #: axis a and two directions across it, (3, 3)
COLUMNS = 9  #: axis c and two directions across it, (3, 3)
MIDDLE = 18  #: axis b
SHIFT = 21  #: (a.b)(b.c)
RADIUS = 22  #: sin(a, b) sin(b, c)
PHASE = 23  #: angle of joint b where a.Rb c is largest; its cosine and sine
SQUARE = 26  #: 1 where a is at right angles to b, and b to c
FROM_AXIS = 27  #: Rb c across a: constant, with the cosine and with the sine of joint b, (3, 2)
TO_AXIS = 33  #: Rb' a across c, likewise
TRIPLE_SIZE = 39

# An elbow: |v|^2 of v = a + R b, b turned about an axis.
ELBOW_AXIS = 0
ELBOW_UPPER = 3  #: a
ELBOW_ALONG = 6  #: the part of b along the axis, (3,)
ELBOW_ACROSS = 9  #: the part across, (3,)
ELBOW_NORMAL = 12  #: axis x b, (3,)
ELBOW_MEAN = 15  #: |v|^2 = mean + swing cos(q - phase)
ELBOW_SWING = 16
ELBOW_PHASE = 17  #: and its cosine and sine
ELBOW_SIZE = 20

# Spherical shoulder and wrist.
SHOULDER_POINT = GEOMETRY
WRIST_TO_TIP = SHOULDER_POINT + 3
TIP_ROTATION = WRIST_TO_TIP + 3
ELBOW = TIP_ROTATION + 9
SHOULDER = ELBOW + ELBOW_SIZE
WRIST = SHOULDER + TRIPLE_SIZE
SHOULDER_WRIST_SIZE = WRIST + TRIPLE_SIZE

# Spherical wrist, two axes that meet in front of the elbow, and a first joint that is the free one: the fields above,
# of which SHOULDER_POINT is a point of the first axis and SHOULDER is not used, and these.
FIRST_AXIS = SHOULDER_WRIST_SIZE
SECOND_AXIS = FIRST_AXIS + 3
THIRD_AXIS = SECOND_AXIS + 3
TO_MEETING = THIRD_AXIS + 3  #: from the point of the first axis to where the second and third meet
PANDA_LIKE_SIZE = TO_MEETING + 3

# An arm of which the first or the last joint is held; then what the family of the other six needs to know.
HELD_LAST = GEOMETRY
HELD_AXIS = HELD_LAST + 1
HELD_OFFSET = HELD_AXIS + 3  #: from the base to the first joint, or from the last one to the tip
HELD_TIP = HELD_OFFSET + 3
HELD_SIZE = HELD_TIP + 9
