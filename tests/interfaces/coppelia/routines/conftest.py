"""A session of its own for every test, so that none sees another's environments."""

from contextvars import Context

import pytest

from kinetree.interfaces.coppelia.routines import Session, ikGetLastError, use


@pytest.fixture(autouse=True)
def fresh_session():
    use(Session())
    ikGetLastError()


@pytest.fixture
def elsewhere():
    """Runs a function in a context that knows nothing of this one."""
    return Context().run
