"""Environments by handle, and what belongs to a context."""

import asyncio
import threading

from kinetree.interfaces.coppelia import routines as ik
from tests.interfaces.coppelia.routines.scenes import planar_arm


def test_there_is_no_environment_at_first():
    assert not ik.ikCreateDummy("d").success
    assert "no present environment" in ik.ikGetLastError()
    assert ik.ikGetLastError() == ""


def test_create_switch_erase():
    first = ik.ikCreateEnvironment().environmentHandle
    second = ik.ikCreateEnvironment().environmentHandle
    assert (first, second) == (0, 1)
    ik.ikCreateDummy("only here")
    assert ik.ikSwitchEnvironment(first)
    assert not ik.ikDoesObjectExist("only here")
    assert ik.ikSwitchEnvironment(second)
    assert ik.ikEraseEnvironment() == (True, first)
    assert not ik.ikSwitchEnvironment(second)
    assert "was erased" in ik.ikGetLastError()
    assert ik.ikEraseEnvironment() == (True, -1)
    assert ik.ikCreateEnvironment().environmentHandle == 2  # none is given out again
    assert not ik.ikCreateEnvironment(1).success


def test_success_keeps_the_last_error():
    ik.ikCreateEnvironment()
    assert not ik.ikGetObjectHandle("nobody").success
    assert ik.ikCreateDummy("somebody").success
    assert "nobody" in ik.ikGetLastError()


def test_threads_have_sessions_of_their_own_unless_they_share_one():
    planar_arm()
    shared, seen = ik.session(), []

    def stranger():
        seen.append(ik.ikDoesObjectExist("tip"))
        ik.ikCreateEnvironment()
        seen.append(ik.ikCreateDummy("mine").success)
        ik.ikGetObjectHandle("nobody")

    def friend():
        ik.use(shared)
        seen.append(ik.ikDoesObjectExist("tip"))

    for work in (stranger, friend):
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
    assert seen == [False, True, True]
    assert not ik.ikDoesObjectExist("mine")
    assert ik.ikGetLastError() == ""  # the stranger's error stays there


def test_threads_that_share_a_session_get_handles_that_differ():
    shared, seen = ik.session(), []

    def work():
        ik.use(shared)
        for _ in range(50):
            handle = ik.ikCreateEnvironment().environmentHandle
            seen.append((handle, ik.present_handle() == handle and ik.present().handle == handle))

    threads = [threading.Thread(target=work) for _ in range(8)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert sorted(handle for handle, _ in seen) == list(range(400))
    assert all(is_present for _, is_present in seen)
    assert len(shared.environments) == 400


def test_the_last_error_can_be_looked_at_without_being_forgotten():
    assert not ik.ikCreateDummy("d").success
    assert ik.last_error() == ik.last_error() == ik.ikGetLastError() != ""
    assert ik.last_error() == ""


def test_tasks_switch_for_themselves():
    first = ik.ikCreateEnvironment().environmentHandle
    ik.ikCreateDummy("first")
    second = ik.ikCreateEnvironment().environmentHandle
    ik.ikCreateDummy("second")

    async def look(handle, name):
        ik.ikSwitchEnvironment(handle)
        await asyncio.sleep(0.01)
        return ik.ikDoesObjectExist(name)

    async def both():
        return await asyncio.gather(look(first, "first"), look(second, "second"))

    assert asyncio.run(both()) == [True, True]


def test_duplicates_keep_handles_and_go_their_own_way():
    handles = planar_arm()
    present = next(iter(ik.session().environments))
    twin = ik.ikDuplicateEnvironment().newEnvironmentHandle
    assert ik.ikSetJointPosition(handles["joint1"], 1.0)
    ik.ikSwitchEnvironment(twin)
    assert ik.ikGetJointPosition(handles["joint1"]).position == 0.3
    assert not ik.ikHandleGroups([handles["group"]]).result & ik.ik_calc_notwithintolerance
    ik.ikSwitchEnvironment(present)
    assert ik.ikGetJointPosition(handles["joint1"]).position == 1.0
