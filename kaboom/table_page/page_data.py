"""Turns a table's snapshot into the page object for templates."""

from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime
from functools import lru_cache
from math import inf
from typing import Any

from babel.dates import format_skeleton
from flask import current_app, request, url_for
from flask import render_template as render
from flask_babel import format_date, get_locale
from sqlalchemy import Connection
from werkzeug.wrappers import Response

from kaboom.accounts import queries as accounts
from kaboom.db.times import DAY
from kaboom.engine.bots.names import character
from kaboom.engine.codec import from_json, to_json
from kaboom.engine.fairness.commitment import commitment
from kaboom.engine.game import Game
from kaboom.engine.i18n import gettext as _
from kaboom.engine.i18n import spoken_now
from kaboom.engine.moves import Choices
from kaboom.engine.table_view import (
    Ask,
    Clock,
    DayWait,
    LogLine,
    MatchControls,
    SeatLine,
    Settings,
    TablePage,
    foretold,
)
from kaboom.engine.texts import Names, Words
from kaboom.engine.toolkit.hand_order import in_players_order
from kaboom.engine.views import DOWN, EMPTY, Offer, Prompt, View, Zone
from kaboom.ratings import service as ratings
from kaboom.social.chat.room import asked_by
from kaboom.table_page import tips
from kaboom.table_page.controls import match_controls_of, plan_of, take_back_of
from kaboom.table_page.table_html import REVISION, filled, log_line, marked, marks
from kaboom.tables import match_queries
from kaboom.tables.access.reliability import NEW
from kaboom.tables.bot_runner.moves import needs_thought
from kaboom.tables.clock.correspondence import can_be_nudged
from kaboom.tables.clock.timers import may_have_more
from kaboom.tables.context import tables
from kaboom.tables.maintenance.cleanup import WARNING, goes_at
from kaboom.tables.maintenance.recovery import GONE
from kaboom.tables.premoves import can_plan
from kaboom.tables.seats.avatar_colors import colours_at
from kaboom.tables.snapshot import TableSnapshot
from kaboom.tables.table import Occupant, Said, Table, Timer
from kaboom.tables.texts import AROUND
from kaboom.web.forms import number
from kaboom.web.preferences import browser_settings
from kaboom.web.session import cookie_name, keep_cookie
from kaboom.web.times import left_over_days

DEALT_COOKIE = "kb-dealt"
MATCHES_BEFORE_ASKING = 3  # finished matches before the page suggests securing the account
SOON = 3  # log lines after which a deal is no longer new


