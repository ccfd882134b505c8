"""The compiled core: SIMD numbers, plans, and kernels for poses, Jacobians and centres of mass."""
