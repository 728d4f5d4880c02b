"""Hints: a bot advises a player who asks, using only what that seat knows."""

import pytest
from msgspec.structs import replace

from kaboom.accounts import player_queries, players
from kaboom.engine.bots.bot import Level, Thought
from kaboom.engine.codec import from_json
from kaboom.engine.engine import find
from kaboom.engine.moves import Move, StaleMove
from kaboom.engine.play import Event
from kaboom.engine.views import Saying
from kaboom.errors import InvalidState, NotPermitted
from kaboom.games import GAMES
from kaboom.lobby import service as lobby
from kaboom.lobby import table_settings
from kaboom.ratings import leaderboards
from kaboom.ratings.queries import FRIENDS
from kaboom.social.chat import bot_chat
from kaboom.social.chat import queries as chat
from kaboom.table_page import hint_service
from kaboom.table_page import service as match_service
from kaboom.table_page.controls import match_controls_of
from kaboom.tables import queries, start_match
from kaboom.tables.bot_runner import moves
from kaboom.tables.table import Hints, Occupant, Table
from tests.tables.test_bot_delays import anns_move, kaboom, until_waited_for


def allow(tables, code, player, hints, talk=True):
    table_settings.arrange_bots(tables, code, player, tables.get(code).table.pace, hints, talk)


def asks(tables, code, player):
    """Ask as a player; return the hint in that player's chair."""
    seat = tables.get(code).table.seat_of(player)
    return hint_service.ask_hint(tables, code, player).table.chairs[seat].hint


@pytest.fixture
def at_turn(tables):
    """The code of a Kaboom table where it is Ann's turn, and Ann."""
    code, ann = kaboom(tables)
    until_anns_turn(tables, code, ann)
    return code, ann


def until_anns_turn(tables, code, ann):
    """Play until Ann may draw."""
    while not tables.get(code).prompts[0].offer("draw"):
        until_waited_for(tables, code)
        if not tables.get(code).prompts[0].offer("draw"):
            anns_move(tables, code, ann)


def test_lone_player_among_bots_gets_a_hard_bots_hint(tables, at_turn):
    code, ann = at_turn
    before = tables.get(code)
    hint = asks(tables, code, ann)
    move = Move(0, hint.move.verb, hint.move.choices)
    assert find(before.game, before.state, move), "it can be done"
    after = tables.get(code)
    assert after.table.seq == before.table.seq, "nothing is done"
    assert after.table.revision(0) != before.table.revision(0)
    lines = [said.kind for _, said in after.table.lines(None)]
    assert lines.count("table.hint") == 1, "all players are told that she asked"
    asks(tables, code, ann)
    lines = [said.kind for _, said in tables.get(code).table.lines(None)]
    assert lines.count("table.hint") == 1, "once for each turn"


def test_others_learn_only_that_a_hint_was_requested(tables):
    code, ann = kaboom(tables)
    ben, _ = players.player(tables, "key of Ben", "Ben")
    until_anns_turn(tables, code, ann)
    before = tables.get(code).table
    asks(tables, code, ann)
    after = tables.get(code).table
    for viewer in (1, 2, 3, None):
        old, new = before.lines(viewer), after.lines(viewer)
        assert [said.kind for _, said in new[len(old) :]] == ["table.hint"]
        assert set(from_json(bytes(new[-1][1].facts), dict)) == {"who", "seat"}
    with pytest.raises(NotPermitted):
        hint_service.ask_hint(tables, code, ben)


def test_hint_is_the_first_choice_of_a_bot_with_the_seats_view(tables, at_turn, monkeypatch):
    code, ann = at_turn
    given = []
    reason = Saying("kaboom.you", {"seat": 0})
    bot = GAMES["kaboom"].bot

    def weigh(memory, view, own, rng, level):
        given.append((memory, view.viewer, level, {offer.verb for offer in own.offers}))
        return [Thought(Move(0, "draw"), 3.0, reason), Thought(Move(0, "take"))]

    monkeypatch.setitem(vars(bot), "weigh", weigh)
    hint = asks(tables, code, ann)
    assert (hint.move.verb, hint.reason) == ("draw", reason)
    (memory, viewer, level, verbs), *_ = given
    assert (viewer, level) == (0, Level.HARD)
    assert "draw" in verbs
    assert isinstance(memory, bot.memory)


