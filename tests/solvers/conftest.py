"""Robots built by hand, so that the solvers are tested without any reader."""

import numpy as np
import pinocchio as pin
import pytest

from kinetree.kinematics import FreeJoint, PrismaticJoint, RevoluteJoint, Skeleton, pose


def serial(name, joints, tip):
    """A chain of (axis, position, rpy in degrees, limits); ``axis`` may be "prismatic" along z."""
    skeleton = Skeleton(name)
    link = skeleton.add_link("base")
    for number, (axis, position, rpy, limits) in enumerate(joints):
        kind = PrismaticJoint if axis == "prismatic" else RevoluteJoint
        joint = kind(f"j{number}", axis="z" if axis == "prismatic" else axis, limits=limits)
        placement = pose(position, rpy=rpy, degrees=True)
        link = skeleton.add_link(f"l{number}", joint, link, placement, inertia=ball(1.0))
    skeleton.tip = skeleton.add_link("tool", None, link, pose(tip))
    return skeleton


def ball(mass):
    return pin.Inertia.FromSphere(mass, 0.05)


@pytest.fixture(params=["object", "fastest"])
def engine(request, monkeypatch):
    """A test runs in Python on Pinocchio, and with whatever is fastest."""
    if request.param == "object":
        monkeypatch.setattr("kinetree.solvers.engine.kernel_of", lambda method: None)
    return request.param


@pytest.fixture
def arm():
    """Seven joints with the lengths and limits of a Franka Panda."""
    rows = [
        ("z", (0, 0, 0.333), (0, 0, 0), (-2.8973, 2.8973)),
        ("z", (0, 0, 0), (-90, 0, 0), (-1.7628, 1.7628)),
        ("z", (0, -0.316, 0), (90, 0, 0), (-2.8973, 2.8973)),
        ("z", (0.0825, 0, 0), (90, 0, 0), (-3.0718, -0.0698)),
        ("z", (-0.0825, 0.384, 0), (-90, 0, 0), (-2.8973, 2.8973)),
        ("z", (0, 0, 0), (90, 0, 0), (-0.0175, 3.7525)),
        ("z", (0.088, 0, 0), (90, 0, 0), (-2.8973, 2.8973)),
    ]
    skeleton = serial("arm", rows, (0, 0, 0.107))
    skeleton.positions = skeleton.rest_positions
    return skeleton


@pytest.fixture
def six():
    """Six joints like a UR5, each with two turns."""
    turn = (-2 * np.pi, 2 * np.pi)
    lengths = [(0, 0, 0.09), (0, 0.14, 0), (0, -0.12, 0.42), (0, 0, 0.39), (0, 0.09, 0), (0, 0, 0.09)]
    axes = ["z", "y", "y", "y", "z", "y"]
    rows = [(axis, at, (0, 0, 0), turn) for axis, at in zip(axes, lengths, strict=True)]
    return serial("six", rows, (0, 0.08, 0))


@pytest.fixture
def planar():
    """Two joints in the plane, links of 1 m and 0.5 m."""
    return serial(
        "planar",
        [("z", (0, 0, 0), (0, 0, 0), (-2, 2)), ("z", (1, 0, 0), (0, 0, 0), (-2.5, 2.5))],
        (0.5, 0, 0),
    )


@pytest.fixture
def humanoid():
    """A floating trunk with two legs of six joints and two arms of six, 1.6 m tall."""
    skeleton = Skeleton("humanoid")
    trunk = skeleton.add_link("trunk", FreeJoint("root"), inertia=ball(20.0))
    for side, sign in (("left", 1.0), ("right", -1.0)):
        limb(skeleton, trunk, f"{side}_leg", (0, 0.1 * sign, -0.1), ["z", "x", "y", "y", "y", "x"], (0.4, 0.4))
        limb(skeleton, trunk, f"{side}_arm", (0, 0.2 * sign, 0.4), ["y", "x", "z", "y", "z", "y"], (0.3, 0.25))
    skeleton.positions = {
        "root": [0, 0, 0.85, 0, 0, 0],
        **{f"{side}_leg_2": -0.4 for side in ("left", "right")},
        **{f"{side}_leg_3": 0.8 for side in ("left", "right")},
        **{f"{side}_leg_4": -0.4 for side in ("left", "right")},
        **{f"{side}_arm_3": -0.9 for side in ("left", "right")},
    }
    return skeleton


def limb(skeleton, trunk, name, place, axes, lengths):
    link = trunk
    for number, axis in enumerate(axes):
        at = place if number == 0 else (0, 0, 0)
        if number in (3, 4):
            at = (0, 0, -lengths[number - 3])
        joint = RevoluteJoint(f"{name}_{number}", axis=axis, limits=(-2.6, 2.6))
        link = skeleton.add_link(f"{name}_link_{number}", joint, link, pose(at), inertia=ball(1.0))
    skeleton.add_frame(f"{name}_end", link, pose((0, 0, -0.08)))


@pytest.fixture
def rng():
    return np.random.default_rng(1234)


def numeric_jacobian(method, state, step=1e-6):
    """Central differences of a method's error with respect to joint velocities."""
    skeleton = state.skeleton
    columns = []
    for dof in state.dofs:
        velocity = np.zeros(skeleton.num_dofs)
        velocity[dof] = step
        ahead = skeleton.state(skeleton.integrate(state.q, velocity), state.dofs)
        behind = skeleton.state(skeleton.integrate(state.q, -velocity), state.dofs)
        columns.append((method.evaluate(ahead)[0] - method.evaluate(behind)[0]) / (2 * step))
    return np.stack(columns, axis=1)


@pytest.fixture
def differences():
    return numeric_jacobian


def missing(skeleton, q, frame, target):
    """Distance and angle of a frame from a pose, worked out from matrices alone."""
    at = skeleton.state(q).transform(frame)
    turn = at.rotation.T @ target.rotation
    angle = np.arctan2(
        np.linalg.norm([turn[2, 1] - turn[1, 2], turn[0, 2] - turn[2, 0], turn[1, 0] - turn[0, 1]]),
        np.trace(turn) - 1,
    )
    return np.linalg.norm(at.translation - target.translation), angle


@pytest.fixture
def misses():
    return missing


@pytest.fixture
def inside():
    def check(skeleton, q):
        return bool(((q >= skeleton.lower_limits) & (q <= skeleton.upper_limits)).all())

    return check
