"""`RecentlyUsed`: what was used last is kept."""

import pytest

from kinetree.interfaces.armarx.recently_used import RecentlyUsed


def test_what_was_used_longest_ago_goes_first():
    kept, made = RecentlyUsed(2), []

    def ask(key):
        return kept.get(key, lambda: made.append(key) or key.upper())

    assert [ask(key) for key in "abacab"] == list("ABACAB")
    # b goes when c comes, because a was asked for again; then c goes when b comes back.
    assert made == ["a", "b", "c", "b"]
    assert len(kept) == 2


def test_nothing_is_kept_of_what_cannot_be_made():
    kept = RecentlyUsed(2)
    with pytest.raises(ZeroDivisionError):
        kept.get("a", lambda: 1 / 0)
    assert len(kept) == 0
    assert kept.get("a", lambda: 3) == 3
