"""Following a path of targets without leaving the branch that it began on."""
