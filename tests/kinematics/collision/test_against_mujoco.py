"""Distances of built-in robots and obstacles against MuJoCo's, which shares no code with coal."""

import numpy as np
import pinocchio as pin
import pytest

from kinetree import models
from kinetree.kinematics import Box, Capsule, CollisionDetector, Cylinder, Ellipsoid, Shape, Sphere, pose

mujoco = pytest.importorskip("mujoco")

FAR = 1.0
#: Its own iterations end at 1e-6 of sizes around a metre; coal's at less.
TOLERANCE = 1e-4


def add_geom(body, geometry, place: pin.SE3) -> None:
    kinds = {
        Box: (mujoco.mjtGeom.mjGEOM_BOX, lambda g: [g.x / 2, g.y / 2, g.z / 2]),
        Sphere: (mujoco.mjtGeom.mjGEOM_SPHERE, lambda g: [g.radius, 0, 0]),
        Cylinder: (mujoco.mjtGeom.mjGEOM_CYLINDER, lambda g: [g.radius, g.length / 2, 0]),
        Capsule: (mujoco.mjtGeom.mjGEOM_CAPSULE, lambda g: [g.radius, g.length / 2, 0]),
        Ellipsoid: (mujoco.mjtGeom.mjGEOM_ELLIPSOID, lambda g: [g.x, g.y, g.z]),
    }
    kind, size = kinds[type(geometry)]
    x, y, z, w = pin.Quaternion(place.rotation).coeffs()
    body.add_geom(type=kind, size=size(geometry), pos=place.translation, quat=[w, x, y, z])


class Scene:
    """Links and obstacles as bodies of MuJoCo that are put where the test wants them."""

    def __init__(self, robot, detector) -> None:
        self._robot = robot
        spec = mujoco.MjSpec()
        self.names = [link.name for link in robot.links if link.collisions]
        for name in self.names:
            body = spec.worldbody.add_body(name=name, mocap=True)
            for shape in robot.link(name).collisions:
                add_geom(body, shape.geometry, shape.placement)
        for name, obstacle in detector.obstacles.items():
            body = spec.worldbody.add_body(name=name)
            for shape in obstacle.shapes:
                add_geom(body, shape.geometry, obstacle.transform() * shape.placement)
        self.model = spec.compile()
        self.model.opt.ccd_tolerance = 1e-9
        self.model.opt.ccd_iterations = 200
        self.data = mujoco.MjData(self.model)
        owners = [self.model.body(int(body)).name for body in self.model.geom_bodyid]
        self.geoms = {name: [i for i, owner in enumerate(owners) if owner == name] for name in set(owners)}

    def set(self, q) -> None:
        state = self._robot.state(q)
        for index, name in enumerate(self.names):
            place = state.transform(self._robot.link(name))
            x, y, z, w = pin.Quaternion(place.rotation).coeffs()
            self.data.mocap_pos[index] = place.translation
            self.data.mocap_quat[index] = [w, x, y, z]
        mujoco.mj_kinematics(self.model, self.data)

    def distance(self, first: str, second: str) -> float:
        return min(
            mujoco.mj_geomDistance(self.model, self.data, one, other, FAR, None)
            for one in self.geoms[first]
            for other in self.geoms[second]
        )


@pytest.mark.parametrize("name", ["panda", "ur5", "xarm7"])
def test_distances_and_contacts_agree(name):
    robot = models.load(name)
    detector = CollisionDetector(robot)
    rng = np.random.default_rng(11)
    for index, geometry in enumerate((Box(0.2, 0.3, 0.1), Sphere(0.1), Cylinder(0.1, 0.3), Capsule(0.05, 0.3))):
        direction = rng.normal(size=3)
        place = pose(0.55 * direction / np.linalg.norm(direction) + [0, 0, 0.3], rpy=rng.uniform(-3, 3, 3))
        detector.add(f"obstacle{index}", [Shape(geometry, pose([0, 0, 0.02]))], place)
    scene = Scene(robot, detector)
    free = 0
    for _ in range(20):
        q = robot.random_positions(rng)
        scene.set(q)
        theirs = {pair: scene.distance(*pair) for pair in detector.pairs}
        ours = detector.distance(q)
        free += ours.value > 0
        touching = {contact.pair for contact in detector.contacts(q)}
        for pair, value in theirs.items():
            if abs(value) > TOLERANCE:
                assert (pair in touching) == (value < 0), (pair, value)
        if ours.value > 0:
            assert ours.value == pytest.approx(min(theirs.values()), abs=TOLERANCE)
            assert theirs[ours.pair] == pytest.approx(ours.value, abs=TOLERANCE)
            assert np.linalg.norm(ours.points[0] - ours.points[1]) == pytest.approx(ours.value, abs=1e-6)
        detector.margin = detector.self_margin = 0.03
        assert detector.in_collision(q) == (min(theirs.values()) < 0.03)
        detector.margin = detector.self_margin = 0.0
    assert 3 < free < 20
