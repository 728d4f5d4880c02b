"""The contract every game keeps, ours and those of other packages, as tests that pytest runs.

`pytest --pyargs kaboom.contract -k hearts` tries one game, by its key. It needs pytest, and nothing
of Kaboom's own tests; what a game's `sample.py` says makes it quicker and sharper.
"""

import re
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import islice
from typing import Any

import pytest

from kaboom.core.attendance import LEAVE, RETURN
from kaboom.core.chance import Chance
from kaboom.core.codec import copied, from_json, to_json
from kaboom.core.course import Course, replay
from kaboom.core.engine import Step as Done
from kaboom.core.engine import (
    clocks,
    find,
    must_answer,
    prompt,
    prompts,
    random_move,
    start,
    step,
    timed,
    waiting_for,
)
from kaboom.core.game import Game
from kaboom.core.moves import CLOCK, Move, NotOnOffer, Refusal, Seat, TooLate
from kaboom.core.options import contradictions, declared, limits
from kaboom.core.play import Event, Listener, Play
from kaboom.core.playthrough import NAMES, random_match, random_turn
from kaboom.core.sample import Values
from kaboom.core.taking_back import VERB as BACK
from kaboom.core.views import DOWN, OPEN, View
from kaboom.core.words import Names
from kaboom.games import GAMES, LEFT_OUT, folder, sample
from kaboom.web.rules import rules_of


def with_options(game: Game[Any], values: Values) -> Game[Any]:
    """Return a game whose options are these, unless others are asked for."""
    options: Any = game.options
    chosen: Any = partial(options, **values)
    return replace(game, options=chosen)


APART = {
    f"{key}, {name}": with_options(game, values)
    for key, game in GAMES.items()
    for name, values in sample(key).apart.items()
}
CASES = GAMES | APART

# All tests of a game come together, since they go along the same matches: `walk`.
every_game = pytest.mark.parametrize("game", CASES.values(), ids=list(CASES), scope="module")

# Matches of random players may be long; this many moves show every corner of a game.
MOST = 400


def seed(number: int) -> bytes:
    """Return the seed of the match of this number: 32 bytes."""
    return number.to_bytes(32, "big")


def sizes(game: Game[Any]) -> list[int]:
    """Return with how many players the game can start, by its options as usual."""
    return list(game.seats(game.options()))


Step = tuple[Any, Sequence[Event], int]
# Of the last games: a test may go along one and along the same under other options.
WALKED: deque[tuple[Game[Any], dict[tuple[int, int], Sequence[Step]]]] = deque(maxlen=3)


def walk(game: Game[Any], number: int, seats: int) -> Sequence[Step]:
    """Return (state, events, move number) of each step of a match of random players."""
    known = next((ways for walked, ways in WALKED if walked is game), None)
    if known is None:
        known = {}
        WALKED.append((game, known))
    if (number, seats) not in known:
        known[number, seats] = list(steps(game, number, seats))
    return known[number, seats]


def steps(game: Game[Any], number: int, seats: int) -> Iterator[Step]:
    """Yield what `walk` returns."""
    key = seed(number)
    done = start(game, seats, game.options(), key)
    yield done.state, done.events, 0
    for n in range(1, MOST + 1):
        if game.outcome(done.state) is not None:
            return
        move = random_turn(game, done.state, seats, Chance(key, n, "players"))
        done = step(game, done.state, move, Chance(key, n))
        yield done.state, done.events, n


def positions(game: Game[Any], every: int = 7) -> Iterator[tuple[Any, int]]:
    """Yield (state, seats) of some positions of some matches at every size of table."""
    for number, seats in enumerate(sizes(game)):
        for state, _, n in walk(game, number, seats):
            if n % every == 0 or game.outcome(state) is not None:
                yield state, seats


@every_game
def test_somebody_can_move_until_the_outcome_and_nobody_after_it(game: Game[Any]) -> None:
    for seats in sizes(game):
        for state, _, _ in walk(game, 1, seats):
            can = must_answer(game, state) or clocks(game, state)
            if game.outcome(state) is None:
                assert can
            else:
                assert not must_answer(game, state)
                assert not clocks(game, state)


