"""`ConnectionGate` with visitors of no network."""

import pytest

from kinetree.interfaces.armarx.http.connection_gate import ConnectionGate, Standing


class Visitor:
    def __init__(self, gate, standing=None):
        self.is_dropped = False
        gate.enter(self)
        if standing is not None:
            self.standing = standing
            gate.touch(self)

    def drop(self):
        self.is_dropped = True


def test_there_is_room_up_to_the_limit():
    gate = ConnectionGate(3)
    assert not any(each.is_dropped or each.standing is Standing.REFUSED for each in [Visitor(gate) for _ in range(3)])


def test_the_stranger_who_idles_longest_goes_first_then_guests():
    gate = ConnectionGate(4)
    guest, first, second, served = (Visitor(gate, each) for each in (Standing.GUEST, None, None, Standing.SERVED))
    order = []
    for _ in range(3):
        newcomer = Visitor(gate, Standing.SERVED)
        order.append([each.is_dropped for each in (first, second, guest, served, newcomer)])
    assert order == [
        [True, False, False, False, False],
        [True, True, False, False, False],
        [True, True, True, False, False],
    ]


def test_what_was_of_use_last_goes_last():
    gate = ConnectionGate(2)
    first, second = Visitor(gate, Standing.GUEST), Visitor(gate, Standing.GUEST)
    gate.touch(first)
    Visitor(gate)
    assert (first.is_dropped, second.is_dropped) == (False, True)


def test_newcomers_are_refused_when_all_are_worked_on():
    gate = ConnectionGate(2)
    served = [Visitor(gate, Standing.SERVED) for _ in range(2)]
    refused = [Visitor(gate) for _ in range(40)]
    assert all(each.standing is Standing.REFUSED for each in refused)
    assert not any(each.is_dropped for each in served)
    # Those who are told so are not without number either.
    assert [each.is_dropped for each in refused] == [True] * 8 + [False] * 32
    gate.leave(served[0])
    assert Visitor(gate).standing is Standing.STRANGER


def test_many_strangers_leave_those_who_may_ask_alone():
    gate = ConnectionGate(10)
    known = [Visitor(gate, each) for each in (Standing.SERVED, Standing.GUEST) for _ in range(4)]
    strangers = [Visitor(gate) for _ in range(1000)]
    assert not any(each.is_dropped for each in known)
    assert sum(not each.is_dropped for each in strangers) == 2


@pytest.mark.parametrize("standing", list(Standing))
def test_who_is_gone_is_not_dropped(standing):
    gate = ConnectionGate(1)
    gone = Visitor(gate, standing)
    gate.leave(gone)
    gate.leave(gone)
    gate.touch(gone)
    assert Visitor(gate).standing is Standing.STRANGER
    assert not gone.is_dropped
