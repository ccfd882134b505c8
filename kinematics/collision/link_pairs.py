"""`LinkPairs`: which pairs of links are worth checking, for every version of a robot."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import numpy as np

from ..errors import InvalidValueError
from ..joints import Joint
from ..node_set import NodeSet
from ..skeleton import Skeleton
from .excluded_pair import ExcludedPair
from .excluded_pairs import find_excluded
from .link_geometries import LinkGeometries
from .srdf import Srdf


class LinkPairs:
    """What a user said about pairs of links, to be applied anew whenever the robot was edited.

    Args:
        skeleton: The robot.
        srdf: An SRDF file, what was read from one, or None.
        groups: Names of groups of the SRDF file, or node sets; None for all links.
        samples: Random configurations in which links must touch to be found to do so always.
        seed: For drawing these.

    Raises:
        InvalidValueError: A group's name without an SRDF file, or something that is no group, file or number.
        UnknownNameError: No such group.
    """

    def __init__(
        self,
        skeleton: Skeleton,
        srdf: Srdf | str | Path | None,
        groups: Iterable[str | NodeSet] | None,
        samples: int,
        seed: int,
    ) -> None:
        if not (srdf is None or isinstance(srdf, Srdf | str | Path)):
            raise InvalidValueError(f"srdf must be the path of an SRDF file or an Srdf, not {srdf!r}")
        if not (groups is None or isinstance(groups, Iterable)):
            raise InvalidValueError(f"groups must be names of groups of an SRDF file or node sets, not {groups!r}")
        for name, value in (("samples", samples), ("seed", seed)):
            if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < 0:
                raise InvalidValueError(f"{name} must be a whole number of zero or more, not {value!r}")
        self._skeleton = skeleton
        self._srdf = Srdf.read(srdf) if isinstance(srdf, str | Path) else srdf
        self._groups = None if groups is None else [groups] if isinstance(groups, str | NodeSet) else list(groups)
        self._samples = samples
        self._seed = seed
        self.group()

    def excluded(self, links: LinkGeometries) -> tuple[ExcludedPair, ...]:
        """The pairs of links that are not checked: those that were found, then those of the SRDF file."""
        disabled = () if self._srdf is None else self._srdf.excluded_pairs(self._skeleton)
        return (*find_excluded(links, self._samples, self._seed), *disabled)

    def group(self) -> frozenset[str] | None:
        """Names of the links that the chosen groups move; None without a choice."""
        if self._groups is None:
            return None
        moved = {joint for each in self._groups for joint in self._joints(each)}
        return frozenset(link.name for joint in moved if joint.child_link for link in joint.child_link.subtree())

    def _joints(self, group: str | NodeSet) -> tuple[Joint, ...]:
        if isinstance(group, NodeSet):
            if group.skeleton is not self._skeleton:
                raise InvalidValueError(f"{group!r} belongs to another skeleton than {self._skeleton.name!r}")
            return group.joints
        if not isinstance(group, str):
            raise InvalidValueError(f"groups must be names of groups of an SRDF file or node sets, not {group!r}")
        if self._srdf is None:
            raise InvalidValueError(f"group {group!r} is the name of an SRDF group; give the file as srdf=")
        return self._srdf.node_set(self._skeleton, group).joints
