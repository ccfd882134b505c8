"""Snapshots: poses, Jacobians and centre of mass without moving the skeleton."""

import threading

import numpy as np
import pinocchio as pin
import pytest
from hypothesis import given

from kinetree.kinematics import (
    FreeJoint,
    InvalidValueError,
    KinetreeError,
    RevoluteJoint,
    SimpleFrame,
    Skeleton,
    State,
    StructureError,
    World,
)
from tests.kinematics.random_trees import (
    MOVING,
    build,
    configurations,
    random_inertia,
    random_pose,
    random_tree,
    seeds,
    trees,
)
from tests.kinematics.reference import assert_same_pose, picture, pinocchio_jacobian, pose_derivative, python_pose


@given(robot=trees(), seed=seeds)
def test_poses_are_those_of_the_frame_tree_there(robot, seed):
    rng = np.random.default_rng(seed)
    before = picture(robot)
    state = robot.state()
    on_link = SimpleFrame("a", robot.links[-1], random_pose(rng)).spawn("b", random_pose(rng))
    for q in configurations(rng, robot, 3):
        state.set(q)
        poses = [state.transform(frame) for frame in (*robot.links, on_link)]
        jacobian = state.jacobian(on_link)
        assert picture(robot) == before
        positions = robot.positions
        robot.positions = q
        for frame, pose in zip((*robot.links, on_link), poses, strict=True):
            assert_same_pose(pose, frame.transform())
        np.testing.assert_allclose(robot.state().jacobian(on_link), jacobian, rtol=0, atol=1e-12)
        robot.positions = positions


@given(robot=trees(max_size=5), seed=seeds)
def test_jacobians_are_the_derivatives_of_the_frame_trees_poses(robot, seed):
    rng = np.random.default_rng(seed)
    q = robot.random_positions(rng)
    tool = robot.add_frame("tool", robot.links[-1], random_pose(rng))
    wanted = pose_derivative(robot, q, python_pose(robot, "tool"))
    np.testing.assert_allclose(robot.state(q).jacobian(tool), wanted, rtol=0, atol=1e-7)


@given(robot=trees(), seed=seeds)
def test_frames_on_links_and_offsets_against_pinocchio(robot, seed):
    rng = np.random.default_rng(seed)
    link = robot.links[-1]
    carried = SimpleFrame("a", link, random_pose(rng)).spawn("b", random_pose(rng))
    point = rng.uniform(-1, 1, 3)
    q = robot.random_positions(rng)
    # The same frames, known to a second skeleton as links.
    twin = robot.clone()
    twin.add_link("carried", None, link.name, carried.transform(link))
    twin.add_link("point", None, "carried", (point, [0, 0, 0, 1]))
    state = robot.state(q)
    np.testing.assert_allclose(state.jacobian(carried), pinocchio_jacobian(twin, q, "carried"), rtol=0, atol=1e-12)
    np.testing.assert_allclose(state.jacobian(carried, point), pinocchio_jacobian(twin, q, "point"), rtol=0, atol=1e-12)
    on_link = carried.transform(link).act(point)
    np.testing.assert_allclose(state.jacobian(link, on_link), pinocchio_jacobian(twin, q, "point"), rtol=0, atol=1e-12)


@given(robot=trees(kinds=MOVING), seed=seeds)
def test_some_columns_only(robot, seed):
    rng = np.random.default_rng(seed)
    chosen = rng.permutation(robot.num_dofs)[: int(rng.integers(0, robot.num_dofs + 1))]
    q = robot.random_positions(rng)
    full, some = robot.state(q), robot.state(q, dofs=chosen)
    for link in robot.links:
        np.testing.assert_array_equal(some.jacobian(link), full.jacobian(link)[:, chosen])
        np.testing.assert_array_equal(some.transform(link).homogeneous, full.transform(link).homogeneous)
    np.testing.assert_array_equal(some.x, q[chosen])
    if robot.mass > 0.0:
        np.testing.assert_array_equal(some.com_jacobian(), full.com_jacobian()[:, chosen])


@given(robot=trees(kinds=MOVING), seed=seeds)
def test_setting_and_moving_some_dofs_leaves_the_rest(robot, seed):
    rng = np.random.default_rng(seed)
    chosen = np.sort(rng.permutation(robot.num_dofs)[: int(rng.integers(0, robot.num_dofs + 1))])
    q = robot.random_positions(rng)
    state = robot.state(q, dofs=chosen)
    velocity = rng.uniform(-0.5, 0.5, len(chosen))
    whole = np.zeros(robot.num_dofs)
    whole[chosen] = velocity
    np.testing.assert_allclose(state.moved(velocity), robot.integrate(q, whole), rtol=0, atol=1e-15)
    np.testing.assert_array_equal(state.q, q)
    values = rng.uniform(-0.5, 0.5, len(chosen))
    state.set_dofs(values)
    wanted = q.copy()
    wanted[chosen] = values
    np.testing.assert_array_equal(state.q, wanted)
    np.testing.assert_array_equal(state.x, values)
    other = robot.state(wanted)
    for link in robot.links:
        np.testing.assert_array_equal(state.transform(link).homogeneous, other.transform(link).homogeneous)
        np.testing.assert_array_equal(state.jacobian(link), other.jacobian(link)[:, chosen])


