"""`Skeleton`: a robot as a tree of links and joints."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import pinocchio as pin
from numpy.typing import ArrayLike

from . import natural_tip, tree_editing, tree_text
from .configuration import ConfigurationSpace
from .errors import InvalidValueError
from .frame import Frame
from .joints import Joint
from .known_attributes import KnownAttributes
from .link import Link
from .node_set import NodeSet
from .node_set_registry import NodeSetRegistry
from .order import Order, keep_positions, new_order
from .pinocchio_model import PinocchioModel
from .shapes import Shape
from .simple_frame import SimpleFrame
from .state import State
from .transforms import Array, PoseLike
from .tree_parts import TreeParts

if TYPE_CHECKING:
    from ..solvers.hierarchy.whole_body_ik import WholeBodyIK


class Skeleton(KnownAttributes, ConfigurationSpace, TreeParts, NodeSetRegistry):
    """A robot: links in a tree, joints between them, present positions.

    A configuration ``q`` has one number per independent degree of freedom, in the order of `dofs` (parents
    before children, siblings in the order in which they were added). Joints that depend on others have no
    number of their own.

    Args:
        name: Any text.

    Attributes:
        source: Where the robot came from (a file, a table); free text.
        warnings: What a reader had to repair or leave out, one sentence each.

    Raises:
        InvalidValueError: A name that is none.
    """

    source: str
    warnings: list[str]

    def __init__(self, name: str = "skeleton") -> None:
        if not isinstance(name, str) or not name:
            raise InvalidValueError(f"a skeleton's name must be a non-empty string, not {name!r}")
        self.name = name
        self.source = ""
        self.warnings = []
        self._root: Link | None = None
        self._links: dict[str, Link] = {}
        self._joints: dict[str, Joint] = {}
        self._named_frames: dict[str, SimpleFrame] = {}
        self._node_sets: dict[str, NodeSet] = {}
        self._tip: tuple[Frame, str] | None = None
        self._version = 0
        self._pose_stamp = 0
        self._order: Order | None = None
        self._positions: Array = np.zeros(0)
        self._pinocchio: PinocchioModel | None = None
        self._whole_body: WholeBodyIK | None = None

    # Building and editing.

    def add_link(
        self,
        name: str,
        joint: Joint | None = None,
        parent: Link | str | None = None,
        placement: PoseLike | None = None,
        *,
        child_placement: PoseLike | None = None,
        inertia: pin.Inertia | None = None,
        collisions: Iterable[Shape] = (),
        visuals: Iterable[Shape] = (),
    ) -> Link:
        """Adds a link with the joint that moves it.

        Args:
            name: Unique among the links and frames of the skeleton.
            joint: The joint to the parent; a `FixedJoint` named after the link when None.
            parent: Link or its name. None makes this the root, which hangs on the world.
            placement: Pose of the joint in the parent link (for the root: in the world); the joint's own
                `Joint.placement` when None.
            child_placement: Pose of the joint in the new link; the joint's own when None.
            inertia: Mass, centre of mass and inertia in the link's frame; massless when None.
            collisions: Shapes that may collide.
            visuals: Shapes that are drawn.

        Returns:
            The link, which `link` finds.

        Raises:
            DuplicateNameError: The link's, the joint's or a degree of freedom's name is taken.
            StructureError: A second root, or a joint that is part of a skeleton already.
            UnknownNameError: No such parent.
        """
        return tree_editing.add_link(
            self, name, joint, parent, placement, child_placement, inertia, collisions, visuals
        )

    def remove_link(self, link: Link | str) -> None:
        """Removes a link with everything below it.

        Raises:
            StructureError: A joint outside depends on one inside, or a frame or tip still hangs on it.
        """
        tree_editing.remove_link(self, self._own_link(link))

    def move_link(
        self,
        link: Link | str,
        parent: Link | str,
        *,
        placement: PoseLike | None = None,
        keep_in_place: bool = False,
    ) -> None:
        """Hangs a link, with everything below it, on another parent.

        Args:
            link: What to move.
            parent: The new parent.
            placement: New pose of the joint in the parent; unchanged when None.
            keep_in_place: Choose the placement so that the present world pose stays.

        Raises:
            StructureError: The new parent is below the link, or the link is the root.
        """
        tree_editing.move_link(self, self._own_link(link), self._own_link(parent), placement, keep_in_place)

    def replace_joint(self, link: Link | str, joint: Joint) -> None:
        """Moves a link by another joint, at the same placements; for example a free one for a fixed root.

        Raises:
            StructureError: The new joint is part of a skeleton, or another joint depends on the old one.
            DuplicateNameError: A name of the new joint is taken.
        """
        tree_editing.replace_joint(self, self._own_link(link), joint)

    def add_frame(
        self, name: str, parent: Link | SimpleFrame | str, relative_transform: PoseLike | None = None
    ) -> SimpleFrame:
        """Adds a named frame, such as a tool centre point, that `frame` finds; it adds no joint and no link.

        Args:
            name: Unique among the links and frames of the skeleton.
            parent: What it hangs on, or its name.
            relative_transform: Its pose in the parent; the identity when None.

        Returns:
            The frame.

        Raises:
            DuplicateNameError: The name is taken.
            UnknownNameError: No such parent.
        """
        return tree_editing.add_frame(self, name, parent, relative_transform)

    def remove_frame(self, name: str) -> None:
        """Removes a named frame that `add_frame` made."""
        tree_editing.remove_frame(self, name)

    def clone(self, name: str | None = None) -> Skeleton:
        """An independent copy: tree, frames, node sets, positions, limits, dependences; not the IK modules."""
        return tree_editing.clone(self, name)

    # The natural tip.

    @property
    def tip(self) -> Frame:
        """The natural tip: what its file or our tables name, else the end of the longest chain. May be set."""
        return natural_tip.tip_of(self)[0]

    @tip.setter
    def tip(self, frame: Frame | str | None) -> None:
        natural_tip.set_tip(self, frame, "set by hand")

    @property
    def tip_source(self) -> str:
        """Why `tip` is the one it is."""
        return natural_tip.tip_of(self)[1]

    # Pinocchio and the centre of mass.

    @property
    def model(self) -> pin.Model:
        """The same robot as a ``pinocchio.Model``, in step with the tree; do not change it.

        Every degree of freedom of one number is one number there. Dependent joints are coordinates of their
        own there: `to_pinocchio` fills them in.
        """
        return self._pinocchio_model().model

    def to_pinocchio(self, q: ArrayLike | Mapping[str, Any]) -> Array:
        """The configuration of `model` (model.nq,) for a configuration of ours (n,)."""
        return self._pinocchio_model().to_pinocchio(self.as_configuration(q))

    def from_pinocchio(self, q: ArrayLike) -> Array:
        """Our configuration (n,) for one of `model` (model.nq,); dependent coordinates are ignored."""
        return self._pinocchio_model().from_pinocchio(q)

    def _pinocchio_model(self) -> PinocchioModel:
        if self._pinocchio is None or self._pinocchio.version != self._version:
            self._pinocchio = PinocchioModel(self)
        return self._pinocchio

    def state(self, q: ArrayLike | Mapping[str, Any] | None = None, dofs: Iterable[int] | None = None) -> State:
        """A snapshot to compute with: poses, Jacobians and centre of mass at q (the present positions if None).

        Args:
            q: Configuration (n,) or mapping.
            dofs: Indices of the degrees of freedom that Jacobians have columns for; all when None.
        """
        return State(self, q, dofs)

    @property
    def mass(self) -> float:
        """Total mass in kg."""
        return sum(link.mass for link in self._links.values())

    @property
    def com(self) -> Array:
        """Centre of mass (3,) in the world at the present positions; `StructureError` without any mass."""
        return self.state().com()

    def com_jacobian(self) -> Array:
        """Jacobian (3, n) of the centre of mass in world axes at the present positions."""
        return self.state().com_jacobian()

    # Inverse kinematics of the whole body.

    @property
    def ik(self) -> WholeBodyIK:
        """Inverse kinematics over all modules of this skeleton, made when first asked for and kept."""
        if self._whole_body is None:
            from ..solvers.hierarchy.whole_body_ik import WholeBodyIK

            self._whole_body = WholeBodyIK(self)
        return self._whole_body

    # Keeping in step.

    @property
    def version(self) -> int:
        """Grows with every change of structure, placement, limits or inertia; positions do not count."""
        return self._version

    def _refresh_order(self) -> Order:
        if self._order is None:
            self._order, self._positions = new_order(self)
        return self._order

    def _structure_changed(self) -> None:
        """Called after an edit of the tree; positions stay with their degrees of freedom."""
        if self._order is not None:
            keep_positions(self._order, self._positions)
            self._order = None
        self._version += 1
        self._pose_stamp += 1

    def _properties_changed(self) -> None:
        self._version += 1

    def __str__(self) -> str:
        return tree_text.draw(self)

    def __repr__(self) -> str:
        return f"<Skeleton {self.name!r}: {len(self._links)} links, {self.num_dofs} degrees of freedom>"
