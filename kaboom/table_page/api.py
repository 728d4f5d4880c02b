"""A table's page as JSON, in the published schemas."""

from collections.abc import Sequence
from itertools import groupby
from typing import Any

from msgspec import Raw

from kaboom.engine.game import Game
from kaboom.engine.menu import Numbered, answers_of, numbered
from kaboom.engine.moves import Choices
from kaboom.engine.premoves import PLAN
from kaboom.engine.table_view import LogLine, TablePage
from kaboom.engine.takeback import VERB as TAKE_BACK
from kaboom.engine.toolkit.cards import pack
from kaboom.engine.views import Offer
from kaboom.table_page import speech
from kaboom.web.api.schemas import (
    Affairs,
    Chair,
    Heard,
    HouseMove,
    Move,
    Option,
    Table,
    Waited,
)
from kaboom.web.links import rooted
from kaboom.web.rules_pages import AHEAD, BACK

CARDS = frozenset(pack())
FEW = 8  # maximum number of legal choices listed for an offer, as in Pick.some for the game's moves
CELLS = 6  # cells of a braille line for one choice
# The links of every table.
LOOKS = ("events", "rules", "talk")
IN_BETWEEN = ("start", "bot", "remove", "leave", "cut", "talk", "hands", "call")
IN_A_MATCH = ("move", "hand-over", "take-over", "more", "nudge", "hint", "propose", "vote")
DOORS = {
    "open": ("sit", "ready", *IN_BETWEEN),
    "playing": (*IN_A_MATCH, "leave", "talk", "call"),
    "over": ("sit", "rematch", "same-deal", *IN_BETWEEN),
    "closed": (),
}
STANDING = ("sit", "talk")  # the only ones of these for viewers without a seat

# The links for the host only.
ARRANGED = {
    "open": ("options", "seats", "door", "bots", "watching"),
    "playing": ("door", "bots", "watching"),
    "over": ("options", "seats", "door", "bots", "watching"),
}


def table_of(page: TablePage, revision: int, after: int = 0) -> Table:
    """Return a table in its published schema, with the log lines `after` a given one."""
    view = page.view
    return Table(
        code=page.code,
        game=page.game.key,
        game_version=page.game.version,
        stage=stage_of(page),
        match=page.match,
        revision=revision,
        me=page.me,
        names=list(page.names.seats),
        chairs=[_chair(page, seat) for seat in range(len(page.seats))],
        least=page.least,
        most=page.most,
        options=page.options,
        waited=page.my_turn,
        waiting=list(page.waiting),
        menu=page.menu,
        text=speech.turn(page),
        say=speech.said(page),
        zones=view.zones if view else (),
        facts=view.facts if view else {},
        scores=view.scores if view else None,
        moves=moves_of(page),
        log=[heard(line) for line in page.log if line.number > after],
        clocks=list(page.clocks),
        days=page.days,
        bank=page.bank,
        waits=[
            Waited(it.seat, it.seconds, it.sentence, it.nudge, it.bank_seconds) for it in page.waits
        ],
        affairs=_affairs(page),
        outcome=page.outcome,
        record=page.record,
        links=links_of(page),
        promise=page.promise,
        commitment=page.commitment,
        programs=page.programs,
    )


def _affairs(page: TablePage) -> Affairs:
    """Return what concerns a table besides its moves: votes, pauses, stand-ins, hints, premoves."""
    controls = page.controls
    return Affairs(
        paused=controls.paused,
        vote=controls.vote,
        away=controls.away,
        done=list(controls.done),
        hint=controls.hint,
        bots_for=list(controls.bots_for),
        may_propose=controls.may_propose,
        may_ask=page.may_ask_hint,
        frozen=page.frozen,
        late=page.late,
        plan=controls.plan,
        plan_comes=controls.plan_comes,
        house=[
            HouseMove(f"{it.verb} {option}", f"{page.label(it)}: {page.choice(it, option)}")
            for it in page.hosts_moves
            for option in it.options
        ],
    )


