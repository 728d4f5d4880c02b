"""A move by number or in words, and the sentence when it is refused."""

import random
import re
from html import unescape
from itertools import product

import pytest
from limits import parse
from msgspec.structs import replace

from kaboom.engine.engine import find, start, step
from kaboom.engine.engine import offer as offered
from kaboom.engine.i18n import ENGLISH, speak
from kaboom.engine.menu import answers_of, chosen, menu_of, numbered
from kaboom.engine.moves import Move, NotOnOffer, StaleMove
from kaboom.engine.options import read
from kaboom.engine.rng import Rng
from kaboom.engine.views import Offer
from kaboom.games import GAMES, sample
from kaboom.table_page.speech import plain
from kaboom.web import rate_limits
from kaboom.web.api.columns import width_of
from kaboom.web.api.problems import KINDS
from kaboom.web.i18n import LANGUAGES
from kaboom.web.rules_pages import rules_of
from tests.secrecy.states import next_move, seed, walk
from tests.support.api_clients import JSON, TEXT, Program, at_table, kept
from tests.support.builtin_games import OURS
from tests.support.effort import often
from tests.support.forms import Page


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


def test_options_are_numbered_and_an_empty_choice_is_last():
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


def test_offered_numbers_keep_their_value_in_the_list():
    bid = replace(offer("bid", "0 1 4"), numbers=True)
    lines = [(it.number, it.offer.verb, it.option) for it in numbered([offer("pass"), bid])]
    assert lines == [(5, "pass", None), (0, "bid", "0"), (1, "bid", "1"), (4, "bid", "4")]
    menu = menu_of(1, [offer("pass"), bid])
    assert chosen(1, [offer("pass"), bid], menu, "4") == (bid, ("4",))
    with pytest.raises(NotOnOffer):
        chosen(1, [offer("pass"), bid], menu, "3")


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
def test_ambiguous_or_empty_numbers_are_not_on_offer(move):
    with pytest.raises(NotOnOffer):
        chosen(1, OFFERS, MENU, move)


def test_menu_number_is_stale_only_if_its_meaning_changed():
    others = [OFFERS[0], offer("draft", "2C 4C", 0, 2), OFFERS[2]]
    with pytest.raises(StaleMove):
        chosen(1, others, MENU, "5")
    with pytest.raises(StaleMove):
        chosen(2, OFFERS, MENU, "5")  # another match
    assert chosen(1, list(OFFERS), MENU, "5")[1] == ("3C",)


def test_words_can_answer_only_their_own_offer():
    own = answers_of(1, OFFERS[0])
    assert chosen(1, OFFERS, own, "lay 8S")[0] is OFFERS[0]
    with pytest.raises(NotOnOffer):
        chosen(1, OFFERS, own, "draw")
    with pytest.raises(StaleMove):
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


def bare(text):
    """Return a text without invisible joining marks, as used in Arabic."""
    return re.sub("[\u2066-\u2069]", "", text)


@pytest.mark.parametrize("language", LANGUAGES)
def test_refusal_is_the_same_in_all_formats(gops, language):
    path, ann, _ = gops
    table, door = ann.table(path), f"{path}/move?lang={language}"
    for answers, move, rule in [
        (table["menu"], "bid 2H", "bidding"),
        (table["menu"], "bid", "bidding"),
        ("0123456789", "bid AS", "bidding"),
        (table["menu"], "99", ""),
        (table["menu"], "1 1", ""),
    ]:
        body = {"answers": answers, "move": move}
        problem = ann.post(door, body).json
        # In French some spaces are non-breaking.
        detail = " ".join(bare(problem["detail"]).split())
        assert problem.get("rule", {"id": ""})["id"] == rule
        text = ann.client.post(door, data=body, headers=TEXT).text
        first, then = bare(text).split("\n\n", 1)
        assert detail in " ".join(first.split()) and then.startswith(f"GOPS {table['code']}")
        assert ("bidding)" in first) == bool(rule) and max(map(width_of, first.splitlines())) <= 72
        narrow = f"{door}&width=40&cards=words"
        text = ann.client.post(narrow, data=body, headers=TEXT).text
        assert (
            max(map(width_of, text.splitlines())) <= 40 and " 2H" not in text.partition("\n\n")[2]
        )
        say = {"Accept": "text/plain;profile=say"}
        spoken = ann.client.post(door, data=body, headers=say).text.strip()
        assert spoken.endswith(f": {plain(detail)}") and len(spoken.split()) <= 60
        html = ann.client.post(door, data=body).text
        assert detail in " ".join(bare(unescape(html)).split())
        assert (f"{path}/rules#bidding" in html) == bool(rule)


