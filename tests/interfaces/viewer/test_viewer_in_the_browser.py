"""What a user sees: the robot's pixels go where the robot goes."""

import numpy as np
import pinocchio as pin
import pytest

from kinetree import models
from kinetree.interfaces.viewer import Viewer
from kinetree.interfaces.viewer.reach_slice import ReachSlice
from kinetree.kinematics import Shape, Sphere

MAGENTA = (1.0, 0.0, 1.0, 1.0)
RADIUS = 0.08
START = np.array([0.3, -1.6, 1.7, -1.6, -1.5, 0.2])
FOLDED = np.array([0.3, -1.6, 2.7, 0.0, -1.5, 0.2])


@pytest.fixture(scope="module")
def shared_page(open_page):
    """An arm with a magenta ball around its hand: nothing else in the picture has that colour."""
    robot = models.load("ur5e")
    robot.link("tool0").visuals = [Shape(Sphere(RADIUS), color=MAGENTA)]
    viewer = Viewer(robot, q=START, port=0)
    viewer._server.scene.configure_default_lights(cast_shadow=False)  # quicker
    return open_page(viewer)


@pytest.fixture
def page(shared_page):
    """The same page for all tests, which takes a while to open, with the arm where it was."""
    shared_page.page.get_by_role("tab", name="Target").click()
    show_target(shared_page, False)
    shared_page.viewer.show(START)
    return shared_page


def show_target(page, shown):
    """The gizmo and the axes hide the ball."""
    page.viewer._look.gizmo.value = page.viewer._look.tip.value = shown
    page.viewer.refresh()


def hand(page):
    return page.viewer.session.picture().frame_pose.translation


def check_ball(page):
    """The ball is in the picture where the hand is, and as large as it should be; gives where."""
    assert page.viewer.wait_idle(60.0)

    def is_there():
        expected = page.project(hand(page))
        edge = page.project(hand(page) + np.array([0.0, 0.0, RADIUS])) - expected
        where, count = page.magenta()
        return np.linalg.norm(where - expected) < 5.0 and count > 0.5 * np.pi * np.dot(edge, edge)

    page.wait(is_there, "no ball where the hand is", 30.0)
    return page.project(hand(page))


def test_the_hand_follows_the_target(page):
    before, picture = check_ball(page), np.array(page.channels())
    target = page.viewer.session.target
    target.translation += [-0.1, 0.25, 0.15]
    assert page.viewer.move_target(target)
    after = check_ball(page)
    assert np.linalg.norm(after - before) > 40.0
    changed = np.abs(np.array(page.channels()) - picture).max(axis=0) > 30
    # Where the hand was it is no more, and the rest of the arm has moved as well.
    assert changed[round(before[1]), round(before[0])]
    assert changed.sum() > 1500
    assert "solved" in page.page.inner_text("body")


def test_nothing_is_asked_of_other_servers(page):
    own = (page.viewer.url, f"blob:{page.viewer.url}", "data:")
    assert page.requests
    assert all(url.startswith(own) for url in page.requests)


def test_the_gizmo_is_dragged_with_the_mouse(page):
    show_target(page, True)
    session, scene = page.viewer.session, page.viewer._scene
    before = session.target
    axis = before.rotation[:, 0]
    arrow = page.project(before.translation + 0.95 * scene.gizmo.scale * axis)
    goal = arrow + 1.2 * (arrow - page.project(before.translation))
    mouse = page.page.mouse
    page.page.wait_for_timeout(300)
    mouse.move(*arrow)
    page.page.wait_for_timeout(300)
    mouse.down()
    for part in np.linspace(0.0, 1.0, 8):
        mouse.move(*((1.0 - part) * arrow + part * goal))
        page.page.wait_for_timeout(40)
    mouse.up()
    page.wait(lambda: np.linalg.norm(session.target.translation - before.translation) > 0.05, "nothing was dragged")
    page.page.wait_for_timeout(300)
    assert page.viewer.wait_idle(60.0)
    moved = session.target.translation - before.translation
    np.testing.assert_allclose(moved / np.linalg.norm(moved), axis, atol=1e-3)  # along the arrow that was taken
    assert session.solution
    np.testing.assert_allclose(hand(page), session.target.translation, atol=2e-6)
    show_target(page, False)
    check_ball(page)


def test_sliders_move_the_robot(page):
    before = check_ball(page)
    session, mouse = page.viewer.session, page.page.mouse
    page.page.get_by_role("tab", name="Joints").click()
    # With the mouse: the arrow keys turn the camera as well.
    box = page.page.locator("[role=slider]:visible").first.bounding_box()
    x, y = box["x"] + 0.5 * box["width"], box["y"] + 0.5 * box["height"]
    mouse.move(x, y)
    mouse.down()
    for _ in range(4):
        x -= 3.0
        mouse.move(x, y)
    mouse.up()
    page.wait(lambda: session.q[0] < START[0] - 0.3, "the slider did not move the first joint")
    np.testing.assert_allclose(session.q[1:], START[1:], atol=1e-12)
    assert np.linalg.norm(check_ball(page) - before) > 20.0


def test_methods_and_frames_are_chosen_on_the_page(page):
    session = page.viewer.session
    for label, choice, chosen in (
        ("method", "halley", lambda: session.picture().method),
        ("frame", "wrist_2_link", lambda: session.frame.name),
    ):
        page.page.get_by_label(label, exact=True).first.click()
        page.page.get_by_role("option", name=choice, exact=True).click()
        page.wait(lambda chosen=chosen, choice=choice: chosen() == choice, f"{label} is not {choice}")
    page.viewer.choose(frame="tool0")


def test_links_in_collision_are_red(page):
    def red_pixels():
        red, green, blue = page.channels()
        return int(((red > 120) & (green < 60) & (blue < 60)).sum())

    check_ball(page)
    assert red_pixels() < 20
    page.viewer.show(FOLDED)
    assert page.viewer.session.picture().contacts
    page.wait(lambda: red_pixels() > 200, "nothing is red")


def test_a_slice_stands_where_the_map_is(page):
    image = np.zeros((40, 80, 4), dtype=np.uint8)
    image[:10, 60:] = [255, 0, 255, 255]  # far along the first axis, and high along the second
    plane = pin.SE3(np.array([[1.0, 0, 0], [0, 0, -1.0], [0, 1.0, 0]]), np.array([0.0, -0.1, 0.5]))
    scene, things = page.viewer._scene, page.viewer._things
    things.hide()
    scene.show_slice(ReachSlice(image, 0.8, 0.4, plane, 1.0))
    scene.place_slice(pin.SE3(np.eye(3), np.array([0.0, 0.1, 0.0])))
    expected = page.project([0.0 + 0.4 - 0.1, -0.1 + 0.1, 0.5 + 0.2 - 0.05])
    page.wait(lambda: np.linalg.norm(page.magenta()[0] - expected) < 5.0, f"no slice at {expected}", 30.0)
    scene.show_slice(None)
    things.hide(False)
