"""Several tasks by priority: searches, single steps, the centre of mass and the whole body."""