@pytest.mark.parametrize("thoughts", [[], [Thought(None, 1.0)]])
def test_unavailable_hint_is_refused_with_a_sentence(tables, at_turn, monkeypatch, thoughts):
    code, ann = at_turn
    monkeypatch.setitem(vars(GAMES["kaboom"].bot), "weigh", lambda *given: thoughts)
    with pytest.raises(InvalidState, match="would not know"):
        asks(tables, code, ann)


def test_hint_ends_with_the_turn(tables, at_turn):
    code, ann = at_turn
    hint = asks(tables, code, ann)
    snapshot = tables.get(code)
    offer = snapshot.prompts[0].offer(hint.move.verb)
    words = " ".join((hint.move.verb, *hint.move.choices))
    revision, match = snapshot.table.revision(0), snapshot.table.match
    match_service.submit(tables, code, ann, words, offer.token, "once", match, revision)
    assert tables.get(code).table.chairs[0].hint is None


def test_hint_is_not_shown_while_a_bot_plays_for_the_viewer(tables, at_turn):
    code, ann = at_turn
    asks(tables, code, ann)
    assert match_controls_of(tables.get(code).asked_by(ann, "")).hint
    match_service.start_stand_in(tables, code, ann)
    controls = match_controls_of(tables.get(code).asked_by(ann, ""))
    assert (controls.bot, controls.hint, controls.advised) == (True, "", ())


@pytest.mark.parametrize(
    ("hints", "people", "told"),
    [
        (Hints.ALONE, 1, True),
        (Hints.ALONE, 2, False),
        (Hints.ALL, 2, True),
        (Hints.NONE, 1, False),
    ],
)
def test_table_says_who_may_ask_for_hints(tables, hints, people, told):
    ids = [players.player(tables, f"key of {name}", name)[0] for name in ("Ann", "Ben")[:people]]
    ann = ids[0]
    code = lobby.open(tables, "gops", GAMES["gops"].options(), ann, "Ann", 2 - people)
    if people > 1:
        lobby.sit(tables, code, ids[1], "Ben")
    allow(tables, code, ann, hints)
    start_match.start(tables, code, ann)
    until_waited_for(tables, code) if not tables.get(code).prompts[0].waited_for else None
    if told:
        assert asks(tables, code, ann).move.verb == "bid"
    else:
        with pytest.raises(InvalidState, match="Hints are off"):
            asks(tables, code, ann)


def test_rated_match_has_no_hints_despite_later_settings(tables):
    ids = [players.player(tables, f"key of {name}", name)[0] for name in ("Ann", "Ben")]
    for name in ("Ann", "Ben"):
        leaderboards.want(tables, f"key of {name}", True, FRIENDS)
    code = lobby.open(tables, "gops", GAMES["gops"].options(), ids[0], "Ann")
    lobby.sit(tables, code, ids[1], "Ben")
    start_match.start(tables, code, ids[0])
    assert tables.get(code).table.rated
    allow(tables, code, ids[0], Hints.ALL)
    with pytest.raises(InvalidState, match="is rated"):
        asks(tables, code, ids[0])
    tables.change(code, lambda transaction: transaction.stop())
    assert tables.get(code).table.may_ask_hint(), "the next match does not count then"


def test_hint_is_refused_out_of_turn_paused_or_after_the_end(tables):
    code, ann = kaboom(tables)
    tables.change(code, lambda transaction: setattr(transaction.table, "paused", True))
    with pytest.raises(InvalidState, match="your turn"):
        asks(tables, code, ann)
    tables.change(code, lambda transaction: transaction.stop())
    with pytest.raises(InvalidState, match="during a match"):
        asks(tables, code, ann)


def test_hint_for_a_changed_table_is_stale(tables, at_turn, monkeypatch):
    code, ann = at_turn
    hint = hint_service.hints.hint

    def slowly(database, run_in_thread, seen, seat):
        found = hint(database, run_in_thread, seen, seat)
        anns_move(tables, code, ann)
        return found

    monkeypatch.setattr(hint_service.hints, "hint", slowly)
    with pytest.raises(StaleMove):
        asks(tables, code, ann)


