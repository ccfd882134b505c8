"""Compiling the entry points of the kernels, and keeping what was compiled where it cannot go stale.

Numba's own cache looks at the file of the function alone, not at what the function calls, and writes next to
it. Here a compiled entry point is kept in a directory of the user's whose name is a hash of everything that
went into it: the sources of all kernels, the lane width, the processor, and the versions of Python, Numba,
llvmlite and numpy. A change in any of them is another directory.
"""

from __future__ import annotations

import functools
import hashlib
import inspect
import itertools
import logging
import os
import platform
import secrets
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import llvmlite
import llvmlite.binding as llvm
import numba
import numpy as np
from numba import njit
from numba.core.bytecode import FunctionIdentity
from numba.core.caching import CompileResultCacheImpl, FunctionCache, _CacheLocator

from .lanes import JIT, native_width
from .working_clock import Pause

logger = logging.getLogger(__name__)

# Numba tells functions of the same name, such as those that a factory makes, apart by a number that it counts up from 1
# in every process. What is kept on disk was compiled in many processes: two kernels that were given the same number
# there would, loaded into one process, be taken for one, and one of them would compute what the other should. So every
# process begins at a number that no other one has.
FunctionIdentity._unique_ids = itertools.count(secrets.randbits(48))


def cache_directory() -> Path:
    """Where compiled kernels of all versions are kept.

    ``KINETREE_CACHE_DIR`` if it is set, else the user's cache directory (``XDG_CACHE_HOME`` or ``~/.cache``;
    ``LOCALAPPDATA`` on Windows).
    """
    chosen = os.environ.get("KINETREE_CACHE_DIR")
    if chosen:
        return Path(chosen)
    base = os.environ.get("LOCALAPPDATA") if os.name == "nt" else os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "kinetree"


def digest_of_sources(packages: Iterable[ModuleType], also: str = "") -> str:
    """Hash of the Python files of some packages, and of what else decides the machine code."""
    digest = hashlib.sha256()
    for package in packages:
        for folder in package.__path__:
            for file in sorted(Path(folder).rglob("*.py")):
                digest.update(file.relative_to(folder).as_posix().encode())
                digest.update(file.read_bytes())
    features = ",".join(sorted(name for name, on in llvm.get_host_cpu_features().items() if on))
    versions = f"{platform.python_version()} {numba.__version__} {llvmlite.__version__} {np.__version__}"
    digest.update(f"{versions} {llvm.get_host_cpu_name()} {features} {native_width()} {also}".encode())
    return digest.hexdigest()[:24]


@functools.cache
def _warn_once(message: str) -> None:
    logger.warning(message)


def _announce(what: str) -> None:
    message = (
        f"compiling {what} for this machine; this takes 5 to 60 seconds once, and later runs load it "
        "(`kinetree warmup` does it ahead of time; see `kinetree warmup --help`)"
    )
    logger.info(message)
    # Said on the terminal as well: whoever waits for a first answer should know why.
    sys.stderr.write(f"kinetree: {message}\n")
    sys.stderr.flush()


def entry_point(
    function: Callable[..., Any], packages: Iterable[ModuleType], also: Iterable[Any] = (), label: str = ""
) -> Any:
    """Compiles a function on its first call, or loads what was compiled before.

    Args:
        function: What Python calls; everything else is compiled into it.
        packages: The packages whose kernels it may call.
        also: Functions from elsewhere that it calls, a user's step rule for example.
        label: What tells it from other functions of the same name, such as a lane width.

    Returns:
        A Numba dispatcher. Where nothing can be written it works without the cache, with one warning.
    """
    dispatcher = njit(**JIT)(function)
    extra = "".join(_source(each) for each in also)
    key = digest_of_sources(packages, f"{function.__module__}.{function.__qualname__} {label} {extra}")
    locator = type("_Locator", (_DirectoryLocator,), {"directory": cache_directory() / key, "key": key})
    implementation = type("_Implementation", (CompileResultCacheImpl,), {"_locator_classes": [locator]})
    names = {"_impl_class": implementation, "what": f"{label or function.__name__}"}
    cache = type("_Cache", (_AnnouncingCache,), names)
    try:
        dispatcher._cache = cache(function)
    except (OSError, RuntimeError) as error:
        _warn_once(f"compiled kernels cannot be kept in {cache_directory()}: {error}; compiling in each process")
    return dispatcher