@every_game
def test_at_any_moment_it_can_be_said_how_a_match_stands(game: Game[Any]) -> None:
    """A tournament ends a match whose time is over by the places so far."""
    for state, seats in positions(game):
        places = game.so_far(state)
        assert len(places) in (0, seats)
        assert all(1 <= place <= seats for place in places)


@every_game
def test_a_state_goes_to_json_and_back(game: Game[Any]) -> None:
    for state, _ in positions(game):
        assert from_json(to_json(state), game.state) == state
        assert to_json(copied(state)) == to_json(state)


@every_game
def test_a_match_replays_to_the_same_state(game: Game[Any]) -> None:
    for number, seats in enumerate(sizes(game)):
        moves, last = random_match(game, seats, game.options(), seed(number), MOST)
        *_, (_, again) = replay(game, seats, game.options(), seed(number), moves)
        assert to_json(again.state) == to_json(last)


@every_game
def test_a_move_leaves_the_old_state_as_it_was(game: Game[Any]) -> None:
    seats = sizes(game)[0]
    key = seed(3)
    state = start(game, seats, game.options(), key).state
    for n in range(1, 60):
        if game.outcome(state) is not None:
            return
        before = to_json(state)
        move = random_turn(game, state, seats, Chance(key, n, "players"))
        after = step(game, state, move, Chance(key, n)).state
        assert to_json(state) == before
        state = after


@every_game
def test_every_step_says_something(game: Game[Any]) -> None:
    """A handler that forgets to tell would leave the log silent."""
    for _, events, n in walk(game, 4, sizes(game)[-1]):
        assert events, f"move {n} said nothing"


@every_game
def test_what_is_offered_is_taken_and_what_is_not_is_refused(game: Game[Any]) -> None:
    verbs = {"nonsense"}
    for state, seats in positions(game, every=11):
        for seat in range(seats):
            offers = prompt(game, state, seat).offers
            verbs |= {offer.verb for offer in offers}
            for n in range(3):
                move = random_move(game, state, seat, Chance(seed(n), n, "tries"))
                if move is not None:
                    assert step(game, state, move, Chance(seed(n), 1)).events
            for verb in verbs - {offer.verb for offer in offers}:
                with pytest.raises(NotOnOffer):
                    find(game, state, Move(seat, verb))
            for offer in offers:
                with pytest.raises(Refusal):
                    find(game, state, Move(seat, offer.verb, ("nonsense",)))


@every_game
def test_what_the_host_may_ask_for_is_one_choice_and_never_happens_by_itself(
    game: Game[Any],
) -> None:
    found = set()
    for number, (state, seats) in enumerate(positions(game, every=41)):
        for listener in game.listeners(state):
            if listener.verb not in game.hosts:
                continue
            found.add(listener.verb)
            assert (listener.seat, listener.after) == (CLOCK, None)
            assert listener.pick.least == listener.pick.most == 1
            names = Names(NAMES[:seats], 0)
            assert game.words.offer(listener.verb, names)
            said = {game.words.choice(listener.verb, it, names) for it in listener.pick.options}
            assert len(said) == len(listener.pick.options)
            for option in listener.pick.options:
                move = Move(CLOCK, listener.verb, (option,))
                assert step(game, state, move, Chance(seed(number), 1)).events
    assert found == set(game.hosts)


@every_game
def test_who_learns_a_game_is_told_something_at_every_moment(game: Game[Any]) -> None:
    """In the end what wins: a page that finds no tip of a game that has some would be an error."""
    for state, seats in positions(game, every=23):
        for seat in range(seats):
            asked = prompt(game, state, seat)
            told = list(game.tips_for(game.view(state, seat), asked, game.options()))
            assert {name for name, _ in told} <= set(game.tips)
            assert told or not game.tips


