"""Routines that save and load, by the text of the API and beside the object layer."""

from kinetree.interfaces.coppelia import routines as ik


def test_saving_and_loading(arm):
    data, length = ik.ikSave()
    assert length == len(data)
    ik.ikCreateEnvironment()
    assert ik.ikSave() == (None, 0)
    assert "empty" in ik.ikGetLastError()
    assert ik.ikLoad(data + b"more", length)
    assert ik.ikSave().data == data
    assert not ik.ikHandleGroups([arm["group"]]).result & ik.ik_calc_notwithintolerance
    assert not ik.ikLoad(data)
    assert "must be empty" in ik.ikGetLastError()
    assert ik.ikReleaseBuffer(data) is None
