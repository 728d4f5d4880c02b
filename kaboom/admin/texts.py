"""The sentences of the host's pages: what needs attention, responses to forms, and the list of
acts.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Any, NamedTuple

from kaboom.admin.queries import Act, ReportLine, Sanction
from kaboom.admin.sanctions import end_of
from kaboom.db.times import DAY

# An act (kaboom.admin.service and sanctions) by its first words, as the end of a sentence that
# begins with the host's name.
_ACTS = {
    "warn": "warned {player}",
    "mute": "muted {player} for {days}",
    "out": "banned {player}{address} for {days}",
    "change out with IP": "also refused new players from the IP address of {player}",
    "change out without IP": "let new players from the IP address of {player} in again",
    "longer mute": "lengthened the mute of {player} to {end}",
    "longer out": "lengthened the ban of {player} to {end}",
    "shorter mute": "shortened the mute of {player} to {end}",
    "shorter out": "shortened the ban of {player} to {end}",
    "change mute": "changed the mute of {player} to {end}",
    "change mute back": "undid the change of the mute of {player}",
    "change out": "changed the ban of {player} to {end}",
    "change out back": "undid the change of the ban of {player}",
    "rename": "renamed {player} to {new}",
    "note": "added a note about {about}",
    "lift": "ended a sanction of {player}",
    "lift mute": "unmuted {player}",
    "lift out": "unbanned {player}",
    "delete line": "deleted a message of {player} at {table}",
    "close report": "closed {report}",
    "reopen report": "reopened {report}",
    "say halt": "stopped new tables",
    "say today": "put a message on every page",
    "unsay halt": "allowed new tables again",
    "unsay today": "removed the message from every page",
    "end table": "ended the match at {table}",
    "void": "took {match} out of the ratings",
    "expire": "deleted {tables} unused for {days}",
    "backup": "made a backup",
    "became host": "became a host",
    "made host": "made {player} a host",
    "removed host": "removed {player} as host",
    "host link": "made a link for a new host",
    "withdrew link": "withdrew a link for a new host",
}
# What a page says right after an act.
_DONE = {
    "warn": "{player} is warned, and sees your reason at once. A warning cannot be taken back.",
    "mute": "{player} is muted for {days}, and sees your reason at once.",
    "out": "{player} is banned for {days}. Their open pages say why.{refused}",
    "change out with IP": "New players from the IP address of {player} are refused, too.",
    "change out without IP": "New players from the IP address of {player} are let in again.",
    "rename": "Renamed to {new}. The player sees your reason at once. Records of finished matches "
    "keep the old name.",
    "note": "Your note is kept. Only hosts read it.",
    "longer mute": "{player} is muted for {days} from now, to {end}, and sees your reason at once.",
    "longer out": "{player} is banned for {days} from now, to {end}. Their pages give your reason.",
    "change mute back": "The mute of {player} ends at its former time, {end}.",
    "change out back": "The ban of {player} ends at its former time, {end}.",
    "lift mute": "{player} is no longer muted.",
    "lift out": "{player} is no longer banned, and can come back at once.",
    "delete line": "The message of {player} is deleted. They read your reason at once.",
    "close report": "The report is closed.",
    "reopen report": "The report is open again.",
    "say halt": "No table can be opened now. Running matches continue.",
    "say today": "Every page shows your message now, open tables too.",
    "unsay halt": "Tables can be opened again.",
    "unsay today": "The message has been removed from every page.",
    "end table": "The match at {table} has ended without a result. Its players read your reason.",
    "void": "{match} no longer counts: the ratings are computed without it. Its players read your "
    "reason.",
    "expire": "{tables} deleted.",
    "became host": "Welcome: you are a host of this server now. This page says what needs "
    "attention; people, their reports and the upkeep of the server are under the links above.",
    "made host": "{player} is now a host of this server, and has been told so.",
    "removed host": "{player} is no longer a host, and reads your reason.",
    "backup": "The backup is made. Its file is among your downloads.",
    "withdrew link": "The link is withdrawn and can no longer be used.",
}
_DONE |= {f"shorter {kind}": _DONE[f"longer {kind}"] for kind in ("mute", "out")}
# The same about a banned player, who reads nothing until the ban ends.
_DONE_OUT = _DONE | {
    "rename": "Renamed to {new}. The player reads your reason once the ban ends.",
    "delete line": "The message of {player} is deleted. They read your reason once the ban ends.",
}
_SANCTIONS = ("warn", "mute", "out", "longer", "shorter", "change", "lift")
_NAMES = ("rename", "delete line")
# The kinds of acts by which the log can be filtered: their words, and the acts' first words.
KINDS_OF_ACTS = {
    "players": ("All acts on players", (*_SANCTIONS, *_NAMES)),
    "sanctions": ("Warnings, mutes, bans", _SANCTIONS),
    "names": ("Names and messages of players", _NAMES),
    "reports": ("Reports and notes", ("close report", "reopen report", "note")),
    "matches": ("Matches and tables", ("end table", "void", "expire")),
    "messages": ("Messages to all players", ("say", "unsay")),
    "backups": ("Backups", ("backup",)),
    "hosts": (
        "Hosts",
        ("became host", "made host", "removed host", "host link", "withdrew link"),
    ),
}
# What a host probably writes to the player, by the reason of a report.
OFFENCES = {
    "insults": "Insults or threats",
    "bothers": "Bothering another player",
    "spam": "Advertising or spam",
    "name": "An offensive name",
    "cheats": "Cheating, or spoiling games on purpose",
}
REFUSED = " New players from their IP address are refused, too."
UNSAY = {"halt": "Allow new tables again", "today": "Remove the message"}  # words of buttons
BACKUP_DAYS = 2  # a last backup up to this age is not mentioned
BACK_UP = (
    "Make one now. The page has the line with which the person who runs this server has one made "
    "each night."
)
MAKE_ROOM = (
    "At 100% no move can be stored. Delete unused tables; the person who runs this server deletes "
    "old files, or gets a larger disk."
)
FULL = 90  # percent of the disk, or of the open pages
ACTIVE = 120.0  # seconds for which a player counts as active
# What an act on a reported player has done, for the reason with which it closes the report.
CLOSED_BY = {
    "warn": "Warned",
    "mute": "Muted",
    "out": "Banned",
    "rename": "Renamed",
    "line": "Message deleted",
    "end": "Match ended",
}


class Part(NamedTuple):
    """A part of a sentence, and the page it leads to, if any. `at` is a time (seconds since 1970)
    that stands for the text.
    """

    text: str
    endpoint: str = ""
    values: Mapping[str, Any] = MappingProxyType({})
    at: float = 0.0


class Due(NamedTuple):
    """A sentence about what needs the host's attention, and what they can do: a link, or a button
    that ends a notice of the kind `ends`. `advice` says what exactly to do; `name` is a word for it
    in a list, `anchor` the place on the page of the link.
    """

    sentence: str
    endpoint: str = ""
    words: str = ""
    ends: str = ""
    advice: str = ""
    name: str = ""
    anchor: str = ""


_UNITS = ((86_400, "day"), (3_600, "hour"), (60, "minute"))


def count(number: int, noun: str) -> str:
    """Return a number with its noun, such as "1 day" or "2 matches"."""
    return f"{number} {noun if number == 1 else noun + ('es' if noun.endswith('ch') else 's')}"


def due(
    reports: int,
    backup_age: float | None,
    disk_used: int,
    pages_used: int,
    notices: Mapping[str, str] = MappingProxyType({}),
) -> list[Due]:
    """Return what needs the host's attention: open reports, notices on display, an old backup (age
    in seconds, None if there is none), and a full disk or too many open pages (in percent).
    """
    found = []
    if reports:
        found.append(Due(f"{count(reports, 'open report')}.", "admin.reports", "Read"))
    if text := notices.get("halt"):
        stopped = f"New tables are stopped. Every page says: “No new tables for now: {text}”"
        found.append(Due(stopped, words=UNSAY["halt"], ends="halt"))
    if text := notices.get("today"):
        found.append(Due(f"Every page shows: “{text}”", words=UNSAY["today"], ends="today"))
    if backup_age is None or backup_age > BACKUP_DAYS * DAY:
        old = (
            "No backup yet." if backup_age is None else f"The last backup is {age(backup_age)} old."
        )
        found.append(Due(old, "admin.backups", "Back up …", advice=BACK_UP))
    if disk_used >= FULL:
        full = f"The disk is {disk_used}% full."
        found.append(Due(full, "admin.matches", "Unused tables", advice=MAKE_ROOM, anchor="h-more"))
    if pages_used >= FULL:
        advice = "The person who runs this server starts more worker processes (WEB_CONCURRENCY)."
        found.append(
            Due(
                "Nearly all open pages are taken.",
                "admin.now",
                "Figures",
                "",
                advice,
                anchor="pages",
            )
        )
    return found


def to_set_up(kept: bool, notified: bool, contact: bool) -> list[Due]:
    """Return what a host has yet to set up: a way to sign in on another device, a channel for
    reports, and the address where players object.
    """
    found = []
    if not kept:
        found.append(
            Due(
                "You are signed in on this browser only.",
                "credentials.show",
                "Set up",
                advice="Add a passkey or recovery words. If you lose this browser, only another "
                "host or the server’s command line can let you in again.",
                name="sign-in",
            )
        )
    if not notified:
        found.append(
            Due(
                "New reports are not sent to you.",
                "notifications.show",
                "Set up",
                advice="Choose where you are sent a message: this browser, e-mail or a chat.",
                name="notification of reports",
                anchor="h-reports",
            )
        )
    if not contact:
        found.append(
            Due(
                "Players are not told how to object.",
                advice="The person who runs this server adds the line "
                "CONTACT=mailto:you@example.org, with their own address, to the server’s settings, "
                "and restarts it. Players then read the address with each reason.",
                name="contact",
            )
        )
    return found


def ago(seconds: float) -> str:
    """Return how long ago something was, in English, as these pages are: "3 hours ago"."""
    return f"{age(seconds)} ago" if seconds >= _UNITS[-1][0] else "just now"


def age(seconds: float) -> str:
    """Return a number of seconds in words: "3 hours"."""
    for length, unit in _UNITS:
        if seconds >= length:
            return count(int(seconds // length), unit)
    return "less than a minute"


def active(seconds: float, here: bool = False) -> str:
    """Return when a player was last active; `here` is True if they have a table open."""
    return "active now" if here or seconds < ACTIVE else f"last active {ago(seconds)}"


def sentence_of_act(it: Act) -> list[Part]:
    """Return what a host did, as the end of a sentence that begins with their name."""
    first, text = _pattern(_ACTS, it)
    return list(_filled(text or f"{it.act} {it.about}", it, first, end_of(it)))


def said_of(it: Act, out: bool = False, until: float = 0.0) -> list[Part]:
    """Return what a page says right after an act; empty if nothing needs to be said. `out` is True
    if the player it is about is banned; `until` is when their mute or ban ends.
    """
    first, text = _pattern(_DONE_OUT if out else _DONE, it)
    said = [part._replace(endpoint="") for part in _filled(text, it, first, until)]
    if first == "void":
        said[0] = said[0]._replace(text=said[0].text.replace("match", "Match", 1))
    return said


def _pattern(among: Mapping[str, str], it: Act) -> tuple[str, str]:
    """Return the longest known words with which an act begins, and the text for them."""
    whole = f"{it.act} {it.about} " if it.act in ("say", "unsay") else f"{it.act} "
    first = max((key for key in among if whole.startswith(f"{key} ")), key=len, default="")
    return first, among.get(first, "")


def _filled(text: str, it: Act, first: str, until: float) -> Iterator[Part]:
    for piece in re.split(r"(\{\w+\})", text):
        if piece == "{end}":
            yield Part(moment(until), at=until)
        elif re.fullmatch(r"\{\w+\}", piece):
            yield _part(piece[1:-1], it, first)
        elif piece:
            yield Part(piece)


def _part(name: str, it: Act, first: str) -> Part:
    """Return the part of a sentence that replaces this placeholder, from the strings of an act."""
    named = it.named
    kind, _space, number = it.about.partition(" ")
    match name:
        case "days":
            return Part(count(_number(it.act.removeprefix(first)), "day"))
        case "address":
            return Part(", with their IP address," if " with IP" in it.act else "")
        case "refused":
            return Part(REFUSED if " with IP" in it.act else "")
        case "tables":
            return Part(count(_number(it.about), "table"))
        case "player" if named:
            return Part(named["name"], "admin.person", {"number": int(named["player"])})
        case "player":
            return Part("a player")
        case "new":
            return Part(named["new"] if named else "another name")
        case "table":
            code = named["code"] if named else kind
            return Part(f"table {code}", "table.show", {"code": code})
        case "match":
            return Part(f"match {it.about}", "record.show", {"code": it.about})
    if kind in ("report", "player") and number.isdecimal():
        endpoint = "admin.report" if kind == "report" else "admin.person"
        return Part(it.about, endpoint, {"number": int(number)})
    return Part(it.about)


def _number(text: str) -> int:
    found = re.search(r"\d+", text)
    return int(found[0]) if found else 0


def moment(seconds: float) -> str:
    """Return a time in UTC."""
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M UTC")


def times(number: int) -> str:
    """Return how often something happened: "once", "twice" or "3 times"."""
    return {1: "once", 2: "twice"}.get(number, f"{number} times")


def record_in_words(
    reports: Sequence[ReportLine], told: Sequence[Sanction], renamed: int, now: float
) -> str:
    """Return a sentence about the reports on a player and their past sanctions; `renamed` is how
    often hosts have renamed them.
    """
    kinds = Counter(it.kind for it in told if it.until <= now)
    kinds["rename"] = renamed
    past = {"warn": "warned", "mute": "muted", "out": "banned", "rename": "renamed"}
    said = [f"{words} {times(kinds[kind])}" for kind, words in past.items() if kinds[kind]]
    open_ones = sum(not it.closed for it in reports)
    counted = f"{count(len(reports), 'report')} in the last 90 days, {open_ones} open"
    before = f" Before: {', '.join(said)}." if said else ""
    if not said and not any(it.until > now for it in told):
        before = " Never sanctioned."
    return f"{counted if reports else 'No report in the last 90 days'}.{before}"
