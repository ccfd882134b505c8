"""What the packages of the extra ``serve`` are missing for."""

from __future__ import annotations

from importlib.util import find_spec

from .errors import MissingServePackageError


def require_packages(*names: str) -> None:
    """Checks that packages are installed, without importing them.

    Raises:
        MissingServePackageError: One is not; the message says how to install it.
    """
    missing = [name for name in names if find_spec(name) is None]
    if missing:
        raise MissingServePackageError(
            f"the service over HTTP needs {' and '.join(missing)}; install with: pip install 'kinetree[serve]'"
        )
