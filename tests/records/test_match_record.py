"""Records: their contents, the verdicts of both verifiers, and tampering."""

import hashlib
import json
import random
import subprocess
import sys
from dataclasses import asdict
from functools import cache
from pathlib import Path

import msgspec
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from kaboom.engine.codec import to_json
from kaboom.engine.engine import start
from kaboom.engine.fairness.commitment import match_key
from kaboom.engine.fairness.hash_chain import canonical, digest_of, linked
from kaboom.engine.log_replay import replay
from kaboom.engine.views import OPEN
from kaboom.games import GAMES
from kaboom.records.replay import EVERY, MOST_STEPS, Replays, rebuilt
from kaboom.records.verify import checked
from kaboom.tables.match_record import (
    LARGEST,
    LATEST,
    LONGEST_CUT,
    LONGEST_MOVE,
    MOST_MOVES,
    InvalidRecord,
    Record,
    options_of,
    record_from,
    text_of,
)
from kaboom.tournaments.rules.draw import draw_by
from static import verify
from tests.support.builtin_games import EXAMPLES, OURS
from tests.support.effort import often
from tests.support.finished_matches import made

VERIFY = Path(verify.__file__)
CUTS = ("Ann’s own ✂", "", "b", "ü", "")

MOVES = often(400, soak=30_000)  # of each game, in whole matches; both verifiers check them


def seats(key):
    """Return the numbers of players with which a game's records are made."""
    return GAMES[key].seats(GAMES[key].options())[0]


@cache
def text(key="gops"):
    """Return the file of a finished match."""
    found = made(key, 1, cuts=CUTS[: seats(key)], most=4000)
    assert found is not None
    return text_of(found)


def record(key="gops"):
    return record_from(text(key))


def says(file):
    """Return True if the stand-alone verifier accepts the file."""
    raw = file if isinstance(file, bytes) else file.encode()
    try:
        return verify.problems(raw, verify.read(raw)) == []
    except verify.NoRecord:
        return False


def server_says(file):
    """Return True if the server accepts the file, including the rules."""
    try:
        found = record_from(file)
    except InvalidRecord:
        return False
    return not checked(found).wrong and file == text_of(found)


@pytest.mark.parametrize("key", list(GAMES))
def test_both_verifiers_accept_a_valid_record(key):
    assert says(text(key))
    assert server_says(text(key))


@pytest.mark.parametrize("key", list(GAMES))
def test_record_round_trips_through_its_file(key):
    assert text_of(record(key)) == text(key)
    assert text(key).isascii() and text(key) == canonical(json.loads(text(key)))


@pytest.mark.slow
@pytest.mark.parametrize("key", list(GAMES))
def test_the_verifiers_agree_on_hundreds_of_records(key):
    """Half of them are valid, half have one wrong field."""
    change = random.Random(key)
    moves = number = 0
    while moves < MOVES or number < 2:
        number += 1
        found = made(key, number, cuts=("x", *CUTS)[: seats(key)] if number % 3 else (), most=4000)
        if found is None:
            continue
        moves += len(found.moves)
        if number % 2:
            edited(found, change)
        file = text_of(found)
        assert says(file) == server_says(file) == (number % 2 == 0), number


def edited(found, change):
    """Change one thing in a record that keeps it well-formed."""
    what = change.choice(["name", "cut", "seed", "ended", "move", "moves", "chain", "digest"])
    if what == "name":
        found.names[0] += "x"
    elif what == "cut":
        found.cuts[0] += "x"
    elif what == "seed":
        found.seed = "f" + found.seed[1:]
    elif what == "ended":
        found.ended_at += 1
    elif what == "move":
        change.choice(found.moves).at += 0.25
    elif what == "moves":
        del found.moves[change.randrange(len(found.moves))]
    elif what == "chain":
        found.chain = found.chain[::-1]
    else:
        found.digest = found.digest[::-1]


