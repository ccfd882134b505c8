"""Kernels of the groups of inverse kinematics, which work on flat arrays and compile ahead of use."""
