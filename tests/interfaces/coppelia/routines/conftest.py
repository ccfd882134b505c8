"""A session of its own for every test, so that none sees another's environments."""

from contextvars import Context

import pytest

from kinetree.interfaces.coppelia import routines as ik
from kinetree.interfaces.coppelia.routines import Session, ikGetLastError, use
from tests.interfaces.coppelia.routines.scenes import planar_arm


@pytest.fixture(autouse=True)
def fresh_session():
    use(Session())
    ikGetLastError()


@pytest.fixture
def elsewhere():
    """Runs a function in a context that knows nothing of this one."""
    return Context().run


@pytest.fixture
def arm():
    return planar_arm()


@pytest.fixture
def joints():
    """A revolute, a prismatic and a spherical joint."""
    ik.ikCreateEnvironment()
    kinds = (ik.ik_jointtype_revolute, ik.ik_jointtype_prismatic, ik.ik_jointtype_spherical)
    return [ik.ikCreateJoint(None, kind).jointHandle for kind in kinds]
