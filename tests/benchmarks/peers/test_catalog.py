"""Which libraries take part."""

import pytest

from benchmarks.options import Options
from benchmarks.peers.catalog import CLOSED_FORM_PEERS, PEERS, QUICK, chosen, is_chosen, names


def names_of(peers):
    return [peer.name for peer in peers]


def test_none_without_being_asked_for():
    assert chosen(PEERS, Options()) == []
    assert chosen(PEERS, Options(quick=True, only=["dynibo"])) == []


def test_all_or_the_five_that_are_quick():
    assert chosen(PEERS, Options(peers=True)) == list(PEERS)
    quick = Options(peers=True, quick=True)
    few = names_of([*chosen(PEERS, quick), *chosen(CLOSED_FORM_PEERS, quick)])
    assert sorted(few) == sorted(QUICK)
    assert len(QUICK) == 5
    assert set(QUICK) <= set(names())


def test_those_that_are_named():
    only = Options(peers=True, quick=True, only=["mink", "ik-geo"])
    assert names_of(chosen(PEERS, only)) == ["mink"]
    assert names_of(chosen(CLOSED_FORM_PEERS, only)) == ["ik-geo"]
    assert not is_chosen("dynibo", only)


@pytest.mark.parametrize(("robot", "there"), [("panda", True), ("ur5", False), (None, True)])
def test_a_library_for_one_arm_is_not_asked_for_others(robot, there):
    assert ("frankik" in names_of(chosen(PEERS, Options(peers=True), robot))) is there