@every_game
def test_a_stale_token_is_refused(game: Game[Any]) -> None:
    for state, seats in positions(game, every=23):
        for seat in range(seats):
            move = random_move(game, state, seat, Chance(seed(0), 0, "tries"))
            if move is not None:
                token = find(game, state, move).token
                assert find(game, state, move, token)
                with pytest.raises(TooLate):
                    find(game, state, move, "0" * 10)


@every_game
def test_the_token_of_an_answered_question_does_not_come_back(game: Game[Any]) -> None:
    """Else a form left over from one decision would answer the next."""
    for number, seats in enumerate(sizes(game)):
        on_offer: set[str] = set()
        gone: set[str] = set()
        for state, _, n in walk(game, number, seats):
            now = {li.token for li in game.listeners(state) if li.blocks and li.seat != CLOCK}
            gone |= on_offer - now
            assert not now & gone, f"a token came back at move {n}"
            on_offer = now


def hurried(game: Game[Any]) -> Game[Any]:
    """Return a game all of whose times are limited."""
    times = [option.name for option in declared(type(game.options())) if option.unit == "seconds"]
    return with_options(game, dict.fromkeys(times, 2))


@every_game
def test_a_clock_is_a_deadline_where_all_see_who_is_waited_for_else_a_tempo(
    game: Game[Any],
) -> None:
    """A deadline runs only where somebody is kept waiting; a deal or a race flows by itself."""
    limited, deadlines = hurried(game), 0
    for state, _ in positions(limited, every=3):
        for listener in clocks(limited, state):
            if not listener.held:
                assert listener.decision == bool(waiting_for(limited, state)), listener.verb
            deadlines += listener.decision
            assert not listener.decision or listener.after in limits(limited.options()).values()
    assert deadlines or not limits(limited.options())


@every_game
def test_over_days_nothing_depends_on_being_there_at_the_same_moment(game: Game[Any]) -> None:
    """No race, no time in seconds, nothing that happens by itself but for who has left."""
    options = game.by_days(game.options())
    assert game.by_days(options) == options
    assert not any(limits(options).values())
    assert contradictions(options) == {}
    assert game.seats(options) == game.seats(game.options())
    chosen: Any = lambda: options  # noqa: E731
    slow = replace(game, options=chosen)
    for number, seats in enumerate({sizes(game)[0], sizes(game)[-1]}):
        assert game.why_not(options, seats) == game.why_not(game.options(), seats)
        for state, _, _ in walk(slow, number, seats):
            for listener in slow.listeners(state):
                assert not listener.race
                assert not (listener.seat == CLOCK and listener.after)
            assert must_answer(slow, state) or slow.outcome(state) or clocks(slow, state)


@every_game
def test_whoever_owes_a_decision_is_asked_for_it_and_nobody_else_is_waited_for(
    game: Game[Any],
) -> None:
    """Else the clock would decide for somebody who was not asked, or never for who was."""
    for state, _ in positions(game):
        if game.outcome(state) is None:
            owed = [decision for decision in game.decisions(state) if not decision.held]
            seats = {seat for decision in owed for seat in decision.seats}
            assert sorted(seats) == must_answer(game, state)


@every_game
def test_no_option_is_called_like_another_field_of_its_form(game: Game[Any]) -> None:
    """The form for a new table asks for these besides the options."""
    fields = {"game", "name", "bots", "listed", "password", "watch", "start", "cmd", "preset"}
    fields |= {"level", "bot_pace", "hints", "banter", "days"}
    assert not fields & {option.name for option in declared(type(game.options()))}


@every_game
def test_every_time_that_people_have_is_told_by_an_option(game: Game[Any]) -> None:
    """Fractions of a second are the pace of something that runs by itself: nobody waits for it."""
    options = GAMES[game.key].options
    limited = {it.name for it in declared(options) if it.unit == "seconds" and it.step == 1}
    about = sample(game.key)
    tables = ({}, *about.variants, *about.apart.values())
    assert {name for values in tables for name in limits(options(**values))} == limited


