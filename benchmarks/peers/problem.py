"""`Problem`: a robot and what counts as solved, as every library is told."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from xml.etree import ElementTree

import numpy as np
from numpy.typing import NDArray

from kinetree import models
from kinetree.interfaces.bench import Workload
from kinetree.solvers.closed_form.chain_geometry import ChainGeometry

#: What counts as reached: m, rad.
POSITION_TOLERANCE = 1e-6
ORIENTATION_TOLERANCE = 1e-6
#: Restarts of libraries that have to be restarted by us.
ATTEMPTS = 100


@dataclass(frozen=True)
class Problem:
    """See `worker.py` for what the names mean; limits of joints without end are those that targets are drawn in."""

    robot: str
    urdf: str
    base: str
    tip: str
    joints: tuple[str, ...]
    lower: NDArray[np.float64]
    upper: NDArray[np.float64]
    continuous: NDArray[np.bool_]
    restarts: NDArray[np.float64]
    axes: NDArray[np.float64]
    offsets: NDArray[np.float64]
    tip_rotation: NDArray[np.float64]
    position_tolerance: float = POSITION_TOLERANCE
    orientation_tolerance: float = ORIENTATION_TOLERANCE
    attempts: int = ATTEMPTS
    options: Mapping[str, Any] = field(default_factory=dict)

    def with_options(self, options: Mapping[str, Any]) -> Problem:
        """The same with options of a peer."""
        return replace(self, options=dict(options))

    def message(self) -> dict[str, Any]:
        """A request that a worker understands."""
        return {"do": "open", **vars(self), "options": dict(self.options), "joints": list(self.joints)}


@contextmanager
def problem_of(work: Workload, seed: int = 0) -> Iterator[Problem]:
    """The problem of a workload; the URDF file is there until the context ends.

    Args:
        work: Robot and chain.
        seed: Of the configurations to restart from.
    """
    chain = work.chain
    rng = np.random.default_rng([seed, 1])
    draw = [work.robot.random_positions(rng, chain.dof_indices)[chain.dof_indices] for _ in range(ATTEMPTS)]
    lower, upper = work.robot.lower_limits[chain.dof_indices], work.robot.upper_limits[chain.dof_indices]
    geometry = ChainGeometry.of(work.robot, chain.tip, list(chain.dof_indices), chain.base, work.robot.positions)
    continuous = ~(np.isfinite(lower) & np.isfinite(upper))
    with TemporaryDirectory() as folder:
        path = Path(folder) / f"{work.name}.urdf"
        write_chain(work, path)
        yield Problem(
            robot=work.name,
            urdf=str(path),
            base=chain.base.name,
            tip=chain.tip.name,
            joints=tuple(dof.name for dof in chain.dofs),
            lower=np.where(continuous, -np.pi, lower),
            upper=np.where(continuous, np.pi, upper),
            continuous=continuous,
            restarts=np.array(draw),
            axes=np.array(geometry.axes),
            offsets=np.array(geometry.offsets),
            tip_rotation=np.array(geometry.tip_rotation),
        )


def write_chain(work: Workload, path: Path) -> None:
    """Writes a URDF of the links and joints from base to tip alone: some libraries take nothing else."""
    models.save_urdf(work.robot, path, shapes=False)
    tree = ElementTree.parse(path)
    root = tree.getroot()
    above = {_link(joint, "child"): joint for joint in root.iter("joint")}
    links, joints, link = [work.chain.tip.name], [], work.chain.tip.name
    while link != work.chain.base.name:
        joints.append(above[link])
        link = _link(joints[-1], "parent")
        links.append(link)
    for element in list(root):
        is_needed = element in joints if element.tag == "joint" else element.get("name") in links
        if element.tag in ("joint", "link") and not is_needed:
            root.remove(element)
    tree.write(path, encoding="utf-8", xml_declaration=True)


def _link(joint: ElementTree.Element, which: str) -> str:
    element = joint.find(which)
    assert element is not None
    return element.get("link", "")
