"""The host's pages in words: what needs attention, answers to forms, and the list of acts."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from kaboom.db.times import DAY

# What a page says after an act; `name` is the player concerned, `n` a number.
DONE = {
    "welcome": "Welcome: you are a host of this server now. This page says what needs you; people, "
    "their reports and the upkeep of the server are under the links above.",
    "note": "Your note is kept. Only hosts read it.",
    "warn": "{name} is warned, and will see your reason on their next page.",
    "mute": "{name} is muted for {n} days, and will see your reason on their next page.",
    "out": "{name} is kept out for {n} days. Each of their pages now says so, and why.",
    "rename": "Renamed to {name}. The player will see your reason on their next page.",
    "host": "{name} is a host of this server now.",
    "line": "The message is deleted. Its writer will see your reason on their next page.",
    "close": "The report is closed.",
    "reopen": "The report is open again.",
    "lift-mute": "{name} is no longer muted.",
    "lift-out": "{name} is no longer kept out, and can come back at once.",
    "halt": "No table can be opened now. Running matches continue.",
    "open": "Tables can be opened again.",
    "today": "Every page shows your message now.",
    "quiet": "The message has been removed from every page.",
    "end": "The match has ended without a result.",
    "void": "The match no longer counts in the ratings.",
    "expire": "{n} tables deleted.",
    "remove": "That player is no longer a host.",
}
# The first words of an act (kaboom.admin.service and sanctions), and how a sentence says them.
_SAID = {
    "warn": "warned",
    "mute": "muted for",
    "out": "kept out for",
    "rename": "renamed",
    "note": "noted about",
    "lift": "ended the sanction of",
    "lift mute": "unmuted",
    "lift out": "let in again",
    "delete line": "deleted a message at",
    "close report": "closed",
    "reopen report": "reopened",
    "say halt": "stopped new tables",
    "say today": "published the message on all pages",
    "unsay halt": "allowed new tables again",
    "unsay today": "removed the message from all pages",
    "end table": "ended the match at table",
    "void": "voided the match",
    "expire": "deleted the tables unused for",
    "backup": "made a backup",
    "became host": "became a host",
    "made host": "made a host:",
    "removed host": "removed the host",
    "host link": "created a link for a new host",
}
BACKUP_DAYS = 2  # a last backup up to this age is not mentioned
FULL = 90  # percent of the disk, or of the open pages


class Due(NamedTuple):
    """A sentence about what needs the host's attention, and what they can do: a link, or a button
    that ends a notice of the kind `ends`.
    """

    sentence: str
    endpoint: str = ""
    words: str = ""
    ends: str = ""


_UNITS = ((86_400, "day"), (3_600, "hour"), (60, "minute"))


def due(
    reports: int,
    backup_age: float | None,
    disk_used: int,
    pages_used: int,
    notices: Mapping[str, str] = MappingProxyType({}),
) -> list[Due]:
    """Return what needs the host's attention: notices in force, open reports, an old backup (age in
    seconds, None if there is none), a full disk or too many open pages (in percent).
    """
    found = []
    if text := notices.get("halt"):
        stopped = f"New tables are stopped. Every page says: “{text}”"
        found.append(Due(stopped, words="Allow new tables again", ends="halt"))
    if text := notices.get("today"):
        found.append(Due(f"Every page shows: “{text}”", words="Remove the message", ends="today"))
    if reports:
        few = f"{reports} open report{'s' if reports > 1 else ''}."
        found.append(Due(few, "admin.reports", "Read"))
    if backup_age is None or backup_age > BACKUP_DAYS * DAY:
        old = "No backup yet." if backup_age is None else f"Last backup {ago(backup_age)}."
        found.append(Due(old, "admin.upkeep", "Back up"))
    if disk_used >= FULL:
        found.append(Due(f"The disk is {disk_used} % full. At 100 % no move can be stored."))
    if pages_used >= FULL:
        found.append(Due("Nearly all open pages are taken. More worker processes would make room."))
    return found


def said_of(done: str, name: str = "", n: int = 0) -> str:
    """Return what a page says after the act `done`; empty for any other text."""
    text = DONE.get(done, "").format(name=name or "The player", n=n)
    return text if n != 1 else text.replace("1 days", "1 day").replace("1 tables", "1 table")


def ago(seconds: float) -> str:
    """Return how long ago something was, in English, as these pages are: "3 hours ago"."""
    for length, unit in _UNITS:
        if seconds >= length:
            count = int(seconds // length)
            return f"{count} {unit}{'s' if count > 1 else ''} ago"
    return "less than a minute ago"


def sentence_of_act(act: str, about: str) -> str:
    """Return an act and its object as the end of a sentence that begins with the host's name."""
    if whole := _SAID.get(f"{act} {about}"):
        return whole
    first = max((it for it in _SAID if f"{act} ".startswith(f"{it} ")), key=len, default="")
    words = _SAID.get(first, first) + act.removeprefix(first)
    parted = ", " if act != first and about else " "
    return f"{words}{parted}{about}".strip()