def table_page(
    snapshot: TableSnapshot, tipped: bool = True, dealt: str | None = None, **more: Any
) -> TablePage:
    """Return a table's page for the viewer, without tips for newcomers unless `tipped`. `dealt` is
    the result of `new_deal`; None if it has not been computed.

    The page depends only on the viewer's revision of the table and on `more`: fields of this
    response, such as a notice, a question, or the fact that it answers the viewer's own move.
    """
    table, game, me = snapshot.table, snapshot.game, snapshot.me
    asked_by(snapshot)
    # A player who sat down after a match sees its end as a spectator does.
    seat = me if me is not None and me < len(table.seats) else None
    options = table.options_of(game)
    possible = game.seats(options)
    names = table.names(seat)
    controls = match_controls_of(snapshot) if table.playing else MatchControls()
    # No player is asked to move during a pause, or while a bot moves for them.
    prompt = None if controls.paused or controls.away else snapshot.prompt()
    with_marks = marked(prompt) if prompt else None
    # Without a state the match is frozen, or ended so long ago that this server cannot read it.
    view = snapshot.position.view(seat) if snapshot.state is not None else None
    settings = more.pop("settings", None) or browser_settings()
    lines = table.lines(me)
    return TablePage(
        code=snapshot.code,
        at=f"{request.script_root}/t/{snapshot.code}",  # what url_for would return, but faster
        game=game,
        options=options,
        revision=REVISION,
        seats=_seat_lines(snapshot),
        names=names,
        settings=settings,
        # The viewer
        me=me,
        name=snapshot.player_name,
        host=table.host == snapshot.player,
        removed=me is None
        and snapshot.player in table.shown_out
        and table.seat_of(table.host) is not None,
        missed=snapshot.player in table.absent,
        cut=_cut(snapshot),
        keep=_could_keep(snapshot),
        # The table
        least=possible[0],
        most=possible[-1],
        by_house=table.by_house,
        listed=snapshot.listed,
        begins_full=table.begins_full and not table.match,
        locked=snapshot.locked,
        programs=table.welcomes_programs(snapshot.listed),
        club=table.club,
        phrases=table.phrases,
        pace=table.pace,
        hints=table.hints if game.bot else "",
        watch=table.watch,
        days=table.days,
        bank=table.bank,
        tournament=url_for("tournaments.show", code=table.tournament) if table.tournament else "",
        board=table.board,
        origin=table.origin,
        expires=expires(snapshot),
        same_deal=_same_deal(table),
        counts="" if table.playing else ratings.rated_sentence(table),
        # The match
        playing=table.playing,
        match=table.match,
        view=in_order(view, game, settings),
        waiting=() if controls.paused else snapshot.waiting_for(),
        waits=waits_of(snapshot),
        log=_log(snapshot, lines),
        clocks=_clocks(snapshot),
        levels=_levels(table),
        controls=controls,
        outcome=table.outcome,
        hands=_hands(snapshot, view),
        late=snapshot.until < inf,
        closed=snapshot.closed,
        frozen=snapshot.frozen,
        dealt=new_deal(snapshot) if dealt is None else dealt,
        # What the viewer may do
        prompt=with_marks,
        back=None if controls.away else take_back_of(snapshot),
        plan=plan_of(snapshot),
        may_plan=bool(can_plan(table, snapshot.position, me)),
        may_ask_hint=_may_ask_hint(snapshot, prompt, controls),
        tip=tips.tip_of(snapshot, view, with_marks, options, names)
        if tipped and not controls.away
        else None,
        lost_first=_has_lost_first(snapshot, seat),
        # Shuffles and records; those of a board are shown elsewhere, once all players have finished
        commitment="" if table.board else table.commitment,
        seed=snapshot.seed.hex() if table.outcome and snapshot.seed and not table.board else "",
        promise=commitment(table.next_seed) if _is_cut_next(table) else "",
        record=table.record if table.outcome and not table.board else "",
        before=table.before,
        marks=marks(table.revision(me), prompt, with_marks),
        **more,
    )


def in_order(view: View | None, game: Game[Any], settings: Settings) -> View | None:
    """Return a view with the viewer's hand in the order set in their browser's settings."""
    if view is None or not settings.order:
        return view
    return in_players_order(
        view, settings.order, settings.high, settings.trumps, game.ranking(view)
    )


def _has_lost_first(snapshot: TableSnapshot, seat: int | None) -> bool:
    """Return True if the viewer has just lost their first finished match of this game."""
    outcome = snapshot.table.outcome
    if outcome is None or seat is None or not outcome.winners or seat in outcome.winners:
        return False
    return tips.is_newcomer(snapshot)


def _is_cut_next(table: Table) -> bool:
    """Return True if the players of this table can cut the next shuffle.

    A board is cut elsewhere, and a tournament's table has no shuffle after its only match.
    """
    over = bool(table.tournament and table.match)
    return bool(table.next_seed) and not (table.playing or table.board or over)


def _hands(snapshot: TableSnapshot, view: View | None) -> Sequence[Zone]:
    """Return the hands that a spectator may see and that the game's own table does not show."""
    if view is None or view.viewer is not None or not snapshot.position.hands:
        return ()
    drawn = snapshot.game.drawn
    held = (zone for zone in view.zones if zone.owner is not None and not zone.middle)
    return [zone for zone in held if zone.name not in drawn and {*zone.cards} - {DOWN, EMPTY}]


def new_deal(snapshot: TableSnapshot) -> str:
    """Return a name for the deal if it has just begun and this browser has not shown it yet,
    otherwise "". With it, the deal is animated only once.
    """
    table, me = snapshot.table, snapshot.me
    if me is None or me >= len(table.seats):
        return ""
    kinds = snapshot.game.deals | {"table.started"}
    deals = [number for number, said in table.lines(me)[-SOON:] if said.kind in kinds]
    if not deals:
        return ""
    name = f"{snapshot.code}-{table.match}-{deals[-1]}"
    return "" if request.cookies.get(cookie_name(DEALT_COOKIE)) == name else name


def note_dealt(response: Response, dealt: str) -> None:
    """Set the cookie that remembers the deal a browser has shown."""
    if dealt:
        keep_cookie(response, DEALT_COOKIE, dealt, None)


def rendered(template: str, page: TablePage, **more: Any) -> str:
    """Return a template rendered with a table's page, with its marks filled in."""
    return filled(render(template, page=page, **more), page.marks)


