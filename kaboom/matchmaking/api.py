"""Matchmaking as JSON, text and speech."""

from collections.abc import Iterator, Sequence

from flask import Response

from kaboom.engine.i18n import gettext as _
from kaboom.matchmaking.schemas import Matchmaking, MatchRequest, WaitingPlayer
from kaboom.matchmaking.service import HEARD, PACES, Sought, Wait
from kaboom.matchmaking.texts import line_of, said_of
from kaboom.web.api.responses import answer
from kaboom.web.links import rooted


def overview(found: Sequence[Sought]) -> Response:
    """Return the response that lists the waiting players."""
    waiting = [
        WaitingPlayer(
            name=it.name,
            game=it.wanted.game,
            days=it.wanted.days,
            rated=it.wanted.rated,
            waited=it.waited,
        )
        for it in found
    ]
    lines = [*map(line_of, found)] or [_("No one is waiting for a game right now.")]
    at = rooted("/play")
    links = {"self": f"{at}.json", "join": at, "wait": f"{at}/wait.json", "leave": f"{at}/leave"}
    return answer(Matchmaking(waiting=waiting, paces=list(PACES), links=links), lines)


def request(found: Wait | None) -> Response:
    """Return the response with a player's own request."""
    return answer(_request(found), _lines(found))


def _request(found: Wait | None) -> MatchRequest:
    at = rooted("/play")
    links = {"self": f"{at}/wait.json", "leave": f"{at}/leave"}
    if found is None:
        return MatchRequest(state="none", links={"join": at})
    if found.code:
        table = rooted(f"/t/{found.code}")
        links = {"table": f"{table}.json", "page": table}
    elif found.bots_offered:
        links |= {"bots": f"{at}/bots"}
    return MatchRequest(
        state="seated" if found.code else "waiting",
        game=found.wanted.game,
        days=found.wanted.days,
        rated=found.wanted.rated,
        waited=found.waited,
        others=found.others,
        needed=found.needed,
        usual=found.usual,
        bots_offered=found.bots_offered and not found.code,
        bots=found.bots,
        again=0.0 if found.code else HEARD,
        table=found.code,
        links=links,
    )


def _lines(found: Wait | None) -> Iterator[str]:
    at = rooted("/play")
    if found is None:
        yield _("You are not waiting for a game.")
        yield f"join: POST {at}"
        return
    if found.code:
        yield _("Your table is open: {code}.", code=found.code)
        yield f"table: GET {rooted(f'/t/{found.code}')}.txt"
        return
    yield from said_of(found)
    yield f"again: GET {at}/wait.txt"
    yield f"leave: POST {at}/leave"
    if found.bots_offered and not found.bots:
        yield f"bots: POST {at}/bots"
