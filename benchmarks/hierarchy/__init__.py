"""Steps of hierarchies of tasks: ours, and weighted or prioritised steps of others."""
