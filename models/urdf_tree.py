"""What hangs on what in a URDF file, and whether that is a tree."""

from __future__ import annotations

from .errors import ModelFileError
from .robot_xml import XmlElement
from .urdf_joints import JointEntry


def links_of(robot: XmlElement) -> dict[str, XmlElement]:
    """The ``<link>`` elements by name.

    Raises:
        ModelFileError: None, two of a name, or one without.
    """
    result: dict[str, XmlElement] = {}
    for element in robot.all("link"):
        name = element.text("name")
        if name in result:
            raise element.error(f"is there twice (first in line {result[name].line}); names must differ")
        result[name] = element
    if not result:
        hint = ""
        if robot.first("group") is not None:
            hint = "; it looks like an SRDF, so give the URDF that it belongs to"
        elif robot.file.endswith("(expanded)"):
            hint = "; perhaps it only has macros for another xacro file"
        raise ModelFileError(f"{robot.file} describes no robot: it has no links{hint}")
    return result


def root_of(links: dict[str, XmlElement], joints: list[JointEntry], file: str) -> str:
    """Name of the one link without a parent.

    Raises:
        ModelFileError: The joints do not make one tree of the links; the message names those to blame.
    """
    above = _parents(links, joints)
    roots = [name for name in links if name not in above]
    circle = _circle(above)
    if circle:
        names = " -> ".join(repr(name) for name in circle)
        raise ModelFileError(f"{file}: links hang on each other in a circle: {names}")
    if len(roots) > 1:
        listed = ", ".join(repr(name) for name in roots[:8]) + (", ..." if len(roots) > 8 else "")
        raise ModelFileError(f"{file} has {len(roots)} root links: {listed}; join them by fixed joints, or remove some")
    return roots[0]


def _parents(links: dict[str, XmlElement], joints: list[JointEntry]) -> dict[str, str]:
    """Parent link by child link."""
    seen: dict[str, JointEntry] = {}
    above: dict[str, JointEntry] = {}
    for entry in joints:
        if entry.name in seen:
            first = seen[entry.name].element.line
            raise entry.element.error(f"is there twice (first in line {first}); names must differ")
        seen[entry.name] = entry
        for role, end in (("parent", entry.parent), ("child", entry.child)):
            if end not in links:
                raise entry.element.missing(f"has the {role} link", end, links)
        if entry.child in above:
            other = above[entry.child]
            raise entry.element.error(
                f"gives link {entry.child!r} a second parent {entry.parent!r}; joint {other.name!r} hangs it "
                f"on {other.parent!r} already, and URDF has no closed loops"
            )
        above[entry.child] = entry
    return {child: entry.parent for child, entry in above.items()}


def _circle(above: dict[str, str]) -> list[str]:
    """Links of a circle, the first one again at the end; empty if there is none."""
    good: set[str] = set()
    for start in above:
        path: dict[str, None] = {}
        link: str | None = start
        while link is not None and link not in good:
            if link in path:
                names = list(path)
                return [*names[names.index(link) :], link]
            path[link] = None
            link = above.get(link)
        good.update(path)
    return []
