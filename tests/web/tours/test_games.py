"""A few moves of each game, alone with bots, as a page and in the other voices."""

import re

from tests.web.tours.tour import code_of

VOICES = ("", ".json", ".txt", ".say", ".say?about=hand", ".say?about=moves", ".say?about=score")


def alone(tour, game, moves, **options):
    """Play so many moves of the list, one after the other, with a look after each."""
    ann = tour.person("Ann")
    ann.post("/tables", game=game, name="Ann", start="1", bots="3", bot_pace="instant", **options)
    path = f"/t/{code_of(ann.location)}"
    for number in range(moves):
        tour.until(path[3:], waits_for_ann)
        ann.get(*(path + it for it in VOICES[: 7 if number < 2 else 3]))
        if number == 1:
            ann.post(f"{path}/hint")
            ann.get(f"{path}.txt?width=40&cards=words", f"{path}.json?would=1", f"{path}/ahead")
            press_first(ann, path)
        text = ann.quietly(f"{path}.txt")
        menu = re.search(r"answers=(\w+)", text)[1]
        ann.post(f"{path}/move", {"Accept": "text/plain"}, answers=menu, move="")
        for move in ("1", "1 2", "1 2 3", "2"):
            ann.post(f"{path}/move", {"Accept": "text/plain"}, answers=menu, move=move)
            if ann.status == 200:
                break
    ann.get(path, f"{path}/view")


def press_first(ann, path):
    """Press the first button there is, without having been asked."""
    ann.get(path)
    for form, button in ann.page.moves()[:1]:
        fields = {name: it for name, it in form.filled(button) if name != "sure"}
        ann.post(f"{path}/move", **fields)
        if ann.location:
            ann.get(ann.location)


def waits_for_ann(snapshot):
    seat = snapshot.table.seat_of(snapshot.table.host)
    return snapshot.table.outcome is not None or seat in snapshot.waiting_for()


def test_kaboom(tour):
    alone(tour, "kaboom", 6)


def test_karata(tour):
    alone(tour, "karata", 5)


def test_koth(tour):
    alone(tour, "koth", 4)


def test_taken(tour):
    alone(tour, "taken", 3)
