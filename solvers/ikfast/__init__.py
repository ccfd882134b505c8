"""Code that IKFast generated: building it, loading it, and calling it. `SharedLibraryIkFast` puts it to use."""
