"""Kernels that sample node sets; they work on flat arrays and compile ahead of use."""
