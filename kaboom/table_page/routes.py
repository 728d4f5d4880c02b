"""Playing at a table: moves, extra time, host moves, votes, stand-in bots."""

import re
from dataclasses import replace
from secrets import token_hex

from flask import make_response, redirect, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from kaboom.correspondence import nudges
from kaboom.engine.i18n import gettext as _
from kaboom.engine.menu import as_called, chosen
from kaboom.engine.moves import Choices, NotOnOffer, Pick, Refusal, StaleMove
from kaboom.engine.premoves import FORGET
from kaboom.engine.table_view import Asking, options_in_words
from kaboom.engine.takeback import VERB as TAKE_BACK
from kaboom.engine.views import Offer
from kaboom.errors import InvalidState, NotPermitted
from kaboom.table_page import hint_service, tips, vote_service
from kaboom.table_page import service as match_service
from kaboom.table_page.controls import besides_of, hosts_moves_of, take_back_of
from kaboom.table_page.page_data import offered, rendered, table_page
from kaboom.table_page.responses import (
    ask_first,
    bp,
    by_script,
    do,
    done,
    part,
    refused,
    sure,
    to_page,
)
from kaboom.tables import repeated_moves
from kaboom.tables.context import tables
from kaboom.tables.snapshot import TableSnapshot
from kaboom.tables.votes import END
from kaboom.web import rate_limits
from kaboom.web.api.negotiation import Format, response_format
from kaboom.web.forms import number
from kaboom.web.idempotency.routes import keyed, was_done
from kaboom.web.preferences import (
    browser_settings,
    is_unasked,
    keep_settings,
    without_asking,
)
from kaboom.web.session import command, key_hash, move_command


@bp.post("/move")
def move(code: str) -> AnyResponse:
    """Play a move, or ask for confirmation first (_require_confirmed); confirming with `unasked=1`
    turns these questions off for this kind of move.
    """
    form = request.form
    snapshot = tables().get(code, key_hash())
    if snapshot.me is None:
        return refused(code, NotPermitted(_("You are not seated at this table.")))
    if "answers" in form:
        return _by_list(snapshot)
    if "match" not in form:
        sentence = _("Send `answers`: the table’s `menu`, or the `answers` of one of its moves.")
        return refused(code, NotOnOffer(sentence), 400)
    value = form.get("move") or " ".join([form.get("offer", ""), *form.getlist("pick")])
    cmd = _command_id(otherwise=f"{form.get('v', '')} {form.get('match', '')}")
    if not _can_be_read(value, cmd):
        return refused(code, NotOnOffer(_("That is not a move.")), 400)
    match, revision = number(form.get("match")), number(form.get("v"))
    if value.startswith(f"back {TAKE_BACK} "):
        return _take_back(snapshot, number(value.split(" ", 2)[2]), cmd, match)
    if _require_confirmed(snapshot, value):
        return ask_first(snapshot, value)
    token, _unused, text = value.partition(" ")
    if form.get("dry") == "1":
        return _dry(snapshot, text, token, match)
    answer = _submit(snapshot, text, token, cmd, match, revision)
    settings = browser_settings()
    if form.get("unasked") == "1":
        settings = without_asking(settings, snapshot.game.key, text.partition(" ")[0])
    if settings.sound is None and by_script():
        settings = replace(settings, sound=0)  # a player who plays on has seen the offer
    if settings != browser_settings():
        keep_settings(answer, settings)
    return answer


def _submit(
    snapshot: TableSnapshot, text: str, token: str, cmd: str, match: int, revision: int
) -> AnyResponse:
    """Play a move with `match_service.submit`, and return the table."""
    code, this = snapshot.code, keyed()
    return do(
        code,
        lambda player: match_service.submit(
            tables(), code, player, text, token, cmd, match, revision, this
        ),
        snapshot,
        verb=text.partition(" ")[0],
    )


def _take_back(snapshot: TableSnapshot, move: int, cmd: str, match: int) -> AnyResponse:
    """Take back the move with this number in the log, and return the table."""
    code, this = snapshot.code, keyed()
    return do(
        code,
        lambda player: match_service.take_back(tables(), code, player, move, cmd, match, this),
        snapshot,
    )


