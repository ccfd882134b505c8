"""What the description of a public class, function, method or property has to say; each rule gives what is missing."""

import ast
import enum
import inspect
import re
import textwrap
from dataclasses import dataclass
from typing import Any

#: Annotations of arrays.
ARRAY = re.compile(r"\b(Array|ArrayLike|NDArray|ndarray)\b")
#: A shape, or words that tell how many numbers there are.
SHAPE = re.compile(
    r"""\(\w+,(\ \w+)*\) | \(\w+(,\ (\w+|len\(\w+\)))+\) | \b(
    configurations? | positions? | shape | mapping | numbers? | [2-7]-vectors? | 3x3 | 4x4 | poses? | points? |
    directions? | axis | quaternions? | each | velocit(y|ies) | coordinates )\b""",
    re.VERBOSE,
)
#: Units, and words for numbers that have none.
UNIT = re.compile(
    r"""\b( m | rad | rad/s | m/s | s | ms | kg | mm | us | ns | metres? | radians? | (milli|micro|nano)?seconds? |
    degrees? | millimetres? | iterations? | attempts? | samples? | units? | bytes | MB | factors? | weights? | parts? |
    ratio | fraction | per | share | percent | squared? | squares | singular | damping | multiplier | scale | angle |
    numbers? | priority | quality | gain | probability | dimensionless | relative | times | length )\b | [°%]""",
    re.VERBOSE | re.IGNORECASE,
)
#: Words that begin a summary of something that does, rather than is, something.
VERB = re.compile(r"[A-Z][a-z]+(s|es)\b")
#: Words that look like one.
NO_VERBS = frozenset(
    """
    Angles Axis Bases Bytes Cells Columns Configurations Coordinates Counts Degrees Distances Edges Elements Errors
    Frames Groups Handles Indices Its Joints Lengths Less Limits Lines Links Mass Metres Motions Names Numbers
    Objects Obstacles Options Pairs Places Poses Positions Rows Sampled Seconds Shapes Solutions Squares Steps
    Targets This Units Values Weights Whether
    """.split()  # noqa: SIM905
)


@dataclass(frozen=True)
class Described:
    """Something public with its description.

    Attributes:
        name: With the class, for people.
        text: The description, of a class with all that is said about making it.
        parameters: Annotations by name, of what is given by whoever calls.
        returned: Annotation of the result; empty for none.
        raised: Names of the exceptions that its own body raises.
        is_property: It is read, not called.
        inherited: Descriptions of what it overrides or is derived from; they need not be repeated.
    """

    name: str
    text: str
    parameters: dict[str, str]
    returned: str
    raised: frozenset[str]
    is_property: bool = False
    inherited: str = ""

    @property
    def everything(self):
        """All that is said, here or where it comes from."""
        return f"{self.text}\n{self.inherited}"


def described_function(name, function, kind=None, is_property=False):
    """A function, method or the getter of a property; a method without a text has that of the method it overrides."""
    text = inspect.getdoc(function) or ""
    annotations, parameters = annotations_of(function), {}
    for each in signature_of(function):
        if each.name not in {"self", "cls", "_cls"}:
            parameters[each.name] = as_text(annotations.get(each.name, "Any"))
    returned = as_text(annotations.get("return", "None"))
    above = "\n".join(each for each in texts_above(kind, name.rpartition(".")[2]) if each != text)
    return Described(name, text or above, parameters, returned, raised_by(function), is_property, above)


def texts_above(kind, name):
    """What the methods of a name say in all classes that a class is made of."""
    for owner in () if kind is None else kind.__mro__:
        if name in vars(owner):
            each = vars(owner)[name]
            yield inspect.getdoc(each.fget if isinstance(each, property) else getattr(each, "__func__", each)) or ""


def described_class(name, kind):
    """A class with what making one takes."""
    text = inspect.getdoc(kind) or ""
    begin = vars(kind).get("__init__") or vars(kind).get("__new__")
    if begin is None or issubclass(kind, enum.Enum) or issubclass(kind, BaseException) or is_protocol(kind):
        return Described(name, text, {}, "None", frozenset())
    made = described_function(f"{name}.__init__", begin)
    if re.search(r"\b[Mm]ade by\b|\bmakes? (it|them|one)\b", text) and "Args:" not in text:
        return Described(name, text, {}, "None", made.raised)  # nobody else calls it
    above = "\n".join(inspect.getdoc(each) or "" for each in kind.__mro__[1:-1])
    return Described(name, text, made.parameters, "None", made.raised, inherited=above)


