"""`PeerError`: why there is no figure of a peer."""


class PeerError(Exception):
    """A peer cannot be installed, refused a robot, crashed, or did not answer in time; the message says which."""