def test_list_is_valid_while_its_numbers_keep_their_meaning(gops):
    path, ann, ben = gops
    menu = ann.table(path)["menu"]
    revision = ann.table(path)["revision"]
    ben.post(f"{path}/move", {"answers": ben.table(path)["menu"], "move": "bid 2H"})
    ben.post(f"{path}/move", {"answers": ben.table(path)["menu"], "move": "1"})
    assert ann.table(path)["revision"] > revision
    assert ann.post(f"{path}/move", {"answers": menu, "move": "2"}).status_code == 200
    assert ann.table(path)["menu"] != menu
    old = ann.post(f"{path}/move", {"answers": menu, "move": "2"})
    assert (old.status_code, old.json["type"]) == (409, "/problems/too-late")


def test_ambiguous_or_empty_numbers_are_refused(app):
    people = [Program(app), Program(app)]
    path = at_table("karata", *people)
    ann = next(it for it in people if it.table(path)["waited"])
    table = ann.table(path)
    lay = next(it["options"][0]["n"] for it in table["moves"] if it["verb"] == "lay")
    draw = next(it["n"] for it in table["moves"] if it["verb"] == "draw")
    before = kept(app, path)
    for move in (f"{lay} {draw}", f"{draw} {draw}", f"{lay} {lay}", "0", "999", f"{lay} 999"):
        for dry in (False, True):
            body = {"answers": table["menu"], "move": move, "dry": dry}
            told = ann.post(f"{path}/move", body)
            assert (told.status_code, told.json["type"]) == (422, "/problems/not-on-offer"), move
    assert kept(app, path) == before


def test_dry_run_describes_the_result_and_leaves_no_trace(gops):
    path, ann, _ = gops
    table, whole = ann.table(path), kept(ann.app, path)
    for move in ("1", "bid KS", "bid 2H", "14"):
        body = {"answers": table["menu"], "move": move}
        dry = ann.post(f"{path}/move", {**body, "dry": True})
        assert ann.table(path) == table and kept(ann.app, path) == whole
        assert dry.status_code == (200 if move in ("1", "bid KS") else 422)
    assert ann.post(f"{path}/move", {"answers": table["menu"], "move": "1"}).status_code == 200
    assert ann.table(path) != table
    again = ann.post(f"{path}/move", {"answers": table["menu"], "move": "1", "dry": True})
    assert again.status_code == 409


def test_page_form_can_be_dry_run(gops):
    path, ann, _ = gops
    form, _ = Page(ann.get(path).text).moves()[0]
    fields = {**form.hidden, "pick": "KS", "dry": "1"}
    whole = kept(ann.app, path)
    tried = ann.client.post(f"{path}/move", data=fields, headers=TEXT)
    assert (tried.status_code, kept(ann.app, path)) == (200, whole)
    ann.client.post(f"{path}/move", data={**fields, "dry": "0"}, headers=TEXT)
    assert kept(ann.app, path) != whole


def test_move_with_a_repeated_command_id_counts_once(gops):
    path, ann, _ = gops
    table = ann.table(path)
    body = {"answers": table["moves"][0]["answers"], "move": "bid AS", "cmd": "mine"}
    first, again = (ann.post(f"{path}/move", body) for _ in range(2))
    assert (first.status_code, again.status_code) == (200, 200)
    assert ann.post(f"{path}/move", {**body, "move": "bid KS"}).status_code == 409
    assert ann.table(path)["revision"] == first.json["revision"]


@pytest.mark.slow
@pytest.mark.parametrize("game", list(GAMES))
def test_every_verb_has_a_rule_in_all_presets(app, game):
    rules = GAMES[game]
    verbs = {verb for verb in rules.words.offers if "." not in verb}
    assert verbs <= set(rules.words.rules)
    for code, preset in product(LANGUAGES, (rules.usual, *rules.presets)):
        with app.test_request_context(f"/?lang={code}"):
            app.preprocess_request()
            options = rules.options(**preset.values)
            page = rules_of(rules, options)
            headings = {anchor for _, anchor, _ in page.contents}
            assert set(rules.words.rules.values()) <= headings, (code, preset.key)
            assert page.language == (code if game in OURS else "en")
    speak(ENGLISH)
    read(rules.options, {})


@pytest.mark.parametrize("game", list(GAMES))
def test_sampled_choices_are_all_legal_and_never_missing(game):
    rules = GAMES[game]
    options, seed = rules.options(**sample(game).short), bytes(range(32))
    seats = rules.seats(options)[0]
    state = start(rules, seats, options, seed).state
    for number in range(often(40, soak=4000)):
        if rules.outcome(state) is not None:
            break
        for pick in (it.pick for it in rules.listeners(state) if it.seat >= 0):
            some = pick.some(Rng(seed, number))
            assert len({*some}) == len(some) <= 8
            assert [pick.refusal(choices) for choices in some] == [None] * len(some)
            assert bool(some) == any(True for _ in pick.legal())
        move = next_move(rules, state, seats, Rng(seed, number, "players"))
        state = step(rules, state, move, Rng(seed, number)).state


