"""`MapRecord`: what a map is of and how it was made."""

from __future__ import annotations

from dataclasses import dataclass

#: Stands between the names, and the hashes, of several robots.
JOINED = " + "


@dataclass(frozen=True)
class MapRecord:
    """What a map says about itself; it is stored with it.

    Attributes:
        robot: Name of the skeleton.
        robot_hash: Hash of the geometry between base and tip and of the joint limits.
        node_set: Name of the node set.
        joints: Names of its joints that move by themselves.
        tip: Name of its tip.
        base: Name of its base.
        frame: Name of the frame that poses are relative to.
        quality: ``"count"`` or ``"manipulability"``.
        bits: 8 or 16, of a value.
        scale: Manipulability (one number without unit) that the greatest value stands for; 0 for counts.
        seed: Of the samples.
        samples: How many were drawn.
        outside: How many of them were outside the bounds.
        rejected: How many of them were refused, by a collision detector for example.
        is_tested: Whether there was one.
        is_union: Whether the map was put together from several.
        is_refined: Whether cells were changed after sampling.
        parts: Of a union: the hash of the robot and the seed of each map that it was put together from, so that no
            samples count twice; empty for others.
    """

    robot: str
    robot_hash: str
    node_set: str
    joints: tuple[str, ...]
    tip: str
    base: str
    frame: str
    quality: str
    bits: int
    scale: float
    seed: int
    samples: int = 0
    outside: int = 0
    rejected: int = 0
    is_tested: bool = False
    is_union: bool = False
    is_refined: bool = False
    parts: tuple[str, ...] = ()

    @property
    def most(self) -> int:
        """The greatest value: counters stop there."""
        return int(2**self.bits) - 1

    @property
    def num_robots(self) -> int:
        """Of how many different robots the samples are; more than 1 for the union of their maps."""
        return self.robot_hash.count(JOINED) + 1

    @property
    def sample_sets(self) -> tuple[str, ...]:
        """Hash and seed of all samples that it holds, as in `parts`; none for a map without samples."""
        if self.is_union:
            return self.parts
        return (f"{self.robot_hash} {self.seed}",) if self.samples else ()
