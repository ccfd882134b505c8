import numpy as np
import pytest

from kinetree.interfaces.bench import PATH_STEP, path


@pytest.mark.parametrize("name", ["panda", "gen3"])
def test_paths_are_smooth_and_inside(name):
    work = path(name, 500)
    assert np.abs(work.witnesses - work.seeds).max() <= PATH_STEP
    assert np.abs(work.witnesses[-1] - work.witnesses[0]).max() > 0.2
    assert all(work.is_inside_limits(q) for q in work.witnesses)
    np.testing.assert_allclose(work.poses(work.witnesses), work.targets, atol=1e-12)
