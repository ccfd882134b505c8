"""What routines may be called with: for each name of an argument, values that make sense, and values that do not."""

import math

import numpy as np
import pinocchio as pin
from hypothesis import strategies as st

from kinetree.interfaces.coppelia import Joint
from kinetree.interfaces.coppelia import routines as ik
from kinetree.interfaces.coppelia.save_file import packed


def fails(*_):
    raise ZeroDivisionError("on purpose")


def writes_a_step(size, jacobian, kinds, elements, handles, stages, error, step, inverse):
    step[:] = 0.01
    return 1


def writes_nan(size, jacobian, *rest):
    jacobian[:] = math.nan
    return 0


JUNK = st.sampled_from(
    [
        *(
            None,
            math.nan,
            math.inf,
            "",
            "x",
            b"",
            [],
            {},
            (),
            True,
            1.5,
            -1,
            2**70,
            -(2**70),
            10**400,
            10**5000,
            1j,
            {1, 2},
        ),
        *(np.array([]), np.array([1.0, math.nan]), np.float64("nan"), np.int64(3), [[1.0], [2.0, 3.0]], np.eye(2)),
        *(object(), fails),
    ]
)
NUMBERS = st.one_of(st.floats(-2.0, 2.0), st.floats(0.0, 2.0), st.floats(0.0, 0.5))
EXTREMES = st.sampled_from(
    [0.0, -0.0, 1e-12, 1e-300, 1e300, -1e308, math.pi, -math.pi, math.nan, math.inf, -math.inf, 100]
)
NAMES = st.sampled_from(["a", "b", "arm", "tip", "joint1", "dummy0", "ä\0\ud800", "", None])
QUATERNIONS = st.lists(st.floats(-1.0, 1.0), min_size=4, max_size=4)
CALLBACKS = {
    "dependency": st.sampled_from([None, lambda env, joint, q: 0.5 * q, lambda *_: 1e300]),
    "jacobian": st.sampled_from([None, lambda *_: 0, writes_a_step, lambda *_: 2]),
    "validation": st.sampled_from([None, lambda q: True, lambda q: bool(q[0] > 0.0)]),
}
BAD_CALLBACKS = st.sampled_from([lambda *_: math.nan, lambda *_: "far", lambda *_: 99, writes_nan, fails])


def sequences(numbers, count):
    """So many numbers."""
    return st.lists(numbers, min_size=count, max_size=count)


@st.composite
def poses(draw):
    """Position and quaternion."""
    return np.array(draw(st.lists(st.floats(-1.0, 1.0), min_size=3, max_size=3)) + draw(QUATERNIONS))


@st.composite
def matrices(draw):
    """The 12 numbers of a pose, which is rigid, mostly."""
    quaternion = np.array(draw(QUATERNIONS))
    if np.linalg.norm(quaternion) < 1e-3:
        return np.zeros(12)
    rotation = pin.Quaternion(quaternion / np.linalg.norm(quaternion)).toRotationMatrix()
    return np.column_stack([rotation, draw(st.lists(st.floats(-1.0, 1.0), min_size=3, max_size=3))]).ravel()


@st.composite
def rotations(draw):
    """The 9 numbers of a rotation."""
    return draw(matrices()).reshape(3, 4)[:, :3].ravel()


def handles(environment, wanted):
    """Handles of what is wanted."""
    objects, groups = (environment.objects, environment.groups) if environment is not None else ((), ())
    found = {
        "object": [each.handle for each in objects],
        "joint": [each.handle for each in objects if isinstance(each, Joint)],
        "dummy": [each.handle for each in objects if not isinstance(each, Joint)],
        "group": [each.handle for each in groups if each.elements],
        "element": [element.handle for group in groups for element in group.elements],
    }
    found["element"] += [each | ik.ik_handleflag_tipdummy for each in found["dummy"]]
    found["place"] = [*found["object"], ik.ik_handle_world, ik.ik_handle_parent, ik.ik_handle_world]
    return st.sampled_from(found[wanted] or [0])


#: Handles of something else, of something that was erased, and of nothing.
WRONG_HANDLES = st.one_of(st.integers(-2, 20), st.sampled_from([-11, -5, 99, 2030003, 2030004, 2030009, 0x400000]))


#: Which handles an argument wants.
HANDLES = {
    "ikGroupHandle": "group",
    "ikElementHandle": "element",
    "tipHandle": "dummy",
    "tipDummyHandle": "dummy",
    "targetDummyHandle": "dummy",
    "dummyHandle": "dummy",
    "linkedDummyHandle": "dummy",
    "jointHandle": "joint",
    "dependencyJointHandle": "joint",
    "objectHandle": "object",
    "parentObjectHandle": "place",
    "relativeToObjectHandle": "place",
    "baseHandle": "place",
    "constraintsBaseHandle": "place",
}
BOOLEANS = st.sampled_from([True, False, 0, 1])
VALUES = {
    "flags": st.sampled_from([0, 1, 0, 1, 3, 67, 95, 13]),
    "constraints": st.one_of(st.sampled_from([7, 31]), st.integers(0, 31)),
    "jointType": st.sampled_from([10, 11, 12]),
    "jointMode": st.sampled_from([0, 2]),
    "method": st.integers(0, 3),
    "maxIterations": st.integers(-2, 20),
    "maxSearchTimeInMs": st.sampled_from([0, 1, 2]),
    "jointCnt": st.integers(1, 2),
    "index": st.integers(0, 8),
    "handle": st.integers(0, 4),
    "cyclic": BOOLEANS,
    "keepInPlace": BOOLEANS,
    "allowAlsoProtectedEnvironment": BOOLEANS,
    "transf": poses(),
    "tipPose": poses(),
    "targetPose": st.none() | poses(),
    "constrBasePose": st.none() | poses(),
    "matrix": matrices(),
    "rotMatrix": rotations(),
    "quaternion": QUATERNIONS,
    "intervalMinAndRange": st.none() | st.tuples(st.floats(-3.0, 1.0), st.floats(0.0, 5.0)),
    "metric": st.none() | sequences(st.floats(0.0, 2.0), 4),
    "jointOptions": st.none() | sequences(st.integers(0, 1), 2),
    "lowLimits": st.none() | sequences(NUMBERS, 2),
    "ranges": st.none() | sequences(NUMBERS, 2),
    "validationCallback": CALLBACKS["validation"],
    "dataLength": st.none(),
}
WRONG = st.one_of(JUNK, EXTREMES, WRONG_HANDLES, BAD_CALLBACKS, sequences(NUMBERS | EXTREMES, 4), st.integers(-2, 128))


def right(routine, name, environment):
    """Values for an argument of a routine that make sense, mostly."""
    if name in HANDLES:
        return handles(environment, HANDLES[name])
    if name == "jointHandles":
        return st.lists(handles(environment, "joint"), min_size=1, max_size=2)
    if name == "ikGroupHandles":
        return st.none() | st.lists(handles(environment, "group"), min_size=1, max_size=2)
    if name == "cb":
        return CALLBACKS["jacobian" if routine == "ikHandleGroups" else "dependency"]
    if name == "data":
        saved = b"" if environment is None else packed(environment)
        return st.sampled_from([saved, saved[:-1], saved[:30], saved + b"x", b"\x01\0\0\0\x02\0\0\0", b"KTREE-IK"])
    return NAMES if name.endswith("Name") else VALUES.get(name, NUMBERS)
