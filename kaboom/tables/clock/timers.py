"""Timers and time banks: which are kept, new or due. These are pure functions of a table and the
time. Due items are carried out by TableService.run_due.

All times are in table time (kaboom.tables.clock.table_time), including `now`.
"""

from collections.abc import Callable, Mapping, Sequence
from math import inf

from msgspec.structs import replace

from kaboom.db.times import DAY
from kaboom.engine.moves import Seat
from kaboom.engine.play import Listener
from kaboom.engine.views import Prompt
from kaboom.tables.clock.timer_kinds import (
    ClockMove,
    CorrespondenceTimer,
    Due,
    Reaction,
    Thinking,
    VacationOver,
    VoteLook,
)
from kaboom.tables.table import Table, Timer


def kept(
    table: Table,
    clocks: Sequence[Listener],
    prompts: Sequence[Prompt],
    now: float,
    move_delay: Callable[[Prompt, bool], float],
    reaction_delay: Callable[[Seat], float | None],
    planned: Mapping[str, float],
) -> dict[str, Timer]:
    """Return a table's timers after a move. An item that is still on offer keeps its deadline.

    `move_delay(prompt, race)` returns the seconds that a bot takes for its decision, with or
    without a race at the same time; `reaction_delay(seat)` returns the seconds until it notices a
    race, or None if it misses the race. `planned` lists the premoves that can be made now, each
    with the seconds until it is made. In correspondence play, every player whose turn it is
    (kaboom.tables.clock.whose_turn) has a separate clock.
    """
    alone = len(table.people()) < 2
    timers = _clock_moves(table, clocks, now, alone)
    timers |= _bot_timers(table, prompts, now, move_delay, reaction_delay)
    for text, seconds in planned.items():
        timers[text] = table.timers.get(text) or _started(seconds, now)
    if table.days and not alone:
        timers |= _day_clocks(table, prompts, now)
    return timers


def _clock_moves(
    table: Table, clocks: Sequence[Listener], now: float, alone: bool
) -> dict[str, Timer]:
    """Return the timers of the game itself, by the texts of their moves.

    A deadline runs only while another player waits: `alone` with bots, a person may take any amount
    of time. It starts again when another player arrives or returns.
    """
    timers: dict[str, Timer] = {}
    for listener in clocks:
        if not (listener.decision and alone):
            move = listener.clock_move
            text = str(ClockMove(move.verb, move.choices))
            timers[text] = _running(table.timers.get(text), listener, now)
    return timers


def _bot_timers(
    table: Table,
    prompts: Sequence[Prompt],
    now: float,
    move_delay: Callable[[Prompt, bool], float],
    reaction_delay: Callable[[Seat], float | None],
) -> dict[str, Timer]:
    """Return the timers of bots: for each bot, one for its decision and one for the races it can
    enter.
    """
    timers: dict[str, Timer] = {}
    for prompt in prompts:
        if not table.occupant(prompt.seat).played_by_house:
            continue
        asked, race = prompt.parted()
        if asked.offers:
            text = str(Thinking(prompt.seat, asked.token))
            timers[text] = table.timers.get(text) or _started(
                move_delay(asked, bool(race.offers)), now
            )
        if race.offers:
            text = str(Reaction(prompt.seat, race.token))
            timers[text] = table.timers.get(text) or _started(reaction_delay(prompt.seat), now)
    return timers


def _day_clocks(table: Table, prompts: Sequence[Prompt], now: float) -> dict[str, Timer]:
    """Return the correspondence clocks of the people whose turn it is.

    A step answered in secret takes the same time for all players, answered or not. A clock stops
    during its owner's vacation. Once a bot plays a turn, its next steps are due at once. What is
    left of a player's time bank is added.
    """
    timers: dict[str, Timer] = {}
    for seat in table.people():
        turn, occupant = table.turns.get(seat), table.occupant(seat)
        if turn is None or not prompts[seat].waited_for:
            continue
        text = str(CorrespondenceTimer(seat, str(turn.number) if turn.sealed else turn.asked))
        covered = table.covered.get(seat) == turn.number
        given = 0.0 if covered else table.days * DAY
        more = 0.0 if covered else bank_left(table, seat, now, text)
        timer = table.timers.get(text) or Timer(given, due=now + given + more)
        away = occupant.vacation is not None and occupant.vacation.until > now
        timers[text] = _stopped(timer, now) if away else _restarted(timer, now)
    return timers


