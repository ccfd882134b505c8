"""Addresses of the operations on reachability spaces."""

from __future__ import annotations

from fastapi import APIRouter

from .answers import BoolOutcome, bool_outcome
from .desk import Desk
from .requests import (
    CreateSpaceRequest,
    FramedPoseQuestion,
    LoadRequest,
    NodeSetQuestion,
    PoseQuestion,
    SaveRequest,
)
from .strict_route import StrictRoute


def reachability_routes(desk: Desk) -> APIRouter:
    """The last six of the twelve operations."""
    router = APIRouter(tags=["reachability"], route_class=StrictRoute)
    service = desk.service.explained

    @router.post("/create_reachability_space")
    async def create_reachability_space(request: CreateSpaceRequest) -> BoolOutcome:
        """Samples where the tcp of a node set can go; true also when there is a space for it already."""
        low = None if request.min_bounds is None else request.min_bounds.bounds()
        high = None if request.max_bounds is None else request.max_bounds.bounds()
        outcome = await desk.make_map(
            request.node_set,
            request.samples,
            lambda progress: service.create_reachability_space(
                request.node_set,
                request.coordinate_system,
                request.step_translation,
                request.step_rotation,
                low,
                high,
                request.samples,
                progress=progress,
            ),
        )
        return bool_outcome(outcome)

    @router.post("/has_reachability_space")
    async def has_reachability_space(request: NodeSetQuestion) -> BoolOutcome:
        """Whether there is a reachability space for a node set."""
        return bool_outcome(await desk.solve(lambda: service.has_reachability_space(request.node_set), False))

    @router.post("/load_reachability_space")
    async def load_reachability_space(request: LoadRequest) -> BoolOutcome:
        """Reads a reachability space from the folder of the server."""
        return bool_outcome(await desk.load(request.filename))

    @router.post("/save_reachability_space")
    async def save_reachability_space(request: SaveRequest) -> BoolOutcome:
        """Writes a reachability space to the folder of the server; a file of that name is replaced."""
        return bool_outcome(await desk.save(request.node_set, request.filename))

    @router.post("/is_framed_pose_reachable")
    async def is_framed_pose_reachable(request: FramedPoseQuestion) -> BoolOutcome:
        """Whether the reachability space of a node set covers a pose in any frame; the reason tells no from unknown."""
        pose = request.pose.framed_pose()
        return bool_outcome(await desk.solve(lambda: service.is_framed_pose_reachable(request.node_set, pose), False))

    @router.post("/is_pose_reachable")
    async def is_pose_reachable(request: PoseQuestion) -> BoolOutcome:
        """The same for a pose in the world."""
        pose = request.pose.pose()
        return bool_outcome(await desk.solve(lambda: service.is_pose_reachable(request.node_set, pose), False))

    return router
