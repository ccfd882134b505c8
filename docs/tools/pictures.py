"""Draws pictures of built-in robots for the guide; `python docs/tools/pictures.py` writes them to docs/figures/.

An arm as its shapes, half transparent, with frames as three axes: x red, y green, z blue.
"""

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from mpl_toolkits.mplot3d.art3d import Poly3DCollection

from kinetree import models
from kinetree.interfaces.viewer.triangles import triangles_of
from kinetree.kinematics import Skeleton
from kinetree.solvers import InverseKinematics

FIGURES = Path(__file__).resolve().parents[1] / "figures"
AXES = ("#d0342c", "#2e8b3d", "#2b5fc7")
LINK, INK, PAPER = "#7fa3ab", "#26333a", "#ffffff"
VIEW = {"elev": 18, "azim": -52}
# Frames that are shown, and where their names stand from there (m).
NAMED = {
    "base_link": [0.12, 0.0, 0.02],
    "upper_arm_link": [0.14, 0.0, 0.02],
    "forearm_link": [0.12, 0.0, 0.05],
    "wrist_1_link": [-0.02, 0.0, 0.13],
    "tool0": [0.04, 0.0, -0.11],
}
POSITIONS = [0.5, -1.3, 1.5, -1.2, -1.2, 0.4]  # of UR5e: bent, and with no joint in front of another


def draw_robot(axes: Any, robot: Skeleton, q: Any, alpha: float = 0.35) -> None:
    """The shapes of a robot at a configuration."""
    state = robot.state(q)
    for link in robot.links:
        pose = state.transform(link)
        for shape in link.collisions:
            corners, faces = triangles_of(shape.geometry)
            place = pose * shape.placement
            points = corners @ place.rotation.T + place.translation
            axes.add_collection3d(
                Poly3DCollection(points[faces], facecolors=LINK, linewidths=0, alpha=alpha, shade=True)
            )


def draw_frame(axes: Any, pose: Any, length: float = 0.13, width: float = 1.8) -> None:
    """A frame as its three axes."""
    start = pose.translation
    for direction, colour in zip(pose.rotation.T, AXES, strict=True):
        end = start + length * direction
        axes.plot(*np.stack([start, end], axis=1), color=colour, linewidth=width, solid_capstyle="round", zorder=10)


def look(axes: Any, low: Iterable[float], high: Iterable[float], zoom: float = 1.45) -> None:
    """Shows a box of the world, without a grid, all directions at one scale."""
    low, high = np.asarray(list(low)), np.asarray(list(high))
    axes.set(xlim=(low[0], high[0]), ylim=(low[1], high[1]), zlim=(low[2], high[2]))
    axes.set_box_aspect(high - low, zoom=zoom)
    axes.set_proj_type("ortho")
    axes.view_init(**VIEW)
    axes.set_axis_off()


def figure(width: float, height: float) -> Figure:
    """An empty picture, in inches."""
    made = Figure(figsize=(width, height), facecolor=PAPER)
    FigureCanvasAgg(made)
    return made


def frames() -> Figure:
    """UR5e with the frames of its links and their names."""
    robot = models.load("ur5e")
    robot.positions = POSITIONS
    made = figure(7.0, 5.0)
    axes = made.add_axes((0.0, 0.0, 1.0, 1.0), projection="3d", computed_zorder=False)
    draw_robot(axes, robot, POSITIONS)
    for name, offset in NAMED.items():
        pose = robot.frame(name).transform()
        draw_frame(axes, pose)
        axes.text(*(pose.translation + offset), name, color=INK, fontsize=11, zorder=20)
    look(axes, [-0.15, -0.35, -0.05], [0.85, 0.45, 0.75], zoom=1.65)
    return made


def branches() -> Figure:
    """All ways in which UR5e reaches one pose."""
    robot = models.load("ur5e")
    target = robot.state(POSITIONS).transform(robot.tip)
    found = [each for each in InverseKinematics(robot).analytical().get_solutions(target) if not each.validity]
    made = figure(9.0, 3.5)
    columns = (len(found) + 1) // 2
    for number, each in enumerate(found):
        place = ((number % columns) / columns, 0.5 * (1 - number // columns), 1.0 / columns, 0.5)
        axes = made.add_axes(place, projection="3d", computed_zorder=False)
        draw_robot(axes, robot, each.q, alpha=0.6)
        draw_frame(axes, target, length=0.22, width=2.2)
        look(axes, [-0.25, -0.45, -0.15], [0.85, 0.55, 0.7])
    return made


PICTURES = {"arm_frames.png": frames, "arm_branches.png": branches}


def main(folder: Path = FIGURES) -> int:
    """Writes all pictures."""
    for name, draw in PICTURES.items():
        draw().savefig(folder / name, dpi=130, bbox_inches="tight", metadata={"Software": None})
        print(f"{name}: {(folder / name).stat().st_size / 1000:.0f} kB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
