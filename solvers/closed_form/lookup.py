"""`Lookup`: what was found out about the arm of a module, for one kind of goal."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...kinematics import Frame, InvalidValueError, StructureError, World
from ...kinematics.transforms import Array
from ..active_dofs import ActiveDofs
from ..analytical.analytical import is_exact_pose
from ..targets.ik_target import IkTarget
from ..tasks.error_method import ErrorMethod
from ..tasks.task_space_region import TaskSpaceRegion
from .chain_geometry import ChainGeometry
from .find import Found, find_closed_form

if TYPE_CHECKING:
    from ..compiled.form import Form
    from ..inverse_kinematics import InverseKinematics
    from .closed_form_binding import ClosedFormBinding


class Lookup(NamedTuple):
    """What was found out about an arm; holds while the key stays the same.

    Attributes:
        key: What it depends on, see `key_of`.
        found: The family, or why there is none.
        order: What is solved for, in the order of the chain.
        geometry: Of the chain; None where it is none.
        form: The task; None without a family.
        idle: Bindings that no thread is using.
    """

    key: Any
    found: Found
    order: ActiveDofs
    geometry: ChainGeometry | None
    form: Form | None
    idle: list[ClosedFormBinding]

    @staticmethod
    def of(module: InverseKinematics, method: ErrorMethod, q: Array) -> Lookup:
        """Looks at the arm of a module.

        Args:
            module: Whose.
            method: The task, aimed.
            q: Configuration (n,); only what is not solved for counts.
        """
        order = ActiveDofs(module.skeleton, indices_in_order(module))
        kind, direction = kind_of(method)
        geometry: ChainGeometry | None = None
        try:
            if os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0"):
                raise InvalidValueError("NUMBA_DISABLE_JIT is set, and closed forms are compiled")
            reference = reference_of(method)
            geometry = ChainGeometry.of(module.skeleton, module.frame, order.indices.tolist(), reference, q)
            if module.offset is not None:
                geometry = geometry.with_tip_moved(module.offset)
            found = find_closed_form(geometry, kind, direction)
        except (StructureError, InvalidValueError) as error:
            found = Found(None, None, (("any closed form", str(error)),))
        form: Form | None = None
        if found.family is not None:
            from ..compiled.form import form_of  # takes Numba along

            form = form_of(method)
        return Lookup(key_of(module, method, q), found, order, geometry, form, [])

    def borrow(self, module: InverseKinematics, tolerance: float, q: Array) -> ClosedFormBinding:
        """A binding that no other thread has: taking from a list is atomic. Put it back into `idle`.

        Raises:
            StructureError: The arm has no closed form.
        """
        try:
            return self.idle.pop()
        except IndexError:
            pass
        family, fit, form = self.found.family, self.found.fit, self.form
        if family is None or fit is None or form is None:
            raise StructureError(f"{module.name!r} of {module.skeleton.name!r}: {self.found.why}")
        from .closed_form_binding import ClosedFormBinding

        return ClosedFormBinding(self.order, form, family, fit, tolerance, q)


def key_of(module: InverseKinematics, method: ErrorMethod, q: Array) -> Any:
    """Differs whenever another arm, tool, kind of goal or place of what stands still has to be looked at."""
    kind, direction = kind_of(method)
    frame, still = module.frame, standing_dofs(module)
    return (
        module.skeleton,
        module.skeleton.version,
        module,
        module._revision,
        kind,
        None if direction is None else direction.tobytes(),
        reference_of(method).transform().homogeneous.tobytes(),
        None if frame is frame.link else frame.transform(frame.link).homogeneous.tobytes(),
        q[still].tobytes() if len(still) else b"",
    )


def kind_of(method: ErrorMethod) -> tuple[str, Array | None]:
    """The kind of goal that an aimed task has, and the tool's direction; an empty kind when there is none."""
    if isinstance(method, IkTarget):
        if not method.relative.stands_still:
            return "", None
        return method.ik_type.name.lower(), method.tool_direction if method.has_tool_direction() else None
    if isinstance(method, TaskSpaceRegion) and is_exact_pose(method) and method.aimed.is_plain:
        return ("transform_6d" if method.aimed.has_rotation else "translation_3d"), None
    return "", None


def reference_of(method: ErrorMethod) -> Frame:
    """The frame that the numbers of a goal are given in."""
    return (method.reference if isinstance(method, IkTarget) else None) or World()


def indices_in_order(module: InverseKinematics) -> list[int]:
    """The module's degrees of freedom, those nearer to the root first."""
    depth: dict[int, int] = {}
    link = module.frame.link
    while link is not None:
        for dof in reversed(link.joint.dofs):
            if dof.index is not None:
                depth[dof.index] = -len(depth)
        link = link.parent_link
    indices = [int(index) for index in module.active_dofs().indices]
    return sorted(indices, key=lambda index: depth.get(index, 0))


def standing_dofs(module: InverseKinematics) -> NDArray[np.intp]:
    """Places of the degrees of freedom that carry the frame and are not solved for."""
    moving = set(module.active_dofs().indices.tolist())
    found: set[int] = set()
    link = module.frame.link
    while link is not None:
        joint = link.joint
        while joint.dependence is not None:
            joint = joint.dependence.master
        found.update(dof.index for dof in joint.dofs if dof.index is not None and dof.index not in moving)
        link = link.parent_link
    return np.array(sorted(found), dtype=np.intp)
