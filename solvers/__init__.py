"""Targets in, configurations out: inverse-kinematics modules, methods to plug in or to subclass, restarts."""

from .analytical.analytical import Analytical
from .analytical.extra_dof_utilization import ExtraDofUtilization
from .analytical.validity import AnalyticalSolution, Validity
from .batches.batch_solution import BatchSolution
from .cartesian_selection import CartesianSelection
from .closed_form.closed_form import ClosedForm
from .errors import (
    ConstraintError,
    ErrorMethodError,
    GradientMethodError,
    IkFastBuildError,
    IkFastError,
    IkFastFileNotFoundError,
    IkFastLibraryError,
    IkFastMismatchError,
    IkFastSymbolError,
    ObjectiveError,
    SolverError,
    TooManySolutionsError,
)
from .gradient_descent_solver import GradientDescentSolver
from .gradient_method import GradientMethod
from .gradient_methods.halley import Halley
from .gradient_methods.jacobian_dls import JacobianDLS
from .gradient_methods.jacobian_pseudo_inverse import JacobianPseudoInverse
from .gradient_methods.jacobian_transpose import JacobianTranspose
from .gradient_methods.levenberg_marquardt import LevenbergMarquardt
from .gradient_methods.selectively_damped import SelectivelyDamped
from .hierarchy.center_of_mass_ik import CenterOfMassIK
from .hierarchy.hierarchical_delta_ik import HierarchicalDeltaIK
from .hierarchy.hierarchical_ik import CompositeIK, HierarchicalIK
from .hierarchy.prepared_delta_ik import PreparedDeltaIK
from .hierarchy.whole_body_ik import WholeBodyIK
from .ikfast.ik_fast import IkFast
from .ikfast.shared_library_ik_fast import SharedLibraryIkFast
from .inv_kin_solvers.ccd_solver import CCDSolver
from .inv_kin_solvers.inv_kin_method import InvKinMethod
from .inv_kin_solvers.inv_kin_solver import InvKinSolver
from .inv_kin_solvers.iterative_ik import IterativeIK
from .inv_kin_solvers.iterative_multi_ik import IterativeMultiIK
from .inv_kin_solvers.jacobian_ik_solver import JacobianIKSolver
from .inv_kin_solvers.module_solver import ModuleSolver, as_inv_kin_solver
from .inv_kin_solvers.multi_jacobian_ik_solver import MultiJacobianIKSolver
from .inv_kin_solvers.solutions import Solutions, SolutionsReport
from .inverse_kinematics import InverseKinematics
from .kernel import Kernel, kernel
from .meta.ambiguity_resolver import AmbiguityResolver
from .meta.ik_meta_solver import IKMetaSolver
from .objective import Objective
from .pace import FAST, SLOW, STEADY, Pace
from .paths.path_solution import PathSolution
from .prepared_solver import PreparedSolver
from .problem import Problem
from .reachability.reachability_refinement import refine_boundary
from .reachability.reachability_warm_start import WarmStart
from .reason import Reason
from .solution import Solution, TaskResult
from .targets import (
    Direction3D,
    IkTarget,
    IkType,
    Lookat3D,
    Ray4D,
    Rotation3D,
    Transform6D,
    Translation3D,
    TranslationDirection5D,
    TranslationLocalGlobal6D,
    TranslationXAxisAngle4D,
    TranslationXAxisAngleZNorm4D,
    TranslationXY2D,
    TranslationXYOrientation3D,
    TranslationYAxisAngle4D,
    TranslationYAxisAngleXNorm4D,
    TranslationZAxisAngle4D,
    TranslationZAxisAngleYNorm4D,
    target_class,
)
from .tasks.center_of_mass_task import CenterOfMassTask
from .tasks.error_method import ErrorMethod
from .tasks.joint_limit_task import JointLimitTask
from .tasks.posture_task import PostureTask
from .tasks.task_space_region import TaskSpaceRegion

__all__ = [
    "FAST",
    "SLOW",
    "STEADY",
    "AmbiguityResolver",
    "Analytical",
    "AnalyticalSolution",
    "BatchSolution",
    "CCDSolver",
    "CartesianSelection",
    "CenterOfMassIK",
    "CenterOfMassTask",
    "ClosedForm",
    "CompositeIK",
    "ConstraintError",
    "Direction3D",
    "ErrorMethod",
    "ErrorMethodError",
    "ExtraDofUtilization",
    "GradientDescentSolver",
    "GradientMethod",
    "GradientMethodError",
    "Halley",
    "HierarchicalDeltaIK",
    "HierarchicalIK",
    "IKMetaSolver",
    "IkFast",
    "IkFastBuildError",
    "IkFastError",
    "IkFastFileNotFoundError",
    "IkFastLibraryError",
    "IkFastMismatchError",
    "IkFastSymbolError",
    "IkTarget",
    "IkType",
    "InvKinMethod",
    "InvKinSolver",
    "InverseKinematics",
    "IterativeIK",
    "IterativeMultiIK",
    "JacobianDLS",
    "JacobianIKSolver",
    "JacobianPseudoInverse",
    "JacobianTranspose",
    "JointLimitTask",
    "Kernel",
    "LevenbergMarquardt",
    "Lookat3D",
    "ModuleSolver",
    "MultiJacobianIKSolver",
    "Objective",
    "ObjectiveError",
    "Pace",
    "PathSolution",
    "PostureTask",
    "PreparedDeltaIK",
    "PreparedSolver",
    "Problem",
    "Ray4D",
    "Reason",
    "Rotation3D",
    "SelectivelyDamped",
    "SharedLibraryIkFast",
    "Solution",
    "Solutions",
    "SolutionsReport",
    "SolverError",
    "TaskResult",
    "TaskSpaceRegion",
    "TooManySolutionsError",
    "Transform6D",
    "Translation3D",
    "TranslationDirection5D",
    "TranslationLocalGlobal6D",
    "TranslationXAxisAngle4D",
    "TranslationXAxisAngleZNorm4D",
    "TranslationXY2D",
    "TranslationXYOrientation3D",
    "TranslationYAxisAngle4D",
    "TranslationYAxisAngleXNorm4D",
    "TranslationZAxisAngle4D",
    "TranslationZAxisAngleYNorm4D",
    "Validity",
    "WarmStart",
    "WholeBodyIK",
    "as_inv_kin_solver",
    "kernel",
    "refine_boundary",
    "target_class",
]