# Special cases of each game: an ordered row, eight together, no card, a card from two packs.
KINDS_OF_MOVES = {
    "karata": {"in order"},
    "koth": {"eight together", "none", "equal cards"},
}


@pytest.mark.parametrize("game", list(GAMES))
def test_numbers_mean_the_same_move_as_words_and_both_find_it(game):
    rules, met = GAMES[game], set()
    options = rules.options(**sample(game).short)
    for at in many_positions(rules, options):
        listeners = [it for it in rules.listeners(at.state) if it.seat >= 0]
        for seat in range(at.seats):
            own = [it for it in listeners if it.seat == seat]
            offers = [offered(it) for it in own]
            menu = menu_of(1, offers)
            for listener, it in zip(own, offers, strict=True):
                for choices in listener.pick.some(Rng(seed(1), at.number)):
                    move = Move(seat, it.verb, tuple(choices))
                    words = " ".join((it.verb, *choices))
                    by_words = chosen(1, offers, answers_of(1, it), words)
                    by_numbers = [chosen(1, offers, menu, n) for n in numbers(offers, it, choices)]
                    assert {by_words, *by_numbers} == {(it, move.choices)}, words
                    assert find(rules, at.state, move, it.token, listeners) is listener
                    met.update(kinds_of(it, choices, len(by_numbers)))
    assert met >= KINDS_OF_MOVES.get(game, set())


def many_positions(rules, options):
    """Yield positions: those at the start of a match in `make test`, those of whole matches in
    `make soak`."""
    for number in range(1, often(2, soak=50)):
        yield from walk(rules, options, rules.seats(options)[0], number, often(100, soak=5000))


def numbers(offers, offer, choices):
    """Return the numbers of choices; if there is an equal card, with either number."""
    lines, found = [line for line in numbered(offers) if line.offer is offer], set()
    for left in (lines, lines[::-1]):
        taken = []
        for choice in choices or [None]:
            line = next(it for it in left if it.option == choice and it not in taken)
            taken.append(line)
        found.add(" ".join(str(it.number) for it in taken))
    return found


def kinds_of(offer, choices, ways):
    """Yield the special features of a move."""
    if offer.ordered and len(choices) > 1:
        yield "in order"
    if len(choices) == 8:
        yield "eight together"
    if offer.options and not choices:
        yield "none"
    if ways > 1:
        yield "equal cards"


BODIES = often(150, soak=100_000)


def test_random_bodies_change_nothing(gops):
    """Any input is answered by a problem, and the table stays the same, byte for byte."""
    path, ann, _ = gops
    fake_ids = random.Random(5)
    table = ann.get(f"{path}.json").data
    whole = kept(ann.app, path)
    menu = ann.table(path)["menu"]
    words = ["bid", "AS", "0", "1 2", "99", "\0", "é", "'", "x" * 3000, "draw", menu, "[]", "%ff"]
    for _ in range(BODIES):
        said = f"{fake_ids.choice(words)} {fake_ids.choice(words)}"
        fields = {"answers": menu, "move": said} if fake_ids.random() < 0.5 else {}
        fields |= {
            fake_ids.choice(["answers", "move", "dry", "cmd", "v", "match", "x"]): fake_ids.choice(
                [*words, None, 7, True, [1, "a"], {"a": 1}, [[]], 1e300]
            )
            for _ in range(fake_ids.randint(0, 4))
        }
        if fields.get("answers") == menu and str(fields.get("move")) in ("7", "bid AS", "True"):
            continue
        raw = fake_ids.random() < 0.1
        answer = (
            ann.client.post(
                f"{path}/move",
                data=fake_ids.randbytes(fake_ids.randint(0, 60)),
                content_type="application/json",
                headers=JSON,
            )
            if raw
            else ann.post(f"{path}/move", fields)
        )
        assert 400 <= answer.status_code < 500, (fields, answer.text)
        assert answer.mimetype == "application/problem+json"
    assert ann.get(f"{path}.json").data == table
    assert kept(ann.app, path) == whole


def test_rate_limit_never_costs_a_legal_move(gops, monkeypatch):
    """Views and refused moves are counted; a legal move is accepted right after."""
    path, ann, _ = gops
    server = ann.app.config["SERVER"]
    monkeypatch.setitem(ann.app.config, "SERVER", type(server)(
        **{name: getattr(server, name) for name in server.__dataclass_fields__}
        | {"rate_limits": True}
    ))  # fmt: skip
    # The same number, in a period that even a busy machine does not exceed.
    monkeypatch.setattr(rate_limits, "LOOKS", parse("10 per hour"))
    monkeypatch.setattr(rate_limits, "REFUSED", parse("20 per hour"))
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
