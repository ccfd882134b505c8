import logging

import numpy as np
import pytest

from kinetree.kinematics import InvalidValueError, ShapeError
from kinetree.solvers import (
    FAST,
    GradientMethod,
    GradientMethodError,
    HierarchicalIK,
    IKMetaSolver,
    InverseKinematics,
    JacobianDLS,
    JacobianIKSolver,
    JacobianPseudoInverse,
    JacobianTranspose,
    LevenbergMarquardt,
    SolverError,
)

SHAPES = [(6, 7), (6, 6), (6, 3), (3, 7), (1, 5), (2, 1)]
METHODS = [
    JacobianTranspose(),
    JacobianTranspose(scaling=0.3),
    JacobianPseudoInverse(),
    JacobianPseudoInverse(cutoff=1e-9),
    JacobianDLS(),
    JacobianDLS(damping=0.4),
    LevenbergMarquardt(),
    LevenbergMarquardt(damping=1.0, floor=1e-3),
]


@pytest.mark.parametrize("method", METHODS, ids=repr)
@pytest.mark.parametrize("shape", SHAPES)
def test_a_step_equals_its_reference_in_plain_numpy(method, shape, rng):
    for _ in range(20):
        jacobian, error = rng.normal(size=shape), rng.normal(size=shape[0])
        # J J^T of a tall Jacobian is singular but for the damping, so the reference itself loses digits.
        scale = 1e-4 if shape[0] > shape[1] else 1e-8
        np.testing.assert_allclose(
            method.gradient(jacobian, error), method.reference(jacobian, error), rtol=scale, atol=scale
        )


@pytest.mark.parametrize("method", METHODS, ids=repr)
def test_a_step_does_not_change_its_arguments(method, rng):
    jacobian, error = rng.normal(size=(6, 7)), rng.normal(size=6)
    copies = jacobian.copy(), error.copy()
    method.checked_gradient(jacobian, error)
    np.testing.assert_array_equal(jacobian, copies[0])
    np.testing.assert_array_equal(error, copies[1])


@pytest.mark.parametrize("method", METHODS, ids=repr)
@pytest.mark.parametrize(
    "jacobian", [np.zeros((6, 7)), np.ones((6, 7)), np.eye(6, 7) * 1e-9], ids=["zero", "rank 1", "tiny"]
)
def test_a_step_is_finite_where_the_jacobian_has_no_full_rank(method, jacobian):
    step = method.checked_gradient(jacobian, np.ones(6))
    assert np.isfinite(step).all()
    # Uphill: subtracting it does not make the linearised error larger.
    assert np.ones(6) @ (jacobian @ step) >= -1e-12


@pytest.mark.parametrize("method", METHODS, ids=repr)
def test_a_step_goes_uphill(method, rng):
    for shape in SHAPES:
        jacobian, error = rng.normal(size=shape), rng.normal(size=shape[0])
        assert error @ (jacobian @ method.gradient(jacobian, error)) > 0.0


def test_the_pseudo_inverse_drops_small_singular_values():
    jacobian = np.diag([1.0, 1e-5])
    np.testing.assert_allclose(JacobianPseudoInverse().gradient(jacobian, np.ones(2)), [1.0, 0.0])
    np.testing.assert_allclose(JacobianPseudoInverse(1e-9).gradient(jacobian, np.ones(2)), [1.0, 1e5])


def test_the_optimal_transpose_minimises_the_error_along_its_direction(rng):
    jacobian, error = rng.normal(size=(6, 7)), rng.normal(size=6)
    step = JacobianTranspose().gradient(jacobian, error)
    left = np.linalg.norm(error - jacobian @ step)
    for factor in (0.9, 1.1):
        assert np.linalg.norm(error - factor * jacobian @ step) > left


def test_damping_tames_steps_near_a_singularity():
    # Pulling a straight arm further out: a plain pseudo-inverse wants a huge step, a damped one does not.
    jacobian = np.array([[0.0, 1e-4], [1.0, 0.5]])
    error = np.array([0.01, 0.0])
    assert np.abs(JacobianPseudoInverse(1e-9).gradient(jacobian, error)).max() > 50
    assert np.abs(JacobianDLS(0.2).gradient(jacobian, error)).max() < 0.05


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: JacobianDLS(0.0),
        lambda: JacobianDLS(np.nan),
        lambda: JacobianTranspose("best"),
        lambda: JacobianTranspose(-1.0),
        lambda: JacobianPseudoInverse(1.5),
        lambda: LevenbergMarquardt(-1.0),
        lambda: LevenbergMarquardt(floor=0.0),
        lambda: setattr(JacobianDLS(), "component_clamp", 0.0),
        lambda: setattr(JacobianDLS(), "component_weights", [np.nan]),
    ],
)
def test_bad_options_are_refused(wrong):
    with pytest.raises(InvalidValueError):
        wrong()


# A user's own method.


class NormalisedTranspose(GradientMethod):
    def gradient(self, jacobian, error):
        g = jacobian.T @ error
        return g * (error @ (jacobian @ g)) / max(1e-12, np.sum((jacobian @ g) ** 2))


