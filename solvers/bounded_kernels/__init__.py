"""Kernel of the step of a hierarchy inside bounds, which compiles ahead of use."""
