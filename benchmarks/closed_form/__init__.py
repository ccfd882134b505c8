"""The closed forms: whether every solution is there, how exact, how fast, beside the closed forms of others."""