def _require_confirmed(snapshot: TableSnapshot, value: str) -> bool:
    """Return True if the player must confirm a move: the move asks for it, the browser's settings
    allow it for this kind of move, and the player has not confirmed yet. The result does not depend
    on the other players: the settings apply to every table.
    """
    settings = browser_settings()
    asking = settings.confirm
    if sure() or asking in (Asking.NEVER, Asking.LIFTING):
        return False
    found = offered(snapshot, value)
    if found is None or not found[0].confirm:
        return False
    if is_unasked(settings, snapshot.game.key, found[0].verb):
        return False
    return asking == Asking.ALWAYS or tips.is_newcomer(snapshot, tips.FIRST_MATCHES)


def _command_id(otherwise: str) -> str:
    """Return the id under which a move is logged: the client's own, or else the page's."""
    return move_command() or request.form.get("cmd") or otherwise


def _can_be_read(move: str, cmd: str) -> bool:
    """Return True if a move and its command id have an acceptable length and characters."""
    return len(move) <= 2000 and re.fullmatch(r"[\x20-\x7e]{1,40}", cmd) is not None


def _by_list(snapshot: TableSnapshot) -> AnyResponse:
    """Play a move from the numbered list, by its numbers or in words (kaboom.engine.menu)."""
    form, code, table = request.form, snapshot.code, snapshot.table
    text = form.get("move", "")
    # The program's own `cmd` comes first: its Idempotency-Key is recorded separately
    # (kaboom.web.idempotency.routes).
    cmd = form.get("cmd") or _command_id(otherwise=f"list {token_hex(8)}")
    if not _can_be_read(text, cmd):
        return refused(code, NotOnOffer(_("That is not a move.")), 400)
    prompt = snapshot.prompt()
    try:
        # The list changes with the move, so a second attempt is recognised only by its key.
        if was_done(keyed()):
            return done(snapshot)
    except Refusal as no:
        return refused(code, no)
    if "cmd" in form and (made := repeated_moves.played_before(tables(), snapshot, cmd)):
        return _played_before(snapshot, made, text)
    try:
        if prompt is None:
            raise StaleMove(_("Too late: the match is over."))
        if table.paused:
            raise InvalidState(_("The match is paused: all clocks are stopped."))
        besides = besides_of(snapshot)
        offers = [*prompt.offers, *besides]
        if response_format() not in (Format.JSON, Format.LINES) or form.get("typed") == "1":
            words, names = snapshot.game.words, table.names(snapshot.me)
            text = as_called(offers, text, lambda offer: options_in_words(offer, words, names))
        offer, choices = chosen(table.match, offers, form.get("answers", ""), text)
    except Refusal as no:
        return refused(code, no, verb=text.partition(" ")[0])
    if offer in besides:
        return _besides(snapshot, offer, choices, cmd)
    move = " ".join((offer.verb, *choices))
    if form.get("dry") == "1":
        return _dry(snapshot, move, offer.token, table.match)
    return _submit(snapshot, move, offer.token, cmd, table.match, table.revision(snapshot.me))


def _played_before(snapshot: TableSnapshot, made: str, text: str) -> AnyResponse:
    """Return the response to a command that has made its move before."""
    # Numbers refer to a list that no longer exists, and the words do not name the move that was
    # taken back.
    said = made.partition(" ")[0] if made.startswith(f"{TAKE_BACK} ") else made
    if said == text or text[:1].isdigit():
        return done(snapshot)
    sentence = _("This cmd was already used for another move. Here is the table now.")
    return refused(snapshot.code, StaleMove(sentence))


def _besides(snapshot: TableSnapshot, offer: Offer, choices: Choices, cmd: str) -> AnyResponse:
    """Take a move back or set a premove from the numbered list."""
    code, match, this = snapshot.code, snapshot.table.match, keyed()

    def work(player: int) -> TableSnapshot:
        if offer.verb == TAKE_BACK:
            back = take_back_of(snapshot)
            assert back is not None  # otherwise it would not be on offer
            return match_service.take_back(tables(), code, player, back.number, cmd, match, this)
        token = "" if offer.verb == FORGET else offer.token
        return match_service.decide_ahead(tables(), code, player, token, choices, match, this)

    wrong = Pick(offer.options, offer.least, offer.most).refusal(choices)
    if wrong is not None:
        return refused(code, wrong, verb=offer.verb)
    if request.form.get("dry") == "1":
        return done(snapshot)
    return do(code, work, snapshot, verb=offer.verb)