def _same_deal(table: Table) -> str:
    """Return the sentence that proposes the same deal again, or "" if no player has proposed it."""
    it = table.same_deal
    if it is None or table.playing:
        return ""
    return AROUND.say(it.kind, {"who": it.by}, table.names()) or ""


def day(seconds: float) -> str:
    """Return the date of a time in seconds since 1970, in the format of the reader's language."""
    written: str = format_date(datetime.fromtimestamp(seconds, UTC))
    return written


def _short_day(seconds: float) -> str:
    """Return the date of a time in seconds since 1970, without the year."""
    at = datetime.fromtimestamp(seconds, UTC)
    written: str = format_skeleton("MMMd", at, locale=get_locale())
    return written


def expires(snapshot: TableSnapshot) -> float | None:
    """Return when a table will be deleted unless a player uses it (seconds since 1970); None if
    that is far off.
    """
    days = current_app.config["SERVER"].expire_days
    when = goes_at(snapshot.touched_at, days, snapshot.table.days)
    now = tables().now()
    return when if days and when - now < min(WARNING, days * DAY / 2) else None


def asked(snapshot: TableSnapshot, value: str) -> Ask | None:
    """Return the question “are you sure?” for a button's value, or None if it is not on offer.

    The value is a move, or "remove 2" for the host.
    """
    if value.startswith("remove "):
        return _asked_to_remove(snapshot, value)
    found = offered(snapshot, value)
    if found is None:
        return None
    offer, choices = found
    game, names = snapshot.game, snapshot.table.names(snapshot.me)
    question = game.words.question(offer.verb, choices, names, offer.about)
    view = snapshot.position.view(snapshot.me)
    preview = foretold(game, view, offer.verb, choices, names)
    return Ask(question, value, "move", [("move", value)], preview)


def _asked_to_remove(snapshot: TableSnapshot, value: str) -> Ask | None:
    """Return the question for the host, or None for the host's own seat and for seats without a
    person.
    """
    table, seat = snapshot.table, number(value.partition(" ")[2])
    occupant = dict(table.sitting()).get(seat)
    if table.playing or snapshot.player != table.host or occupant is None:
        return None
    if occupant.bot or occupant.player == table.host:
        return None
    question = _("Remove {name} from the table?", name=occupant.name)
    return Ask(question, value, "remove", [("name", occupant.name), ("seat", str(seat))])


def offered(snapshot: TableSnapshot, value: str) -> tuple[Offer, Choices] | None:
    """Return the offer that a button's value answers and its choices, or None.

    The choices may break a rule, which is reported when the move is played.
    """
    token, verb, *choices = [*value.split(), "", ""]
    chosen = tuple(choice for choice in choices if choice)
    prompt = snapshot.prompt()
    for offer in prompt.offers if prompt else ():
        if (
            (offer.token, offer.verb) == (token, verb)
            and offer.least <= len(chosen) <= offer.most
            and not Counter(chosen) - Counter(offer.options)
        ):
            return offer, chosen
    return None


def _seat_lines(snapshot: TableSnapshot) -> list[SeatLine]:
    table, me = snapshot.table, snapshot.me
    colour = colours_at(table)
    return [
        SeatLine(seat)
        if occupant is None
        else SeatLine(
            seat,
            occupant.name,
            colour.get(seat, 0),
            bot=occupant.bot,
            level=occupant.level if occupant.bot else "",
            mine=seat == me,
            host=occupant.player == table.host,
            ready=occupant.ready,
            present=occupant.present,
            stand_in=occupant.stand_in,
            program=occupant.program,
            manner=_manner(occupant, snapshot.listed),
            page=occupant.page,
        )
        for seat, occupant in enumerate(table.chairs)
    ]


def _manner(occupant: Occupant, listed: bool) -> str:
    """Return the character of a built-in bot, or how reliably a player finishes matches. That a
    player is new is shown only where strangers meet: at a table listed in the lobby.
    """
    known = character(occupant.name) if occupant.bot and not occupant.program else None
    if known:
        return known.way
    return "" if occupant.manner == NEW and not listed else occupant.manner


def _may_ask_hint(snapshot: TableSnapshot, prompt: Prompt | None, controls: MatchControls) -> bool:
    """Return True if the viewer may ask for a hint and does not have one yet."""
    game = snapshot.game
    if game.bot is None or prompt is None or controls.hint:
        return False
    return needs_thought(game, prompt) and snapshot.table.may_ask_hint()


