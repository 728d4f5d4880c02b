"""Remote bots as JSON, text and speech."""

from collections.abc import Iterator, Sequence

from flask import Response

from kaboom.engine.i18n import gettext as _
from kaboom.remote_bots.queries import BotRow, CallRow
from kaboom.remote_bots.schemas import (
    InvitableBot,
    InvitableBots,
    RemoteBot,
    RemoteBotCall,
    RemoteBots,
)
from kaboom.remote_bots.service import MOST
from kaboom.remote_bots.texts import RESULTS, state_of
from kaboom.web.api.responses import answer
from kaboom.web.links import rooted

AT = "/settings/bots"


def bots(found: Sequence[BotRow]) -> Response:
    """Return the response with an author's bots."""
    at = rooted(AT)
    said = RemoteBots(
        bots=[_bot(it) for it in found],
        most=MOST,
        links={"self": f"{at}.json", "text": f"{at}.txt", "page": at, "add": at},
    )
    lines = [f"{it.id}. {it.name}: {state_of(it)}" for it in found] or [_("You have no bot.")]
    return answer(said, [*lines, f"add: POST {at}"])


def bot(
    found: BotRow, calls: Sequence[CallRow] = (), secret: str = "", status: int = 200
) -> Response:
    """Return the response with one bot and its last calls; with its secret if it is new."""
    return answer(_bot(found, calls, secret), _lines(found, calls, secret), status)


def _bot(it: BotRow, calls: Sequence[CallRow] = (), secret: str = "") -> RemoteBot:
    at = rooted(f"{AT}/{it.id}")
    return RemoteBot(
        id=it.id,
        name=it.name,
        address=it.address,
        checked=it.checked_at is not None,
        paused=it.paused,
        shared=it.shared,
        secret=secret,
        calls=[
            RemoteBotCall(
                at=call.at,
                game=call.game,
                result=call.what,
                seconds=call.seconds,
                detail=call.detail,
            )
            for call in calls
        ],
        links={"self": f"{at}.json", "text": f"{at}.txt", "page": at, "change": at},
    )


def _lines(it: BotRow, calls: Sequence[CallRow], secret: str) -> Iterator[str]:
    yield f"{it.name}: {it.address}"
    if secret:
        yield _("This bot’s secret: {secret}", secret=secret)
        yield _("Copy it now. It will not be shown again.")
    yield state_of(it)
    for call in calls:
        words = [_(RESULTS[call.what]) if call.what in RESULTS else "", call.detail]
        yield ": ".join(filter(None, [call.game, *words]))
    yield f"change: POST {rooted(f'{AT}/{it.id}')}"


def invitable(code: str, found: Sequence[BotRow], player: int, welcome: bool) -> Response:
    """Return the response with the bots that a player may invite to a table."""
    at = rooted(f"/t/{code}")
    said = InvitableBots(
        bots=[
            InvitableBot(id=it.id, name=it.name, owner=it.owner, yours=it.owner_id == player)
            for it in found
        ],
        welcome=welcome,
        links={
            "self": f"{at}/invite-bot.json",
            "text": f"{at}/invite-bot.txt",
            "invite": f"{at}/invite-bot",
            "table": f"{at}.json",
        },
    )
    lines = [f"{it.id}. {it.name}: {_('bot of {name}', name=it.owner)}" for it in found]
    lines = lines or [_("There is no bot that you can invite.")]
    if not welcome:
        lines.append(_("Players’ bots are not welcome at this table."))
    return answer(said, [*lines, f"invite: POST {at}/invite-bot"])
