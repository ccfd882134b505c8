"""The steps that an iteration may take; the class to subclass is `GradientMethod`."""
