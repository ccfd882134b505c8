"""`SharedLibraryIkFast`: closed forms that IKFast generated, from a shared library."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterable, Mapping
from typing import Any

from ...kinematics import DegreeOfFreedom, Frame, Joint
from ...kinematics.transforms import Array
from ..errors import IkFastLibraryError
from ..targets.ik_target import Direction
from ..targets.ik_type import IkType, is_velocity
from .ik_fast import AGREEMENT, IkFast
from .library import IkFastLibrary
from .raw_solutions import RawSolutions

_log = logging.getLogger(__name__)


class SharedLibraryIkFast(IkFast):
    """All solutions from code that IKFast generated.

    The library comes from `kinetree ikfast build FILE.cpp`, or is any other with the functions that DART asks for,
    under C names (compiled with ``-DIKFAST_CLIBRARY -DIKFAST_NO_MAIN``)::

        ik.gradient_method = SharedLibraryIkFast("libpanda_ikfast.so", free={"panda_joint7": 0.3})

    See `IkFast` for what happens on binding, and with the solutions.

    What generated code throws at a pose that it cannot cope with ends that call; what it had found until then is kept.

    Args:
        path: The library.
        joints: See `IkFast`, as for the others.
        free: Value (rad or m) of free joints by name.
        base: Frame that the library's poses are relative to.
        tip: Frame whose pose the library takes.
        tool_direction: Which way the tool points, for types that have a direction.
        agreement_tolerance: By how much (m and rad) the library may differ from the skeleton.

    Raises:
        IkFastLibraryError: The file is missing, no library, damaged, or lacks functions; see its subclasses.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        *,
        joints: Iterable[str | int | DegreeOfFreedom | Joint] | None = None,
        free: Mapping[str, float] | None = None,
        base: Frame | str | None = None,
        tip: Frame | str | None = None,
        tool_direction: Direction | None = None,
        agreement_tolerance: float = AGREEMENT,
    ) -> None:
        self._library = IkFastLibrary(path)
        self.num_joints = self._library.num_joints
        self.free_parameters = self._library.free_parameters
        self.ik_type = self._ik_type()
        self.kinematics_hash = self._library.kinematics_hash
        self.ikfast_version = self._library.version
        super().__init__(
            joints=joints,
            free=free,
            base=base,
            tip=tip,
            tool_direction=tool_direction,
            agreement_tolerance=agreement_tolerance,
        )

    def _ik_type(self) -> IkType:
        number = self._library.ik_type
        found = IkType.from_id(number)
        if found is IkType.UNKNOWN or is_velocity(number):
            what = "velocities" if is_velocity(number) else "targets of an unknown type"
            raise IkFastLibraryError(f"{str(self._library.path)!r} is for {what} ({number:#x})")
        return found

    @property
    def library(self) -> IkFastLibrary:
        """The loaded library; copies of this method share it."""
        return self._library

    @property
    def path(self) -> str:
        """Where it is."""
        return str(self._library.path)

    @property
    def name(self) -> str:
        """The class and the library's file."""
        return f"{type(self).__name__}({self._library.path.name!r})"

    def compute_ik(self, eetrans: Array, eerot: Array, free: Array) -> RawSolutions:
        """What the library finds."""
        found = self._library.compute_ik(eetrans, eerot, free)
        if found.trouble:
            _log.debug("%s gave up after %d solutions: %s", self.name, len(found), found.trouble)
        return found

    def compute_fk(self, joints: Array) -> tuple[Array, Array]:
        """What the library computes."""
        return self._library.compute_fk(joints)

    def __reduce__(self) -> Any:
        raise TypeError(
            f"{self.name} cannot be pickled, as its library is loaded code; make it anew from {self.path!r} where it "
            "is needed"
        )

    def __copy__(self) -> SharedLibraryIkFast:
        twin = type(self).__new__(type(self))
        twin.__dict__.update(self.__dict__)
        return twin
