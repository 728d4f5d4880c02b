"""Reports foreseeable errors in the environment in one sentence instead of a traceback."""

from kaboom.config import InvalidSetting
from kaboom.db.database import Unavailable
from kaboom.db.migrate import NotMigrated

DAMAGED = ("not a database", "malformed")
FORESEEN = (InvalidSetting, NotMigrated, Unavailable, OSError)


def sentence(error: Exception) -> str:
    """Return one of these errors as a one-line message for the host."""
    what = " ".join(str(error).split()).rstrip(".")
    if isinstance(error, Unavailable) and any(words in what for words in DAMAGED):
        return (
            f"The database cannot be used ({what}): its file is damaged. Keep a copy of it, and "
            "restore a backup into a new one (docs/when-something-goes-wrong.md)."
        )
    if isinstance(error, Unavailable):
        return (
            f"The database cannot be used ({what}). DATABASE_URL says where it is; for SQLite, the "
            "file and its folder must be writable, and the disk must have free space."
        )
    if isinstance(error, OSError) and error.strerror:
        where = f"{error.filename}: " if error.filename else ""
        return f"{where}{error.strerror}."
    return f"{what}."
