"""What the kinematics is compared with: textbook formulas, Pinocchio used directly, finite differences."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pinocchio as pin
import pytest

from kinetree.kinematics import Joint, KinetreeError, Skeleton

TIGHT = 1e-12
WORLD_ALIGNED = pin.ReferenceFrame.LOCAL_WORLD_ALIGNED


def rodrigues(axis: np.ndarray, angle: float) -> np.ndarray:
    """Rotation matrix about a unit axis, written out."""
    x, y, z = axis
    cross = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    return np.eye(3) + np.sin(angle) * cross + (1.0 - np.cos(angle)) * cross @ cross


def homogeneous(rotation: np.ndarray, translation: np.ndarray) -> np.ndarray:
    result = np.eye(4)
    result[:3, :3] = rotation
    result[:3, 3] = translation
    return result


def assert_same_pose(actual: pin.SE3, wanted: pin.SE3 | np.ndarray, tolerance: float = TIGHT) -> None:
    matrix = wanted.homogeneous if isinstance(wanted, pin.SE3) else wanted
    np.testing.assert_allclose(actual.homogeneous, matrix, rtol=0, atol=tolerance)


def pinocchio_poses(skeleton: Skeleton, q: np.ndarray) -> dict[str, pin.SE3]:
    """World poses of all links, from Pinocchio alone."""
    model = skeleton.model
    data = model.createData()
    pin.framesForwardKinematics(model, data, skeleton.to_pinocchio(q))
    return {link.name: pin.SE3(data.oMf[model.getFrameId(link.name)]) for link in skeleton.links}


def velocity_map(skeleton: Skeleton, q: np.ndarray) -> np.ndarray:
    """(model.nv, n): velocities of Pinocchio's model from ours, the chain rule along dependences."""
    model = skeleton.model
    result = np.zeros((model.nv, skeleton.num_dofs))
    place = {dof.name: index for index, dof in enumerate(skeleton.dofs)}
    value = {dof.name: float(each) for dof, each in zip(skeleton.dofs, q, strict=True)}

    def row(joint: Joint) -> tuple[float, np.ndarray]:
        """Position and gradient of a joint of one degree of freedom."""
        rule = joint.dependence
        if rule is None:
            gradient = np.zeros(skeleton.num_dofs)
            gradient[place[joint.dofs[0].name]] = 1.0
            return value[joint.dofs[0].name], gradient
        position, gradient = row(rule.master)
        if rule.function is None:
            return rule.multiplier * position + rule.offset, rule.multiplier * gradient
        return rule.function(position), rule.slope(position) * gradient

    for joint in skeleton.joints:
        if not joint.is_moving:
            continue
        start = model.idx_vs[model.getJointId(joint.name)]
        if joint.num_dofs == 1:
            result[start] = row(joint)[1]
        else:
            for k, dof in enumerate(joint.dofs):
                result[start + k, place[dof.name]] = 1.0
    return result


def pinocchio_jacobian(
    skeleton: Skeleton, q: np.ndarray, name: str, axes: pin.ReferenceFrame = WORLD_ALIGNED
) -> np.ndarray:
    """(6, n) of a link, from Pinocchio and `velocity_map`."""
    model = skeleton.model
    if model.nv == 0:  # Pinocchio crashes on a model without joints
        return np.zeros((6, 0))
    data = model.createData()
    full = pin.computeFrameJacobian(model, data, skeleton.to_pinocchio(q), model.getFrameId(name), axes)
    return full.reshape(6, model.nv) @ velocity_map(skeleton, q)


def pose_derivative(
    skeleton: Skeleton, q: np.ndarray, pose_at: Callable[[np.ndarray], pin.SE3], step: float = 1e-5
) -> np.ndarray:
    """(6, n) central differences of a pose by joint velocities: linear, then angular, in the base's axes."""
    result = np.zeros((6, skeleton.num_dofs))
    for k in range(skeleton.num_dofs):
        velocity = np.zeros(skeleton.num_dofs)
        velocity[k] = step
        ahead, behind = pose_at(skeleton.integrate(q, velocity)), pose_at(skeleton.integrate(q, -velocity))
        result[:3, k] = (ahead.translation - behind.translation) / (2.0 * step)
        result[3:, k] = pin.log3(ahead.rotation @ behind.rotation.T) / (2.0 * step)
    return result


def python_pose(skeleton: Skeleton, name: str) -> Callable[[np.ndarray], pin.SE3]:
    """World pose of a frame at q by the frame tree, which the positions are put back in."""

    def pose_at(q: np.ndarray) -> pin.SE3:
        present = skeleton.positions
        skeleton.positions = q
        try:
            return skeleton.frame(name).transform()
        finally:
            skeleton.positions = present

    return pose_at


def assert_engines_agree(skeleton: Skeleton) -> None:
    """Frame tree, Pinocchio and State give the same poses and Jacobians at the present positions."""
    q = skeleton.positions
    state = skeleton.state()
    wanted = pinocchio_poses(skeleton, q)
    for link in skeleton.links:
        assert_same_pose(link.transform(), wanted[link.name])
        assert_same_pose(state.transform(link), wanted[link.name])
        np.testing.assert_allclose(state.jacobian(link), pinocchio_jacobian(skeleton, q, link.name), rtol=0, atol=TIGHT)


def picture(skeleton: Skeleton) -> dict[str, object]:
    """All that an edit could change, to compare before and after; no version numbers."""
    tip = None if skeleton.root is None else (skeleton.tip.name, skeleton.tip_source)
    return {
        "text": str(skeleton),
        "links": [link.name for link in skeleton.links],
        "joints": [repr(joint) for joint in skeleton.joints],
        "dofs": [(dof.name, dof.index, dof.position, dof.limits) for dof in skeleton.dofs],
        "dependences": [(joint.name, joint.dependence, joint.dependents) for joint in skeleton.joints],
        "positions": skeleton.positions.tolist(),
        "poses": [frame.transform().homogeneous.tolist() for frame in skeleton.frames],
        "tip": tip,
        "shapes": [(len(link.collisions), len(link.visuals), link.mass) for link in skeleton.links],
    }


def refused(skeleton: Skeleton, error: type[Exception], edit: Callable[[], object]) -> str:
    """Runs an edit that must be refused and change nothing; gives the message."""
    before = picture(skeleton)
    with pytest.raises(error) as raised:
        edit()
    assert isinstance(raised.value, KinetreeError), repr(raised.value)
    assert picture(skeleton) == before
    return str(raised.value)
