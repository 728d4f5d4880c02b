"""Which acts of hosts are still in force, and where each can be undone."""

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from flask import url_for
from sqlalchemy import Connection

from kaboom.admin import queries
from kaboom.admin.queries import SAME, Act, Sanction
from kaboom.admin.sanctions import CHANGES, MUTE, OUT, end_of
from kaboom.social.friends import queries as friends

STILL = {MUTE: "Still muted: end or change it", OUT: "Still banned: end or change it"}
SAID = {"halt": "Still stopped: allow new tables", "today": "Still shown: change or remove it"}

STILL_NEW = "Still has the new name: give back the old one"


class Link(NamedTuple):
    """A link to the page where an act can be undone."""

    url: str
    words: str


def still(connection: Connection, acts: Sequence[Act], now: float) -> dict[Act, Link]:
    """Return the links for those of these acts that are still in force. `acts` are newest first."""
    held = queries.all_in_force(connection, now)
    renamed = [it.player for it in acts if it.act == "rename"]
    names = friends.names(connection, renamed)
    former = queries.all_former_names(connection) if renamed else {}
    numbers = [_report(it) for it in acts if it.act == "close report"]
    closed = queries.closed_reports(connection, [it for it in numbers if it])
    notices = queries.notices(connection)
    hosts = queries.ids_of_hosts(connection)
    found: dict[Act, Link] = {}
    seen: set[str] = set()
    for it in acts:
        link = (
            _of_sanction(it, held)
            or _of_name(it, names, former)
            or _of_report(it, closed)
            or _of_notice(it, notices)
            or _of_host(it, hosts)
        )
        if link and link.words + link.url not in seen:  # the newest act has led to this state
            seen.add(link.words + link.url)
            found[it] = link
    return found


def _of_sanction(act: Act, held: Sequence[Sanction]) -> Link | None:
    first, *rest = act.act.split()
    kind = rest[0] if first in CHANGES and rest else first
    for it in held:
        same_end = first in CHANGES and abs(it.until - end_of(act)) < SAME
        if (it.player, it.kind) == (act.player, kind) and (same_end or abs(it.at - act.at) < SAME):
            return Link(url_for("admin.person", number=it.player), STILL[it.kind])
    return None


def _of_name(
    act: Act, names: Mapping[int, str], former: Mapping[int, Sequence[str]]
) -> Link | None:
    named = act.named if act.act == "rename" else None
    if named is None or names.get(act.player) != named["new"]:
        return None
    if named["name"] not in former.get(act.player, ()):
        return None  # the new name is the one that was given back
    return Link(_form("person", act.player, "rename", "give-back"), STILL_NEW)


def _report(act: Act) -> int:
    number = act.about.removeprefix("report ")
    return int(number) if number.isdecimal() else 0


def _form(page: str, number: int, do: str, id: str = "") -> str:
    """Return the URL of a page on which the form of this act is open and in view."""
    place = f"act-{id or do}"
    return url_for(f"admin.{page}", number=number, do=do, id=id or None, _anchor=place)


def _of_report(act: Act, closed: Collection[int]) -> Link | None:
    number = _report(act) if act.act == "close report" else 0
    if number not in closed:
        return None
    return Link(_form("report", number, "reopen"), "Reopen it")


def _of_notice(act: Act, notices: Mapping[str, str]) -> Link | None:
    if act.act != "say" or notices.get(act.about) != act.why:
        return None
    return Link(url_for("admin.messages", _anchor=f"h-{act.about}"), SAID[act.about])


def _of_host(act: Act, hosts: Collection[int]) -> Link | None:
    if act.act != "made host" or act.player not in hosts:
        return None
    return Link(url_for("admin.hosts", _anchor=f"act-remove-{act.player}"), "Still a host")