def stage_of(page: TablePage) -> str:
    """Return the stage of a table."""
    if page.closed:
        return "closed"
    return "playing" if page.playing else "over" if page.outcome else "open"


def links_of(page: TablePage) -> dict[str, str]:
    """Return the links of a table: its formats, and the URLs for what the viewer may do."""
    found = {"self": f"{page.at}.json", "text": f"{page.at}.txt", "say": f"{page.at}.say"}
    stage = stage_of(page)
    doors = [it for it in DOORS[stage] if page.me is not None or it in STANDING]
    doors = [*LOOKS, *doors, *(ARRANGED.get(stage, ()) if page.host else ())]
    doors += ["house"] if page.hosts_moves else []
    found |= {name: f"{page.at}/{name}" for name in doors}
    return found | ({"record": rooted(f"/m/{page.record}.json")} if page.record else {})


def heard(line: LogLine) -> Heard:
    """Return a log line in its published schema."""
    facts: Any = Raw(line.facts or b"{}")  # already JSON
    return Heard(line.number, line.kind, line.text, line.fresh, facts)


def moves_of(page: TablePage) -> list[Move]:
    """Return the viewer's possible moves, numbered."""
    some = [*page.some, *map(a_few, page.besides)]
    lines = groupby(numbered(page.offered), key=lambda line: id(line.offer))
    return [
        _move(page, list(run), some[place] if place < len(some) else ())
        for place, (_, run) in enumerate(lines)
    ]


def _move(page: TablePage, lines: Sequence[Numbered], some: Sequence[Choices]) -> Move:
    offer, words, options = lines[0].offer, page.game.words, _options(page, lines)
    move = Move(
        verb=offer.verb,
        label=page.label(offer),
        answers=answers_of(page.match, offer),
        least=offer.least,
        most=offer.most,
        ordered=offer.ordered,
        blocks=offer.blocks,
        confirm=offer.confirm,
        options=options,
        some=list(some),
        rule=rule_of(page.game, offer.verb),
        preview="" if any(it.preview for it in options) else page.preview(offer),
        prepares=offer.verb in page.game.pieces,
        numbers=offer.numbers,
    )
    if lines[-1].option is None:
        move.n = lines[-1].number
    if offer.confirm:
        move.ask = words.asking(offer.verb, page.names, offer.about)
    return move


def _options(page: TablePage, lines: Sequence[Numbered]) -> list[Option]:
    offer = lines[0].offer
    return [
        Option(
            line.number,
            option,
            label,
            short(option, label),
            page.preview(offer, option) if offer.chooses_one else "",
            impossible(offer, option),
        )
        for line, option, label in zip(lines, offer.options, page.choices(offer), strict=False)
    ]


def impossible(offer: Offer, option: str | None) -> bool:
    """Return True if no legal choice of an offer contains this option."""
    return option is not None and option not in offer.playable


def a_few(offer: Offer) -> Sequence[Choices]:
    """Return a few legal selections of an offer that is not one of the game's moves."""
    return [(option,) for option in offer.options[:FEW]] if offer.most else [()]


def rule_of(game: Game[Any], verb: str) -> str:
    """Return the heading of the rules page that explains a verb, or ""."""
    if verb == TAKE_BACK:
        return BACK
    return AHEAD if verb.startswith(PLAN) else game.words.rules.get(verb, "")


def short(option: str, label: str) -> str:
    """Return an option in a few braille cells: a card's two characters, or the start of the
    option's name.
    """
    if option in CARDS or len(label) > CELLS:
        return option[:CELLS]
    return label


def _chair(page: TablePage, seat: int) -> Chair:
    line = page.seats[seat]
    return Chair(
        seat=seat,
        name=line.name,
        bot=line.bot,
        level=line.level,
        program=line.program,
        mine=line.mine,
        host=line.host,
        ready=line.ready,
        playing="bot" if line.stand_in else "" if line.present else "gone",
        page=rooted(f"/players/{line.page}") if line.page else "",
    )
