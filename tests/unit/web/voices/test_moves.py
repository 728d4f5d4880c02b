"""A move by number or in words, and what is said when it is refused."""

import random

import pytest

from kaboom.core.chance import Chance
from kaboom.core.engine import start, step
from kaboom.core.moves import NotOnOffer, TooLate
from kaboom.core.numbered import answers_of, chosen, menu_of, numbered
from kaboom.core.options import read
from kaboom.core.views import Offer
from kaboom.games import GAMES, sample
from kaboom.web.rules import rules_of
from kaboom.web.voices.problems import KINDS
from tests.counts import often
from tests.proofs.secrecy.worlds import next_move
from tests.unit.web.voices.programs import JSON, TEXT, Program, at_table


def offer(verb, options="", least=1, most=1, ordered=False, token="t"):
    options = tuple(options.split())
    most = min(most, len(options))
    return Offer(0, verb, options, min(least, most), most, ordered, "", True, False, verb + token)


OFFERS = [
    offer("lay", "8S JS 8S", 1, 3, ordered=True),
    offer("draft", "2C 3C", 0, 2),
    offer("draw"),
]
MENU = menu_of(1, OFFERS)


def test_options_are_numbered_through_and_an_empty_choice_comes_last():
    lines = [(line.number, line.offer.verb, line.option) for line in numbered(OFFERS)]
    assert lines == [
        (1, "lay", "8S"),
        (2, "lay", "JS"),
        (3, "lay", "8S"),
        (4, "draft", "2C"),
        (5, "draft", "3C"),
        (6, "draft", None),
        (7, "draw", None),
    ]


@pytest.mark.parametrize(
    ("move", "verb", "choices"),
    [
        ("2 1", "lay", ("JS", "8S")),
        ("1 3", "lay", ("8S", "8S")),
        ("5", "draft", ("3C",)),
        ("6", "draft", ()),
        ("7", "draw", ()),
        ("lay JS 8S", "lay", ("JS", "8S")),
        ("draft", "draft", ()),
        ("draw", "draw", ()),
    ],
)
def test_numbers_and_words_mean_the_same_moves(move, verb, choices):
    meant, found = chosen(1, OFFERS, MENU, move)
    assert (meant.verb, found) == (verb, choices)


@pytest.mark.parametrize("move", ["", "0", "8", "999", "1 1", "1 4", "6 4", "7 7", "-1", "٣"])
def test_numbers_of_two_moves_twice_or_of_none_are_not_on_offer(move):
    with pytest.raises(NotOnOffer):
        chosen(1, OFFERS, MENU, move)


def test_a_number_is_too_late_when_it_means_something_else_and_taken_while_it_means_the_same():
    others = [OFFERS[0], offer("draft", "2C 4C", 0, 2), OFFERS[2]]
    with pytest.raises(TooLate):
        chosen(1, others, MENU, "5")
    with pytest.raises(TooLate):
        chosen(2, OFFERS, MENU, "5")  # another match
    assert chosen(1, list(OFFERS), MENU, "5")[1] == ("3C",)


def test_words_answer_their_own_offer_alone():
    own = answers_of(1, OFFERS[0])
    assert chosen(1, OFFERS, own, "lay 8S")[0] is OFFERS[0]
    with pytest.raises(NotOnOffer):
        chosen(1, OFFERS, own, "draw")
    with pytest.raises(TooLate):
        chosen(1, OFFERS, answers_of(2, OFFERS[0]), "lay 8S")
    with pytest.raises(NotOnOffer, match="the whole list"):
        chosen(1, OFFERS, own, "1")


@pytest.fixture
def gops(app):
    ann, ben = Program(app), Program(app)
    return at_table("gops", ann, ben), ann, ben


def test_each_kind_of_refusal_has_its_status_and_the_table(gops):
    path, ann, _ = gops
    table = ann.table(path)
    bid = {"answers": table["moves"][0]["answers"], "move": "bid AS"}
    for program, body, status, kind in [
        (ann, {**bid, "move": "bid 2H"}, 422, "illegal"),
        (ann, {"answers": table["menu"], "move": "1 1"}, 422, "not-on-offer"),
        (ann, {"answers": "0" * 10, "move": "1"}, 409, "too-late"),
        (Program(ann.app), bid, 403, "not-yours"),
    ]:
        answer = program.post(f"{path}/move", body)
        told = answer.json
        assert (answer.status_code, told["type"]) == (status, f"/problems/{kind}"), told
        assert answer.mimetype == "application/problem+json"
        assert (told["changed"], told["now"]["code"]) == (False, table["code"])
        assert told["title"] == KINDS[kind].title
        if kind == "illegal":
            assert told["rule"] == {"id": "bidding", "href": f"{path}/rules#bidding"}
    assert ann.table(path) == table
    assert ann.get("/t/ZZZZZZZZ.json").json["type"] == "/problems/no-table"
    bad = ann.client.post(f"{path}/move", data="{", content_type="application/json", headers=JSON)
    assert (bad.status_code, bad.json["type"]) == (400, "/problems/unreadable")
    odd = ann.client.post(f"{path}/move", data="x", content_type="text/xml", headers=JSON)
    assert (odd.status_code, odd.json["type"]) == (415, "/problems/not-json")
    long = ann.client.post(f"{path}/move", data=b"[" * 70_000, headers=JSON)
    assert (long.status_code, long.json["type"]) == (413, "/problems/too-long")
    wrong = ann.post("/tables", {"game": "gops", "name": "Ann", "players": 99})
    assert (wrong.status_code, list(wrong.json["fields"])) == (422, ["players"])