def bank_left(table: Table, seat: Seat, now: float, going_on: str = "") -> float:
    """Return the seconds left in a player's time bank, which is used only after the time for the
    decision. The running clock `going_on` (its text) is not counted.
    """
    left = table.bank_of(seat)
    for what, timer in table.day_clocks():
        if what.seat == seat and str(what) != going_on:
            remaining = timer.left if timer.due is None else timer.due - now
            if remaining is not None:  # otherwise the clock has run out, and the bank with it
                left = min(left, max(0.0, remaining))
    return left


def banks_after(table: Table, timers: Mapping[str, Timer], now: float) -> dict[Seat, float]:
    """Return the seconds left in each time bank that was used, by seat. Clocks that are not among
    the new `timers` have ended and are charged.
    """
    banks = dict(table.banks)
    for what, _timer in table.day_clocks():
        if str(what) not in timers:
            left = bank_left(table, what.seat, now)
            if left < table.bank_of(what.seat):
                banks[what.seat] = left
    return banks


def _started(seconds: float | None, now: float) -> Timer:
    return Timer(0.0) if seconds is None else Timer(seconds, due=now + seconds)


def _running(old: Timer | None, listener: Listener, now: float) -> Timer:
    """Return the timer of a clock listener; while the listener is held, the timer is stopped."""
    given = float(listener.after or 0)  # a float, as it is read back
    timer = replace(old or Timer(given, due=now + given), decision=listener.decision)
    return _stopped(timer, now) if listener.held else _restarted(timer, now)


def _stopped(timer: Timer, now: float) -> Timer:
    left = timer.left if timer.due is None else max(0.0, timer.due - now)
    return replace(timer, due=None, left=left)


def _restarted(timer: Timer, now: float) -> Timer:
    due = timer.due if timer.left is None else now + timer.left
    return replace(timer, due=due, left=None)


def stopped(timers: Mapping[str, Timer], now: float) -> dict[str, Timer]:
    """Return the timers of a paused match, stopped with the seconds they have left."""
    return {text: _stopped(timer, now) for text, timer in timers.items()}


def restarted(timers: Mapping[str, Timer], now: float) -> dict[str, Timer]:
    """Return the running timers of a match that continues after a pause."""
    return {text: _restarted(timer, now) for text, timer in timers.items()}


def stand_still(table: Table, seat: Seat, since: float) -> None:
    """Stop a player's correspondence clock as of `since`, in table time."""
    for what, timer in table.day_clocks():
        if what.seat == seat:
            table.timers[str(what)] = _stopped(timer, since)


def _dues(table: Table) -> list[tuple[float, Due]]:
    """Return all due items with their times; a vote is due when it must be checked."""
    dues: list[tuple[float, Due]] = [
        (t.due, what) for what, t in table.timed() if t.due is not None
    ]
    if table.vote is not None:
        dues.append((table.vote.look, VoteLook()))
    if table.days and not table.paused:
        for what, timer in table.day_clocks():
            vacation = table.occupant(what.seat).vacation
            if timer.left is not None and vacation is not None:
                dues.append((vacation.until, VacationOver(what.seat)))
    return dues


def soonest(table: Table) -> float | None:
    """Return the table time at which the next item is due, or None."""
    return min((due for due, _ in _dues(table)), default=None)


def due_for(table: Table, seat: Seat) -> float | None:
    """Return the table time at which the clock decides for a seat whose turn it is, or None if it
    never does.
    """
    found = [
        timer.due
        for _, timer in table.clocks()
        if timer.decision and timer.due is not None and seat in table.turns
    ]
    own = table.day_clock(seat)
    return min([*found, *([own.due] if own and own.due is not None else [])], default=None)


def first_due(table: Table, now: float) -> Due | None:
    """Return the item that has been due longest, or None. Ties are broken by their texts."""
    dues = _dues(table) if table.playing else []
    due, what = min(dues, key=lambda each: (each[0], str(each[1])), default=(inf, None))
    return what if due <= now else None


def flows(table: Table, seconds: float) -> bool:
    """Return True if automatic steps shorter than `seconds` are under way, such as a deal.

    Moves of people do not count: each must be shown at once.
    """
    return any(0 < t.given < seconds for _, t in table.clocks() if not t.decision)


def may_have_more(timer: Timer) -> bool:
    """Return True if a timer can be extended; only a person's deadline can be, and only once.

    Automatic steps, such as a deal, keep their pace.
    """
    return timer.decision and not timer.more
