"""How fast bots play: like people, at the table's pace, with a reaction time in races."""

from statistics import median, quantiles

import pytest

from kaboom.accounts import players
from kaboom.engine.bots import delays as pace
from kaboom.engine.bots.bot import Level
from kaboom.engine.bots.delays import (
    MEDIANS,
    MISSED,
    QUICKEST,
    REACTIONS,
    Pace,
    decision_seconds,
    reaction_seconds,
)
from kaboom.engine.bots.names import TEMPERS, Temper, Way
from kaboom.engine.engine import prompt, random_move, start, step
from kaboom.engine.rng import Rng
from kaboom.engine.views import Offer, Prompt
from kaboom.errors import NotPermitted
from kaboom.games import GAMES
from kaboom.lobby import service as lobby
from kaboom.lobby import table_settings
from kaboom.table_page import service as match_service
from kaboom.tables import start_match
from kaboom.tables.clock.scheduler import IN_A_ROW, Ticker
from kaboom.tables.clock.timer_kinds import Reaction, Thinking
from kaboom.tables.table import Hints
from tests.support.bot_timers import thinking

MANY = 1000


def offer(verb="bid", blocks=True, sealed=False, race=False):
    return Offer(0, verb, (), 0, 0, False, "", blocks, False, "t", sealed, race)


def drawn(own, race=False, speed=Pace.NATURAL, temper=None):
    """Return the times that bots think about these offers, sorted."""
    asked = Prompt(0, own)
    return sorted(
        decision_seconds(speed, asked, race, {"ready"}, temper or Temper(), Rng(b"k", number))
        for number in range(MANY)
    )


@pytest.mark.parametrize("speed", [Pace.NATURAL, Pace.BRISK])
def test_bot_delay_has_a_median_that_follows_the_public_state(speed):
    medians = MEDIANS[speed]
    for own, race, expected in [
        ((offer(),), False, medians.turn),
        ((offer("ready"),), False, medians.quick),
        ((offer("ready"), offer()), False, medians.turn),
        ((offer(),), True, medians.race),
        ((offer(blocks=False),), False, medians.idle),
    ]:
        seconds = drawn(own, race, speed)
        assert median(seconds) == pytest.approx(expected, rel=0.06)
        tenths = quantiles(seconds, n=10)
        assert tenths[0] == pytest.approx(expected * 0.64, rel=0.1), "log-normal"
        assert tenths[-1] == pytest.approx(expected * 1.57, rel=0.1)
        assert seconds[-1] <= pace.LONGEST * expected


def test_finished_trick_is_seen_before_a_bot_leads_the_next():
    """People need time to see it; bots do not."""
    asked = Prompt(0, (offer("play"),))
    for speed in Pace:
        usual, looked, alone = (
            [
                decision_seconds(speed, asked, False, (), Temper(), Rng(b"k", n), alone, look)
                for n in range(MANY)
            ]
            for alone, look in ((False, False), (False, True), (True, True))
        )
        more = {round(one - other, 6) for one, other in zip(looked, usual, strict=True)}
        assert more == {MEDIANS[speed].look}
        assert median(alone) == pytest.approx(MEDIANS[Pace.NATURAL].turn, rel=0.06)
    assert MEDIANS[Pace.NATURAL].look >= 1.5


def test_bots_wait_until_a_trick_of_koth_is_seen(open_tables, sqlite_url):
    tables = open_tables(sqlite_url)
    tables.pace = Pace.NATURAL
    ann, _ = players.player(tables, "key of Ann", "Ann")
    options = GAMES["koth"].options(deal_interval=0, pace="untimed")
    code = lobby.open(tables, "koth", options, ann, "Ann", 4)
    start_match.start(tables, code, ann)
    seen = {True: [], False: []}
    for _ in range(400):
        snapshot = tables.get(code)
        if not snapshot.table.playing or all(len(it) > 8 for it in seen.values()):
            break
        if snapshot.state.stage == "trick" and snapshot.state.turn != 0:
            ((_, timer),) = thinking(snapshot.table)
            seen[snapshot.state.between_tricks].append(timer.given)
        move = random_move(snapshot.game, snapshot.state, 0, Rng(b"k", snapshot.table.seq))
        if 0 in snapshot.waiting_for() and move:
            cmd = f"Ann {snapshot.table.seq}"
            tables.change(code, lambda it, move=move, cmd=cmd: it.play(move, cmd))
        else:
            tables.now.time += 1.0
            tables.run_due(code)
    assert min(seen[True]) >= MEDIANS[Pace.NATURAL].look + 0.5
    assert median(seen[False]) < 2