def is_protocol(kind):
    return getattr(kind, "_is_protocol", False)


def annotations_of(function):
    return getattr(function, "__annotations__", {})


def signature_of(function):
    try:
        return list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        return []


def as_text(annotation: Any) -> str:
    annotation = getattr(annotation, "__forward_arg__", annotation)
    return annotation if isinstance(annotation, str) else inspect.formatannotation(annotation)


def raised_by(function):
    """Names of the exceptions in ``raise`` statements of a function, but for those of unwritten methods."""
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    except (OSError, TypeError, SyntaxError):
        return frozenset()
    own = [node.exc for node in walk_without_inner(tree.body[0]) if isinstance(node, ast.Raise) and node.exc]
    names = {ast.unparse(each.func if isinstance(each, ast.Call) else each).rpartition(".")[2] for each in own}
    return frozenset(name for name in names if name.endswith("Error") and name != "NotImplementedError")


def walk_without_inner(node):
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, ast.FunctionDef | ast.Lambda):
            yield child
            yield from walk_without_inner(child)


def sections(text):
    """The sections of a description by name; the first paragraphs are under the empty name."""
    parts = re.split(r"^(Args|Attributes|Returns|Yields|Raises|Example|Examples|Note):\n", text, flags=re.MULTILINE)
    return {"": parts[0], **dict(zip(parts[1::2], parts[2::2], strict=True))}


def entries(section):
    """Descriptions by name in a section of arguments or attributes."""
    found = re.findall(r"^ {4}(\*{0,2}\w+)(?: \([^)]*\))?: (.*(?:\n {5,}.*|\n(?=\n))*)", section, flags=re.MULTILINE)
    return {name.lstrip("*"): text for name, text in found}


def what_is_missing(it):
    """Sentences about what a description lacks."""
    if not it.text:
        return ["it is not described"]
    parts = sections(it.text)
    return [*missing_arguments(it, parts), *missing_result(it, parts), *missing_errors(it)]


def missing_arguments(it, parts):
    told = {**entries(it.inherited), **entries(parts.get("Attributes", "")), **entries(parts.get("Args", ""))}
    refers = re.search(r"\b[Ss]ee\b", it.text) is not None
    for name, annotation in it.parameters.items():
        text = told.get(name)
        if text is None:
            if not is_word_in(name, it.everything) and not (refers and not told) and not is_plain(it, name):
                yield f"argument {name!r} is not described"
            text = parts[""]
        refers_on = re.search(r"\b[Ss]ee\b|Overrides|as for|[Tt]he same|[Ll]ikewise", text) is not None
        head = f"{parts['']}\n{it.inherited}"
        if ARRAY.search(annotation) and not (SHAPE.search(text) or SHAPE.search(head) or refers_on):
            yield f"the shape of {name!r} is not told"
        refers_on = refers_on or re.search(r"_(seconds|metres|radians|degrees)$", name) is not None
        if annotation in {"float", "float | None"} and not (UNIT.search(text) or UNIT.search(head) or refers_on):
            yield f"the unit of {name!r} is not told"


def is_plain(it, name):
    """An only argument that the summary cannot but be about, or the operands of arithmetic."""
    return len(it.parameters) == 1 or all(len(each) == 1 for each in it.parameters)


def is_word_in(name, text):
    return re.search(rf"\b{re.escape(name)}\b", text) is not None


def missing_result(it, parts):
    if it.returned in {"None", "Self", "NoReturn"}:
        return
    text = parts.get("Returns", parts.get("Yields", parts[""]))
    first = it.text.split()[0].strip("`,.:;")
    does = VERB.fullmatch(first) and first not in NO_VERBS and not first.endswith("ss")
    says = re.search(r"\b(gives?|returns?|is|are|tells?)\b", parts[""])
    if not it.is_property and does and "Returns:" not in it.everything and "Yields" not in parts and not says:
        yield "what it returns is not told"
    everything = f"{text}\n{parts['']}\n{it.inherited}"
    if re.fullmatch(rf"({ARRAY.pattern})( \| None)?", it.returned) and not SHAPE.search(everything):
        yield "the shape of the result is not told"
    if it.returned in {"float", "float | None"} and not UNIT.search(everything):
        yield "the unit of the result is not told"


def missing_errors(it):
    for name in sorted(it.raised):
        if not is_word_in(name, it.everything):
            yield f"it raises {name}, which is not told"
