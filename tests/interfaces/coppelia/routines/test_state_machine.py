"""Routines in any order with any arguments: none crashes, none that fails changes anything, all can be saved."""

import itertools
import math
import tomllib
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from kinetree.interfaces.coppelia import Environment, Joint, JointKind
from kinetree.interfaces.coppelia import routines as ik
from kinetree.interfaces.coppelia.save_file import packed
from tests.interfaces.coppelia.routines.arguments import WRONG, poses, right
from tests.interfaces.coppelia.routines.scenes import planar_arm

ROUTINES = tomllib.loads((Path(__file__).parent / "routines.toml").read_text(encoding="utf-8"))
#: They answer a question with no, or with nothing found, which is no failure.
ASK = {"ikDoesObjectExist", "ikDoesGroupExist", "ikGetObjects"}
LOOKS_ONLY = ("ikGet", "ikDoes", "ikSave", "ikFind", "ikCompute", "ikRelease")
SETTERS = sorted(name for name in ROUTINES if name.startswith("ikSet"))
MOST_ENVIRONMENTS, MOST_OBJECTS = 4, 15


def present() -> Environment | None:
    return ik.present() if ik.present_handle() >= 0 else None


def state_of(environment):
    """Everything that there is to an environment."""
    callbacks = {each.handle: each.dependency.callback for each in environment.joints if each.dependency is not None}
    hits = {group.handle: group.joint_limit_hits for group in environment.groups}
    return packed(environment), callbacks, hits


def everything():
    environments = ik.session().environments
    return ik.present_handle(), {handle: state_of(each) for handle, each in environments.items()}


def has_failed(answer):
    first = answer[0] if isinstance(answer, tuple) else answer
    return first is False or first is None or (type(first) is int and first < 0)


class Routines(RuleBasedStateMachine):
    def __init__(self):
        super().__init__()
        ik.use(ik.Session())
        ik.ikGetLastError()

    def call(self, name, *arguments):
        """Calls a routine, and looks at what it did to everything."""
        ik.ikGetLastError()
        before = everything()
        answer = getattr(ik, name)(*arguments)
        error = ik.last_error()
        if name in ("ikReleaseBuffer", "ikGetLastError"):
            assert not answer
        elif has_failed(answer):
            assert everything() == before, f"{name}{arguments} failed and changed something: {error}"
            assert error.startswith(f"{name}: ") or (not error and name in ASK)
            if isinstance(answer, tuple):
                assert all(each is None or each == 0 for each in answer[1:])
        else:
            assert error == "", f"{name}{arguments} succeeded with an error"
        if name.startswith(LOOKS_ONLY):
            assert everything() == before, f"{name}{arguments} changed something"
        return answer

    @initialize(empty=st.integers(0, 4))
    def begin(self, empty):
        if empty != 3:
            planar_arm()

    @rule(names=st.lists(st.sampled_from(sorted(ROUTINES)), min_size=1, max_size=12), data=st.data())
    def anything(self, names, data):
        for name in names:
            environment = present()
            if environment is None and len(names) > 2:
                planar_arm()
                environment = present()
            if name.startswith("ikCreate") and environment is not None and len(environment.objects) >= MOST_OBJECTS:
                continue
            names_in = ROUTINES[name]["in"]
            # Half of the calls have one argument that is no good.
            bad = data.draw(st.integers(0, 2 * len(names_in)), label="bad argument")
            values = [WRONG if k == bad else right(name, each, environment) for k, each in enumerate(names_in)]
            arguments = [data.draw(each) for each in values]
            self.call(name, *arguments)
            if len(ik.session().environments) > MOST_ENVIRONMENTS:
                self.call("ikEraseEnvironment")

    @rule(names=st.lists(st.sampled_from(SETTERS), min_size=4, max_size=12), data=st.data())
    def set_much(self, names, data):
        self.anything(names, data)

    @precondition(lambda self: present() is not None and len(present().objects) < MOST_OBJECTS)
    @rule(kind=st.sampled_from(JointKind), pose=poses(), place=st.integers(0, 99))
    def grow(self, kind, pose, place):
        objects = present().objects
        joint = self.call("ikCreateJoint", None, int(kind)).jointHandle
        parent = objects[place % len(objects)].handle if objects else -1
        self.call("ikSetObjectParent", joint, parent, place % 2)
        self.call("ikSetObjectTransformation", joint, ik.ik_handle_parent, pose)
        if kind is not JointKind.SPHERICAL:
            self.call("ikSetJointInterval", joint, kind is JointKind.REVOLUTE and place % 3 == 0, [-1.0, 2.5])

    @precondition(lambda self: present() is not None and 1 <= len(present().joints) < MOST_OBJECTS)
    @rule(place=st.integers(0, 99), constraints=st.integers(1, 31), method=st.integers(0, 3), pose=poses())
    def want(self, place, constraints, method, pose):
        joints = present().joints
        tip, target = (self.call("ikCreateDummy", None).dummyHandle for _ in range(2))
        assert self.call("ikSetObjectParent", tip, joints[place % len(joints)].handle, False)
        self.call("ikSetObjectTransformation", target, ik.ik_handle_world, pose)
        assert self.call("ikSetTargetDummy", tip, target)
        group = self.call("ikCreateGroup", None).ikGroupHandle
        assert self.call("ikSetGroupCalculation", group, method, 0.1, 5)
        assert self.call("ikSetElementConstraints", group, self.call("ikAddElement", group, tip)[1], constraints)

    @precondition(lambda self: present() is not None and present().groups)
    @rule(first=st.integers(0, 99), second=st.none() | st.integers(0, 99))
    def solve(self, first, second):
        groups = [each.handle for each in present().groups]
        chosen = [groups[k % len(groups)] for k in (first, second) if k is not None]
        self.call("ikHandleGroups", chosen)
        self.call("ikComputeGroupJacobian", chosen[0])

    @precondition(lambda self: present() is not None and present().groups)
    @rule(seed=st.integers(0, 5))
    def find(self, seed):
        for group in present().groups[:1]:
            joints = self.call("ikGetGroupJoints", group.handle).jointHandles
            joints = [each for each in joints or [] if present().object(each).kind is not JointKind.SPHERICAL]
            if joints:
                self.call("ikGetConfigForTipPose", group.handle, len(joints), joints, 0.5, 200 + seed)

    @precondition(lambda self: present() is not None and not present().is_empty)
    @rule()
    def save_and_load(self):
        back = ik.present_handle()
        saved = self.call("ikSave")
        assert self.call("ikCreateEnvironment").success
        assert self.call("ikLoad", saved.data, saved.dataLength), ik.ikGetLastError()
        assert self.call("ikSave") == saved
        assert not self.call("ikLoad", saved.data)
        self.call("ikEraseEnvironment")
        assert self.call("ikSwitchEnvironment", back)

    @precondition(lambda self: present() is not None)
    @rule()
    def duplicate(self):
        twin = self.call("ikDuplicateEnvironment").newEnvironmentHandle
        environments = ik.session().environments
        data, callbacks, hits = state_of(environments[twin])
        assert (data, callbacks) == state_of(present())[:2]
        ours = {group.handle: group.joint_limit_hits for group in present().groups}
        for handle, theirs in hits.items():
            assert {k.handle: v for k, v in theirs.items()} == {k.handle: v for k, v in ours[handle].items()}
        if len(environments) > MOST_ENVIRONMENTS:
            self.call("ikEraseEnvironment")
        assert self.call("ikSwitchEnvironment", twin)

    @invariant()
    def every_environment_is_sound(self):
        for environment in ik.session().environments.values():
            check_objects(environment)
            check_groups(environment)