@pytest.mark.slow
def test_tampering_with_any_byte_is_detected_by_both():
    raw = text().encode()
    change = random.Random(6)
    for place in range(0, len(raw), often(3, soak=1)):
        for other in {change.randrange(256), raw[place] ^ 1, raw[place] ^ 32} - {raw[place]}:
            tampered = raw[:place] + bytes([other]) + raw[place + 1 :]
            assert not says(tampered), (place, raw[place], other)
            try:
                as_text = tampered.decode()
            except UnicodeDecodeError:
                continue
            assert not server_says(as_text), (place, raw[place], other)


def test_missing_or_added_byte_is_detected():
    raw = text().encode()
    for place in range(0, len(raw), 3):
        assert not says(raw[:place] + raw[place + 1 :])
        assert not says(raw[:place] + b" " + raw[place:])
    assert not says(raw + b"\n\n")


FIELDS = [
    field.name
    for field in msgspec.structs.fields(Record)
    if field.name not in verify.MORE  # optional fields of a record
]


@pytest.mark.parametrize("field", FIELDS)
def test_record_with_any_changed_field_is_invalid(field):
    fields = json.loads(text())
    value = fields[field]
    if isinstance(value, str):
        fields[field] = value[:-1] + ("0" if value[-1:] != "0" else "1")
    elif isinstance(value, (int, float)):
        fields[field] = value + 1
    elif isinstance(value, list):
        fields[field] = [*value[:-1], value[0]]
    else:
        key = (
            next(key for key, each in value.items() if isinstance(each, (int, float)))
            if (field == "options")
            else "reason"
        )
        fields[field] = value | {key: 3 if field == "options" else "draw"}
    file = canonical(fields)
    assert not says(file)
    assert not server_says(file)


def with_bots():
    """Return the file of a match of Ann and a bot."""
    found = made("gops", 1, cuts=CUTS[:2], levels=["", "hard"])
    return text_of(found)


def test_record_has_bot_levels_only_with_bots():
    file = with_bots()
    assert json.loads(file)["levels"] == ["", "hard"]
    assert says(file) and server_says(file)
    assert "levels" not in json.loads(text())
    for other in (["", "easy"], ["hard", ""], None):
        fields = json.loads(file) | {"levels": other}
        fields = {name: value for name, value in fields.items() if value is not None}
        assert not says(canonical(fields))
        assert not server_says(canonical(fields))


@pytest.mark.parametrize("levels", [[], ["hard"], ["", ""], ["", "best"], ["", 3], "hard"])
def test_unknown_levels_are_refused(levels):
    with pytest.raises(InvalidRecord):
        record_from(canonical(json.loads(with_bots()) | {"levels": levels}))


BY_LOT = [
    ("kaboom", "lot"),
    ("kaboom", "first"),
    ("karata", "lot"),
    ("karata", "first"),
    ("koth", "lot"),
]


@cache
def by_lot(key, way, number=1):
    """Return the file of a match with random seats."""
    places = max(4, seats(key))
    return text_of(made(key, number, places, cuts=CUTS[:places], most=4000, seating=way))


@pytest.mark.parametrize(("key", "way"), BY_LOT)
def test_drawn_seats_verify_with_both_verifiers(key, way):
    file = by_lot(key, way)
    assert json.loads(file)["options"]["seating"] == way
    assert sorted(json.loads(file)["drawn"]) == list(range(max(4, seats(key))))
    assert says(file) and server_says(file)
    assert "drawn" not in json.loads(text(key)), "a record without a lot is unchanged"


@pytest.mark.parametrize(("key", "way"), BY_LOT)
def test_false_seats_are_detected_though_rehashed(key, way):
    """Like a server that assigns seats at will."""
    drawn = json.loads(by_lot(key, way))["drawn"]
    for other in ([*drawn[1:], drawn[0]], drawn[::-1], None):
        if other == drawn:
            continue
        found = record_from(by_lot(key, way))
        found.drawn = msgspec.UNSET if other is None else other
        found.digest = digest_of(found.key, msgspec.to_builtins(found))
        file = text_of(found)
        assert not says(file)
        assert "The seats do not match the draw." in checked(record_from(file)).wrong


