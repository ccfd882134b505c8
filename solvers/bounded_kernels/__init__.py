"""Kernels of the steps of hierarchies inside bounds, which compile ahead of use."""