@every_game
def test_a_seat_is_offered_each_verb_once(game: Game[Any]) -> None:
    for state, seats in positions(game):
        for seat in range(seats):
            verbs = [offer.verb for offer in prompt(game, state, seat).offers]
            assert len(verbs) == len(set(verbs))


@every_game
def test_what_can_be_made_in_pieces_can_be_done_as_a_whole(game: Game[Any]) -> None:
    met = set()
    for state, seats in positions(game, every=1 if game.pieces else MOST):
        for seat in range(seats):
            offers = prompt(game, state, seat).offers
            pieces = {offer.verb for offer in offers} & game.pieces
            met |= pieces
            assert not pieces or any(it.blocks and it.verb not in pieces for it in offers)
    assert met == game.pieces


@every_game
def test_handlers_are_functions_of_a_module(game: Game[Any]) -> None:
    for state, _ in positions(game):
        for listener in game.listeners(state):
            assert re.fullmatch(r"\w+", listener.then.__qualname__)


def redealt(game: Game[Any], state: Any, viewer: Seat | None, number: int) -> Any:
    """Return another state that is the same to the viewer; each number deals another one."""
    play: Play[Any] = Play(CLOCK, Chance(seed(number), number, "resample"))
    play.state = copied(state)
    game.resample(play, viewer)
    return play.state


def seen(game: Game[Any], state: Any, viewer: Seat | None) -> bytes:
    """Return all that leaves the engine towards a viewer."""
    listeners = list(game.listeners(state))
    own = prompts(listeners, game.seated(state))[viewer] if viewer is not None else None
    public = [(li.verb, li.about, li.after, li.held, li.decision) for li in timed(listeners)]
    return to_json([game.view(state, viewer), own, waiting_for(game, state), public])


@every_game
def test_nothing_a_viewer_cannot_know_reaches_the_view_or_the_prompt(game: Game[Any]) -> None:
    changed = 0
    for state, seats in positions(game):
        for viewer in [*range(seats), None]:
            here = seen(game, state, viewer)
            for number in range(2):
                other = redealt(game, state, viewer, number)
                changed += to_json(other) != to_json(state)
                assert seen(game, other, viewer) == here
    assert changed, "resample changes nothing, so this proves nothing"


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_under_other_options_nothing_a_viewer_cannot_know_reaches_them_either(
    game: Game[Any],
) -> None:
    for values in sample(game.key).variants:
        varied = with_options(game, values)
        seats = sizes(varied)[-1]
        for state, _, n in walk(varied, 8, seats):
            if n % 11 == 0 or varied.outcome(state) is not None:
                for viewer in [*range(seats), None]:
                    other = redealt(varied, state, viewer, n)
                    assert seen(varied, other, viewer) == seen(varied, state, viewer), values


@every_game
def test_a_refusal_tells_nothing_its_seat_does_not_know(game: Game[Any]) -> None:
    for state, seats in positions(game, every=17):
        here = list(game.listeners(state))
        for viewer, asked in enumerate(prompts(here, seats)):
            other = redealt(game, state, viewer, 1)
            there = list(game.listeners(other))
            for offer in asked.offers:
                for choices in [(), offer.options[:1], offer.options[-2:], ("nonsense",)]:
                    move = Move(viewer, offer.verb, tuple(choices))
                    told = refusal(game, state, move, here)
                    assert told == refusal(game, other, move, there)


def refusal(
    game: Game[Any], state: Any, move: Move, listeners: Sequence[Listener]
) -> tuple[str, str, str] | None:
    """Return what a move refused by these listeners is told: kind, sentence and rule; None when it
    is taken.
    """
    try:
        find(game, state, move, listeners=listeners)
    except Refusal as no:
        return type(no).__name__, str(no), no.rule
    return None