def test_the_same_sentence_is_said_in_all_voices(gops):
    path, ann, _ = gops
    table = ann.table(path)
    body = {"answers": table["menu"], "move": "bid 2H"}
    detail = ann.post(f"{path}/move", body).json["detail"]
    text = ann.client.post(f"{path}/move", data=body, headers=TEXT).text
    assert text.startswith(f"Refused: {detail} (rule: bidding)\n\nGOPS {table['code']}")
    say = {"Accept": "text/plain;profile=say"}
    assert ann.client.post(f"{path}/move", data=body, headers=say).text == f"Refused: {detail}\n"
    html = ann.client.post(f"{path}/move", data=body).text
    assert detail in html
    assert f"{path}/rules#bidding" in html


def test_dry_says_what_would_happen_and_leaves_no_trace(gops):
    path, ann, _ = gops
    table = ann.table(path)
    for move in ("1", "bid KS", "bid 2H", "14"):
        body = {"answers": table["menu"], "move": move}
        dry = ann.post(f"{path}/move", {**body, "dry": True})
        assert ann.table(path) == table
        assert dry.status_code == (200 if move in ("1", "bid KS") else 422)
    assert ann.post(f"{path}/move", {"answers": table["menu"], "move": "1"}).status_code == 200
    assert ann.table(path) != table
    again = ann.post(f"{path}/move", {"answers": table["menu"], "move": "1", "dry": True})
    assert again.status_code == 409


def test_a_move_with_a_mark_of_its_own_that_comes_twice_is_one(gops):
    path, ann, _ = gops
    table = ann.table(path)
    body = {"answers": table["moves"][0]["answers"], "move": "bid AS", "cmd": "mine"}
    first, again = (ann.post(f"{path}/move", body) for _ in range(2))
    assert (first.status_code, again.status_code) == (200, 200)
    assert ann.post(f"{path}/move", {**body, "move": "bid KS"}).status_code == 409
    assert ann.table(path)["revision"] == first.json["revision"]


@pytest.mark.parametrize("game", list(GAMES))
def test_every_verb_has_a_rule_on_the_pages_of_all_ways_to_play(app, game):
    rules = GAMES[game]
    verbs = {verb for verb in rules.words.offers if "." not in verb}
    assert verbs <= set(rules.words.rules)
    with app.test_request_context():
        for preset in (rules.usual, *rules.presets):
            options = rules.options(**preset.values)
            headings = {anchor for _, anchor, _ in rules_of(rules, options).contents}
            assert set(rules.words.rules.values()) <= headings, preset.key
        read(rules.options, {})


@pytest.mark.parametrize("game", list(GAMES))
def test_some_choices_are_told_wherever_there_is_a_legal_one_and_all_of_them_are(game):
    rules = GAMES[game]
    options, seed = rules.options(**sample(game).short), bytes(range(32))
    seats = rules.seats(options)[0]
    state = start(rules, seats, options, seed).state
    for number in range(often(40, soak=4000)):
        if rules.outcome(state) is not None:
            break
        for pick in (it.pick for it in rules.listeners(state) if it.seat >= 0):
            some = pick.some(Chance(seed, number))
            assert len({*some}) == len(some) <= 8
            assert [pick.refusal(choices) for choices in some] == [None] * len(some)
            assert bool(some) == any(True for _ in pick.legal())
        move = next_move(rules, state, seats, Chance(seed, number, "players"))
        state = step(rules, state, move, Chance(seed, number)).state


BODIES = often(150, soak=100_000)


def test_random_bodies_change_nothing(gops):
    """Whatever is sent is answered by a problem, and the table is as it was, byte for byte."""
    path, ann, _ = gops
    lots = random.Random(5)
    table, service = ann.get(f"{path}.json").data, ann.app.config["TABLES"]
    whole = service.look(path[3:]).table
    menu = ann.table(path)["menu"]
    words = ["bid", "AS", "0", "1 2", "99", "\0", "é", "'", "x" * 3000, "draw", menu, "[]", "%ff"]
    for _ in range(BODIES):
        fields = {
            lots.choice(["answers", "move", "dry", "cmd", "v", "match", "x"]): lots.choice(
                [*words, None, 7, True, [1, "a"], {"a": 1}, [[]], 1e300]
            )
            for _ in range(lots.randint(0, 4))
        }
        if fields.get("answers") == menu and str(fields.get("move")).strip() in ("7", "1", "True"):
            continue
        raw = lots.random() < 0.1
        answer = (
            ann.client.post(
                f"{path}/move",
                data=lots.randbytes(lots.randint(0, 60)),
                content_type="application/json",
                headers=JSON,
            )
            if raw
            else ann.post(f"{path}/move", fields)
        )
        assert 400 <= answer.status_code < 500, (fields, answer.text)
        assert answer.mimetype == "application/problem+json"
    assert ann.get(f"{path}.json").data == table
    assert service.look(path[3:]).table == whole


def test_a_limit_never_costs_a_legal_move(gops, monkeypatch):
    """Looks and refused moves are counted; a legal move is taken right after."""
    path, ann, _ = gops
    server = ann.app.config["SERVER"]
    monkeypatch.setitem(ann.app.config, "SERVER", type(server)(
        **{name: getattr(server, name) for name in server.__dataclass_fields__}
        | {"rate_limits": True}
    ))  # fmt: skip
    table = ann.table(path)
    codes = [
        ann.post(f"{path}/move", {"answers": table["menu"], "move": "99"}).status_code
        for _ in range(25)
    ]
    assert codes == [422] * 20 + [429] * 5
    looks = [ann.get(f"{path}.json") for _ in range(15)]
    assert looks[-1].status_code == 429
    assert looks[-1].headers["Retry-After"] == "1"
    move = ann.post(f"{path}/move", {"answers": table["menu"], "move": "1"})
    assert move.status_code == 200
