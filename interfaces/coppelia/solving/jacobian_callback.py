"""`JacobianCallback`: what looks into the iterations of groups."""

from __future__ import annotations

from typing import Any, Protocol

from numpy.typing import NDArray

from ....kinematics.transforms import Array

Integers = NDArray[Any]


class JacobianCallback(Protocol):
    """Is called for each group in each iteration, with arrays that it may write to."""

    def __call__(
        self,
        jacobian_size: tuple[int, int],
        jacobian: Array,
        row_constraints: Integers,
        row_ik_elements: Integers,
        column_handles: Integers,
        column_stages: Integers,
        error_vector: Array,
        q_vector: Array,
        jacobian_pseudoinverse: Array,
        /,
    ) -> int | None:
        """Looks at, changes or replaces a step.

        Args:
            jacobian_size: Rows m and columns n.
            jacobian: (m, n), may be changed.
            row_constraints: (m,) 0 to 5 for x, y, z, alpha, beta, gamma, 6 for a row that keeps away from a limit.
            row_ik_elements: (m,) handle of the element of each row, -1 for those that keep away from limits.
            column_handles: (n,) handle of the joint of each column.
            column_stages: (n,) 0, or 0 to 2 for the columns of a spherical joint.
            error_vector: (m,) target minus tip, without the weights of the elements; may be changed.
            q_vector: (n,) zeros; a step may be written here.
            jacobian_pseudoinverse: (n, m) zeros; an inverse may be written here.

        Returns:
            Bits: 1 when ``q_vector`` is provided, 2 when ``jacobian_pseudoinverse`` is. With the latter alone the
            step is its product with the error vector. 0, or None, leaves the step to the group.
        """
        ...
