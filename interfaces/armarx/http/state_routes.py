"""Addresses of the robot's state: joint values, and where its root is."""

from __future__ import annotations

from typing import Any

import pinocchio as pin
from fastapi import APIRouter

from .answers import JointValuesAnswer, NodeSetAnswer, PoseAnswer, RobotAnswer, RobotPoseAnswer
from .desk import Desk
from .requests import JointValuesRequest, RobotPoseRequest
from .strict_route import StrictRoute


def state_routes(desk: Desk) -> APIRouter:
    """What every solve begins from; it is the same for all who ask."""
    router = APIRouter(tags=["robot"], route_class=StrictRoute)
    service = desk.service

    @router.get("/robot")
    async def robot() -> RobotAnswer:
        """The robot of the service, and its node sets."""

        def describe() -> RobotAnswer:
            sets = [
                NodeSetAnswer(name=each.name, joints=list(each.joints), tcp=each.tcp, root=each.root)
                for each in service.node_sets.values()
            ]
            return RobotAnswer(robot_name=service.robot_name, units=service.units, node_sets=sets)

        return await desk.run(describe)

    @router.get("/joint_values")
    async def joint_values() -> JointValuesAnswer:
        """Present values of all joints."""
        return JointValuesAnswer(joint_values=await desk.run(lambda: dict(service.joint_values)))

    @router.put("/joint_values")
    async def set_joint_values(request: JointValuesRequest) -> JointValuesAnswer:
        """Sets joints, all or none of those that are given, and tells the values of all of them."""

        def work() -> dict[str, float]:
            service.set_joint_values(request.joint_values)
            return dict(service.joint_values)

        return JointValuesAnswer(joint_values=await desk.run(work))

    @router.get("/robot_pose")
    async def robot_pose() -> RobotPoseAnswer:
        """Where the root of the robot is in the world."""
        return RobotPoseAnswer(pose=_pose(await desk.run(lambda: service.robot_pose)))

    @router.put("/robot_pose")
    async def set_robot_pose(request: RobotPoseRequest) -> RobotPoseAnswer:
        """Puts the root of the robot there. Reachability spaces in the world do not hold any more afterwards."""

        def work() -> Any:
            service.set_robot_pose(request.pose.pose())
            return service.robot_pose

        return RobotPoseAnswer(pose=_pose(await desk.run(work)))

    return router


def _pose(pose: pin.SE3) -> PoseAnswer:
    return PoseAnswer(position=pose.translation.tolist(), quaternion=pin.Quaternion(pose.rotation).coeffs().tolist())
