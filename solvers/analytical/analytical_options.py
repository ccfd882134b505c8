"""`AnalyticalOptions`: what may be chosen about a closed form."""

from __future__ import annotations

from ...kinematics import InvalidValueError
from ..option_checks import as_positive
from .branch_ranking import QualityComparison
from .extra_dof_utilization import ExtraDofUtilization
from .solved_dofs import SolvedDofs

#: By how much a solution may miss the pose (m and rad) and still reach it; closed forms are exact but for rounding.
TOLERANCE = 1e-9


class AnalyticalOptions(SolvedDofs):
    """The part of `Analytical` that keeps its options."""

    _utilization: ExtraDofUtilization = ExtraDofUtilization.UNUSED
    _extra_clamp: float = 1.0
    _quality: QualityComparison | None = None
    _tolerance: float = TOLERANCE

    @property
    def tolerance(self) -> float:
        """By how much (m and rad) a solution may miss the pose and still reach it; 1e-9."""
        return self._tolerance

    @tolerance.setter
    def tolerance(self, value: float) -> None:
        self._tolerance = as_positive(f"tolerance of {type(self).__name__}", value)
        self._options_changed()

    @property
    def extra_dof_utilization(self) -> ExtraDofUtilization:
        """What is done with the module's other dofs; `ExtraDofUtilization.UNUSED`."""
        return self._utilization

    @extra_dof_utilization.setter
    def extra_dof_utilization(self, value: ExtraDofUtilization | str) -> None:
        try:
            self._utilization = ExtraDofUtilization(value)
        except ValueError:
            names = ", ".join(repr(each.value) for each in ExtraDofUtilization)
            raise InvalidValueError(f"extra_dof_utilization must be one of {names}, not {value!r}") from None
        self._options_changed()

    @property
    def extra_error_length_clamp(self) -> float:
        """Largest length of the error that moves the extra dofs in one step; 1."""
        return self._extra_clamp

    @extra_error_length_clamp.setter
    def extra_error_length_clamp(self, clamp: float) -> None:
        self._extra_clamp = as_positive("extra_error_length_clamp", clamp)
        self._options_changed()

    @property
    def quality_comparison(self) -> QualityComparison | None:
        """``better(a, b, ik)``: whether the values a (d,) of the solved dofs are better than b.

        None ranks by the largest joint difference from the seed, the least one first.
        """
        return self._quality

    @quality_comparison.setter
    def quality_comparison(self, better: QualityComparison | None) -> None:
        if better is not None and not callable(better):
            raise InvalidValueError(f"quality_comparison must be a function of (a, b, ik), not {better!r}")
        self._quality = better
        self._options_changed()

    def reset_quality_comparison(self) -> None:
        """Ranks by the distance from the seed again."""
        self.quality_comparison = None
