"""Closed forms: all solutions of an arm from its geometry, without iterations."""
