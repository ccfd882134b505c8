"""The script that draws the pictures of the guide."""

import importlib.util
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def pictures():
    pytest.importorskip("matplotlib", reason="pictures are drawn with matplotlib")
    spec = importlib.util.spec_from_file_location("pictures", ROOT / "docs" / "tools" / "pictures.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def drawn(figure):
    figure.canvas.draw()
    return np.asarray(figure.canvas.buffer_rgba())[:, :, :3].astype(int)


def cut_off(part):
    edges = np.concatenate([part[2, :], part[-3, :], part[:, 2], part[:, -3]])
    return (edges.min(axis=1) < 250).any()


def test_frames_are_drawn_in_their_colours_and_named(pictures):
    figure = pictures.frames()
    assert {text.get_text() for text in figure.axes[0].texts} == set(pictures.NAMED)
    pixels = drawn(figure)
    x0, y0, x1, y1 = figure.axes[0].bbox.extents.astype(int)
    assert not cut_off(pixels[pixels.shape[0] - y1 : pixels.shape[0] - y0, x0:x1])
    for colour in pictures.AXES:
        wanted = [int(colour[i : i + 2], 16) for i in (1, 3, 5)]
        assert (np.abs(pixels - wanted).max(axis=2) < 8).sum() > 100, f"no axis is {colour}"


def test_every_branch_has_its_place(pictures):
    figure = pictures.branches()
    assert len(figure.axes) == 8
    pixels = drawn(figure)
    for axes in figure.axes:
        x, y, width, height = axes.get_position().bounds
        rows, columns = pixels.shape[:2]
        part = pixels[int((1 - y - height) * rows) : int((1 - y) * rows), int(x * columns) : int((x + width) * columns)]
        assert (part.min(axis=2) < 200).mean() > 0.02, "nothing is drawn there"
        assert not cut_off(part)


def test_the_pictures_of_the_guide_are_these(pictures):
    pages = "".join(page.read_text(encoding="utf-8") for page in (ROOT / "docs").glob("*.md"))
    for name in pictures.PICTURES:
        assert (ROOT / "docs" / "figures" / name).is_file()
        assert f"(figures/{name})" in pages
