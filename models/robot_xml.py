"""XML of robot files as it is found in the wild: undeclared prefixes, other encodings, stray bytes."""

from __future__ import annotations

import difflib
import math
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from xml.parsers import expat

import numpy as np

from ..kinematics.transforms import Array
from .errors import ModelFileError

#: An element with one of these tags and a name is what an error calls the owner of those inside.
_OWNERS = ("joint", "link", "material", "robot")


class XmlElement:
    """An element that knows where it stands, so that errors can say so.

    Attributes:
        tag: As written, with its prefix if it has one.
        attributes: As written.
        children: Elements only; robot files keep no data in their text.
        line: Line in the file, from 1.
        file: What to call the file.
        parent: The element around this one.
    """

    __slots__ = ("attributes", "children", "file", "line", "parent", "tag")

    def __init__(self, tag: str, attributes: dict[str, str], line: int, file: str, parent: XmlElement | None) -> None:
        self.tag = tag
        self.attributes = attributes
        self.children: list[XmlElement] = []
        self.line = line
        self.file = file
        self.parent = parent

    def first(self, tag: str) -> XmlElement | None:
        """The first child with a tag, or None."""
        return next((each for each in self.children if each.tag == tag), None)

    def all(self, tag: str) -> list[XmlElement]:
        """All children with a tag."""
        return [each for each in self.children if each.tag == tag]

    def walk(self) -> Iterator[XmlElement]:
        """This element and all below it."""
        stack = [self]
        while stack:
            element = stack.pop()
            yield element
            stack.extend(reversed(element.children))

    def missing(self, role: str, name: str, known: Iterable[str]) -> ModelFileError:
        """The error for a name that this element refers to and that does not exist, with names like it."""
        close = difflib.get_close_matches(name, list(known), n=2, cutoff=0.6)
        hint = f"; did you mean {' or '.join(repr(each) for each in close)}?" if close else ""
        return self.error(f"{role} {name!r}, which does not exist{hint}")

    def error(self, problem: str) -> ModelFileError:
        """The error for a problem with this element."""
        owner = self.parent
        while owner is not None and not (owner.tag in _OWNERS and owner.attributes.get("name")):
            owner = owner.parent
        name = self.attributes.get("name")
        what = f"{self.tag} {name!r}" if name and self.tag in _OWNERS else f"<{self.tag}>"
        if owner is not None and owner.tag != "robot":
            what += f" of {owner.tag} {owner.attributes['name']!r}"
        return ModelFileError(f"{self.file}, line {self.line}: {what} {problem}")

    def text(self, attribute: str) -> str:
        """A text attribute that must be there.

        Raises:
            ModelFileError: Missing or blank.
        """
        value = self.attributes.get(attribute, "").strip()
        if not value:
            raise self.error(f"needs the attribute {attribute!r}")
        return value

    def number(self, attribute: str, default: float | None = None, *, infinite: bool = False) -> float:
        """A number.

        Args:
            attribute: Its name.
            default: What a missing one means; None if it must be there.
            infinite: Accept inf and -inf.

        Raises:
            ModelFileError: Missing without a default, no number, or not finite.
        """
        text = self.attributes.get(attribute, "").strip()
        if not text:
            if default is None:
                raise self.error(f"needs the attribute {attribute!r}, a number")
            return default
        try:
            value = float(text)
        except ValueError:
            raise self.error(f"has {attribute}={text!r}, which is no number{_hint(text)}") from None
        if math.isnan(value) or (math.isinf(value) and not infinite):
            raise self.error(f"has {attribute}={text!r}, which is not finite")
        return value

    def vector(self, attribute: str, default: tuple[float, ...]) -> Array:
        """As many finite numbers as the default has.

        Raises:
            ModelFileError: Another count, or something that is no finite number.
        """
        text = self.attributes.get(attribute, "").strip()
        if not text:
            return np.array(default, dtype=float)
        try:
            values = np.array([float(each) for each in text.replace(",", " ").split()])
        except ValueError:
            raise self.error(f"has {attribute}={text!r}, which are no numbers{_hint(text)}") from None
        if len(values) != len(default):
            raise self.error(f"has {attribute}={text!r}; it must have {len(default)} numbers, not {len(values)}")
        if not np.all(np.isfinite(values)):
            raise self.error(f"has {attribute}={text!r}, which is not finite")
        return values


def _hint(text: str) -> str:
    return "; it looks like xacro, so name the file .xacro" if "${" in text or "$(" in text else ""


def read_bytes(path: Path) -> bytes:
    """The bytes of a file.

    Raises:
        ModelFileError: It cannot be read.
    """
    try:
        return path.read_bytes()
    except OSError as error:
        raise ModelFileError(f"{path} cannot be read: {error.strerror or error}") from None


def parse_xml(data: bytes | str, file: str) -> XmlElement:
    """The root element of a document.

    The parser (expat, without its namespace processing) takes a prefix as part of a name, so one that nobody
    declared does no harm. Bytes that are not valid in the declared encoding are read as Latin-1, one by one.

    Args:
        data: The document.
        file: What to call it in an error.

    Raises:
        ModelFileError: Empty, binary, or no XML; the message has the line.
    """
    text = _decoded(data, file) if isinstance(data, bytes) else data
    if not text.strip():
        raise ModelFileError(f"{file} is empty")
    builder = _Builder(file)
    # The text is a str by now, so what its declaration says about bytes is outdated.
    text = re.sub(r"^\s*<\?xml.*?\?>", lambda match: "\n" * match[0].count("\n"), text, count=1, flags=re.DOTALL)
    try:
        builder.parser.Parse(text.encode("utf-8", "replace"), True)
    except expat.ExpatError as error:
        raise ModelFileError(f"{file} is not well-formed XML: {error}") from None
    assert builder.root is not None
    return builder.root


class _Builder:
    def __init__(self, file: str) -> None:
        self.file = file
        self.root: XmlElement | None = None
        self._open: XmlElement | None = None
        self.parser = expat.ParserCreate("utf-8")
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        element = XmlElement(tag, attributes, self.parser.CurrentLineNumber, self.file, self._open)
        if self._open is None:
            self.root = element
        else:
            self._open.children.append(element)
        self._open = element

    def _end(self, _: str) -> None:
        assert self._open is not None
        self._open = self._open.parent


def _decoded(data: bytes, file: str) -> str:
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return data.decode("utf-16", "replace")
    if b"\0" in data:
        raise ModelFileError(f"{file} is a binary file, not the text of a robot description")
    declared = re.match(rb"^\s*<\?xml[^>]*?encoding\s*=\s*[\"']([\w.-]+)[\"']", data)
    if declared:
        try:
            return data.decode(declared[1].decode("ascii"))
        except (UnicodeDecodeError, LookupError):
            pass  # files say "utf-8" or "ascii" and are something else
    # Each byte that is no UTF-8 comes out as U+DC80 ... U+DCFF; Latin-1 has a character for it.
    text = data.decode("utf-8-sig", "surrogateescape")
    return re.sub("[\udc80-\udcff]", lambda match: chr(ord(match[0]) - 0xDC00), text)
