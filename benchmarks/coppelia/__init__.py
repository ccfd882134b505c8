"""The Coppelia Kinematics Routines: what handling a group costs, and what searches for configurations find."""
