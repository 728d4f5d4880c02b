"""What was answered is not sent again; whoever chose something is known to all processes."""

from kaboom.realtime import acks as presses
from kaboom.realtime.acks import Presses
from kaboom.realtime.hub import Hub


def test_an_answer_shows_its_view_and_older_ones_of_that_table_and_browser():
    here = Presses(Hub())
    here.answered("AAAA", "ann", 48)
    assert here.show("AAAA", "ann", 48) and here.show("AAAA", "ann", 32)
    assert not here.show("AAAA", "ann", 64)
    assert not here.show("AAAA", "ben", 48) and not here.show("BBBB", "ann", 48)


def test_until_a_press_is_answered_everything_counts_as_shown():
    here = Presses(Hub())
    here.began("AAAA", "ann")
    assert here.show("AAAA", "ann", 10**9)
    here.answered("AAAA", "ann", None)
    assert not here.show("AAAA", "ann", 0)


def test_so_many_answers_are_remembered_and_the_oldest_forgotten_first(monkeypatch):
    monkeypatch.setattr(presses, "MOST", 3)
    here = Presses(Hub())
    for key in ("ann", "ben", "cid", "ann", "dot"):
        here.answered("AAAA", key, 48)
    assert [key for key in ("ann", "ben", "cid", "dot") if here.show("AAAA", key, 48)] == [
        "ann",
        "cid",
        "dot",
    ]


def test_what_is_chosen_is_counted_by_all_processes():
    one, two = Hub(), Hub()
    told = []
    one.tell_others = told.append
    here, there = Presses(one), Presses(two)
    here.chose("ann")
    assert (here.choices("ann"), here.choices("ben")) == (1, 0)
    assert there.choices("ann") == 0
    (topic,) = told
    (heard,) = [heard for start, heard in two._hearers.items() if topic.startswith(start)]
    heard(topic)
    assert there.choices("ann") == 1


def test_so_many_choices_are_remembered(monkeypatch):
    monkeypatch.setattr(presses, "MOST", 2)
    here = Presses(Hub())
    for key in ("ann", "ben", "cid"):
        here.chose(key)
    assert [here.choices(key) for key in ("ann", "ben", "cid")] == [0, 1, 1]
