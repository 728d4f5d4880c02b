"""Playing on from a step of a finished match: what is kept, redealt and counted."""

from dataclasses import replace
from functools import cache
from random import Random

import pytest
from msgspec import structs

from kaboom.accounts import players
from kaboom.engine.bots.bot import Level
from kaboom.engine.codec import to_json
from kaboom.engine.continued_match import begun, memory_at_start
from kaboom.engine.engine import step_on
from kaboom.engine.rng import Rng
from kaboom.engine.toolkit.playthrough import random_turn
from kaboom.engine.views import DOWN
from kaboom.errors import InvalidState
from kaboom.games import GAMES
from kaboom.games.kaboom.places import card_at
from kaboom.games.koth.cards import trump_ranking
from kaboom.records.play_on_service import Wish, origin_at, play_on, why_not
from kaboom.records.service import Around, MatchArchive
from kaboom.records.verify import checked
from kaboom.tables import queries
from kaboom.tables.bot_runner.moves import origin_and_moves, remembered
from kaboom.tables.maintenance.recovery import rebuilt
from kaboom.tables.match_record import options_of, record_from, text_of
from kaboom.web.idempotency.service import IdempotencyKey
from tests.support.effort import often
from tests.support.finished_matches import finish, made, play_to_the_end

TRIES = 50
POSITIONS = often(6, soak=200)  # of each game
MATCHES = often(2, soak=20)  # … from so many matches
MOVES = 12  # that are played on


def faces(view):
    """Return the visible cards of a view, by zone."""
    shown = [(zone.name, zone.owner, sorted({*zone.cards} - {DOWN})) for zone in view.zones]
    return str([zone for zone in shown if zone[2]])


def from_step(key, step, seat, as_it_was=False, number=3):
    """Return a record's replay, and a step from which to play on."""
    replay = checked(made(key, number, most=4500))
    assert not replay.wrong
    return replay, origin_at(replay, step, seat, as_it_was)


def begins(replay, origin, number):
    """Return the initial state of a match that plays on from there, with a given key."""
    options = options_of(replay.record, replay.game)
    key = number.to_bytes(32, "big")
    return begun(replay.game, len(replay.record.names), options, key, False, origin).state


@pytest.mark.parametrize("key", list(GAMES))
def test_play_on_redeals_unseen_cards_and_keeps_seen_ones(key):
    replay = checked(made(key, 3, most=4500))
    step, seat = len(replay.steps) // 3, 0
    origin, game = origin_at(replay, step, seat, False), replay.game
    states = [begins(replay, origin, number) for number in range(TRIES)]
    assert len({to_json(state) for state in states}) > TRIES // 2
    seen = {faces(game.view(state, seat)) for state in states}
    assert seen == {faces(game.view(replay.state(step), seat))}
    assert all(game.outcome(state) is None for state in states)


CARDS = {  # where the cards of a game lie, except those of a choice that is made again
    "gops": lambda s: [*s.hands, s.stack, s.on_offer, *s.won, s.unclaimed],
    "kaboom": lambda s: [*s.grids, s.stock, [it.card for it in s.discards], held(s)],
    "karata": lambda s: [*s.hands, s.deck, s.pile],
    "koth": lambda s: [*s.hands, s.stock, s.dead_hand, *s.trick],
    "taken": lambda s: [*s.hands, *s.rows, *s.taken, s.undealt],
}


def held(state):
    """Return the drawn card of Kaboom."""
    card = getattr(state.steps[0], "card", None)
    return [card] if card else []


def cards_of(key, state):
    """Return all cards of a state, sorted; empty places are left out."""
    return sorted(str(card) for cards in CARDS[key](state) for card in cards if card is not None)