def test_instant_pace_and_sealed_answers_have_no_delay():
    assert drawn((offer(),), True, Pace.INSTANT)[-1] == 0
    assert drawn((offer(sealed=True),))[-1] == 0


def test_bots_keep_their_pace_without_people():
    """Otherwise they would play a whole match in one go, and other tables would have to wait."""
    for own in (offer(), offer(sealed=True)):
        seconds = [
            decision_seconds(
                Pace.INSTANT, Prompt(0, (own,)), False, (), Temper(), Rng(b"k", n), alone=True
            )
            for n in range(MANY)
        ]
        assert median(seconds) == pytest.approx(MEDIANS[Pace.NATURAL].turn, rel=0.06)


def test_careful_bots_are_slower_than_bold_ones():
    slow, quick = TEMPERS[Way.CAREFUL], TEMPERS[Way.BOLD]
    one, other = drawn((offer(),), temper=slow), drawn((offer(),), temper=quick)
    assert median(one) == pytest.approx(1.25 / 0.8 * median(other), rel=0.01)


@pytest.mark.parametrize("level", list(Level))
def test_reaction_time_and_missed_chances_follow_the_level(level):
    reacted = [reaction_seconds(level, Temper(), Rng(b"k", number)) for number in range(MANY)]
    seen = sorted(seconds for seconds in reacted if seconds is not None)
    assert median(seen) == pytest.approx(REACTIONS[level], rel=0.06)
    assert seen[0] >= QUICKEST
    assert reacted.count(None) == pytest.approx(10 * MISSED[level], abs=40)


def test_forgetful_bot_misses_more():
    level, temper = Level.HARD, TEMPERS[Way.FORGETFUL]
    both = [
        (
            reaction_seconds(level, Temper(), Rng(b"k", n)),
            reaction_seconds(level, temper, Rng(b"k", n)),
        )
        for n in range(MANY)
    ]
    assert all(other in (one, None) for one, other in both)
    assert sum(other is None for _, other in both) > sum(one is None for one, _ in both)


# At a table


def kaboom(tables, people=1, speed=Pace.BRISK, level=Level.NORMAL):
    """Return the code of a Kaboom table with people, and bots in all other chairs; and Ann."""
    tables.pace = speed
    ann, _ = players.player(tables, "key of Ann", "Ann")
    options = GAMES["kaboom"].options()
    code = lobby.open(tables, "kaboom", options, ann, "Ann", 4 - people, level=level)
    start_match.start(tables, code, ann)
    return code, ann


def until_waited_for(tables, code, seat=0, most=200):
    """Let bots play until the table waits for a seat; return False if it never does."""
    for _ in range(most):
        table = tables.get(code).table
        if not table.playing or seat in tables.get(code).waiting_for():
            return table.playing
        dues = [timer.due for _, timer in table.timed() if timer.due is not None]
        tables.now.time += max(0.0, min(dues) - tables.get(code).table_time(tables.now()))
        tables.run_due(code)
    raise AssertionError("no player moves")


def anns_move(tables, code, ann):
    """Let Ann draw and discard: her part of the turn takes no time here."""
    for verb in ("ready", "draw", "discard", "skip", "no_give", "take", "replace", "kaboom"):
        snapshot = tables.get(code)
        offer = snapshot.prompts[0].offer(verb)
        if offer:
            words = " ".join((verb, *offer.options[: offer.least]))
            revision = snapshot.table.revision(0)
            match = snapshot.table.match
            match_service.submit(
                tables, code, ann, words, offer.token, f"{revision}", match, revision
            )
            return verb
    raise AssertionError(snapshot.prompts[0])


def turns_of_three_bots(tables, speed, count):
    """Return the seconds Ann waits between two of her turns."""
    waits = []
    while len(waits) < count:
        code, ann = kaboom(tables, speed=speed)
        began = None
        while until_waited_for(tables, code):
            mine = tables.get(code).prompts[0].offer("draw")
            if mine and began is not None:
                waits.append(tables.now() - began)
            verb = anns_move(tables, code, ann)
            began = tables.now() if verb != "ready" else None
    return sorted(waits)


@pytest.mark.slow
def test_three_bots_take_six_seconds_a_turn_at_brisk_pace(open_tables, sqlite_url):
    waits = turns_of_three_bots(open_tables(sqlite_url), Pace.BRISK, 40)
    print(f"median {median(waits):.1f} s, longest {waits[-1]:.1f} s")
    assert waits[-1] <= 6


