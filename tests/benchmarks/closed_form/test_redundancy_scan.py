"""The scan of the redundancy finds solutions inside the limits, and none is nearer by its own values."""

import numpy as np
import pytest

from benchmarks.closed_form.redundancy_scan import RedundancyScan
from benchmarks.closed_form.seven_axis import ROBOTS
from kinetree.interfaces.bench import workload
from kinetree.solvers.closed_form.chain_geometry import ChainGeometry


def geometry_of(work):
    return ChainGeometry.of(work.robot, work.chain.tip, list(work.chain.dof_indices), work.chain.base)


@pytest.mark.parametrize("name", ROBOTS)
def test_solutions_reach_inside_the_limits(name):
    work = workload(name, 20)
    seeds = work.of_chain(work.seeds)
    found = RedundancyScan(geometry_of(work), ROBOTS[name], 300).nearest(work.in_base(), seeds)
    assert np.isfinite(found).all()
    check = work.verify(work.whole(found))
    assert check.inside.all()
    assert check.position_error.max() < 1e-9
    assert check.orientation_error.max() < 1e-9


@pytest.mark.parametrize("name", ROBOTS)
def test_the_seed_itself_is_found_as_nearly_as_values_are_dense(name):
    work = workload(name, 20)
    q = work.of_chain(work.witnesses)
    geometry, joint = geometry_of(work), ROBOTS[name]
    spans = [RedundancyScan(geometry, joint, values) for values in (201, 2001)]
    coarse, fine = (np.abs(scan.nearest(work.in_base(), q) - q).max(axis=1) for scan in spans)
    step = (geometry.upper[joint] - geometry.lower[joint]) / 2000
    assert np.median(fine) < 5.0 * step
    assert (fine <= coarse + 1e-12).all()  # the values of one are among those of the other


def test_an_arm_that_is_not_for_it():
    rng = np.random.default_rng(0)
    limits = np.full(7, 3.0)
    geometry = ChainGeometry.made(rng.normal(size=(7, 3)), rng.normal(size=(8, 3)), lower=-limits, upper=limits)
    with pytest.raises(ValueError, match="no spherical wrist"):
        RedundancyScan(geometry, 2, 3)
