from kinetree import models


def test_every_built_in_robot_is_listed(run):
    done = run("robots")
    assert done.status == 0
    for each in models.robots():
        assert each.name in done.out


def test_json(run):
    data = run("robots --json").json
    assert [each["name"] for each in data] == [each.name for each in models.robots()]
    assert all(set(each) == {"name", "description", "source", "tip"} for each in data)
