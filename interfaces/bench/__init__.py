"""Measuring solvers: targets that can be reached, the check of answers by Pinocchio alone, times, tables, pictures."""

from .draw_targets import PATH_STEP, path, workload, workload_of
from .effort import Effort
from .errors import BenchError, MissingPackageError, OwnSolverError, PlotError
from .measurement import Measurement
from .own_solver import own_variants
from .provenance import machine, versions
from .query import Query
from .reachable_targets import NEAR, POSE_ROWS, Workload
from .report import show, write_json
from .run_trials import measure
from .table import Table
from .timing import Timing
from .variant import Variant
from .variant_tables import attempts_table, methods_table, notes
from .variants import VARIANTS, find_variants, method_variant
from .verification import Verification, pose_errors

__all__ = [
    "NEAR",
    "PATH_STEP",
    "POSE_ROWS",
    "VARIANTS",
    "BenchError",
    "Effort",
    "Measurement",
    "MissingPackageError",
    "OwnSolverError",
    "PlotError",
    "Query",
    "Table",
    "Timing",
    "Variant",
    "Verification",
    "Workload",
    "attempts_table",
    "find_variants",
    "machine",
    "measure",
    "method_variant",
    "methods_table",
    "notes",
    "own_variants",
    "path",
    "pose_errors",
    "show",
    "versions",
    "workload",
    "workload_of",
    "write_json",
]