class OwnNewton(GradientMethod):
    pace = FAST

    def gradient(self, jacobian, error):
        return jacobian.T @ np.linalg.solve(jacobian @ jacobian.T + 1e-6 * np.eye(len(error)), error)


class FromContext(GradientMethod):
    """Overrides the other method, and looks around."""

    pace = FAST

    def compute_gradient(self, error):
        assert self.ik is None or len(self.ik.dofs) == self.jacobian.shape[1]
        assert self.state.dofs.shape == (self.jacobian.shape[1],)
        return LevenbergMarquardt().gradient(self.jacobian, error)


class Careless(GradientMethod):
    """Does its own __init__ without ours, writes into its arguments, and gives back a list."""

    pace = FAST

    def __init__(self, factor):
        self.factor = factor

    def gradient(self, jacobian, error):
        g = LevenbergMarquardt().gradient(jacobian, error)
        jacobian *= 0.0
        error *= 0.0
        return (self.factor * g).tolist()


@pytest.mark.parametrize("method", [NormalisedTranspose(), OwnNewton(), FromContext(), Careless(1.0)], ids=repr)
def test_a_users_method_works_in_a_module(arm, rng, method):
    ik = InverseKinematics(arm)
    ik.gradient_method = method
    q = arm.random_positions(rng)
    solution = ik.solve(arm.state(q).transform(arm.tip), seed=arm.clamp(q + 0.05), tolerance=1e-5)
    assert solution, solution


@pytest.mark.parametrize("method", [OwnNewton(), FromContext(), Careless(1.0)], ids=repr)
def test_a_users_method_works_in_the_meta_solver(arm, rng, method):
    meta = IKMetaSolver(JacobianIKSolver(arm.tip.chain(), method))
    target = arm.state(arm.random_positions(rng)).transform(arm.tip)
    assert meta.solve(target, arm.positions, stop_at_first=True)


@pytest.mark.parametrize("method", [OwnNewton(), FromContext(), Careless(1.0)], ids=repr)
def test_a_users_method_works_in_a_hierarchy(arm, rng, method):
    hierarchy = HierarchicalIK(arm)
    ik = InverseKinematics(arm)
    ik.target = arm.state(arm.random_positions(rng)).transform(arm.tip)
    ik.gradient_method = method
    hierarchy.add(ik)
    assert hierarchy.solve()


class Broken(GradientMethod):
    def __init__(self, answer, after=0):
        self.answer = answer
        self.calls_left = after

    def gradient(self, jacobian, error):
        self.calls_left -= 1
        if self.calls_left >= 0:
            return LevenbergMarquardt().gradient(jacobian, error)
        return self.answer(jacobian.shape[1])


BROKEN = [
    (lambda n: np.full(n, np.nan), "not finite"),
    (lambda n: np.full(n, np.inf), "not finite"),
    (lambda n: np.zeros(n + 1), "shape"),
    (lambda n: np.zeros((n, 1)), "shape"),
    (lambda n: 0.0, "shape"),
    (lambda n: None, "shape"),
    (lambda n: "left", "numbers"),
    (lambda n: 1 / 0, "ZeroDivisionError"),
]


@pytest.mark.parametrize(("answer", "says"), BROKEN)
@pytest.mark.parametrize("where", ["module", "meta", "hierarchy"])
def test_a_broken_method_is_named_and_nothing_moves(arm, rng, answer, says, where):
    target = arm.state(arm.random_positions(rng)).transform(arm.tip)
    before = arm.positions
    method = Broken(answer)
    ik = InverseKinematics(arm)
    ik.gradient_method = method
    ik.target = target
    hierarchy = HierarchicalIK(arm)
    hierarchy.add(ik)
    solves = {
        "module": ik.solve_and_apply,
        "meta": lambda: IKMetaSolver(JacobianIKSolver(arm.tip.chain(), method)).solve(target),
        "hierarchy": hierarchy.solve_and_apply,
    }
    with pytest.raises(GradientMethodError, match="Broken") as caught:
        solves[where]()
    assert says in str(caught.value)
    assert isinstance(caught.value, SolverError | RuntimeError)
    if says == "ZeroDivisionError":
        assert isinstance(caught.value.__cause__, ZeroDivisionError)
    np.testing.assert_array_equal(arm.positions, before)


def test_the_iteration_is_named(arm, rng):
    ik = InverseKinematics(arm)
    ik.gradient_method = Broken(lambda n: np.full(n, np.nan), after=3)
    with pytest.raises(GradientMethodError, match=r"iteration [123]:"):
        ik.solve(arm.state(arm.random_positions(rng)).transform(arm.tip))


def test_a_method_that_overrides_nothing_is_told(arm, rng):
    class Empty(GradientMethod):
        pass

    ik = InverseKinematics(arm)
    ik.gradient_method = Empty()
    with pytest.raises(GradientMethodError, match="neither gradient nor compute_gradient"):
        ik.solve(arm.state(arm.random_positions(rng)).transform(arm.tip))


