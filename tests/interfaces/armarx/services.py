"""Services for tests, and where Pinocchio says that their robots' frames are."""

import numpy as np
import pinocchio as pin

from kinetree import models
from kinetree.interfaces.armarx import RobotIK

ARM = [f"panda_joint{k}" for k in range(1, 8)]
#: Bent, away from limits and singular poses.
READY = dict(zip(ARM, (0.1, -0.6, 0.2, -2.2, 0.1, 1.7, 0.7), strict=True))


def panda_service(units="m", **options):
    service = RobotIK(models.load("panda"), units=units, **options)
    assert service.define_robot_node_set("arm", ARM, "panda_hand", "panda_link0")
    service.set_joint_values(READY)
    return service


def per_metre(service):
    return 1000.0 if service.units == "mm" else 1.0


def frame_pose(service, frame, values=()):
    """World pose of a link, in the units of the service, with other joint values than the present ones."""
    robot = service.skeleton
    q = robot.positions.copy()
    for name, value in dict(values).items():
        dof = robot.dof(name)
        q[dof.index] = value if dof.is_angular else value / per_metre(service)
    model = robot.model
    data = model.createData()
    pin.framesForwardKinematics(model, data, robot.to_pinocchio(q))
    found = data.oMf[model.getFrameId(frame)]
    return pin.SE3(found.rotation, found.translation * per_metre(service))


def distance(first, second):
    """How far apart two poses are: in the units of their positions, and as an angle."""
    return (
        float(np.linalg.norm(first.translation - second.translation)),
        float(np.linalg.norm(pin.log3(first.rotation.T @ second.rotation))),
    )