@pytest.mark.parametrize(
    "drawn",
    [[0], [0, 0, 1, 2], [0, 1, 2, 4], [1, 2, 3, -1], [*"0123"], [0, 1, 2, 3, 4], "0123", [[]]],
)
def test_impossible_seats_are_refused(drawn):
    file = canonical(json.loads(by_lot("kaboom", "lot")) | {"drawn": drawn})
    with pytest.raises(InvalidRecord):
        record_from(file)
    with pytest.raises(verify.NoRecord):
        verify.read(file.encode())


def test_record_older_than_drawn_seats_still_verifies():
    found = record("kaboom")
    del found.options["seating"]
    found.digest = digest_of(found.key, msgspec.to_builtins(found))
    assert says(text_of(found)) and server_says(text_of(found))


def test_drawn_seats_are_invalid_if_the_options_draw_none():
    found = record("kaboom")
    found.drawn = [0, 1]
    found.digest = digest_of(found.key, msgspec.to_builtins(found))
    assert not says(text_of(found))
    assert not server_says(text_of(found))


def test_forgery_with_valid_hashes_fails_by_the_rules():
    """A forger who has the seed can rebuild the hash chain, and the offline check cannot detect
    that."""
    found = record()
    found.outcome = msgspec.structs.replace(found.outcome, scores=(91, 0), places=(1, 2))
    found.digest = digest_of(found.key, msgspec.to_builtins(found))
    file = text_of(found)
    assert says(file)
    assert checked(record_from(file)).wrong == ["The result does not follow from the moves."]


def closed(found):
    """Rebuild the hash chain of a record, as a forger with the seed would."""
    chain = found.commitment
    for number, each in enumerate(found.moves, start=1):
        chain = linked(found.key, chain, number, each.cmd, each.text, each.at)
    found.chain = chain
    found.digest = digest_of(found.key, msgspec.to_builtins(found))
    return found


def test_illegal_move_in_a_record_is_reported_as_such():
    found = record()
    found.moves[3].text = "1 bid ZZ"
    replayed = checked(record_from(text_of(closed(found))))
    assert replayed.wrong == ["It contains a move that is not possible."]
    assert replayed.last == 3


def test_record_of_a_match_cut_short_is_invalid():
    found = record()
    del found.moves[-2:]
    assert checked(closed(found)).wrong == ["The match is not over after its last move."]


def test_a_match_that_was_stopped_needs_no_result_by_the_rules():
    found = record()
    del found.moves[-2:]
    found.outcome = msgspec.structs.replace(
        found.outcome, scores=(0, 0), places=(1, 1), reason="stopped"
    )
    file = text_of(closed(found))
    assert says(file) and server_says(file)


def test_a_stopped_match_may_not_hide_a_result():
    found = record()
    found.outcome = msgspec.structs.replace(found.outcome, reason="stopped")
    assert checked(closed(found)).wrong == ["The result does not follow from the moves."]


NONSENSE = [
    "",
    "[]",
    "{}",
    "null",
    "not json",
    '{"format":"kaboom record"}',
    "[" * 100_000,
    "\ud800",
    " " * (LARGEST + 1),
]


@pytest.mark.parametrize("file", NONSENSE, ids=range(len(NONSENSE)))
def test_malformed_record_is_refused_with_a_sentence(file):
    with pytest.raises(InvalidRecord, match=r"\w+.*\.$"):
        record_from(file)


def forged(**fields):
    return canonical(json.loads(text()) | fields)


def with_moves(move, count):
    """Return the file of a record with this many moves, playable or not."""
    fields = json.loads(text())
    return canonical(fields | {"moves": [fields["moves"][0] | {"text": move}] * count})


