"""Targets in, configurations out: inverse-kinematics modules, methods to plug in or to subclass, restarts."""

from .batch_solution import BatchSolution
from .center_of_mass_task import CenterOfMassTask
from .error_method import ErrorMethod
from .errors import ConstraintError, ErrorMethodError, GradientMethodError, ObjectiveError, SolverError
from .gradient_descent_solver import GradientDescentSolver
from .gradient_method import GradientMethod
from .halley import Halley
from .hierarchical_ik import CompositeIK, HierarchicalIK
from .ik_meta_solver import IKMetaSolver
from .inv_kin_solver import InvKinSolver
from .inverse_kinematics import InverseKinematics
from .iterative_ik import IterativeIK
from .jacobian_dls import JacobianDLS
from .jacobian_ik_solver import JacobianIKSolver
from .jacobian_pseudo_inverse import JacobianPseudoInverse
from .jacobian_transpose import JacobianTranspose
from .joint_limit_task import JointLimitTask
from .kernel import Kernel, kernel
from .levenberg_marquardt import LevenbergMarquardt
from .objective import Objective
from .pace import FAST, SLOW, STEADY, Pace
from .path_solution import PathSolution
from .posture_task import PostureTask
from .prepared_solver import PreparedSolver
from .problem import Problem
from .reason import Reason
from .selectively_damped import SelectivelyDamped
from .solution import Solution, TaskResult
from .solutions import Solutions, SolutionsReport
from .task_space_region import TaskSpaceRegion
from .whole_body_ik import WholeBodyIK

__all__ = [
    "FAST",
    "SLOW",
    "STEADY",
    "BatchSolution",
    "CenterOfMassTask",
    "CompositeIK",
    "ConstraintError",
    "ErrorMethod",
    "ErrorMethodError",
    "GradientDescentSolver",
    "GradientMethod",
    "GradientMethodError",
    "Halley",
    "HierarchicalIK",
    "IKMetaSolver",
    "InvKinSolver",
    "InverseKinematics",
    "IterativeIK",
    "JacobianDLS",
    "JacobianIKSolver",
    "JacobianPseudoInverse",
    "JacobianTranspose",
    "JointLimitTask",
    "Kernel",
    "LevenbergMarquardt",
    "Objective",
    "ObjectiveError",
    "Pace",
    "PathSolution",
    "PostureTask",
    "PreparedSolver",
    "Problem",
    "Reason",
    "SelectivelyDamped",
    "Solution",
    "Solutions",
    "SolutionsReport",
    "SolverError",
    "TaskResult",
    "TaskSpaceRegion",
    "WholeBodyIK",
    "kernel",
]
