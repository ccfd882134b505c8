"""A browser without a window, and what is measured in its pictures."""

import io
import shutil
import time

import numpy as np
import pytest

#: Debian's, and what others call it.
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
#: Software rendering, no sandbox (tests may run as root), and no connection of its own.
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
SIZE = {"width": 840, "height": 420}


class Page:
    """The page of a viewer.

    Attributes:
        page: Playwright's page.
        requests: Addresses of all that it has asked for.
        viewer: The viewer.
    """

    def __init__(self, page, viewer):
        self.page, self.viewer, self.requests = page, viewer, []
        page.on("request", lambda request: self.requests.append(request.url))
        page.goto(viewer.url)
        page.wait_for_selector("canvas")
        # It tells that there is no graphics card, and hides a part of the scene.
        page.add_style_tag(content=".mantine-Notification-root { display: none; }")
        self.wait(lambda: self.client is not None and self.client.camera.image_width, "no client")

    @property
    def client(self):
        return next(iter(self.viewer._server.get_clients().values()), None)

    def wait(self, holds, what, seconds=60.0):
        """Waits until something holds; software rendering on a busy machine takes its time."""
        end = time.monotonic() + seconds
        while not holds():
            assert time.monotonic() < end, what
            self.page.wait_for_timeout(50)

    def pixels(self):
        """The picture (h, w, 3)."""
        image = pytest.importorskip("PIL.Image")
        return np.asarray(image.open(io.BytesIO(self.page.screenshot())).convert("RGB"))

    def magenta(self):
        """Where (x, y) the middle of the magenta pixels of the picture is, and how many there are."""
        red, green, blue = self.channels()
        there = (red > green + 60) & (blue > green + 60) & (abs(red - blue) < 40)
        rows, columns = np.nonzero(there)
        return (np.array([columns.mean(), rows.mean()]) if len(rows) else np.full(2, np.inf)), len(rows)

    def channels(self):
        """Red, green and blue (h, w) of the scene, without the panels."""
        return np.moveaxis(self.pixels()[:, : int(self.client.camera.image_width)].astype(int), 2, 0)

    def project(self, point):
        """Where (x, y) a point of the world (3,) is in the picture, by the camera that the browser tells."""
        camera = self.client.camera
        w, x, y, z = camera.wxyz
        rotation = np.array(
            [
                [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
            ]
        )
        seen = rotation.T @ (np.asarray(point) - camera.position)  # x to the right, y down, z ahead
        height = camera.image_height
        focus = 0.5 * height / np.tan(0.5 * camera.fov)
        return np.array([0.5 * camera.image_width, 0.5 * height]) + focus * seen[:2] / seen[2]


@pytest.fixture(scope="session")
def chromium():
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    pytest.importorskip("viser", reason="viser is not installed")
    path = next(filter(None, map(shutil.which, BROWSERS)), None)
    if path is None:
        pytest.skip(f"there is no browser: none of {', '.join(BROWSERS)} is installed")
    with playwright.sync_playwright() as started:
        browser = started.chromium.launch(executable_path=path, headless=True, args=list(FLAGS))
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def open_page(chromium):
    """``open_page(viewer)`` gives its `Page`; it is closed, and the viewer stopped, after the tests of a file."""
    opened = []

    def call(viewer, size=None):
        context = chromium.new_context(viewport=size or SIZE)
        opened.append((context, viewer))
        return Page(context.new_page(), viewer)

    yield call
    for context, viewer in opened:
        context.close()
        viewer.stop()


@pytest.fixture
def viser():
    return pytest.importorskip("viser", reason="viser is not installed")