def test_it_copies_what_it_is_given_and_gives_copies():
    robot = random_tree(3)
    q = robot.random_positions(1)
    kept = q.copy()
    state = robot.state(q)
    link = robot.tip
    pose, jacobian, com, com_jacobian = state.transform(link), state.jacobian(link), state.com(), state.com_jacobian()
    copies = pin.SE3(pose), jacobian.copy(), com.copy(), com_jacobian.copy()
    q += 1.0
    np.testing.assert_array_equal(state.q, kept)
    other = robot.random_positions(2)
    state.set(other)
    other += 1.0
    state.transform(link), state.jacobian(link), state.com(), state.com_jacobian()
    assert_same_pose(pose, copies[0], 0.0)
    for array, copy in zip((jacobian, com, com_jacobian), copies[1:], strict=True):
        np.testing.assert_array_equal(array, copy)
    state.set(list(kept))
    assert_same_pose(state.transform(link), copies[0], 0.0)
    pose.translation = np.full(3, 9.0)
    assert_same_pose(state.transform(link), copies[0], 0.0)


def test_whole_numbers_do_not_stay_whole():
    robot = build(["revolute", "revolute"])
    state = robot.state([0, 1], dofs=[0])
    state.set([1, 2])
    state.set_dofs([0.25])
    np.testing.assert_array_equal(state.q, [0.25, 2.0])


def test_nothing_depends_on_where_the_skeleton_is():
    robot = random_tree(4)
    carried = SimpleFrame("a", robot.tip, random_pose(np.random.default_rng(0))).spawn(
        "b", random_pose(np.random.default_rng(1))
    )
    q = robot.random_positions(1)
    found = []
    for seed in range(5):
        robot.positions = robot.random_positions(seed)
        state = robot.state(q)
        found.append((state.transform(carried).homogeneous.tobytes(), state.jacobian(carried).tobytes()))
    assert len(set(found)) == 1


def test_the_centre_of_mass_does_not_disturb_jacobians():
    robot = random_tree(5)
    state = robot.state()
    before = [state.jacobian(link) for link in robot.links]
    state.com_jacobian(), state.com()
    for link, jacobian in zip(robot.links, before, strict=True):
        np.testing.assert_array_equal(state.jacobian(link), jacobian)


def centre_of_mass(skeleton, q):
    """Written out, by the frame tree."""
    present = skeleton.positions
    skeleton.positions = q
    total = sum(link.mass * link.transform().act(link.inertia.lever) for link in skeleton.links) / skeleton.mass
    skeleton.positions = present
    return total


@pytest.mark.parametrize("root", ["fixed", "free", "planar", "revolute"])
@pytest.mark.parametrize("seed", range(4))
def test_centre_of_mass_on_fixed_and_floating_bases(root, seed):
    rng = np.random.default_rng(seed)
    tree = random_tree(seed, size=7)
    robot = build([root, "fixed", "revolute", "prismatic", "spherical", "revolute", "prismatic"],
                  [0, 1, 2, 0, 4, 5], [(6, 2, "callable"), (5, 6, "linear")], seed)  # fmt: skip
    for each in (tree, robot):
        each.root.inertia = random_inertia(rng)
        q = each.random_positions(rng)
        state = each.state(q)
        np.testing.assert_allclose(state.com(), centre_of_mass(each, q), rtol=0, atol=1e-12)
        derivative = pose_derivative(each, q, lambda x, of=each: pin.SE3(np.eye(3), centre_of_mass(of, x)))
        np.testing.assert_allclose(state.com_jacobian(), derivative[:3], rtol=0, atol=1e-8)
        each.positions = q
        np.testing.assert_allclose(each.com, centre_of_mass(each, q), rtol=0, atol=1e-12)
        np.testing.assert_array_equal(each.com_jacobian(), state.com_jacobian())


def test_mass_on_what_never_moves_counts():
    robot = build(["fixed", "fixed", "revolute"])
    for name in ("link0", "link1", "link2"):
        robot.link(name).inertia = None
    robot.link("link1").inertia = pin.Inertia(2.0, np.array([0.1, 0.2, 0.3]), np.eye(3))
    np.testing.assert_allclose(robot.com, robot.link("link1").transform().act(np.array([0.1, 0.2, 0.3])), atol=1e-15)
    np.testing.assert_array_equal(robot.com_jacobian(), np.zeros((3, 1)))


