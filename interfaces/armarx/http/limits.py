"""`Limits`: how much a request may ask of the server."""

from __future__ import annotations

import math
import os
from dataclasses import dataclass, field, fields

from ....kinematics import InvalidValueError

#: Characters of a name, names in a list, tasks of a hierarchical step. They are part of the schema, so no options.
MAX_NAME, MAX_NAMES, MAX_TASKS = 200, 500, 50


def _processors() -> int:
    return max(2, os.cpu_count() or 1)


@dataclass(frozen=True)
class Limits:
    """How much a request may ask of the server, and how many may ask at once.

    Attributes:
        body_bytes: Of a request; the largest sensible one, 50 tasks with long names, has 60 kB.
        body_seconds: In which the head of a request has to have arrived, in which its body has to, and in which an
            answer has to be taken.
        solve_seconds: After which a request is told that time is up. The solve itself ends by the ``timeout`` of the
            `RobotIK`; this is the net below it.
        map_seconds: The same for creating, loading and saving a reachability space. One that takes longer to make is
            given up.
        samples: Of one reachability space; 10 million take some seconds. How much memory one may take is the
            ``max_memory`` of the `RobotIK`.
        maps: Reachability spaces at once.
        node_sets: Node sets at once, those of the model included.
        files: Files in the folder; a new one is refused when there are as many.
        file_bytes: Of a file that is loaded; larger ones are not opened. A map of 200 million cells, packed as badly as
            can be, has about 200 MB.
        threads: Requests that are worked on at once; the number of processors when left out, at least 2.
        waiting: Requests that may wait for that; further ones are told to come again (429).
        connections: At once. A further one takes the place of the one that has been idle for longest, of those first
            that never had a request let in; when requests of all are being worked on, it is refused (503).
    """

    body_bytes: int = 200_000
    body_seconds: float = 10.0
    solve_seconds: float = 10.0
    map_seconds: float = 600.0
    samples: int = 20_000_000
    maps: int = 16
    node_sets: int = 1000
    files: int = 100
    file_bytes: int = 250_000_000
    threads: int = field(default_factory=_processors)
    waiting: int = 64
    connections: int = 256

    def __post_init__(self) -> None:
        for each in fields(self):
            value = getattr(self, each.name)
            least = 0 if each.name == "waiting" else 1e-3 if each.name.endswith("_seconds") else 1
            kinds = (int, float) if each.name.endswith("_seconds") else (int,)
            if isinstance(value, bool) or not isinstance(value, kinds) or not least <= value < math.inf:
                raise InvalidValueError(f"the limit {each.name!r} must be a number from {least:g} on, not {value!r}")