def check_objects(environment):
    objects = environment.objects
    for by in ("handle", "name"):
        found = [getattr(each, by) for each in objects]
        assert len(set(found)) == len(found)
    for each in objects:
        assert each.environment is environment
        assert environment.object(each.handle) is environment.object(each.name) is each
        assert all(child.parent is each for child in each.children)
        assert each.parent is None or each in each.parent.children
        ends(each, lambda one: one.parent)
        rotation = each.pose.rotation
        np.testing.assert_allclose(rotation @ rotation.T, np.eye(3), atol=1e-12)
        assert np.isfinite(each.pose.translation).all()
        if isinstance(each, Joint):
            check_joint(each)
        elif each.target is not None:
            assert environment.object(each.target.handle) is each.target


def check_joint(joint):
    assert abs(np.linalg.norm(joint._quaternion) - 1.0) < 1e-12
    ends(joint, lambda one: None if one.dependency is None else one.dependency.master)
    if joint.dependency is not None or joint.kind is JointKind.SPHERICAL:
        return
    if joint.cyclic:
        assert -math.pi < joint.position <= math.pi
        assert joint.screw_lead == 0.0
    else:
        assert joint.minimum <= joint.position <= joint.maximum


def check_groups(environment):
    for group in environment.groups:
        assert environment.group(group.handle) is environment.group(group.name) is group
        assert all(joint.environment is environment for joint in group.joint_limit_hits)
        for element in group.elements:
            for each in (element.tip, element.base, element.constraints_base):
                assert each is None or environment.object(each.handle) is each


def ends(first, following):
    """Fails when following goes round in a circle."""
    seen = itertools.takewhile(lambda each: each is not None, walk(first, following))
    assert len(list(itertools.islice(seen, 1000))) < 1000


def walk(each, following):
    while True:
        yield each
        each = following(each)


TestRoutines = Routines.TestCase
TestRoutines.settings = settings(
    max_examples=20, stateful_step_count=30, suppress_health_check=list(HealthCheck), deadline=None
)


@pytest.mark.slow
class TestRoutinesAtLength(Routines.TestCase):
    settings = settings(
        max_examples=300, stateful_step_count=40, suppress_health_check=list(HealthCheck), deadline=None
    )
