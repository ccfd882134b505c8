"""The centre of mass of some links, against sums over the links and finite differences."""

import numpy as np
import pinocchio as pin
import pytest

from kinetree import models
from kinetree.kinematics import InvalidValueError, RevoluteJoint, Skeleton, StructureError, UnknownNameError, pose
from kinetree.kinematics.partial_center_of_mass import PartialCenterOfMass
from tests.kinematics.random_trees import build

KINDS = ["fixed", "revolute", "spherical", "prismatic", "fixed", "free", "planar", "screw", "universal", "revolute"]


def heavy(kinds=KINDS, dependences=()):
    """A tree whose links all weigh something, welded and fixed ones included."""
    robot = build(kinds, None, dependences)
    rng = np.random.default_rng(4)
    for link in robot.links:
        link.inertia = pin.Inertia(rng.uniform(0.5, 3.0), rng.normal(size=3) * 0.2, np.eye(3))
    return robot


def summed(robot, q, names):
    """Sum of mass times place over the links, divided by the mass."""
    state = robot.state(q)
    links = [robot.link(name) for name in names]
    moment = sum(link.mass * state.transform(link).act(link.inertia.lever) for link in links)
    return moment / sum(link.mass for link in links)


@pytest.mark.parametrize("chosen", [["link9"], ["link0", "link4"], ["link2", "link3", "link7"], None])
@pytest.mark.parametrize("dependences", [(), [(3, 1, "linear")], [(9, 1, "callable")]])
def test_against_a_sum_and_differences(chosen, dependences):
    robot = heavy(dependences=dependences)
    names = [link.name for link in robot.links] if chosen is None else chosen
    part = PartialCenterOfMass(robot, names)
    rng = np.random.default_rng(2)
    for _ in range(3):
        q = robot.random_positions(rng)
        state = robot.state(q, range(1, robot.num_dofs))
        np.testing.assert_allclose(part.com(state), summed(robot, q, names), atol=1e-12)
        columns = []
        for dof in state.dofs:
            step = 1e-6 * np.eye(robot.num_dofs)[dof]
            ahead, behind = (summed(robot, robot.integrate(q, sign * step), names) for sign in (1.0, -1.0))
            columns.append((ahead - behind) / 2e-6)
        np.testing.assert_allclose(part.com_jacobian(state), np.stack(columns, axis=1), atol=1e-7)
        if chosen is None:
            np.testing.assert_allclose(part.com(state), state.com(), atol=1e-12)
            np.testing.assert_allclose(part.com_jacobian(state), state.com_jacobian(), atol=1e-12)


def test_of_robots_that_hardly_move():
    still = Skeleton("still")
    still.add_link("base", inertia=pin.Inertia(2.0, np.array([0.1, 0.2, 0.3]), np.eye(3)))
    part = PartialCenterOfMass(still, ["base"])
    np.testing.assert_allclose(part.com(still.state()), [0.1, 0.2, 0.3])
    assert part.com_jacobian(still.state()).shape == (3, 0)
    still.add_link(
        "arm", RevoluteJoint("turn"), "base", pose((0, 0, 1)), inertia=pin.Inertia(1.0, np.ones(3), np.eye(3))
    )
    both = PartialCenterOfMass(still, ["base", "arm", "arm"])
    assert both.mass == 3.0
    np.testing.assert_allclose(both.com_jacobian(still.state())[:, 0], [-1 / 3, 1 / 3, 0.0], atol=1e-15)


def test_what_has_no_mass_is_named():
    robot = models.load("humanoid")
    with pytest.raises(StructureError, match="bodies 'left_foot', 'right_foot' of skeleton 'humanoid' have no mass"):
        PartialCenterOfMass(robot, ["left_foot", "right_foot"])
    with pytest.raises(UnknownNameError, match="did you mean 'left_foot'"):
        PartialCenterOfMass(robot, ["left_fot"])
    with pytest.raises(UnknownNameError):
        PartialCenterOfMass(robot, [models.load("panda").link("panda_link1")])
    with pytest.raises(InvalidValueError, match="no links of 'humanoid'"):
        PartialCenterOfMass(robot, [])