def _could_keep(snapshot: TableSnapshot) -> bool:
    """Return True if the page should suggest that the viewer secure their account: after a match,
    if they have finished a few, or during a correspondence match, to which they may return on
    another device.
    """
    table, player = snapshot.table, snapshot.player
    if snapshot.me is None or player is None or not (table.days or table.outcome):
        return False
    matches = 0 if table.days else MATCHES_BEFORE_ASKING
    return tables().database.read(lambda c: could_secure_account(c, player, matches))


def could_secure_account(connection: Connection, player: int, matches: int) -> bool:
    """Return True if the player has finished at least this many matches and has no credentials."""
    return match_queries.has_finished_matches(
        connection, player, matches
    ) and not accounts.has_kept(connection, player)


def _levels(table: Table) -> Sequence[str]:
    """Return the levels of the match's bots, by seat."""
    if table.levels:
        return table.levels
    return [occupant.level if occupant and occupant.bot else "" for occupant in table.chairs]


def _cut(snapshot: TableSnapshot) -> str:
    """Return the viewer's cut for the next shuffle."""
    occupant = snapshot.table.occupant_of(snapshot.player)
    return occupant.cut if occupant and not snapshot.table.playing else ""


def _log(snapshot: TableSnapshot, lines: Sequence[tuple[int, Said]]) -> tuple[LogLine, ...]:
    table, me = snapshot.table, snapshot.me
    since = table.acted.get(me, 0) if me is not None else 0
    names, language = table.names(me), spoken_now().code
    record = url_for("record.show", code=table.record) if table.outcome else ""
    public = {said.order for said in table.told} if browser_settings().sound else set()
    found = []
    for place, said in lines:
        of_game = not said.kind.startswith("table.")
        if of_game and snapshot.frozen == GONE:
            continue  # the current wording may not fit lines logged under other rules
        words = snapshot.game.words if of_game else AROUND
        text, facts = _told(words, said.kind, bytes(said.facts), names, language)
        href = f"{record}/{said.step}" if record and of_game else ""
        # A sound is played only for public lines, since other people in the room also hear it.
        sound = snapshot.game.sounds.get(said.kind, "") if said.order in public else ""
        line = log_line(place, text, 0 < since < place, said.kind, href, sound)
        found.append(line._replace(facts=facts))
    return tuple(found)


@lru_cache(maxsize=10_000)  # each line is shown some thirty times before it scrolls away
def _told(words: Words, kind: str, facts: bytes, names: Names, language: str) -> tuple[str, bytes]:
    """Return the sentence of a log line, and the facts that it uses as JSON."""
    known = from_json(facts, dict)
    return words.say(kind, known, names) or "", to_json(words.told(kind, known, names))


def _clocks(snapshot: TableSnapshot) -> list[Clock]:
    now = snapshot.table_time(tables().now())
    return [_clock(timer, now) for _unused, timer in snapshot.table.clocks()]


def waits_of(snapshot: TableSnapshot) -> Sequence[DayWait]:
    """Return the players for whom a correspondence match openly waits: the viewer first, then by
    least time left.
    """
    table, me = snapshot.table, snapshot.me
    if not table.days or not snapshot.prompts or table.paused or snapshot.until < inf:
        return ()
    now = snapshot.table_time(tables().now())
    found = []
    for seat in sorted({*snapshot.waiting_for(), *([] if me is None else [me])}):
        timer, occupant = table.day_clock(seat), table.occupant(seat)
        if timer is None or (timer.due is None and timer.left is None):
            continue
        away = occupant.vacation if timer.due is None else None
        seconds = None if timer.due is None else max(0.0, timer.due - now)
        bank = 0.0 if seconds is None else min(table.bank_of(seat), seconds)
        own = 0.0 if seconds is None else seconds - bank
        wait = DayWait(
            seat=seat,
            name=occupant.name,
            mine=seat == me,
            left="" if seconds is None else left_over_days(own),
            vacation="" if away is None else _short_day(away.ends_at),
            seconds=None if seconds is None else round(seconds),
            nudge=me is not None and seat != me and can_be_nudged(table, seat, now),
            bank=left_over_days(bank) if bank > 0 else "",
            bank_seconds=round(bank),
            banking=bank > 0 and own <= 0,
        )
        found.append(wait)
    return sorted(found, key=lambda it: (not it.mine, inf if it.seconds is None else it.seconds))


def _clock(timer: Timer, now: float) -> Clock:
    left = timer.left
    if left is None:
        left = (timer.due or now) - now
    return Clock(
        left=max(0.0, round(left, 1)),
        given=timer.given,
        held=timer.left is not None,
        more=may_have_more(timer),
    )
