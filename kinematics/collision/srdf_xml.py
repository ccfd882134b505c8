"""XML of SRDF files: elements with the line they stand on; no entities."""

from __future__ import annotations

import math
from xml.parsers import expat

from ..errors import SrdfError


class SrdfElement:
    """An element that knows where it stands, so that errors can say so.

    Attributes:
        tag: As written.
        attributes: As written.
        children: Elements only; SRDF keeps no data in text.
        line: Line in the file, from 1.
        file: What to call the file.
    """

    __slots__ = ("attributes", "children", "file", "line", "tag")

    def __init__(self, tag: str, attributes: dict[str, str], line: int, file: str) -> None:
        self.tag = tag
        self.attributes = attributes
        self.children: list[SrdfElement] = []
        self.line = line
        self.file = file

    def all(self, tag: str) -> list[SrdfElement]:
        """All children with a tag."""
        return [each for each in self.children if each.tag == tag]

    def error(self, problem: str) -> SrdfError:
        """The error for a problem with this element."""
        name = self.attributes.get("name")
        what = f"{self.tag} {name!r}" if name else f"<{self.tag}>"
        return SrdfError(f"{self.file}, line {self.line}: {what} {problem}")

    def text(self, attribute: str) -> str:
        """An attribute that must be there.

        Raises:
            SrdfError: Missing or blank.
        """
        value = self.attributes.get(attribute, "").strip()
        if not value:
            raise self.error(f"needs the attribute {attribute!r}")
        return value

    def numbers(self, attribute: str) -> tuple[float, ...]:
        """One finite number or more, separated by spaces.

        Raises:
            SrdfError: Missing, no numbers, or not finite.
        """
        text = self.text(attribute)
        try:
            values = tuple(float(each) for each in text.replace(",", " ").split())
        except ValueError:
            raise self.error(f"has {attribute}={text!r}, which is no number") from None
        if not values or not all(math.isfinite(value) for value in values):
            raise self.error(f"has {attribute}={text!r}, which is not finite")
        return values


def parse_srdf_xml(data: bytes | str, file: str) -> SrdfElement:
    """The root element of a document.

    Nothing outside the document is ever read, and a document that defines entities, with which a few lines
    can be made to stand for gigabytes, is refused: no SRDF file needs any.

    Raises:
        SrdfError: Empty or not well-formed, with the line; or it defines entities.
    """
    if not data.strip():
        raise SrdfError(f"{file} is empty")
    builder = _Builder(file)
    try:
        builder.parser.Parse(data, True)
    except (expat.ExpatError, ValueError, LookupError) as error:  # the last two: encodings that do not exist
        if isinstance(error, SrdfError):
            raise
        raise SrdfError(f"{file} is not well-formed XML: {error}") from None
    assert builder.root is not None
    return builder.root


class _Builder:
    def __init__(self, file: str) -> None:
        self.file = file
        self.root: SrdfElement | None = None
        self._open: list[SrdfElement] = []
        self.parser = expat.ParserCreate()  # no namespaces: an undeclared prefix does no harm
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.EntityDeclHandler = self._refuse

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        element = SrdfElement(tag, attributes, self.parser.CurrentLineNumber, self.file)
        if self._open:
            self._open[-1].children.append(element)
        else:
            self.root = element
        self._open.append(element)

    def _end(self, _: str) -> None:
        self._open.pop()

    def _refuse(self, name: str, *_: object) -> None:
        raise SrdfError(
            f"{self.file}, line {self.parser.CurrentLineNumber}: the entity {name!r} is defined; replace it by its text"
        )
