"""The graph over all branches of the waypoints of a path, and the cheapest way through it."""