@every_game
def test_a_spectator_sees_no_face_that_a_seat_does_not_see(game: Game[Any]) -> None:
    for state, seats in positions(game):
        spectator = game.view(state, None)
        assert isinstance(spectator, View)
        for seat in range(seats):
            mine = list(game.view(state, seat).zones)
            for zone in spectator.zones:  # several may have one name, in the same order
                own = next(it for it in mine if (it.name, it.owner) == (zone.name, zone.owner))
                mine.remove(own)
                for there, here in zip(zone.cards, own.cards, strict=True):
                    assert there in ("?", here)


@every_game
def test_everything_has_words(game: Game[Any]) -> None:
    """Sayings, offers and options can be put into words for every reader."""
    for state, seats in positions(game):
        for viewer in [*range(seats), None]:
            names = Names(NAMES[:seats], viewer)
            saying = game.view(state, viewer).saying
            assert game.words.say(saying.kind, saying.facts, names), saying
            if viewer is None:
                continue
            for offer in prompt(game, state, viewer).offers:
                assert game.words.offer(offer.verb, names, offer.about)
                for option in offer.options:
                    assert game.words.choice(offer.verb, option, names)


@every_game
def test_everything_told_to_all_can_be_said(game: Game[Any]) -> None:
    for number, seats in enumerate(sizes(game)):
        for _, events, _ in walk(game, number, seats):
            for event in events:
                if event.to is None:
                    names = Names(NAMES[:seats])
                    assert game.words.say(event.kind, event.facts, names), event


@every_game
def test_with_all_cards_open_each_step_is_told_once_and_none_is_silent(game: Game[Any]) -> None:
    for number, seats in enumerate(sizes(game)):
        names = Names(NAMES[:seats])
        for _, events, n in walk(game, number, seats):
            told = [game.words.look_back(e.kind, e.facts, e.to, names) for e in events]
            said = [sentence for sentence in told if sentence]
            assert said, f"step {n}: {events}"
            assert len(set(said)) == len(said), said


@every_game
def test_nobody_does_something_to_what_is_named_after_themselves(game: Game[Any]) -> None:
    """Robin looks at their own card, not at Robin’s."""
    twice = re.compile(rf"\b({'|'.join(NAMES)}) .*\b\1’s")
    for number, seats in enumerate(sizes(game)):
        for state, events, n in walk(game, number, seats):
            for viewer in [*range(seats), None]:
                names = Names(NAMES[:seats], viewer)
                saying = game.view(state, viewer).saying
                told = [game.words.say(e.kind, e.facts, names) for e in events]
                told += [game.words.look_back(e.kind, e.facts, e.to, names) for e in events]
                for sentence in [*told, game.words.say(saying.kind, saying.facts, names)]:
                    assert not twice.search(sentence or ""), n


@every_game
def test_an_absent_seat_does_not_stop_the_game(game: Game[Any]) -> None:
    """All but one leave; what the table then waits for is only the one who stayed."""
    for seats in sizes(game):
        key = seed(9)
        state = start(game, seats, game.options(), key).state
        for gone in range(1, seats):  # seat 1 leaves by move 1, and so on
            if game.outcome(state) is None:
                leaving = Move(CLOCK, "leave", (str(gone),))
                state = step(game, state, leaving, Chance(key, gone)).state
        for n in range(seats, 300):
            if game.outcome(state) is not None:
                break
            timed = [li for li in clocks(game, state) if not li.held]
            due = [li for li in timed if li.after == 0]
            if not due and 0 not in must_answer(game, state):
                due = timed  # what happens by itself, such as the next card of a deal
                assert due
            chance = Chance(key, n, "players")
            move = due[0].clock_move if due else random_move(game, state, 0, chance)
            assert move is not None
            state = step(game, state, move, Chance(key, n)).state


@every_game
def test_all_are_told_who_leaves_and_who_is_back(game: Game[Any]) -> None:
    seats = sizes(game)[-1]
    state = start(game, seats, game.options(), seed(3)).state
    for n, (verb, kind) in enumerate((("leave", "left"), ("return", "returned")), start=1):
        done = step(game, state, Move(CLOCK, verb, ("0",)), Chance(seed(3), n))
        (told,) = [event for event in done.events if event.kind == kind]
        assert (told.facts, told.to) == ({"seat": 0}, None)
        state = done.state
        if game.outcome(state) is not None:  # without the one who left there is no match
            return


