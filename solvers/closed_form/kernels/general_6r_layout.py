"""Where the numbers of a general arm with six turning joints stand."""

#: How many ways to eliminate follow, the best one first.
CHOICES = 0
#: The unit (m) of the lengths that are said to be scaled.
UNIT = 1
#: Six axes (18), five scaled offsets between the joints (15), origins moved along the axes to make the offsets short.
AXES = 2
OFFSETS = 20
#: From the base to joint 1, and from joint 6 to the tip in the axes of the base with all joints at zero (m).
BASE, TIP = 35, 38
#: The arm once more as `chain_numbers` packs it, and the rotation of its tip.
CHAIN = 41
CHAIN_SIZE = 4 + 7 * 6
ROTATION = CHAIN + CHAIN_SIZE
#: The ways to eliminate, each `CHOICE_SIZE` numbers.
FIRST_CHOICE = ROTATION + 9

#: Within a choice: whether the chain is taken from its tip (1) or its base (0), and which joint is left out (0 or 1).
REVERSED, DROPPED = 0, 1
#: How many equations there are of degree 0, 1 and 2 in the hidden joint; four together.
DEGREES = 2
#: How many solutions of the two kept joints belong to one value of the hidden joint.
MULTIPLICITY = 5
#: Axes (18) and scaled offsets (15) of the chain as it is taken.
CHOICE_AXES, CHOICE_OFFSETS = 6, 24
#: For each of 15 features of a line the 24 coefficients that it adds to: up to 8 rows, times 1, cosine and sine of the
#: first kept joint.
COEFFICIENTS = 39
FEATURES, ROWS = 15, 24
CHOICE_SIZE = COEFFICIENTS + FEATURES * ROWS

#: Columns of the eliminating matrix.
COLUMNS = 16
