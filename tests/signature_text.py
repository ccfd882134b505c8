"""Signatures and values as text that is the same in every run."""

import enum
import inspect
import re
import types

#: Longer calls get a line for each argument.
LONGEST = 120


def call_lines(head, function, margin, skip=0):
    """A call with what it takes and returns; a line for each argument where one line would be long.

    Args:
        head: What is before the parenthesis.
        function: What is called.
        margin: What each line begins with.
        skip: How many arguments Python fills in.
    """
    try:
        whole = inspect.signature(function)
    except (TypeError, ValueError):
        return [f"{margin}{head}(...)"]
    parameters = [
        each.replace(annotation=as_text(each.annotation), default=as_default(each.default))
        for each in list(whole.parameters.values())[skip:]
    ]
    returned = inspect.Signature.empty if inspect.isclass(function) else as_text(whole.return_annotation)
    line = f"{margin}{head}{whole.replace(parameters=parameters, return_annotation=returned)}"
    if len(line) <= LONGEST:
        return [line]
    end = "" if returned is inspect.Signature.empty else f" -> {returned!r}"
    return [f"{margin}{head}(", *argument_lines(parameters, margin), f"{margin}){end}"]


def argument_lines(parameters, margin):
    has_star = False
    for each in parameters:
        if each.kind is each.KEYWORD_ONLY and not has_star:
            has_star = True
            yield f"{margin}    *"
        has_star = has_star or each.kind is each.VAR_POSITIONAL
        yield f"{margin}    {each}"


class Text:
    """Shown in a signature as it is, without quotes."""

    def __init__(self, text):
        self.text = text

    def __repr__(self):
        return self.text


def as_text(annotation):
    return annotation if annotation is inspect.Parameter.empty else Text(annotation_text(annotation))


def as_default(default):
    return default if default is inspect.Parameter.empty else Text(value_text(default))


def annotation_text(annotation):
    annotation = getattr(annotation, "__forward_arg__", annotation)  # of named tuples
    return annotation if isinstance(annotation, str) else inspect.formatannotation(annotation)


def value_text(value):
    """A value whose text is the same in every run; else its kind."""
    if isinstance(value, enum.Enum):
        return str(value)
    if isinstance(value, tuple):
        return f"({', '.join(map(value_text, value))})"
    if value is None or isinstance(value, str | int | float | bool):
        return repr(value)
    if isinstance(value, frozenset | dict) and not value:
        return repr(value)
    if type(value).__name__ == "_HAS_DEFAULT_FACTORY_CLASS":  # a field of a dataclass that is made anew for each object
        return "..."
    text = str(value) if "typing" in type(value).__module__ or isinstance(value, types.UnionType) else ""
    return re.sub(r"\bkinetree(\.\w+)*\.", "", text) or f"<{type(value).__name__}>"
