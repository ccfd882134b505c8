"""Asking a caller's constraint, and what is known of the configurations that it refused."""