def _dry(snapshot: TableSnapshot, text: str, token: str, match: int) -> AnyResponse:
    """Return the response that a move would get, without making the move."""
    try:
        match_service.try_move(snapshot, text, token, match)
    except Refusal as no:
        return refused(snapshot.code, no, verb=text.partition(" ")[0])
    return done(snapshot)


@bp.post("/more")
def more(code: str) -> AnyResponse:
    """Ask for more time."""
    return do(code, lambda p: match_service.more_time(tables(), code, p))


@bp.post("/nudge")
@rate_limits.both(player="10 per minute", address="60 per minute")
def nudge(code: str) -> AnyResponse:
    """Remind a player that it is their turn in a correspondence match."""
    seat = number(request.form.get("seat"))
    return do(code, lambda p: nudges.nudge(tables(), code, p, seat))


@bp.post("/hint")
@rate_limits.both(player="10 per minute", address="60 per minute")
def hint(code: str) -> AnyResponse:
    """Ask for a hint on the player's turn."""
    return do(code, lambda p: hint_service.ask_hint(tables(), code, p))


@bp.post("/tip")
@rate_limits.both(player="60 per minute", address="300 per minute")
def tip(code: str) -> AnyResponse:
    """Mark a tip, or all tips of a game, as read; `again` marks all of them as unread."""
    tips.mark_as_read(request.form.get("read", ""))
    tips.mark_as_unread(request.form.get("again", ""))
    snapshot = tables().get(code, key_hash())
    answer = part(snapshot) if by_script() else to_page(snapshot, tip=1)
    tips.keep(answer)
    return answer


@bp.get("/house")
def hosts_moves(code: str) -> AnyResponse:
    """Show the moves of the game that only the host may make."""
    snapshot = tables().get(code, key_hash())
    if not _is_host(snapshot):
        return refused(code, NotPermitted(_("Only the host can do that.")))
    page = table_page(snapshot, hosts_moves=hosts_moves_of(snapshot))
    return make_response(rendered("table_page/host_actions.html", page))


@bp.post("/house")
def play_hosts_move(code: str) -> AnyResponse:
    """Make a move that the game offers to the host."""
    text, match = request.form.get("move", ""), number(request.form.get("match"))
    snapshot = tables().get(code, key_hash())
    if not _is_host(snapshot):
        return refused(code, NotPermitted(_("Only the host can do that.")))
    if not re.fullmatch(r"[\x21-\x7e]{1,40} [\x21-\x7e]{1,40}", text):
        return refused(code, NotOnOffer(_("That is not a move.")), 400)
    return do(
        code, lambda p: match_service.play_hosts_move(tables(), code, p, text, match), snapshot
    )


@bp.post("/propose")
@rate_limits.both(player="20 per minute", address="60 per minute")
def propose(code: str) -> AnyResponse:
    """Propose something to the other players: a stand-in bot, a pause, resuming, or ending the
    match.
    """
    snapshot = tables().get(code, key_hash())
    about, _unused, seat = request.form.get("about", "").partition(" ")
    if about == END and snapshot.me is not None and not sure():
        return redirect(url_for("table.ways", code=code), 303)
    of = number(seat) if seat else None
    return do(
        code, lambda p: vote_service.propose_vote(tables(), code, p, about, of, command()), snapshot
    )


@bp.post("/vote")
def vote(code: str) -> AnyResponse:
    """Vote on the open proposal."""
    form = request.form
    which, yes = number(form.get("vote")), form.get("answer") == "yes"
    return do(code, lambda p: vote_service.cast_vote(tables(), code, p, which, yes))


@bp.post("/hand-over")
def hand_over(code: str) -> AnyResponse:
    """Hand the player's own seat to a bot."""
    return do(code, lambda p: match_service.start_stand_in(tables(), code, p))


@bp.post("/take-over")
def take_over(code: str) -> AnyResponse:
    """Take the seat back after a bot has played, or after leaving."""
    return do(code, lambda p: match_service.end_stand_in(tables(), code, p))


@bp.post("/end")
def end(code: str) -> AnyResponse:
    """End a damaged match without a result."""
    return do(code, lambda p: match_service.end_frozen(tables(), code, p))


def _is_host(snapshot: TableSnapshot) -> bool:
    return snapshot.player == snapshot.table.host
