"""What the tests of the measurements share."""

import pytest

from kinetree.interfaces.bench import Variant
from kinetree.interfaces.bench.call import Answer, Call


class FakeCall(Call):
    """Answers by ``does(k)`` for the k-th target of the workload; it may raise."""

    def __init__(self, work, does, enough=None):
        self.work, self.does, self.enough = work, does, enough
        self.calls = 0

    def query(self, target, seed):
        (k,) = [k for k, query in enumerate(self.work) if query.target.isApprox(target)]
        return k

    def solve(self, query):
        self.calls += 1
        return self.does(query)

    def answer(self, result):
        return result if isinstance(result, Answer) else Answer(result)

    def solves_within(self, query, attempts):
        return None if self.enough is None else attempts >= self.enough


@pytest.fixture(scope="session")
def fake_variant():
    """Makes a variant that behaves as told; ``made`` is told of the call."""

    def make(does, name="fake", enough=None, made=lambda call: None):
        def bind(work, effort):
            call = FakeCall(work, does, enough)
            made(call)
            return call

        return Variant(name, "fakes", "does as told", bind)

    return make
