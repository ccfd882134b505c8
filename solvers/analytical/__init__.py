"""Closed forms as methods of a module: the class to subclass, and the order and check of its branches."""
