"""What is said about a configuration, in bits; the same as `Validity`, and one more."""

VALID, OUT_OF_REACH, LIMIT_VIOLATED, SINGULAR = 0, 1, 2, 4