@every_game
def test_bots_play_a_match_by_what_their_seat_sees(game: Game[Any]) -> None:
    if game.bot is None:
        pytest.skip(f"{game.name} has no bot of its own")
    seats = sizes(game)[-1]
    key = seed(5)
    done = start(game, seats, game.options(), key)
    memories = [game.bot.memory() for _ in range(seats)]
    for n in range(1, MOST):
        for event in done.events:
            for seat in range(seats):
                if event.heard_by(seat):
                    game.bot.notice(memories[seat], event, seat)
        memories = [from_json(to_json(memory), game.bot.memory) for memory in memories]
        if game.outcome(done.state) is not None:
            break
        if waited := must_answer(game, done.state):
            seat = waited[0]
            own = prompt(game, done.state, seat)
            chance = Chance(key, n, f"bot {seat}")
            move = game.bot.choose(memories[seat], game.view(done.state, seat), own, chance)
            assert move is not None, "a bot that is waited for must move"
        else:
            move = random_move(game, done.state, CLOCK, Chance(key, n, "clock"))
            assert move is not None, "nobody is waited for, and nothing happens by itself"
        done = step(game, done.state, move, Chance(key, n))


@every_game
def test_the_rules_page_is_there_under_the_name_of_the_game(game: Game[Any]) -> None:
    text = (folder(game.key) / "rules.md").read_text(encoding="utf-8")
    assert text.startswith(f"# {game.name}")


def ways(game: Game[Any]) -> list[Any]:
    """Return options by which a game can be played: as usual, its presets, those of its sample."""
    about = sample(game.key)
    presets = [preset.values for preset in (game.usual, *game.presets)]
    return [game.options(**values) for values in (*presets, *about.variants, *about.apart.values())]


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_the_rules_page_can_be_drawn_and_has_every_heading_that_is_named(game: Game[Any]) -> None:
    """Else the page would be an error, or "The rule" under a refusal lead nowhere."""
    verbs = {verb for verb in game.words.offers if "." not in verb}
    assert verbs <= set(game.words.rules)
    found = [{slug for _, slug, _ in rules_of(game, options).contents} for options in ways(game)]
    for headings in found:
        assert set(game.words.rules.values()) <= headings
    assert {tip.rule for tip in game.tips.values()} <= set().union(*found)


CARD = re.compile(r"[A23456789TJQK][SHDC]|[BR]J")


def cards_in(value: Any) -> Iterator[str]:
    """Yield every card named anywhere in some facts."""
    if isinstance(value, str) and CARD.fullmatch(value):
        yield value
    elif isinstance(value, dict):
        for item in value.values():
            yield from cards_in(item)
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from cards_in(item)


@every_game
def test_a_card_told_to_all_is_one_that_all_can_see(game: Game[Any]) -> None:
    """Told events reach everybody: a face in them must stand on the table before or after."""
    for number, seats in enumerate(sizes(game)):
        before = ""
        for state, events, n in walk(game, number, seats):
            after = to_json(game.view(state, None)).decode()
            for event in events:
                if event.to is None:
                    for card in cards_in(event.facts):
                        assert f'"{card}"' in before + after, f"move {n}: {event}"
            before = after


@every_game
def test_to_whom_all_lies_open_nothing_lies_face_down(game: Game[Any]) -> None:
    """A replay shows every card, at every step, of a running match and of a finished one."""
    for number, seats in enumerate(sizes(game)):
        for state, _, n in walk(game, number, seats):
            if n % 5 and game.outcome(state) is None:
                continue
            view = game.view(state, OPEN)
            assert all(DOWN not in zone.cards for zone in view.zones)
            assert view.viewer == OPEN
            for seat in (*range(seats), None):
                zones = game.view(state, seat).zones  # an empty one has nothing to show
                shown = {(zone.name, zone.owner) for zone in zones if zone.cards}
                assert shown <= {(zone.name, zone.owner) for zone in view.zones}


