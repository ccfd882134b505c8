"""`ExtraDofUtilization`: what a module does with joints that its closed form does not solve for."""

from __future__ import annotations

from enum import Enum


class ExtraDofUtilization(Enum):
    """When joints that a closed form does not solve for are moved, by steps along the Jacobian's transpose."""

    #: Never.
    UNUSED = "unused"
    #: Before the closed form: they help to bring the pose within its reach.
    PRE_ANALYTICAL = "pre"
    #: After it: they make up for what it leaves over.
    POST_ANALYTICAL = "post"
    #: Both.
    PRE_AND_POST_ANALYTICAL = "both"

    @property
    def is_before(self) -> bool:
        """Whether they move before the closed form."""
        return self in (ExtraDofUtilization.PRE_ANALYTICAL, ExtraDofUtilization.PRE_AND_POST_ANALYTICAL)

    @property
    def is_after(self) -> bool:
        """Whether they move after it."""
        return self in (ExtraDofUtilization.POST_ANALYTICAL, ExtraDofUtilization.PRE_AND_POST_ANALYTICAL)
