"""Access and chat: a table with a password, spectators, chat."""

import re

import pytest

from tests.pages.tour import all_ask, code_of
from tests.support.browsing import BY_HTMX

SHOWN = ("", ".json", ".txt", "/room", "/talk", "/talk.json", "/talk.txt", "/screen", "/view")


@pytest.mark.slow
def test_watching_tour_is_as_recorded(tour):
    ann, ben, cat, zoe = (tour.person(name) for name in ("Ann", "Ben", "Cat", "Zoe"))
    ann.post(
        "/tables", game="gops", name="Ann", listed="1", password="open sesame", watch="3",
        **{"banter.asked": "1", "programs": "always"},
    )  # fmt: skip
    path = f"/t/{code_of(ann.location)}"
    tour.chapter("A table with a password")
    all_ask((zoe,), *(path + it for it in ("", ".json", ".txt", "/view", "/talk", "/qr.svg")))
    zoe.get("/lobby", "/lobby.json", "/lobby.txt", f"{path}/options", f"{path}/screen")
    zoe.get(f"{path}/view", HX_Request="true")
    for word in ("", "wrong", "open sesame"):
        zoe.post(f"{path}/enter", {"Accept": "application/json"}, password=word)
    ben.post(f"{path}/enter", password="wrong")
    ben.post(f"{path}/enter", friend="1")
    ben.post(f"{path}/enter", member="1")
    ben.post(f"{path}/enter", password="open sesame")
    ben.go(f"{path}/sit", name="Ben")
    zoe.get(path)
    ann.get(path, f"{path}/options")
    ann.post(f"{path}/door", listed="0", password="other words")
    ann.post(f"{path}/door", password="short " * 20)
    cat.post(f"{path}/enter", {"Accept": "text/plain"}, password="open sesame")
    ann.post(f"{path}/door", unlocked="1", listed="1")
    ann.get(f"{path}/options")
    cat.get(path)
    tour.chapter("Spectators who see all later")
    ben.post(f"{path}/ready")
    ann.post(f"{path}/hands", answer="yes", minutes="3")
    ben.post(f"{path}/hands", answer="yes", minutes="9")
    ben.post(f"{path}/hands", answer="yes", minutes="3")
    cat.post(f"{path}/hands", answer="yes", minutes="3")
    all_ask((ann, cat), f"{path}/talk", f"{path}/talk.json")
    ann.post(f"{path}/start")
    all_ask((ann, zoe, cat), *(path + it for it in SHOWN))
    tour.time_passes(200, path[3:])
    ann.get(path)
    ann.submit("/move", pick="KS")
    all_ask((zoe, cat), *(path + it for it in SHOWN))
    cat.get(f"{path}/leave", f"{path}/notes", f"{path}/people", f"{path}/now", f"{path}/wait?v=0")
    tour.chapter("What is said")
    for person, fields in (
        (ann, {"text": "Hello <b>all</b>"}),
        (ann, {"text": ""}),
        (ann, {"text": "x" * 301}),
        (ben, {"phrase": "luck"}),
        (ben, {"phrase": "nothing"}),
        (cat, {"text": "Who is this?"}),
        (cat, {"text": "Cat is here", "name": "Cat"}),
        (cat, {"phrase": "hello"}),
    ):
        person.post(f"{path}/talk", **fields)
    ann.post(f"{path}/talk", BY_HTMX, text="By script")
    ann.post(f"{path}/talk", {"Accept": "application/json"}, text="By a program")
    ann.post(f"{path}/talk", {"Accept": "application/json"}, text="")
    zoe.post(f"{path}/talk", {"Accept": "text/plain"}, text="Nobody")
    all_ask((ann, ben, cat, zoe), f"{path}/talk", f"{path}/room", f"{path}/talk.json")
    ann.get(f"{path}/talk?before=3", f"{path}/talk.txt?before=3", path)
    tour.time_passes(20)
    ben.get(f"{path}/room")
    for person in (cat, ben, ann):
        person.post(f"{path}/talk/delete", line="1")
        person.post(f"{path}/talk/delete", line="99")
        person.post(f"{path}/talk/mute", line="2")
        person.post(f"{path}/talk/mute", line="1")
    zoe.post(f"{path}/talk/mute", line="1")
    all_ask((ann, ben, cat), f"{path}/talk", f"{path}/talk.json")
    ann.get(f"{path}/talk")
    for word in re.findall(r'name="who" value="([^"]+)"', ann.body):
        ann.post(f"{path}/talk/unmute", who=word)
    ann.post(f"{path}/talk/unmute", who="nobody")
    tour.chapter("Who may watch and write")
    for fields in (
        {"watch": "-1"},
        {"watch": "0", "audience": "0"},
        {"watch": "0", "hush": "1", "audience": "1"},
    ):
        ann.post(f"{path}/watching", **fields)
        all_ask((cat, zoe), path, f"{path}/room", f"{path}/talk", f"{path}.json")
        cat.post(f"{path}/talk", text="May I?")
    ben.get(f"{path}/talk")
    for address, shape in (
        ("https://ntfy.sh/kaboom", ""), ("http://ntfy.sh/x", ""), ("https://127.0.0.1/x", ""),
        ("https://example.com/hook", "slack"), ("nonsense", "json"), ("", ""),
    ):  # fmt: skip
        ben.post(f"{path}/call", address=address, shape=shape)
        ben.get(f"{path}/talk")
    cat.post(f"{path}/call", address="https://ntfy.sh/kaboom")
    zoe.post(f"{path}/call", {"Accept": "application/json"}, address="https://ntfy.sh/kaboom")
    tour.chapter("People at the table")
    all_ask((ann, cat, zoe), f"{path}/people")
    ann.get(f"{path}/people")
    words = [it[1] for form in ann.page.forms for it in form.buttons if it[0] == "do"]
    for what in (*words, "ask nobody", "dance", ""):
        ann.post(f"{path}/people", do=what)
    ben.get(f"{path}/people", "/friends")
    word = words[0].split()[1] if words else "nobody"
    ann.get(f"{path}/report?who={word}", f"{path}/report?who=nobody")
    ann.post(f"{path}/report", who=word, reason="nothing")
    ann.post(f"{path}/report", who=word, reason="")
    ann.post(f"{path}/report", who="nobody", reason="talk")
    ann.get(f"{path}/report?who={word}")
    for reason in [it[1] for form in ann.page.forms for it in form.boxes][:2]:
        ann.post(f"{path}/report", who=word, reason=reason)
    ann.get(f"{path}/people?reported=1")
    ann.post(f"{path}/remove", seat="1")


