"""Timers: which run on, which are new, which is due. Pure functions of a table and the time.

All times are in table time (kaboom.tables.clock.table_time), including `now`.
"""

from collections.abc import Callable, Mapping, Sequence
from math import inf

from msgspec.structs import replace

from kaboom.db.times import DAY
from kaboom.engine.moves import Seat
from kaboom.engine.play import Listener
from kaboom.engine.views import Prompt
from kaboom.tables.clock.due import (
    ClockMove,
    DayClock,
    Due,
    Reaction,
    Thinking,
    VacationOver,
    VoteLook,
)
from kaboom.tables.table import Table, Timer

NOTHING_PLANNED: Mapping[str, float] = {}


def kept(
    table: Table,
    clocks: Sequence[Listener],
    prompts: Sequence[Prompt],
    now: float,
    thinking: Callable[[Prompt, bool], float],
    reacting: Callable[[Seat], float | None],
    planned: Mapping[str, float] = NOTHING_PLANNED,
) -> dict[str, Timer]:
    """Return a table's timers after a move: the deadline of anything still on offer stays.

    `thinking(prompt, race)` returns how many seconds a bot takes, in a race or not;
    `reacting(seat)` how many until it notices a race, None if it misses it. `planned` are moves
    decided ahead that can be made now, each with the seconds until it is made. In a match over days
    everybody whose turn it is (kaboom.tables.clock.turns) has a clock of their own.
    """
    alone = len(table.people()) < 2
    timers = _clock_moves(table, clocks, now, alone)
    timers |= _of_the_house(table, prompts, now, thinking, reacting)
    for text, seconds in planned.items():
        timers[text] = table.timers.get(text) or _started(seconds, now)
    if table.days and not alone:
        timers |= _day_clocks(table, prompts, now)
    return timers


def _clock_moves(
    table: Table, clocks: Sequence[Listener], now: float, alone: bool
) -> dict[str, Timer]:
    """Return the timers of the game itself, known by the texts of their moves.

    A deadline runs only while somebody is kept waiting: `alone` with bots a person may take any
    amount of time. It starts afresh when somebody else arrives or returns.
    """
    timers: dict[str, Timer] = {}
    for listener in clocks:
        if not (listener.decision and alone):
            move = listener.clock_move
            text = str(ClockMove(move.verb, move.choices))
            timers[text] = _running(table.timers.get(text), listener, now)
    return timers


def _of_the_house(
    table: Table,
    prompts: Sequence[Prompt],
    now: float,
    thinking: Callable[[Prompt, bool], float],
    reacting: Callable[[Seat], float | None],
) -> dict[str, Timer]:
    """Return the timers of bots: one for what each is asked, one for the races each may win."""
    timers: dict[str, Timer] = {}
    for prompt in prompts:
        if not table.chair(prompt.seat).played_by_house:
            continue
        asked, race = prompt.parted()
        if asked.offers:
            text = str(Thinking(prompt.seat, asked.token))
            timers[text] = table.timers.get(text) or _started(
                thinking(asked, bool(race.offers)), now
            )
        if race.offers:
            text = str(Reaction(prompt.seat, race.token))
            timers[text] = table.timers.get(text) or _started(reacting(prompt.seat), now)
    return timers


def _day_clocks(table: Table, prompts: Sequence[Prompt], now: float) -> dict[str, Timer]:
    """Return the clocks of the people whose turn it is, each with days for what they are asked.

    A step answered in secret has the same time for all, whoever has answered. A clock stands still
    during its owner's vacation. Once a bot decides a turn, its next steps are due at once.
    """
    timers: dict[str, Timer] = {}
    for seat in table.people():
        turn, chair = table.turns.get(seat), table.chair(seat)
        if turn is None or not prompts[seat].waited_for:
            continue
        text = str(DayClock(seat, str(turn.number) if turn.sealed else turn.asked))
        given = 0.0 if table.covered.get(seat) == turn.number else table.days * DAY
        timer = table.timers.get(text) or Timer(given, due=now + given)
        away = chair.vacation is not None and chair.vacation.until > now
        timers[text] = _stopped(timer, now) if away else _restarted(timer, now)
    return timers


def _started(seconds: float | None, now: float) -> Timer:
    return Timer(0.0) if seconds is None else Timer(seconds, due=now + seconds)


def _running(old: Timer | None, listener: Listener, now: float) -> Timer:
    """Return the timer of a clock listener; while held, its time stops."""
    given = float(listener.after or 0)  # as it will be read again
    timer = replace(old or Timer(given, due=now + given), decision=listener.decision)
    return _stopped(timer, now) if listener.held else _restarted(timer, now)


def _stopped(timer: Timer, now: float) -> Timer:
    left = timer.left if timer.due is None else max(0.0, timer.due - now)
    return replace(timer, due=None, left=left)


def _restarted(timer: Timer, now: float) -> Timer:
    due = timer.due if timer.left is None else now + timer.left
    return replace(timer, due=due, left=None)


def stopped(timers: Mapping[str, Timer], now: float) -> dict[str, Timer]:
    """Return the timers as they stand while a match is paused: with the seconds they have left."""
    return {text: _stopped(timer, now) for text, timer in timers.items()}


def restarted(timers: Mapping[str, Timer], now: float) -> dict[str, Timer]:
    """Return the timers of a match that goes on after a pause, running again."""
    return {text: _restarted(timer, now) for text, timer in timers.items()}


def stand_still(table: Table, seat: Seat, since: float) -> None:
    """Stop the clock of somebody's days as it stood then, in table time."""
    for what, timer in table.day_clocks():
        if what.seat == seat:
            table.timers[str(what)] = _stopped(timer, since)


def _dues(table: Table) -> list[tuple[float, Due]]:
    """Return when each thing is due; a vote is due when it must be looked at."""
    dues: list[tuple[float, Due]] = [
        (t.due, what) for what, t in table.timed() if t.due is not None
    ]
    if table.vote is not None:
        dues.append((table.vote.look, VoteLook()))
    if table.days and not table.paused:
        for what, timer in table.day_clocks():
            vacation = table.chair(what.seat).vacation
            if timer.left is not None and vacation is not None:
                dues.append((vacation.until, VacationOver(what.seat)))
    return dues


def soonest(table: Table) -> float | None:
    """Return when something is due next, or None."""
    return min((due for due, _ in _dues(table)), default=None)


def due_for(table: Table, seat: Seat) -> float | None:
    """Return when somebody else decides for a seat whose turn it is, in table time; None: never."""
    found = [
        timer.due
        for _, timer in table.clocks()
        if timer.decision and timer.due is not None and seat in table.turns
    ]
    own = table.day_clock(seat)
    return min([*found, *([own.due] if own and own.due is not None else [])], default=None)


def first_due(table: Table, now: float) -> Due | None:
    """Return what has been due longest, or None when nothing is; of two, by their texts."""
    dues = _dues(table) if table.playing else []
    due, what = min(dues, key=lambda each: (each[0], str(each[1])), default=(inf, None))
    return what if due <= now else None


def flows(table: Table, seconds: float) -> bool:
    """Say whether something happens by itself in steps shorter than that, such as a deal.

    People's own moves never count: each must be seen at once.
    """
    return any(0 < t.given < seconds for _, t in table.clocks() if not t.decision)


def may_have_more(timer: Timer) -> bool:
    """Say whether a timer can be given more time: deadlines for people's decisions can, once.

    What happens by itself, such as a deal, keeps its pace.
    """
    return timer.decision and not timer.more
