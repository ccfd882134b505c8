"""What is to become zero: `ErrorMethod` and the tasks that are written as one."""