def test_a_television_and_one_device_for_two_tour_is_as_recorded(tour):
    ann, zoe = tour.person("Ann"), tour.person("Zoe")
    ann.post("/tables", game="gops", name="Ann", players="3")
    path = f"/t/{code_of(ann.location)}"
    tour.chapter("Several players on this device")
    for person, name in ((zoe, "Ben"), (ann, ""), (ann, "Ann"), (ann, "Ben")):
        person.post(f"{path}/pass/sit", name=name)
    ann.post(f"{path}/pass", who="0")
    zoe.post(f"{path}/pass", who="0")
    ann.get(f"{path}/pass", path, f"{path}.json")
    ann.get(f"{path}/view", HX_Request="true")
    ann.post(f"{path}/pass", do="hide")
    ann.get(f"{path}/pass", path, f"{path}/screen")
    ann.get(f"{path}/view", HX_Request="true")
    ann.post(f"{path}/pass", who="7")
    ann.post(f"{path}/pass/sit", name="Cat")
    ann.post(f"{path}/pass/sit", name="Dan")
    ann.post(f"{path}/pass", who="0")
    ann.post(f"{path}/start")
    for who in ("0", "1", "2"):
        ann.post(f"{path}/pass", who=who)
        ann.get(path)
        ann.submit("/move", pick=("KS", "KC", "KH")[int(who)])
        ann.get(f"{path}/pass")
    ann.post(f"{path}/pass", who="1")
    ann.post(f"{path}/propose", about="pause")
    ann.get(f"{path}/pass")
    ann.post("/account/delete", what="all")
    ann.get("/account")
    tour.chapter("A television")
    zoe.get(f"{path}/screen", f"{path}/screen/view", f"{path}/chair/0", f"{path}/chair/2")
    zoe.get(f"{path}/chair/9")
    tour.chapter("Another device")
    ann.post(f"{path}/pass", who="0")
    ann.get(f"{path}/carry")
    ann.post(f"{path}/carry")
    link = ann.link("/carry/")
    zoe.get(link, f"{path}/carry/nothing")
    zoe.post(f"{path}/carry/nothing")
    zoe.post(link)
    zoe.get(path, link)
    zoe.post(link)
    zoe.post(f"{path}/carry")
    tour.person("Yan").post(f"{path}/carry")
