"""`AndersonAcceleration`: makes a fixed-point iteration that creeps converge faster."""

from __future__ import annotations

from collections import deque

import numpy as np

from ...kinematics.transforms import Array


class AndersonAcceleration:
    """Guesses where an iteration x -> g(x) is going, from its last steps (Anderson 1965; Walker and Ni 2011).

    The guess is that affine combination of the last images for which the same combination of the steps g(x) - x is
    shortest. It need not be any good: callers compare it with the plain image.

    Args:
        depth: How many earlier steps are looked at.
    """

    def __init__(self, depth: int) -> None:
        self._steps: deque[Array] = deque(maxlen=depth + 1)
        self._images: deque[Array] = deque(maxlen=depth + 1)

    def guess(self, x: Array, image: Array) -> Array | None:
        """What is better than the image g(x), perhaps; None after the first step.

        Args:
            x: (n,) where the iteration was.
            image: (n,) where it went.
        """
        self._steps.append(image - x)
        self._images.append(image)
        if len(self._steps) < 2:
            return None
        steps, images = np.array(self._steps), np.array(self._images)
        parts = np.linalg.lstsq(np.diff(steps, axis=0).T, steps[-1], rcond=1e-10)[0]
        result: Array = image - parts @ np.diff(images, axis=0)
        return result

    def forget(self) -> None:
        """Starts anew from the last step: the earlier ones did not tell where it goes."""
        while len(self._steps) > 1:
            self._steps.popleft()
            self._images.popleft()
