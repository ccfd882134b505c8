"""Addresses of node sets, and of the operations that compute joint values."""

from __future__ import annotations

from fastapi import APIRouter

from ..extended_ik_result import ExtendedIKResult
from .answers import (
    BoolOutcome,
    ExtendedIKOutcome,
    JointValuesOutcome,
    bool_outcome,
    extended_outcome,
    joint_values_outcome,
)
from .desk import Desk
from .requests import CoMRequest, FramedPoseRequest, GlobalPoseRequest, HierarchicalRequest, NodeSetRequest
from .strict_route import StrictRoute


def ik_routes(desk: Desk) -> APIRouter:
    """The first six of the twelve operations."""
    router = APIRouter(tags=["inverse kinematics"], route_class=StrictRoute)
    service = desk.service.explained

    @router.post("/compute_ik_framed_pose")
    async def compute_ik_framed_pose(request: FramedPoseRequest) -> JointValuesOutcome:
        """Joint values that bring the tcp of a node set to a pose in any frame."""
        pose = request.pose.framed_pose()
        return joint_values_outcome(
            await desk.solve(lambda: service.compute_ik_framed_pose(request.node_set, pose, request.selection), {})
        )

    @router.post("/compute_ik_global_pose")
    async def compute_ik_global_pose(request: GlobalPoseRequest) -> JointValuesOutcome:
        """The same for a pose in the world."""
        pose = request.pose.pose()
        return joint_values_outcome(
            await desk.solve(lambda: service.compute_ik_global_pose(request.node_set, pose, request.selection), {})
        )

    @router.post("/compute_extended_ik_global_pose")
    async def compute_extended_ik_global_pose(request: GlobalPoseRequest) -> ExtendedIKOutcome:
        """The same with how far off the nearest configuration is."""
        pose = request.pose.pose()
        outcome = await desk.solve(
            lambda: service.compute_extended_ik_global_pose(request.node_set, pose, request.selection),
            ExtendedIKResult(),
        )
        return extended_outcome(outcome)

    @router.post("/compute_com_ik")
    async def compute_com_ik(request: CoMRequest) -> JointValuesOutcome:
        """Joint values that bring the centre of mass over a point."""
        descriptor = request.descriptor.descriptor()
        return joint_values_outcome(await desk.solve(lambda: service.compute_com_ik(request.node_set, descriptor), {}))

    @router.post("/compute_hierarchical_delta_ik")
    async def compute_hierarchical_delta_ik(request: HierarchicalRequest) -> JointValuesOutcome:
        """What to add to the present joint values to bring several tasks nearer, by priority."""
        tasks = [each.task() for each in request.tasks]
        com = None if request.com is None else request.com.descriptor()
        options = request.step_size, request.avoid_joint_limits, request.enable_center_of_mass
        return joint_values_outcome(
            await desk.solve(lambda: service.compute_hierarchical_delta_ik(request.node_set, tasks, com, *options), {})
        )

    @router.post("/define_robot_node_set")
    async def define_robot_node_set(request: NodeSetRequest) -> BoolOutcome:
        """Gives joints, a tcp and a root a name; true also when an identical set exists."""
        return bool_outcome(
            await desk.solve(lambda: desk.define(request.name, request.nodes, request.tcp, request.root), False)
        )

    return router
