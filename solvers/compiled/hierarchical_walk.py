"""`CompiledWalk`: the descent of a hierarchy's search on the compiled step."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...kinematics import SimpleFrame
from ...kinematics.transforms import Array
from ..gradient_method import GradientMethod
from ..gradient_methods.levenberg_marquardt import LevenbergMarquardt
from ..hierarchy.hierarchy_tasks import HierarchyTask
from ..tasks.task_space_region import TaskSpaceRegion
from .hierarchical_stepper import CenterTask, HierarchicalStepper, TipTask

if TYPE_CHECKING:
    from ..hierarchy.hierarchy_search import HierarchyRequest

_POSITION = (True, True, True, False, False, False)
_POSE = (True, True, True, True, True, True)


class CompiledWalk:
    """Steps of a descent for a request that `compiled_obstacle` has nothing against.

    Measuring takes the next step along, since both are one call.

    Attributes:
        q: Present configuration (n,).
    """

    def __init__(self, request: HierarchyRequest) -> None:
        problem, self._tasks = request.problem, request.tasks
        self.q = self._following = request.seed
        self._stepper = HierarchicalStepper(
            request.active.skeleton,
            [_stepper_task(task) for task in self._tasks.all],
            dofs=request.active.indices.tolist(),
            q=request.seed,
            damping=[_damping(method) for method in self._tasks.methods],
            max_step=problem.max_step,
            respect_limits=problem.respect_limits,
            wraps=True,
        )

    def begin(self, start: Array, count: int) -> None:
        """Goes to a configuration (n,), to move on with the first levels."""
        self._stepper.use_levels(count)
        self.q = start

    def measure(self) -> tuple[tuple[float, ...], float]:
        """`Measured.missed` and `Measured.wish`."""
        self._following = self._stepper.step(self.q)
        return self._tasks.missed(self._stepper.misses), 0.0

    def move(self, iteration: int) -> None:
        """Takes the step from where `measure` was."""
        self.q = self._following


def _stepper_task(task: HierarchyTask) -> TipTask | CenterTask:
    own = task.error_method
    if not isinstance(own, TaskSpaceRegion):
        return CenterTask(own.goal, task.level, own.weight)  # type: ignore[attr-defined]  # the other kind there is
    aim = own.aimed
    tool = aim.relative.tool
    assert tool.link is not None
    frame = SimpleFrame("tool", tool.link, tool.pose)
    return TipTask(frame, aim.relative.target.pose, task.level, _POSE if aim.has_rotation else _POSITION)


def _damping(method: GradientMethod) -> tuple[float, float]:
    if isinstance(method, LevenbergMarquardt):
        return method.damping, method.floor
    return 0.0, method.damping**2  # type: ignore[attr-defined]  # damped least squares
