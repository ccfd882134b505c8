"""The public names with their signatures as text; ``python -m tests.public_names`` writes the list anew.

Public is what a package lists in ``__all__``, and of `MODULES`, which are imported by their own names, what they define
without an underscore.
"""

import argparse
import ast
import contextlib
import enum
import importlib
import inspect
import pkgutil
import re
import sys
import types
from pathlib import Path

from tests.signature_text import annotation_text, call_lines, value_text

LAYERS = ("kinematics", "models", "solvers", "interfaces")
LIST = Path(__file__).with_suffix(".txt")
ROOT = LIST.parents[1]
#: Modules that the guide imports from, in packages that do not list their names.
MODULES = (
    "kinetree.interfaces.coppelia.from_skeleton",
    "kinetree.kinematics.core.lanes",
    "kinetree.kinematics.reachability.plots",
    "kinetree.kinematics.shapes",
    "kinetree.solvers.ikfast.build",
)
#: Those that a user writes or meets; how an object is made, shown, copied and pickled is no name of its.
OPERATORS = """
    abs add and bool call contains delitem enter eq exit float ge getitem gt hash int invert iter le len lt matmul mul
    neg next or pow radd rmatmul rmul rsub setitem sub truediv xor
"""


def public_modules():
    """Names of the packages that list their names, and of `MODULES`, sorted."""
    found = set(MODULES)
    for layer in LAYERS:
        package = importlib.import_module(f"kinetree.{layer}")
        for each in [package.__name__, *(info.name for info in packages_below(package))]:
            if "__all__" in ast_names(each):
                found.add(each)
    return sorted(found)


def packages_below(package):
    for info in pkgutil.iter_modules(package.__path__, f"{package.__name__}."):
        if info.ispkg:
            yield info
            yield from packages_below(types.SimpleNamespace(__name__=info.name, __path__=[folder_of(info)]))


def folder_of(info):
    return str(Path(info.module_finder.path) / info.name.rpartition(".")[2])


def ast_names(package):
    """What a package assigns in its first level, without importing it: it may need what is not installed."""
    layer, *below = package.split(".")[1:]
    folder = Path(next(iter(importlib.import_module(f"kinetree.{layer}").__path__))).joinpath(*below)
    body = ast.parse((folder / "__init__.py").read_text(encoding="utf-8")).body
    return {target.id for node in body if isinstance(node, ast.Assign) for target in node.targets}


def public_names(module):
    """(name, object) of what is public in a module that was imported."""
    names = getattr(module, "__all__", None)
    if names is None:
        names = [name for name, each in vars(module).items() if name[0] != "_" and is_defined_in(each, module)]
    return [(name, getattr(module, name)) for name in sorted(names)]


def is_defined_in(each, module):
    return callable(each) and getattr(each, "__module__", None) == module.__name__


def is_class(each):
    """Whether it is a class of ours, and no alias of a type."""
    return isinstance(each, type) and not isinstance(each, types.GenericAlias) and is_ours(each)


def is_ours(kind):
    return kind.__module__.split(".")[0] == "kinetree"


class PublicApi:
    """All public modules that can be imported here.

    Attributes:
        modules: The modules by name.
        missing: Why the others cannot be imported, by name.
        classes: All public classes.
    """

    def __init__(self):
        self.modules, self.missing = {}, {}
        for name in sorted(public_modules(), key=importance):
            try:
                self.modules[name] = importlib.import_module(name)
            except ImportError as error:
                self.missing[name] = str(error)
        self._homes = {}
        for name, module in self.modules.items():
            for _, each in public_names(module):
                self._homes.setdefault(id(each), name)
        self.classes = {each for module in self.modules.values() for _, each in public_names(module) if is_class(each)}

    def home(self, each):
        """The module that describes an object, when it is public in several."""
        return self._homes[id(each)]

    def described(self, name):
        """The part of the list about a module."""
        lines = [name]
        for own, each in public_names(self.modules[name]):
            if is_class(each) or inspect.isroutine(each):
                home = self.home(each)
                if home != name:
                    lines.append(f"    {own}: see {home}")
                elif is_class(each):
                    lines += class_lines(own, each, self.classes)
                else:
                    lines += call_lines(f"def {own}", each, "    ")
            else:
                lines.append(f"    {own} = {value_text(each)}")
        return "\n".join(lines) + "\n"


def importance(name):
    """Where a user looks first: layers from below, packages before what is in them."""
    return LAYERS.index(name.split(".")[1]), name.count("."), name


