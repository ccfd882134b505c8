"""`error_text`: what an exception says, whatever its class does when it is asked."""

from __future__ import annotations

from ...kinematics import KinetreeError


def error_text(error: BaseException) -> str:
    """The message of a `KinetreeError`, and of any other exception its class as well.

    Args:
        error: May come from code of the user's: where its own ``__str__`` raises, the class alone is named.
    """
    try:
        text = str(error)
    except Exception:  # code of others
        return f"{type(error).__name__}, whose message cannot be shown"
    return text if isinstance(error, KinetreeError) else f"{type(error).__name__}: {text}"
