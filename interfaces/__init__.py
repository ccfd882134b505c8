"""Ways to use kinetree other than its Python classes: the command line."""
