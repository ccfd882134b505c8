"""The picture of the documentation is made by the viewer; run with ``-m slow`` to make it anew."""

from pathlib import Path

import numpy as np
import pytest

from kinetree import models
from kinetree.interfaces.viewer import Viewer
from kinetree.kinematics import Box, CollisionDetector, ReachabilityMap

FIGURE = Path(__file__).parents[3] / "docs" / "figures" / "viewer.png"
START = [0.3, -1.3, 1.5, -1.77, -1.57, 0.2]


def test_the_picture_is_there_and_small():
    image = pytest.importorskip("PIL.Image").open(FIGURE)
    assert image.size == (1200, 720)
    assert FIGURE.stat().st_size < 200_000


@pytest.mark.slow
def test_the_picture_is_made(open_page, tmp_path):
    from PIL import Image

    robot = models.load("ur5e")
    detector = CollisionDetector(robot)
    detector.add("table", Box(0.5, 0.9, 0.05), ([0.65, 0.0, 0.1], [0, 0, 0, 1]))
    made = ReachabilityMap.create(
        robot.tip.chain(),
        step_translation=0.05,
        step_rotation=np.deg2rad(36),
        samples=20_000_000,
        progress=False,
    )
    viewer = Viewer(robot, detector=detector, reachability=made, q=START, degrees=True, port=0)
    viewer._reach.place.value = 0.45
    viewer._reach.draw()
    viewer._look.ellipsoid.value = True
    viewer.choose(branches=True)
    target = viewer.session.target
    target.translation += [0.05, -0.1, 0.05]
    assert viewer.move_target(target)
    page = open_page(viewer, {"width": 1200, "height": 720})
    page.page.wait_for_timeout(5000)
    picture = tmp_path / "viewer.png"
    page.page.screenshot(path=str(picture))
    colors = Image.open(picture).convert("RGB").quantize(160, dither=Image.Dither.NONE)
    FIGURE.parent.mkdir(exist_ok=True)
    colors.save(FIGURE, optimize=True)
    assert FIGURE.stat().st_size < 200_000