def test_a_subclass_of_ours_is_checked_like_any_other(arm, rng):
    class Mine(LevenbergMarquardt):
        def gradient(self, jacobian, error):
            return np.full(jacobian.shape[1], np.nan)

    ik = InverseKinematics(arm)
    ik.gradient_method = Mine()
    with pytest.raises(GradientMethodError, match="Mine"):
        ik.solve(arm.state(arm.random_positions(rng)).transform(arm.tip))


def test_huge_finite_gradients_are_not_mistaken_for_infinite_ones():
    class Huge(GradientMethod):
        def gradient(self, jacobian, error):
            return np.full(jacobian.shape[1], 1e200)

    assert Huge().checked_gradient(np.ones((6, 7)), np.ones(6))[0] == 1e200


# Clamp, weights, cache, clone.


def test_clamp_and_weights():
    method = JacobianTranspose(scaling=1.0)
    jacobian, error = np.eye(3), np.array([0.1, -0.5, 2.0])
    method.component_weights = [2.0]
    np.testing.assert_allclose(method.checked_gradient(jacobian, error), [0.2, -0.5, 2.0])
    method.component_clamp = -0.3  # the sign does not matter, as in DART
    assert method.component_clamp == 0.3
    np.testing.assert_allclose(method.checked_gradient(jacobian, error), [0.2, -0.3, 0.3])
    np.testing.assert_allclose(method.clamp(error), [0.1, -0.3, 0.3])
    np.testing.assert_allclose(method.apply_weights(error), [0.2, -0.5, 2.0])
    np.testing.assert_allclose(error, [0.1, -0.5, 2.0])
    with pytest.raises(ShapeError):
        method.component_weights = [[1.0]]


class Counting(GradientMethod):
    def __init__(self):
        self.calls = 0

    def gradient(self, jacobian, error):
        self.calls += 1
        return jacobian.T @ error


def test_evaluate_hits_its_cache_until_something_changes(arm, rng):
    ik = InverseKinematics(arm)
    method = ik.gradient_method = Counting()
    ik.target = arm.state(arm.random_positions(rng)).transform(arm.tip)
    q = arm.random_positions(rng)
    first = method.evaluate(q)
    assert first.shape == (7,)
    first[:] = 0.0  # a copy: the cache keeps its own
    assert method.evaluate(q).any()
    assert method.calls == 1
    changes = [
        lambda: method.evaluate(q + 0.1),
        lambda: ik.target.set_translation([0.3, 0.3, 0.3]),
        lambda: setattr(ik, "offset", (0.0, 0.0, 0.1)),
        lambda: setattr(ik.error_method, "weights", np.full(6, 2.0)),
        lambda: setattr(arm.joint("j0"), "placement", arm.link("l1").transform()),
        lambda: setattr(method, "component_clamp", 0.2),
        method.clear_cache,
        lambda: ik.set_dofs(["j0", "j1"]),
    ]
    for change in changes:
        before = method.calls
        change()
        method.evaluate(q)
        assert method.calls > before
        before = method.calls
        method.evaluate(q)
        assert method.calls == before
    assert method.evaluate(q).shape == (2,)


def test_evaluate_leaves_the_robot_alone(arm, rng):
    ik = InverseKinematics(arm)
    before = arm.positions
    ik.gradient_method.evaluate(arm.random_positions(rng))
    np.testing.assert_array_equal(arm.positions, before)
    assert np.linalg.norm(ik.gradient_method.evaluate()) < 1e-9  # the default target is where the frame is
    with pytest.raises(ShapeError):
        ik.gradient_method.evaluate([0.0])
    with pytest.raises(InvalidValueError, match="no module"):
        LevenbergMarquardt().evaluate()


def test_clone_keeps_options_and_drops_the_module(arm):
    ik = InverseKinematics(arm)
    method = ik.gradient_method = JacobianDLS(damping=0.2)
    method.component_clamp = 0.1
    method.component_weights = [1, 2]
    twin = method.clone()
    assert (twin.damping, twin.component_clamp, twin.ik) == (0.2, 0.1, None)
    twin.component_clamp = 0.5
    assert method.component_clamp == 0.1


def test_one_method_may_serve_two_modules(arm, six, rng):
    method = FromContext()
    for skeleton in (arm, six):
        ik = InverseKinematics(skeleton)
        ik.gradient_method = method
        assert ik.solve(skeleton.state(skeleton.random_positions(rng)).transform(skeleton.tip))


def test_a_class_in_place_of_an_object_is_refused(arm):
    with pytest.raises(InvalidValueError, match="object"):
        InverseKinematics(arm).gradient_method = JacobianDLS


def test_nothing_is_printed_and_nothing_logged_on_the_good_path(arm, capsys, caplog):
    ik = InverseKinematics(arm)
    ik.problem.engine = "object"  # compiling for the first time is announced
    with caplog.at_level(logging.DEBUG):
        ik.solve()
    assert capsys.readouterr() == ("", "")
    assert not caplog.records
