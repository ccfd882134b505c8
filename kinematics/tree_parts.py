"""`TreeParts`: the links, joints, frames and degrees of freedom of a skeleton, all of them and by name."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any

from .degree_of_freedom import DegreeOfFreedom
from .errors import UnknownNameError, unknown_name
from .frame import Frame
from .joints import Joint
from .link import Link
from .order import Order
from .simple_frame import SimpleFrame


class TreeParts(ABC):
    """The part of a `Skeleton` that finds what the tree is made of.

    A name that is not there is an `UnknownNameError` that tells the nearest ones that are.
    """

    name: str
    _root: Link | None
    _links: dict[str, Link]
    _joints: dict[str, Joint]
    _named_frames: dict[str, SimpleFrame]

    @abstractmethod
    def _refresh_order(self) -> Order: ...

    @property
    @abstractmethod
    def dofs(self) -> tuple[DegreeOfFreedom, ...]:
        """See `Skeleton.dofs`."""

    @property
    def root(self) -> Link | None:
        """The link that hangs on the world; None for an empty skeleton."""
        return self._root

    @property
    def links(self) -> tuple[Link, ...]:
        """All links, parents before children."""
        return self._refresh_order().links

    @property
    def joints(self) -> tuple[Joint, ...]:
        """All joints, fixed and dependent ones included, in the order of the links that they move."""
        return self._refresh_order().joints

    @property
    def frames(self) -> tuple[Frame, ...]:
        """All links and named frames."""
        return (*self.links, *self._named_frames.values())

    def link(self, name: str) -> Link:
        """The link of that name; `UnknownNameError` with a suggestion if there is none."""
        link: Link = self._find("link", name, self._links)
        return link

    def joint(self, name: str) -> Joint:
        """The joint of that name; `UnknownNameError` with a suggestion if there is none."""
        joint: Joint = self._find("joint", name, self._joints)
        return joint

    def dof(self, name: str) -> DegreeOfFreedom:
        """The independent degree of freedom of that name."""
        try:
            dof: DegreeOfFreedom = self._find("degree of freedom", name, {each.name: each for each in self.dofs})
            return dof
        except UnknownNameError:
            joint = self._joints.get(name)
            if joint is not None and joint.dependence is not None:
                raise unknown_name(
                    "independent degree of freedom",
                    name,
                    [joint.dependence.master.name],
                    f"skeleton {self.name!r}",
                ) from None
            raise

    def frame(self, name: str) -> Frame:
        """The link or named frame of that name."""
        found: Frame = self._find("frame", name, {**self._links, **self._named_frames})
        return found

    def has_frame(self, name: str) -> bool:
        """True when `frame` would find it."""
        return name in self._links or name in self._named_frames

    def _find(self, kind: str, name: str, known: Mapping[str, Any]) -> Any:
        try:
            return known[name]
        except (KeyError, TypeError):
            raise unknown_name(kind, name, known, f"skeleton {self.name!r}") from None

    def _own_link(self, link: Link | str) -> Link:
        if isinstance(link, Link):
            if link.skeleton is not self:
                raise unknown_name("link", link.name, self._links, f"skeleton {self.name!r}")
            return link
        return self.link(link)