def test_bot_reaction_time_is_the_same_on_and_off_turn(open_tables, sqlite_url):
    """The reaction time stays the same while the card is on top, even if another turn begins."""
    tables = open_tables(sqlite_url)
    code, ann = kaboom(tables, speed=Pace.NATURAL)
    before, given, turns = {}, [], set()
    for _ in range(150):
        snapshot = tables.get(code)
        if not snapshot.table.playing:
            break
        reactions = [it for it in snapshot.table.timed() if isinstance(it[0], Reaction)]
        now = {str(what): timer.given for what, timer in reactions}
        kept = [text for text in now if text in before]
        assert all(now[text] in (before[text], 0.0) for text in kept), "0: it has thought"
        given += [now[text] for text in now if text not in before]
        turns |= {
            snapshot.prompts[what.seat].openly_waited_for
            for what, _ in reactions
            if str(what) in kept
        }
        before = now
        if 0 in snapshot.waiting_for():
            anns_move(tables, code, ann)
        else:
            tables.now.time += 0.3
            tables.run_due(code)
    assert turns == {True, False}
    assert len(given) > 20
    assert min(seconds for seconds in given if seconds) >= QUICKEST
    assert 0.0 in given, "some are missed"


@pytest.mark.slow
def test_bot_flips_only_as_a_reaction(open_tables, sqlite_url, monkeypatch):
    asked = {Reaction: set(), Thinking: set()}
    bot = type(GAMES["kaboom"].bot)
    choose = bot.choose

    def noted(self, memory, view, own, rng, level):
        kind = Reaction if any(offer.race for offer in own.offers) else Thinking
        asked[kind] |= {offer.verb for offer in own.offers}
        return choose(self, memory, view, own, rng, level)

    monkeypatch.setattr(bot, "choose", noted)
    tables = open_tables(sqlite_url)
    for _ in range(3):
        code, ann = kaboom(tables, speed=Pace.NATURAL, level=Level.HARD)
        while until_waited_for(tables, code):
            anns_move(tables, code, ann)
    assert asked[Reaction] == {"flip"}
    assert "flip" not in asked[Thinking] and "draw" in asked[Thinking]


def test_only_a_race_is_offered_to_all_simultaneously():
    """Patient flips are sealed answers, so players may take their time."""
    for patient in (False, True):
        game = GAMES["kaboom"]
        options = game.options(flips="patient" if patient else "race")
        done, races = start(game, 3, options, bytes(32)), set()
        for number in range(1, 120):
            rng = Rng(bytes(32), number)
            for seat in range(3):
                own = prompt(game, done.state, seat)
                races |= {(it.verb, it.race) for it in own.offers if it.verb == "flip"}
            moves = [random_move(game, done.state, seat, rng) for seat in (0, 1, 2, -1)]
            done = step(game, done.state, next(move for move in moves if move), rng)
        assert races == {("flip", not patient)}


def test_host_changes_the_bots_pace_at_any_time(open_tables, sqlite_url):
    tables = open_tables(sqlite_url)
    code, ann = kaboom(tables, people=1, speed=Pace.BRISK)
    assert tables.get(code).table.pace is Pace.BRISK, "as new tables here do"
    table_settings.arrange_bots(tables, code, ann, Pace.INSTANT, Hints.ALONE, True)
    _, said = tables.get(code).table.lines(0)[-1]
    assert (said.kind, bytes(said.facts)) == ("table.pace", b'{"pace":"instant"}')
    for _ in range(3):
        until_waited_for(tables, code)
        anns_move(tables, code, ann)
    timers = [timer for _, timer in thinking(tables.get(code).table)]
    assert timers and {timer.given for timer in timers} == {0.0}, "from the next decision on"
    ben, _ = players.player(tables, "key of Ben", "Ben")
    with pytest.raises(NotPermitted):
        table_settings.arrange_bots(tables, code, ben, Pace.BRISK, Hints.ALONE, True)


def test_instant_bots_alone_play_at_a_limited_rate(open_tables, sqlite_url):
    tables = open_tables(sqlite_url)
    tables.pace = Pace.INSTANT
    ann, _ = players.player(tables, "key of Ann", "Ann")
    code = lobby.open(tables, "gops", GAMES["gops"].options(), ann, "Ann", 1)
    start_match.start(tables, code, ann)
    match_service.start_stand_in(tables, code, ann)
    for _ in range(8):
        tables.run_due(code)
    assert tables.get(code).table.seq <= 2, "no time has passed"


def test_clock_serves_other_tables_after_some_moves_at_one(open_tables, sqlite_url):
    tables, looked = open_tables(sqlite_url), []
    ticker = Ticker(tables)
    tables.run_due = lambda code: not looked.append(code)
    tables.due = lambda most: ["ONE", "OTHER"]
    ticker.tick()
    assert sorted(looked) == ["ONE"] * IN_A_ROW + ["OTHER"] * IN_A_ROW
