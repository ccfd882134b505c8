"""Targets that can be reached."""


def reachable(skeleton, rng, frame=None):
    """A pose of a frame, the tip's when None, at a random configuration."""
    return skeleton.state(skeleton.random_positions(rng)).transform(frame or skeleton.tip)