AT_THE_LIMIT = {  # the largest accepted of its kind, and the next one
    "cut": lambda more: forged(cuts=["", "x" * (LONGEST_CUT + more)]),
    "moves": lambda more: with_moves("0 bid KS", MOST_MOVES + more),
    "move": lambda more: with_moves("x" * (LONGEST_MOVE + more), 1),
    "started": lambda more: forged(started_at=-more),
    "ended": lambda more: forged(ended_at=LATEST + more),
    "name": lambda more: forged(names=["A" * (40 + more), "Ben"]),
    "file": lambda more: text() + " " * (LARGEST - len(text()) + more),
}


@pytest.mark.parametrize("what", AT_THE_LIMIT)
def test_record_within_limits_is_read_and_beyond_refused(what):
    assert record_from(AT_THE_LIMIT[what](0)).game == "gops"
    with pytest.raises(InvalidRecord):
        record_from(AT_THE_LIMIT[what](1))


UNREASONABLE = [
    {"version": 2},
    {"format": "other"},
    {"game": "chess"},
    {"seed": "00"},
    {"seed": "x" * 64},
    {"names": ["Ann"]},
    {"names": ["Ann", ""]},
    {"names": ["Ann", "\u202eneB"]},
    {"names": ["A" * 5000, "Ben"]},
    {"cuts": ["x"]},
    {"cuts": ["x" * 61, ""]},
    {"options": {"chess": 1}},
    {"options": {"players": "2"}},
    {"options": {"players": 10**9}},
    {"ended_at": -1.0},
    {"ended_at": 1e300},
    {"outcome": {"scores": [1], "places": [1], "reason": "won"}},
    {"moves": [{"text": "0 " + "x" * 500, "at": 1.0, "cmd": "x"}]},
    {"moves": [{"text": "0 bid KS", "at": 1.0, "cmd": "x"}] * (MOST_MOVES + 1)},
    {"more": 1},
    {
        "names": list("ABCDEFGHIJ"),
        "cuts": [],
        "outcome": {"scores": [0] * 10, "places": [1] * 10, "reason": "won"},
    },
]


@pytest.mark.parametrize("fields", UNREASONABLE, ids=range(len(UNREASONABLE)))
def test_record_with_unreasonable_fields_is_refused(fields):
    with pytest.raises(InvalidRecord, match=r"\w+.*\.$"):
        record_from(forged(**fields))


@pytest.mark.parametrize("key", list(GAMES))
def test_record_older_than_an_option_is_read(key):
    fields = json.loads(text(key))
    usual = msgspec.to_builtins(GAMES[key].options())
    for name, value in fields["options"].items():
        if value == usual[name]:
            less = {other: fields["options"][other] for other in fields["options"] if other != name}
            found = record_from(canonical(fields | {"options": less}))
            assert getattr(options_of(found, GAMES[key]), name) == value


@pytest.mark.slow
@pytest.mark.parametrize("key", list(GAMES))
def test_options_out_of_their_range_are_refused(key):
    fields = json.loads(text(key))
    for name, value in fields["options"].items():
        for other in (10**12, -5, 1e308, "nonsense", [1], None):
            wrong = canonical(fields | {"options": fields["options"] | {name: other}})
            with pytest.raises(InvalidRecord):
                record_from(wrong)
        assert value == fields["options"][name]


@settings(max_examples=often(40, soak=1500), deadline=None)
@given(st.data())
def test_forged_move_does_not_break_the_replay(data):
    """Whatever its moves are, the record is replayed as far as possible."""
    found = record("taken")
    words = st.one_of(
        st.text(max_size=30),
        st.from_regex(
            r"-?[0-9]{1,3} (choose|take|ready|lapse|leave|return)( [0-9]{1,3})*", fullmatch=True
        ),
    )
    place = data.draw(st.integers(0, len(found.moves) - 1))
    other = data.draw(words)
    assume(other != found.moves[place].text)
    found.moves[place].text = other
    replayed = checked(found)
    assert replayed.wrong
    assert replayed.last >= place