def _source(function: Any, seen: set[int] | None = None) -> str:
    """What a function says, with what it takes from around it: other functions, and constants, which Numba freezes."""
    seen = set() if seen is None else seen
    function = getattr(function, "py_func", function)
    if id(function) in seen:
        return ""
    seen.add(id(function))
    code = function.__code__
    try:
        text = inspect.getsource(function)
    except (OSError, TypeError):
        # Typed in at a prompt: the byte code says what it does.
        text = repr((code.co_code, code.co_consts, code.co_names))
    around = inspect.getclosurevars(function)
    parts = [text]
    for name, value in sorted({**around.globals, **around.nonlocals}.items()):
        own = getattr(value, "py_func", value)
        if inspect.isfunction(own):
            if own.__module__ is None or not own.__module__.startswith(("kinetree.", "numba.", "numpy.")):
                parts.append(_source(own, seen))
        elif not inspect.ismodule(value):
            parts.append(f"{name}={_constant(value)}")
        elif not value.__name__.startswith(("kinetree.", "numba", "numpy", "math")):
            # Looked up in a module, and frozen as well.
            parts.extend(_of_module(value, code.co_names, seen))
    return "".join(parts)


def _of_module(module: ModuleType, names: Iterable[str], seen: set[int]) -> Iterator[str]:
    for name in names:
        value = getattr(module, name, None)
        if inspect.isfunction(getattr(value, "py_func", value)):
            yield _source(value, seen)
        elif value is not None:
            yield f"{module.__name__}.{name}={_constant(value)}"


def _constant(value: Any) -> str:
    if isinstance(value, np.ndarray):
        return f"{value.dtype}{value.shape}{hashlib.sha256(np.ascontiguousarray(value).tobytes()).hexdigest()}"
    # What has its address in its text is no constant that Numba could freeze.
    return type(value).__qualname__ if " at 0x" in repr(value) else repr(value)


class _DirectoryLocator(_CacheLocator):  # type: ignore[misc]
    directory: Path
    key: str

    def __init__(self, py_func: Callable[..., Any]) -> None:
        self._line = py_func.__code__.co_firstlineno

    @classmethod
    def from_function(cls, py_func: Callable[..., Any], py_file: str) -> _DirectoryLocator:
        locator = cls(py_func)
        locator.ensure_cache_path()
        return locator

    def get_cache_path(self) -> str:
        return str(self.directory)

    def get_source_stamp(self) -> str:
        return self.key

    def get_disambiguator(self) -> str:
        return str(self._line)


class _AnnouncingCache(FunctionCache):  # type: ignore[misc]
    what: str
    #: Runs from when a kernel is asked for until it is there.
    _pause: Pause | None = None

    def _index_key(self, sig: Any, codegen: Any) -> Any:
        # Numba adds a hash of what the function closes over, which for compiled functions differs from process
        # to process. The directory's name stands for all of it already.
        return sig, codegen.magic_tuple()

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        self._pause = Pause()
        try:
            found = super().load_overload(sig, target_context)
        except Exception as error:  # a damaged file, another program's file: compile instead
            logger.warning("a compiled kernel in %s cannot be read (%s); compiling it again", self.cache_path, error)
            found = None
        if found is None:
            _announce(self.what)
        else:
            self._go_on()
        return found

    def _go_on(self) -> None:
        if self._pause is not None:
            self._pause.end()
            self._pause = None

    def save_overload(self, sig: Any, data: Any) -> None:
        try:
            self._save(sig, data)
        finally:
            self._go_on()

    def _save(self, sig: Any, data: Any) -> None:
        try:
            super().save_overload(sig, data)
        except OSError as error:
            _warn_once(f"compiled kernels cannot be kept in {self.cache_path}: {error}; compiling in each process")
        except Exception as error:  # a damaged index, which saving reads first
            logger.warning("what was compiled in %s cannot be read (%s); beginning anew", self.cache_path, error)
            for file in Path(self.cache_path).glob("*.nbi"):
                file.unlink(missing_ok=True)
            super().save_overload(sig, data)