def test_hint_is_valid_though_another_seat_has_moved(tables, monkeypatch):
    ann, ben = (players.player(tables, f"key of {name}", name)[0] for name in ("Ann", "Ben"))
    code = lobby.open(tables, "gops", GAMES["gops"].options(), ann, "Ann")
    lobby.sit(tables, code, ben, "Ben")
    allow(tables, code, ann, Hints.ALL)
    start_match.start(tables, code, ann)
    hint = hint_service.hints.hint

    def slowly(database, run_in_thread, seen, seat):
        found = hint(database, run_in_thread, seen, seat)
        tables.change(code, lambda transaction: transaction.play(Move(1, "bid", ("5C",)), "ben"))
        return found

    monkeypatch.setattr(hint_service.hints, "hint", slowly)
    assert asks(tables, code, ann).move.verb == "bid"


def test_hint_request_does_not_change_the_match(tables, fake_ids):
    """The match continues as if no player had asked."""
    ends = []
    for ask in (False, True):
        fake_ids.seed, fake_ids.cut = (lambda: bytes(32)), (lambda: "")
        code, ann = kaboom(tables)
        for _ in range(4):
            until_anns_turn(tables, code, ann)
            if ask:
                asks(tables, code, ann)
            anns_move(tables, code, ann)
        ends.append(bytes(tables.get(code).table.state))
    assert ends[0] == ends[1]


# Phrases of bots


def lines(tables, code):
    def work(connection):
        number = queries.table_id(connection, code)
        hearing = chat.Hearing(number, 0, float("inf"), 10**9)
        return chat.heard_lines(connection, hearing, 10**9, 100)

    return tables.database.read(work)


def ends_of_matches(tables, count, talk=True):
    """Play matches of one person against a bot to their end; return the phrases by table."""
    said = []
    for number in range(count):
        ann, _ = players.player(tables, f"key {number}", "Ann")
        code = lobby.open(tables, "gops", GAMES["gops"].options(), ann, "Ann", 1)
        allow(tables, code, ann, Hints.NONE, talk)
        start_match.start(tables, code, ann)
        match_service.start_stand_in(tables, code, ann)
        while tables.get(code).table.playing:
            tables.now.sleep(5)
            tables.run_due(code)
        said.append((lines(tables, code), tables.get(code)))
    return said


@pytest.mark.slow
def test_bots_say_a_phrase_now_and_then_at_the_end_of_a_match(open_tables, sqlite_url):
    tables = open_tables(sqlite_url)
    said = ends_of_matches(tables, 12)
    spoken = [(found, snapshot) for found, snapshot in said if found]
    assert 2 < len(spoken) < 12, "rarely"
    for found, snapshot in spoken:
        (line,) = found
        bot = snapshot.table.levels.index("normal")
        assert line.name == snapshot.table.seats[bot]
        moment = "won" if bot in snapshot.table.outcome.winners else "lost"
        assert line.phrase == bot_chat.character(line.name).says[moment]
        assert not line.watcher and not line.text


def test_silent_bots_setting_is_respected(open_tables, sqlite_url):
    assert not any(found for found, _ in ends_of_matches(open_tables(sqlite_url), 6, talk=False))


def test_bot_phrases_are_muted_like_players(open_tables, sqlite_url):
    tables = open_tables(sqlite_url)
    (found, *_), _ = next(it for it in ends_of_matches(tables, 8) if it[0])
    house = tables.database.read(lambda c: player_queries.player(c, bot_chat.HOUSE + found.name))
    assert house == (found.player_id, found.name)


def test_bot_announces_only_its_own_public_call():

    table = Table([Occupant("Ann", 1), Occupant("Mo")], b"{}", 1)
    kinds = {"kaboom": "called"}

    def found(*events):
        return bot_chat.moments(table, kinds, events, None)

    assert found(Event("kaboom", {"seat": 1})) == [(1, "called")]
    assert not found(Event("kaboom", {"seat": 0}), Event("drew", {"seat": 1}))
    assert not found(Event("kaboom", {"seat": 1}, to=1)), "only public events"


def test_bot_thinks_only_about_blocking_nontrivial_offers(tables, at_turn):
    code, _ = at_turn
    seen = tables.get(code)
    own = seen.prompts[0]
    waited = [it for it in own.offers if it.blocks]
    assert moves.needs_thought(seen.game, own)
    for offers in ([it for it in own.offers if not it.blocks], [replace(waited[0], blocks=False)]):
        assert not moves.needs_thought(seen.game, replace(own, offers=tuple(offers)))