def test_without_mass_there_is_no_centre():
    robot = build(["fixed", "revolute"])
    for link in robot.links:
        link.inertia = None
    for use in (robot.com_jacobian, robot.state().com, robot.state().com_jacobian, lambda: robot.com):
        with pytest.raises(StructureError, match=r"skeleton 'random' has no mass.*set link inertias"):
            use()


def test_two_states_in_two_threads_give_the_same_as_one_after_another():
    robot = random_tree(7, size=15)
    rng = np.random.default_rng(0)
    carried = SimpleFrame("tool", robot.tip, random_pose(rng))
    work = [[robot.random_positions(rng) for _ in range(150)] for _ in range(2)]

    def results(configurations):
        state = robot.state()
        found = []
        for q in configurations:
            state.set(q)
            found.append((state.transform(carried).homogeneous, state.jacobian(carried), state.com_jacobian()))
        return found

    wanted = [results(each) for each in work]
    found = [None, None]
    barrier = threading.Barrier(2)

    def run(index):
        barrier.wait()
        found[index] = results(work[index])

    threads = [threading.Thread(target=run, args=(index,)) for index in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for one, other in zip(wanted, found, strict=True):
        for mine, theirs in zip(one, other, strict=True):
            for first, second in zip(mine, theirs, strict=True):
                np.testing.assert_array_equal(first, second)


def test_frames_that_the_skeleton_does_not_move():
    robot, other = build(["fixed", "revolute"], seed=1), build(["free", "revolute"], seed=2)
    state = robot.state([0.3])
    for frame in (World(), SimpleFrame("f", None, random_pose(np.random.default_rng(0))), other.link("link1")):
        assert_same_pose(state.transform(frame), frame.transform(), 0.0)
        np.testing.assert_array_equal(state.jacobian(frame), np.zeros((6, 1)))


def test_it_keeps_the_structure_that_it_was_made_with():
    robot = build(["fixed", "revolute", "revolute"])
    state = robot.state()
    link = robot.link("link2")
    before = state.transform(link)
    robot.joint("joint1").placement = np.eye(4)
    assert_same_pose(state.transform(link), before, 0.0)
    robot.remove_link(link)
    assert len(state.q) == 2


def test_one_degree_of_freedom_and_none():
    robot = Skeleton()
    robot.add_link("base")
    assert robot.state().jacobian(robot.link("base")).shape == (6, 0)
    link = robot.add_link("l", RevoluteJoint("j", "z"), "base", inertia=pin.Inertia.FromSphere(1.0, 0.1))
    np.testing.assert_allclose(robot.state().jacobian(link), [[0]] * 5 + [[1]], atol=1e-15)
    assert robot.com_jacobian().shape == (3, 1)
    assert robot.state(dofs=[]).jacobian(link).shape == (6, 0)
    assert robot.state(dofs=[]).com_jacobian().shape == (3, 0)


def test_a_dependent_column_only_with_its_master():
    robot = build(["fixed", "revolute", "revolute", "prismatic"], None, [(2, 1, "linear")])
    link = robot.link("link3")
    full = robot.state().jacobian(link)
    assert full.shape == (6, 2)
    np.testing.assert_array_equal(robot.state(dofs=[0]).jacobian(link), full[:, :1])
    np.testing.assert_array_equal(robot.state(dofs=[1]).jacobian(link), full[:, 1:])


@pytest.mark.parametrize("dofs", [[3], [-1], [0, 0], [0.5], ["joint1"], [None], [[0]]])
def test_wrong_dofs_are_refused(dofs):
    robot = build(["fixed", "revolute", "revolute", "revolute"])
    with pytest.raises(InvalidValueError, match="between 0 and 2"):
        State(robot, None, dofs)


def test_configurations_by_name_and_wrong_ones():
    robot = build(["fixed", "revolute", "revolute"])
    robot.positions = [0.1, 0.2]
    np.testing.assert_array_equal(robot.state({"joint2": 0.5}).q, [0.1, 0.5])
    for bad in ([0.1], {"nobody": 1.0}, [np.nan, 0], "ab"):
        with pytest.raises(KinetreeError):
            robot.state(bad)


def test_an_integrated_floating_base():
    robot = Skeleton()
    body = robot.add_link("body", FreeJoint("root"))
    state = robot.state([0, 0, 0, 0, 0, np.pi / 2])
    # Forwards in its own axes is along y in the world.
    np.testing.assert_allclose(state.moved(np.array([1.0, 0, 0, 0, 0, 0]))[:3], [0, 1, 0], atol=1e-15)
    np.testing.assert_allclose(state.jacobian(body)[:3, 0], [0, 1, 0], atol=1e-15)
