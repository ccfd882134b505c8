"""What other people's code prints goes to stderr, also from below Python."""

import io
import os
import subprocess
import sys

import pytest

from kinetree.interfaces.command_line.stdout_to_stderr import stdout_to_stderr

CODE = """
import ctypes, os, sys
from kinetree.interfaces.command_line.stdout_to_stderr import stdout_to_stderr

print("before")
try:
    with stdout_to_stderr():
        print("python")
        sys.stdout.buffer.write(b"bytes\\n")
        os.write(1, b"descriptor\\n")
        os.system("echo program")
        ctypes.CDLL(None).printf(b"compiled\\n")
        raise KeyError("x")
except KeyError:
    print("after")
"""


@pytest.mark.skipif(sys.platform == "win32", reason="the C library has another name there")
def test_all_that_is_written_below_python_too():
    buffered = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    done = subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True, check=True, env=buffered)
    assert done.stdout.split() == ["before", "after"]
    assert sorted(done.stderr.split()) == ["bytes", "compiled", "descriptor", "program", "python"]


def test_another_stream_is_replaced_and_comes_back(monkeypatch):
    out, err = io.StringIO(), io.StringIO()
    monkeypatch.setattr("sys.stdout", out)
    monkeypatch.setattr("sys.stderr", err)
    with stdout_to_stderr():
        print("noise")
    print("figures")
    assert out.getvalue() == "figures\n"
    assert err.getvalue() == "noise\n"
