"""What the tests of the benchmarks share."""

import sys
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))  # `benchmarks` is run from the checkout and not installed

from benchmarks.peers.catalog import Peer  # noqa: E402


@pytest.fixture
def fake():
    """Makes a peer that behaves as told."""

    def make(does="answer", answers=(), name="fake"):
        # A configuration for each target, or a list of them.
        options = {"does": does, "answers": [np.asarray(q, dtype=float).tolist() for q in answers]}
        return Peer(name, Path(__file__).with_name("fake_adapter.py"), options=options)

    return make
