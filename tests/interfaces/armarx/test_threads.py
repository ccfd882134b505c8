"""Several threads at once: each call has the answer that it has alone, and its own reason."""

import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from kinetree.interfaces.armarx import FailureReason, IKTask
from kinetree.kinematics import pose
from tests.interfaces.armarx.services import ARM, READY, distance, frame_pose, panda_service

GOALS = [pose((0.35 + 0.02 * k, 0.1, 0.4), rpy=(np.pi, 0.1 * k, 0.0)) for k in range(8)]


def ask(service, k):
    if k % 3 == 0:
        return service.compute_hierarchical_delta_ik("arm", [IKTask("panda_hand", GOALS[k % 8])])
    return service.compute_ik_global_pose("arm", GOALS[k % 8], "position" if k % 3 == 1 else "all")


def test_answers_are_those_of_calls_one_by_one():
    service = panda_service()
    alone = [ask(panda_service(), k) for k in range(24)]
    with ThreadPoolExecutor(8) as threads:
        together = list(threads.map(lambda k: ask(service, k), list(range(24)) * 4))
    assert together == alone * 4


def test_each_thread_has_its_own_last_outcome():
    service = panda_service()
    both = threading.Barrier(2, timeout=20.0)

    def call(name):
        service.compute_ik_global_pose(name, GOALS[0])
        both.wait()
        return service.last_outcome.reason

    with ThreadPoolExecutor(2) as threads:
        reasons = list(threads.map(call, ["arm", "leg"]))
    assert reasons == [FailureReason.NONE, FailureReason.UNKNOWN_NODE_SET]
    # Here it was the definition of the set.
    assert service.last_outcome.value is True


def stand(service, k):
    service.set_joint_values({name: value + 0.01 * k for name, value in READY.items()})


def test_a_call_sees_one_state_while_others_change_it():
    # A mixture of two states, its own and that of a call on another thread, would give a step that belongs to neither.
    service = panda_service()
    stop = threading.Event()

    def step():
        # Where the frame is and where the step begins: both depend on the state.
        task = IKTask("panda_hand", pose((0.1, 0.0, 0.4)), coordinate_system="panda_link3")
        return service.compute_hierarchical_delta_ik("arm", [task])

    def change():
        k = 0
        while not stop.is_set():
            stand(service, k % 10)
            service.define_robot_node_set(f"set {k % 50}", ARM, "panda_hand", "")
            k += 1

    steps = []
    for k in range(10):
        stand(service, k)
        steps.append(step())
    changing = threading.Thread(target=change)
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    changing.start()
    try:
        with ThreadPoolExecutor(4) as threads:
            found = list(threads.map(lambda _: step(), range(300)))
    finally:
        stop.set()
        changing.join()
        sys.setswitchinterval(interval)
    assert all(each in steps for each in found)


def test_a_solution_holds_while_the_base_moves():
    service = panda_service()
    stop = threading.Event()
    places = [pose((0.0, 0.0, 0.0)), pose((0.05, 0.0, 0.0))]

    def move():
        k = 0
        while not stop.is_set():
            service.set_robot_pose(places[k % 2])
            k += 1

    thread = threading.Thread(target=move)
    thread.start()
    try:
        found = [service.compute_ik_global_pose("arm", GOALS[k % 8]) for k in range(60)]
    finally:
        stop.set()
        thread.join()
    for k, values in enumerate(found):
        misses = []
        for place in places:
            service.set_robot_pose(place)
            misses.append(max(distance(frame_pose(service, "panda_hand", values), GOALS[k % 8])))
        assert min(misses) < 2e-6