def class_lines(name, kind, public_classes):
    bases = [base.__name__ for base in nearest_bases(kind, public_classes)]
    lines = [f"    class {name}({', '.join(bases)})" if bases else f"    class {name}"]
    if not (issubclass(kind, enum.Enum) or inspect.isabstract(kind) or has_no_own_init(kind)):
        lines += call_lines(name, kind, " " * 8)
    for _, texts in sorted(member_lines(kind, public_classes).items()):
        lines += texts
    return lines


def has_no_own_init(kind):
    """Whether it is made as its public or foreign base is, exceptions for example."""
    return not is_ours(owner_of(kind, "__init__")) and not is_ours(owner_of(kind, "__new__"))


def owner_of(kind, name):
    return next(each for each in kind.__mro__ if name in vars(each))


def nearest_bases(kind, public_classes):
    """Bases that are public or no class of ours; those in between are how it is made."""
    bases = []
    for base in kind.__bases__:
        if base in public_classes or not is_ours(base):
            bases.append(base)
        else:
            bases += nearest_bases(base, public_classes)
    kept = dict.fromkeys(base for base in bases if base.__module__ != "abc" and base is not object)
    return [base for base in kept if not any(other is not base and issubclass(other, base) for other in kept)]


def member_lines(kind, public_classes):
    """Lines for each public member that no public base has described already."""
    lines = {}
    for owner in reversed(own_classes(kind, public_classes)):
        for name, each in vars(owner).items():
            if is_listed(name, kind):
                lines[name] = lines_of_member(name, each)
        for name, annotation in attributes_of(owner).items():
            if annotation != "attribute" or name not in lines:
                lines[name] = [f"{' ' * 8}{name}: {annotation}"]
    return lines


def own_classes(kind, public_classes):
    """The class, and those of its bases that are ours and belong to no public class before it."""
    above = [each for each in kind.__mro__[1:] if each in public_classes]
    return [
        each
        for each in kind.__mro__
        if each is kind or (is_ours(each) and not any(issubclass(public, each) for public in above))
    ]


def is_listed(name, kind):
    if name[0] != "_":
        return True
    # Which operators an enumeration has depends on the version of Python.
    return name.strip("_") in OPERATORS.split() and not issubclass(kind, enum.Enum)


def attributes_of(owner):
    """Annotations of public attributes; "attribute" for what ``__init__`` sets without one."""
    found = {}
    begin = vars(owner).get("__init__")
    if isinstance(begin, types.FunctionType):
        with contextlib.suppress(OSError):  # dataclasses write it
            found = dict.fromkeys(
                re.findall(r"^        self\.([a-z]\w*)(?:: [^=\n]+)? = ", inspect.getsource(begin), re.MULTILINE),
                "attribute",
            )
    annotations = inspect.get_annotations(owner)
    return {
        **{name: text for name, text in found.items() if not isinstance(getattr(owner, name, None), property)},
        **{name: annotation_text(text) for name, text in annotations.items() if name[0] != "_"},
    }


def lines_of_member(name, each):
    margin = " " * 8
    if isinstance(each, property):
        returned = "" if each.fget is None else annotation_text(each.fget.__annotations__.get("return", "Any"))
        return [f"{margin}{name}: {returned} (property{', may be set' if each.fset else ''})"]
    if isinstance(each, classmethod):
        return call_lines(f"classmethod {name}", each.__func__, margin, skip=1)
    if isinstance(each, staticmethod):
        return call_lines(f"staticmethod {name}", each.__func__, margin)
    if inspect.isroutine(each):
        return call_lines(name, each, margin, skip=1)
    if isinstance(each, enum.Enum):
        return [f"{margin}{name} = {each.value!r}"]
    if inspect.isdatadescriptor(each):
        return [f"{margin}{name}: attribute"]
    return [f"{margin}{name} = {value_text(each)}"]


def main():
    """Writes the list."""
    argparse.ArgumentParser(prog="python -m tests.public_names", description=f"Writes {LIST.name} anew.").parse_args()
    api = PublicApi()
    if api.missing:
        sys.exit(f"these modules cannot be imported here, and would be lost from the list: {api.missing}")
    parts = [api.described(name) for name in api.modules]
    LIST.write_text("\n".join(parts), encoding="utf-8")
    print(f"{LIST.relative_to(ROOT)}: {len(parts)} modules, {sum(part.count(chr(10)) for part in parts)} lines")


if __name__ == "__main__":
    main()