@pytest.mark.slow
@pytest.mark.parametrize("key", [key for key in CARDS if key in GAMES])
def test_play_on_from_random_positions_follows_the_rules(key):
    """The cards are those of the match, the seat sees and knows the same, and it can be played."""
    rng = Random(7)
    for number in range(POSITIONS):
        replay = next(it for n in range(99) if (it := replayed(key, (number + n) % MATCHES)))
        game, seats = replay.game, len(replay.record.names)
        step, seat = rng.randrange(replay.last), rng.randrange(seats)
        was = replay.state(step)
        if game.outcome(was) is not None:
            continue
        origin = origin_at(replay, step, seat, False)
        state = begins(replay, origin, number)
        where = f"{key}: match {number}, step {step}, seat {seat}"
        assert cards_of(key, state) == cards_of(key, was), where
        assert faces(game.view(state, seat)) == faces(game.view(was, seat)), where
        options, secret = options_of(replay.record, game), number.to_bytes(32, "big")
        own, again = (
            memory_at_start(game, seats, options, it, False, origin, seat)
            for it in (secret, b"another key of thirty-two bytes.")
        )
        assert to_json(own) == to_json(again), where
        for move_number in range(1, MOVES + 1):
            if game.outcome(state) is not None:
                break
            move = random_turn(game, state, seats, Rng(secret, move_number, "players"))
            state = step_on(game, state, move, Rng(secret, move_number)).state


@cache
def replayed(key, number):
    """Return the replay of a random match, or None if it does not end."""
    record = made(key, number, most=4500)
    return record and checked(record)


@pytest.mark.parametrize("key", list(GAMES))
def test_play_on_with_the_same_cards_begins_in_the_same_state(key):
    replay = checked(made(key, 3, most=4500))
    step = len(replay.steps) // 2
    origin = origin_at(replay, step, 1, True)
    was = replay.state(step)
    came = begins(replay, origin, 9)
    assert came == was or was.absent


def test_play_on_in_kaboom_keeps_remembered_cards():
    replay, origin = from_step("kaboom", 8, 0)
    options = options_of(replay.record, replay.game)
    seats = len(replay.record.names)
    known = memory_at_start(replay.game, seats, options, b"0" * 32, False, origin, 0).known
    assert known, "it has peeked at two cards"
    others = set()
    for number in range(TRIES):
        state, key = begins(replay, origin, number), number.to_bytes(32, "big")
        assert all(card_at(state, place) == card for place, card in known.items())
        bot = memory_at_start(replay.game, seats, options, key, False, origin, 1)
        assert all(card_at(state, place) == card for place, card in bot.known.items())
        others.add(tuple(bot.known.items()))
    assert len(others) > TRIES // 2, "the others' known cards are dealt again, too"


def test_play_on_in_koth_respects_known_voids():
    replay, origin = from_step("koth", 100, 2)
    options = options_of(replay.record, replay.game)
    memory = memory_at_start(replay.game, 5, options, b"0" * 32, False, origin, 2)
    suits = trump_ranking(memory.trump_rank, memory.trump_suit).suits
    assert any(memory.void[seat] for seat in range(5) if seat != 2)
    for number in range(20):
        hands = begins(replay, origin, number).hands
        for seat in (0, 1, 3, 4):
            assert not {suits[card] for card in hands[seat]} & set(memory.void[seat])


@pytest.mark.parametrize("key", ["gops", "taken"])
def test_play_on_reopens_others_sealed_choices(key):
    replay = checked(made(key, 3, most=4500))
    name = "bids" if key == "gops" else "chosen"
    step = next(
        number
        for number in range(1, replay.last)
        if getattr(replay.state(number), name)[1:] != [None] * (len(replay.record.names) - 1)
    )
    state = begins(replay, origin_at(replay, step, 0, False), 1)
    assert getattr(state, name)[1:] == [None] * (len(replay.record.names) - 1)


# At a table


@pytest.fixture
def archive(service):
    return MatchArchive(service)


@pytest.fixture
def finished(service):
    """Return a function that plays a match of Ann and bots, and returns its record's code."""

    def played(key="gops", **options):
        code, ids = play_to_the_end(service, key, **options)
        return service.get(code).table.record, ids[0]

    return played


def goes_on(archive, code, player, step=0, seat=0, as_it_was=False):
    """Play on from a step of a match to its end; return the table."""
    replay, around = archive.find(code, "key of Ann")
    wish = Wish(step, seat, Level.EASY, as_it_was)
    at = play_on(archive.tables, replay, around, wish, player, "Ann")
    begun_as = archive.tables.get(at)
    finish(archive.tables, at)
    return begun_as, archive.tables.get(at)


