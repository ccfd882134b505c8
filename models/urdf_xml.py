"""XML of robot files as it is found in the wild: undeclared prefixes, other encodings, stray bytes."""

from __future__ import annotations

import math
import re
from pathlib import Path
from xml.etree.ElementTree import Element, TreeBuilder
from xml.parsers import expat

from ..kinematics.transforms import Array, as_vector
from .errors import ModelFileError


def parse_xml(data: bytes | str, where: str) -> Element:
    """The root element of a document.

    The parser knows nothing of namespaces, so that a prefix nobody declared is just part of a name. Bytes that
    are not UTF-8 are read as Latin-1, which has a character for each.

    Args:
        data: The document.
        where: What to call it in an error.

    Raises:
        ModelFileError: Empty, or no XML; the message has the line.
    """
    if isinstance(data, bytes):
        data = _decoded(data)
    if not data.strip():
        raise ModelFileError(f"{where} is empty")
    text = re.sub(r"^\s*<\?xml[^>]*\?>", "", data.lstrip("\ufeff"), count=1)
    builder = TreeBuilder()
    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.StartElementHandler = lambda tag, attributes: builder.start(tag, attributes)
    parser.EndElementHandler = builder.end
    parser.CharacterDataHandler = builder.data
    try:
        parser.Parse(text, True)
    except expat.ExpatError as error:
        raise ModelFileError(f"{where} is no XML: {error}") from None
    root: Element = builder.close()
    return root


def _decoded(data: bytes) -> str:
    declared = re.match(rb"^\s*<\?xml[^>]*encoding\s*=\s*[\"']([\w.-]+)[\"']", data)
    encodings = [declared[1].decode("ascii")] if declared else []
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        encodings.insert(0, "utf-16")
    for encoding in (*encodings, "utf-8"):
        try:
            return data.decode(encoding)
        except (UnicodeDecodeError, LookupError):
            continue
    return data.decode("latin-1")


def read_bytes(path: Path) -> bytes:
    """The bytes of a file.

    Raises:
        ModelFileError: It cannot be read.
    """
    try:
        return path.read_bytes()
    except OSError as error:
        raise ModelFileError(f"{path} cannot be read: {error.strerror or error}") from None


def local_name(element: Element) -> str:
    """The tag without a prefix."""
    return str(element.tag).rsplit(":", 1)[-1]


def child(element: Element, tag: str) -> Element | None:
    """The first child with a tag, or None."""
    return next((each for each in element if local_name(each) == tag), None)


def children(element: Element, tag: str) -> list[Element]:
    """All children with a tag."""
    return [each for each in element if local_name(each) == tag]


def required(element: Element, attribute: str, where: str) -> str:
    """A text attribute that must be there."""
    value = element.get(attribute)
    if value is None or not value.strip():
        raise ModelFileError(f"{where}: <{local_name(element)}> needs the attribute {attribute!r}")
    return value.strip()


def number(element: Element, attribute: str, where: str, default: float | None = None) -> float:
    """A finite number; infinities spelled out are allowed where a default says that the thing is optional.

    Raises:
        ModelFileError: Missing without a default, no number, or nan.
    """
    text = element.get(attribute)
    if text is None:
        if default is None:
            raise ModelFileError(f"{where}: <{local_name(element)}> needs the attribute {attribute!r}")
        return default
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if math.isnan(value) or (math.isinf(value) and default is None):
        raise ModelFileError(f"{where}: {attribute}={text!r} of <{local_name(element)}> is no finite number")
    return value


def vector(element: Element, attribute: str, where: str, default: tuple[float, ...]) -> Array:
    """As many finite numbers as the default has.

    Raises:
        ModelFileError: Another count, or something that is no finite number.
    """
    text = element.get(attribute)
    if text is None:
        return as_vector(default, len(default), attribute)
    try:
        return as_vector([float(each) for each in text.replace(",", " ").split()], len(default), attribute)
    except ValueError:
        raise ModelFileError(
            f"{where}: {attribute}={text!r} of <{local_name(element)}> must be {len(default)} finite numbers"
        ) from None