@pytest.mark.parametrize("key", list(GAMES))
def test_a_replay_has_the_states_and_the_events_of_the_engine(key):
    found = record(key)
    game = GAMES[key]
    replayed = rebuilt(found)
    assert replayed.broken == ""
    secret = match_key(bytes.fromhex(found.seed), found.cuts)
    texts = [each.text for each in found.moves]
    every = max(1, len(texts) // 60)
    steps = replay(game, len(found.names), options_of(found, game), secret, texts)
    for number, (_, step) in enumerate(steps):
        assert to_json(replayed.steps[number].events) == to_json(step.events)
        if number % every == 0 or (number % EVERY in (0, EVERY - 1) and number < 200):
            assert to_json(replayed.state(number)) == to_json(step.state)
    assert replayed.last == len(texts)


def test_viewing_a_state_does_not_change_it():
    replayed = rebuilt(record("kaboom"))
    once = to_json(replayed.state(replayed.last))
    replayed.state(3)
    assert to_json(replayed.state(replayed.last)) == once


def test_number_of_cached_replays_is_limited():
    replays, one = Replays(), rebuilt(record())
    fit = MOST_STEPS // len(one.steps)
    for number in range(fit + 5):
        replays.keep(str(number), one)
    assert replays.get("0") is None
    assert replays.get(str(fit + 4)) is one


# The stand-alone verifier


def test_standalone_verifier_deals_every_built_in_game():
    assert set(verify.DEALS) == set(OURS)


@pytest.mark.parametrize("key", list(verify.DEALS))
def test_standalone_verifier_deals_as_the_server_did(key):
    found = record(key)
    replayed = rebuilt(found)
    dealt = dict(verify.deal(json.loads(text(key))))
    names = found.names
    state = replayed.state(0)
    view = replayed.game.view(state, OPEN)
    match key:
        case "gops":
            prizes = [*view.zone("offer").cards, *view.zone("prizes").cards]
            assert dealt == {"prizes, first one first": prizes}
        case "taken":
            for seat, name in enumerate(names):
                assert tuple(map(str, dealt[name])) == view.zone("hand", seat).cards
            rows = [zone.cards[0] for zone in view.zones_named("row")]
            assert list(map(str, dealt["rows"])) == rows
        case "kaboom":
            for seat, name in enumerate(names):
                assert tuple(dealt[name]) == view.zone("grid", seat).cards
            assert dealt["stock, top first"][::-1] == state.stock
        case "karata":
            for seat, name in enumerate(names):
                assert sorted(dealt[name]) == sorted(view.zone("hand", seat).cards)
            assert tuple(dealt["pile"]) == view.zone("pile").cards
            assert dealt["deck, top first"][::-1] == state.deck
        case "koth":
            first = replayed.steps[0].events[0].facts["seat"]
            assert dealt["the first card goes to"] == [names[first]]
            ready = [move.text.split()[1] for move in found.moves[:5]]
            if ready == ["ready"] * 5:
                shuffled = replayed.state(5)
                cards = [*shuffled.stock, *(card for hand in shuffled.hands for card in hand)]
                held = [card for name in names for card in dealt[name]]
                assert sorted(held + dealt["left for the king"]) == sorted(cards)
                left = len(shuffled.stock)
                assert dealt["left for the king"] == shuffled.stock[:8] and left >= 8
                for name, hand in zip(names, shuffled.hands, strict=True):
                    assert sorted(dealt[name][: len(hand)]) == sorted(hand)


@pytest.mark.skipif("hearts" not in EXAMPLES, reason="make test installs Hearts")
def test_unknown_game_is_dealt_by_its_description(tmp_path):
    game = GAMES["hearts"]
    assert "pack without jokers" in game.dealing and "From the front" in game.dealing
    (_, cards), _ = verify.deal(json.loads(text("hearts")))
    hands = rebuilt(record("hearts")).state(0).hands
    assert [sorted(cards[seat::4]) for seat in range(4)] == [sorted(hand) for hand in hands]
    file = tmp_path / "record.json"
    file.write_text(text("hearts"))
    said = run(file).stdout
    assert "/api/games/hearts" in said and " ".join(cards) in said


def run(*arguments):
    command = [sys.executable, "-I", "-S", str(VERIFY), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=30)


def test_standalone_verifier_runs_as_a_program(tmp_path):
    file = tmp_path / "record.json"
    file.write_text(text())
    good = run(file)
    assert (good.returncode, good.stderr) == (0, "")
    assert "the record is as it was closed" in good.stdout
    assert "prizes, first one first" in good.stdout
    file.write_text(text().replace("Ann", "Eve"))
    bad = run(file)
    assert bad.returncode == 1
    assert "WRONG: Something in the record was changed" in bad.stdout
    file.write_text("nothing")
    assert run(file).returncode == 2
    assert run(tmp_path / "missing.json").returncode == 2
    assert "python3 verify.py" in run().stdout


def test_tournament_match_with_own_cards_is_found_in_the_draw(
    tmp_path,
):
    seed, words = bytes(range(32)), ["a", "", "ß", "d"]
    at_table = draw_by(match_key(seed, words))("pod|2|1")  # as the tournament draws it
    file, other, draw = (tmp_path / name for name in ("record.json", "other.json", "draw.json"))
    file.write_text(text_of(made("gops", int.from_bytes(at_table), cuts=("mine", ""))))
    other.write_text(text())
    fields = {"format": "kaboom draw", "version": 1, "code": "ABCD2345", "words": words}
    fields["commitment"] = hashlib.sha256(seed).hexdigest()
    draw.write_text(canonical(fields | {"seed": seed.hex()}))
    found = run(draw, file)
    assert (found.returncode, found.stderr) == (0, "")
    assert "round 2, table 2, of the tournament" in found.stdout
    assert "the record is as it was closed" in found.stdout
    wrong = run(draw, file, other)
    assert wrong.returncode == 1
    assert "Its seed does not follow from that of the tournament." in wrong.stdout
    draw.write_text(canonical(fields | {"seed": ""}))
    before = run(draw, file)
    assert before.returncode == 0
    assert "checked once the seed is public" in before.stdout


def test_standalone_verifier_needs_only_the_standard_library():
    imported = [line for line in VERIFY.read_text().splitlines() if "import" in line.split()[:2]]
    names = sorted(line.split()[1] for line in imported)
    assert names == ["hashlib", "hmac", "html", "json", "sys"]


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"ranks": "uganda"},
        {"ranks": "uganda", "jokers": False},
        {"opener": "mild"},
        {"ranks": "uganda", "opener": "mild", "cut": 25},
    ],
    ids=str,
)
def test_standalone_verifier_deals_karata_by_its_options(options):
    karata = GAMES["karata"]
    chosen = karata.options(**options)
    for number in range(30):
        seed = bytes([number]) * 32
        state = start(karata, 2, chosen, seed).state
        forged = {"game": "karata", "options": asdict(chosen), "names": ["Ann", "Ben"]}
        dealt = dict(verify.deal(forged | {"seed": seed.hex(), "cuts": [], "moves": []}))
        assert (dealt["pile"], dealt["deck, top first"]) == (state.pile, state.deck[::-1])
        assert [dealt["Ann"], dealt["Ben"]] == state.hands


def test_a_forged_deal_does_not_break_the_verifier(tmp_path):
    found = record("taken")
    found.options = {"deck": "tight", "hand_size": 10**9, "rows": 4}
    file = tmp_path / "record.json"
    file.write_text(text_of(closed(found)))
    answer = run(file)
    assert answer.returncode == 1
    assert "no deal is possible" in answer.stdout