@pytest.mark.slow
@pytest.mark.parametrize("key", ["gops", "kaboom", "karata", "koth", "taken"])
@pytest.mark.parametrize("as_it_was", [False, True])
def test_record_of_a_continued_match_is_verified(archive, finished, key, as_it_was):
    code, ann = finished(key)
    step = archive.find(code)[0].last // 2
    first, over = goes_on(archive, code, ann, step, 1, as_it_was)
    assert first.table.seat_of(ann) == 1 and not first.table.rated
    assert first.table.origin.code == code and first.table.origin.step == step
    replay, _around = archive.find(over.table.record)
    assert list(replay.wrong) == []
    text = text_of(replay.record)
    again = checked(record_from(text))
    assert not again.wrong and again.record.origin.moves == replay.record.origin.moves
    moved = replace_in(replay.record, moves=replay.record.origin.moves[:-1], step=step - 1)
    assert checked(moved).wrong


def replace_in(record, **changes):
    """Return a record with another origin."""
    return structs.replace(record, origin=structs.replace(record.origin, **changes))


def test_continued_match_is_listed_but_not_counted(archive, finished):
    code, ann = finished()
    before = archive.statistics("key of Ann", 10)
    goes_on(archive, code, ann)
    after = archive.statistics("key of Ann", 10)
    assert after.total == before.total
    assert [it.goes_on for it in after.matches] == [True, False]


def test_match_continued_from_a_continued_match_verifies(archive, finished):
    code, ann = finished()
    _first, over = goes_on(archive, code, ann, 3)
    _second, last = goes_on(archive, over.table.record, ann, 2, 1)
    replay, _around = archive.find(last.table.record)
    assert not replay.wrong and replay.record.origin.origin.step == 3


def test_bot_without_memory_replays_both_matches(archive, finished, service):
    code, ann = finished("kaboom")
    replay, around = archive.find(code, "key of Ann")
    at = play_on(service, replay, around, Wish(5, 0, Level.HARD, False), ann, "Ann")
    seen = service.get(at)
    kept = bytes(seen.table.memories[1])
    assert b'"known":{}' not in kept
    origin, moves = origin_and_moves(service.database, seen)
    assert bytes(remembered(seen, origin, moves, 1)) == kept


def test_unreadable_table_is_rebuilt_from_its_origin(archive, finished, service):
    code, ann = finished("kaboom")
    replay, around = archive.find(code, "key of Ann")
    at = play_on(service, replay, around, Wish(5, 0, Level.HARD, False), ann, "Ann")
    seen = service.get(at)

    def read(connection):
        return rebuilt(connection, queries.table(connection, at), seen.game, None)

    table, state = service.database.read(read)
    assert state == seen.state and table.origin == seen.table.origin and table.by_house


def test_hidden_match_played_on_stays_hidden(archive, finished):
    code, ann = finished()
    archive.hide(code, "key of Ann", True)
    _first, over = goes_on(archive, code, ann)
    with pytest.raises(LookupError):
        archive.find(over.table.record, "key of Zoe")


def test_play_on_is_refused_for_each_reason(archive, finished):
    code, ann = finished()
    replay, around = archive.find(code, "key of Ann")
    assert "over at this step" in why_not(replay, around, replay.last)
    assert "still playing" in why_not(replay, replace(around, own=0), 0)
    assert "this server" in why_not(replay, Around(imported=True), 0)
    for seat in (-1, 2, 99):
        with pytest.raises(InvalidState, match="no seat"):
            wish = Wish(0, seat, Level.EASY, False)
            play_on(archive.tables, replay, around, wish, ann, "Ann")


def test_play_on_sent_twice_opens_one_table(archive, finished, service):
    code, ann = finished()
    replay, around = archive.find(code, "key of Ann")
    once = IdempotencyKey("who", "form")
    wish = Wish(0, 0, Level.EASY, True)
    first = play_on(service, replay, around, wish, ann, "Ann", once)
    assert play_on(service, replay, around, wish, ann, "Ann", once) == first
    assert players.player(service, "key of Ann", "Ann")[0] == ann
