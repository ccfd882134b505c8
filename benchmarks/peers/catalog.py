"""Which libraries are compared with."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from ..options import Options
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
        robots: Built-in robots that it is made for; None when it takes any.
    """

    name: str
    adapter: Path
    requirements: tuple[str, ...] | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    variables: Mapping[str, str] = field(default_factory=dict)
    patience: float = OPENING
    robots: tuple[str, ...] | None = None

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


TORCH = _peer("pytorch-kinematics", "torch_kinematics.py", "torch==2.13.0")
#: A new peer is a line here and a file next to this one.
PEERS: tuple[Peer, ...] = (
    _peer("dynibo", "dynibo.py", "numpy"),
    _peer("roboticstoolbox-python", "roboticstoolbox.py"),
    _peer("cartan-bindings", "cartan.py"),
    _peer("optik-py", "optik.py", "numpy"),
    _peer("pytracik", "pytracik.py", "numpy"),
    _peer("robot-ik", "robot_ik.py", "numpy"),
    replace(_peer("frankik", "frankik.py"), robots=("panda", "fr3")),
    _peer("dartpy", "dart.py", "numpy"),
    _peer("ikpy", "ikpy.py"),
    _peer("pin-pink", "pink.py", "daqp"),
    _peer("placo", "placo.py", "numpy"),
    _peer("mink", "mink.py", "daqp"),
    _peer("drake", "drake.py"),
    TORCH,
)
#: Libraries with many targets in one call.
BATCH_PEERS: tuple[Peer, ...] = (TORCH,)
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
    replace(_peer("ur-analytic-ik", "ur_analytic.py", "numpy"), robots=("ur3e", "ur5", "ur5e", "ur10e")),
    replace(_peer("frankik", "frankik.py"), robots=("panda", "fr3")),
)
#: Those of ``--quick``: the quickest searches, a closed form, and steps of tasks.
QUICK = ("dynibo", "roboticstoolbox-python", "cartan-bindings", "EAIK", "pin-pink")


def is_chosen(name: str, options: Options) -> bool:
    """Whether a library is to be measured."""
    if not options.peers:
        return False
    return name in (options.only or QUICK) if options.only or options.quick else True


def chosen(peers: Sequence[Peer], options: Options, robot: str | None = None) -> list[Peer]:
    """Those that are to be measured, in order; on a robot, those that are made for it."""
    found = [peer for peer in peers if is_chosen(peer.name, options)]
    return [peer for peer in found if robot is None or peer.robots is None or robot in peer.robots]


def names() -> list[str]:
    """Of all libraries, each once."""
    return list(dict.fromkeys(peer.name for peer in (*PEERS, *CLOSED_FORM_PEERS)))


#: Our own, as arrays and as objects.
SOLVE_ALL = Peer("kinetree solve_all", FOLDER / "kinetree_closed_form.py", patience=COMPILING)
GET_SOLUTIONS = replace(SOLVE_ALL, name="kinetree get_solutions", options={"call": "get_solutions"})
SOLVE_MANY = replace(SOLVE_ALL, name="kinetree solve_many", options={"call": "solve_many"})
