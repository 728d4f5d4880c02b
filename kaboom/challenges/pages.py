"""The challenge page: the sentences that say where players' decisions differed."""

from collections.abc import Sequence
from dataclasses import dataclass

from kaboom.challenges.service import Challenge, Line, compared
from kaboom.engine.i18n import gettext as _
from kaboom.engine.i18n import ngettext
from kaboom.engine.moves import Seat
from kaboom.records.first_difference import told
from kaboom.records.service import MatchArchive


@dataclass(frozen=True, slots=True)
class Compared:
    """A line of a challenge with its sentences; `mine` is the record of the reader's own match."""

    line: Line
    mine: str
    sentences: Sequence[str] = ()


def beside(it: Challenge) -> str:
    """Return the sentences with the numbers of players who have finished and who are playing."""
    done = ngettext("{count} player has finished.", "{count} players have finished.", it.finished)
    if not it.playing:
        return done
    return f"{done} {ngettext('{count} is playing.', '{count} are playing.', it.playing)}"


def lines_of(
    archive: MatchArchive, lines: Sequence[Line], seat: Seat, key_hash: str
) -> list[Compared]:
    """Return the attempts from a seat, each with the first decision that differs from the
    reader's.
    """
    found = compared(archive, lines, seat, key_hash)
    mine = next((line.record for line in found if line.mine), "")
    return [Compared(it, mine, _parted(archive, it, seat, mine, key_hash)) for it in found]


def _parted(archive: MatchArchive, line: Line, seat: Seat, mine: str, key_hash: str) -> list[str]:
    """Return the sentences about the first decision in which two players differ."""
    if not line.compared:
        return []
    parted = line.parted
    if parted is None:
        return [_("They made the same decisions as you throughout.")]
    own, _unused = archive.find(mine, key_hash)
    other, _unused = archive.find(line.record, key_hash)
    found = [_("You decided differently at decision {number}.", number=parted.decision)]
    for replay, step in ((own, parted.one), (other, parted.other)):
        if step is not None:
            found.append(told(replay, step, seat, own=replay is own))
    return found
