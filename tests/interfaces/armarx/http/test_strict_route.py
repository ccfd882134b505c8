"""`StrictRoute`, through a real server: JSON that may be read in two ways, or is none."""

import pytest

KIND = {"Content-Type": "application/json"}


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ('{"node_set": "arm", "node_set": "arm"}', "same key twice"),
        ('{"node_set": "arm", "node\\u005fset": "leg"}', "same key twice"),
        ('{"node_set": NaN}', "no number"),
        ('{"node_set": -Infinity}', "no number"),
        ('{"node_set": ' + "9" * 5000 + "}", "no readable JSON"),
        ('{"node_set": "arm"', "delimiter"),
        ("[" * 50_000, "no readable JSON"),
        (b'{"node_set": "\xff"}', "no readable JSON"),
    ],
)
def test_it_is_refused(ask, text, what):
    response = ask("has_reachability_space", content=text, headers=KIND)
    assert response.status_code == 422
    assert response.headers["content-type"] == "application/problem+json"
    assert "JSON" in response.json()["detail"]
    assert what in response.json()["detail"]


def test_inner_objects_too(ask):
    text = '{"node_set": "arm", "pose": {"position": [0, 0, 0], "position": [1, 0, 0]}}'
    assert "twice" in ask("is_pose_reachable", content=text, headers=KIND).json()["detail"]


def test_the_same_key_in_two_objects_is_fine(ask):
    text = '{"node_set": "arm", "pose": {"position": [0, 0, 0]}}'
    assert ask("is_pose_reachable", content=text, headers=KIND).status_code == 200
