"""Which libraries are compared with."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from .environments import python_of
from .session import OPENING, Session

FOLDER = Path(__file__).parent
#: Seconds that a closed form of ours may take to compile, once, on a machine that others use too.
COMPILING = 600.0


@dataclass(frozen=True)
class Peer:
    """A library as it is measured.

    Attributes:
        name: In the tables.
        adapter: Its file; `worker.py` says what is in it.
        requirements: What pip installs into its environment. None: it runs with the Python that runs this.
        options: For the adapter.
        variables: Of the environment of its process, besides ours.
        patience: Seconds that it may take to get ready for a robot.
    """

    name: str
    adapter: Path
    requirements: tuple[str, ...] | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    variables: Mapping[str, str] = field(default_factory=dict)
    patience: float = OPENING

    def start(self) -> Session:
        """Its process, which knows no robot yet; the environment is made on the first call.

        Raises:
            PeerError: It cannot be installed or started.
        """
        variables = {**os.environ, **self.variables}
        # One call of one user: nobody's linear algebra spreads over cores by itself.
        variables |= {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
        if self.requirements is None:
            return Session(Path(sys.executable), self.adapter, variables)
        variables.pop("PYTHONPATH", None)  # what we see is not for a peer
        return Session(python_of(self.name, self.requirements), self.adapter, variables)


def _peer(distribution: str, adapter: str, *more: str, name: str | None = None) -> Peer:
    return Peer(name or distribution, FOLDER / adapter, (distribution, *more))


#: A new peer is a line here and a file next to this one.
PEERS: tuple[Peer, ...] = (
    _peer("dynibo", "dynibo.py", "numpy"),
    _peer("roboticstoolbox-python", "roboticstoolbox.py"),
    _peer("cartan-bindings", "cartan.py"),
    _peer("optik-py", "optik.py", "numpy"),
    _peer("pytracik", "pytracik.py", "numpy"),
)
#: Ourselves, called in both ways.
SOLVE = Peer("kinetree", FOLDER / "kinetree.py")
PREPARED = Peer("kinetree prepare()", FOLDER / "kinetree.py", options={"call": "prepare"})
#: Ourselves with many targets in one call.
BATCH = Peer("kinetree solve_batch", FOLDER / "kinetree_many.py")
PATH = Peer("kinetree solve_path", FOLDER / "kinetree_many.py", options={"call": "path"})
#: Closed forms of others, which give all solutions of a pose.
CLOSED_FORM_PEERS: tuple[Peer, ...] = (
    _peer("EAIK", "eaik.py"),
    _peer("py-opw-kinematics", "opw.py"),
    _peer("ik-geo", "ik_geo.py", "numpy"),
    # It works out a general arm symbolically, once.
    replace(_peer("ssik", "ssik.py", "urchin"), patience=900.0),
)
#: Our own, as arrays and as objects.
SOLVE_ALL = Peer("kinetree solve_all", FOLDER / "kinetree_closed_form.py", patience=COMPILING)
GET_SOLUTIONS = replace(SOLVE_ALL, name="kinetree get_solutions", options={"call": "get_solutions"})
SOLVE_MANY = replace(SOLVE_ALL, name="kinetree solve_many", options={"call": "solve_many"})
