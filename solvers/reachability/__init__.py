"""Inverse kinematics with reachability maps: cells that are asked about, and warm starts."""