@every_game
def test_landmarks_are_kinds_of_events_the_game_speaks_of(game: Game[Any]) -> None:
    assert set(game.landmarks.values()) <= {"round", "turn", "event"}
    assert "round" in game.landmarks.values(), "Game.landmarks names no event that begins a round"
    assert set(game.landmarks) <= set(game.words.sayings)
    began = [
        n
        for _, events, n in walk(game, 1, sizes(game)[0])
        for event in events
        if game.landmarks.get(event.kind) == "round"
    ]
    assert began, "no event that begins a round is ever told"


@pytest.mark.parametrize("name", [*GAMES, *LEFT_OUT])
def test_a_game_that_is_installed_can_be_played_here(name: str) -> None:
    """By its name, so that `-k` finds one that cannot be imported, too, and says why."""
    assert name not in LEFT_OUT, LEFT_OUT[name]


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_choice_sealed_for_the_absent_is_theirs_to_change(game: Game[Any]) -> None:
    """As long as the others are still to choose; it leaves no trace in the state."""
    for values in ({}, *sample(game.key).variants):
        for state, seat, texts in islice(sealed_for_the_absent(with_options(game, values)), 12):
            course = Course(game, copied(state), seed(1), texts)
            for text in texts:
                course.play(text)
            left = then(game, state, texts[0])
            back = then(game, left.state, texts[2], 3).state
            assert to_json(course.state) == to_json(back), (
                f"{game.key}: what was chosen for seat {seat}, which had left ({texts[1]}), leaves "
                "a trace when it is taken back: `default` may change nothing but the choice"
            )


def sealed_for_the_absent(game: Game[Any]) -> Iterator[tuple[Any, Seat, Sequence[str]]]:
    """Yield states in which a choice would be made in secret for a seat that leaves while others
    are still to choose: the seat leaves, the clock chooses, the seat is back and takes it back.
    """
    for state, _ in positions(game, every=11):
        for seat in must_answer(game, state):
            leaving = f"{CLOCK} {LEAVE} {seat}"
            left = then(game, state, leaving).state
            name = name_of_choice_for(game, left, seat)
            lapsing = f"{CLOCK} lapse {name}"
            if name is not None and is_sealed(then(game, left, lapsing, 2), seat):
                back = f"{CLOCK} {RETURN} {seat}"
                yield state, seat, (leaving, lapsing, back, f"{seat} {BACK} 2")
                break


def then(game: Game[Any], state: Any, text: str, number: int = 1) -> Done[Any]:
    """Return what follows from the move of this text and number."""
    return step(game, state, Move.parse(text), Chance(seed(1), number))


def name_of_choice_for(game: Game[Any], state: Any, seat: Seat) -> str | None:
    """Return the name under which the clock chooses for an absent seat while others are to choose
    as well, or None.
    """
    if game.outcome(state) is not None:
        return None
    owed = [it for it in game.decisions(state) if it.default is not None and it.then is not None]
    several = (it for it in owed if seat in it.seats and set(it.seats) - set(state.absent))
    return next((it.name_for(seat) for it in several), None)


def is_sealed(done: Done[Any], seat: Seat) -> bool:
    """Say whether a seat was told what was chosen for it, and all others only that it was."""
    told = [event.facts for event in done.events if event.to is None]
    whispers = {event.to for event in done.events} - {None}
    return whispers == {seat} and all(facts in ({}, {"seat": seat}) for facts in told)


@every_game
def test_result_that_is_shown_has_words_for_every_reader(game: Game[Any]) -> None:
    for state, seats in positions(game):
        for viewer in [*range(seats), None]:
            told = game.result(game.view(state, viewer))
            if told is not None:
                said = game.words.say(told.kind, told.facts, Names(NAMES[:seats], viewer))
                assert said, f"{game.key}: no words for the result {told} as {viewer} sees it"
