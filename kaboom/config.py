"""Every setting of a server, from environment variables, with its default."""

import hashlib
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from urllib.parse import urlsplit

from kaboom.engine.bots.delays import Pace

# The rooms beyond the frame of the web, in their order; a new one is named here. Of each,
# blueprint.py adds pages to an application (kaboom.app), and hooks.py, if there is one, takes part
# in what happens at tables and to accounts (kaboom.tables.hooks).
FEATURES = (
    "accounts", "tables", "notifications", "social", "ratings", "play", "tournaments", "records",
    "lobby",
)  # fmt: skip
PACKAGE = Path(__file__).parent
CHECKOUT = PACKAGE.parent
INSTALLED = (PACKAGE / "templates").is_dir()  # by pip, which puts what the package needs inside it
ROOT = PACKAGE if INSTALLED else CHECKOUT  # where templates, static and migrations are
LEAST_SECRET = 32  # characters
SETTINGS = (
    "ACCESS_LOG", "BOT_PACE", "CLOCK", "CONTACT", "DATABASE_URL", "EXPIRE_DAYS",
    "FORWARDED_ALLOW_IPS", "HOST", "LEADERBOARD", "MAIL_FROM",
    "METRICS_TOKEN", "PORT", "PROXIES", "PUBLIC_URL", "RATE_LIMITS", "REDIS_URL",
    "SECRET_KEY", "SMTP_URL", "TOURNAMENTS_LISTED", "TOURNAMENT_TABLES", "TRUSTED_HOSTS",
    "WEB_CONCURRENCY",
)  # fmt: skip
ALIKE = 0.9  # about a letter in ten is wrong
GONE = ("HALL", "HALLS")  # up to 0.2 they spread a card room over several databases


def data_folder() -> Path:
    """Return where the embedded database is kept unless a setting says otherwise."""
    if not INSTALLED:
        return CHECKOUT / "instance"
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "kaboom"


class InvalidSetting(ValueError):
    """A setting that cannot be used; str() is a sentence for the host."""


@dataclass(frozen=True, slots=True)
class ServerSettings:
    """The settings of a server; docs/hosting.md lists them for hosts."""

    database_url: str = f"sqlite:///{data_folder() / 'kaboom.sqlite3'}"
    secret_key: str = ""  # seals whatever reveals cards; several, newest first, separated by spaces
    redis_url: str = ""  # empty: one worker, push inside the process
    workers: int = 1  # processes; more than one needs a database server and Redis
    trusted_hosts: tuple[str, ...] = ()  # names this server answers to; empty: any
    public_url: str = ""  # what invitations begin with; empty: the host the browser asked for
    bot_pace: Pace = Pace.NATURAL  # of bots at new tables
    rate_limits: bool = True
    proxies: int = 0  # how many reverse proxies stand in front and set X-Forwarded-*
    expire_days: int = 30  # a table untouched for this long is removed; 0: never
    leaderboard: bool = False  # has this server a list of those who want to be shown to everybody?
    contact: str = ""  # who runs this server, as an address that works as a link
    smtp_url: str = ""  # where letters to players are handed in; empty: none are written
    mail_from: str = ""  # whom they are from
    metrics_token: str = ""  # what /metrics asks for; empty: it answers only this machine
    clock: bool = True  # does this process run the clock?
    pseudo_language: bool = False  # may browsers ask for the pseudo-language?
    tournaments_listed: bool = False  # may tournaments be shown in the lobby?
    tournament_tables: int = 120  # of a round of a tournament, open at the same time

    @property
    def channel(self) -> str:
        """Return the Redis channel on which this installation's processes wake each other.

        Two installations on one Redis have different secrets. The oldest counts, so that putting a
        new one in front of it changes nothing.
        """
        oldest = (self.secret_key.split() or [""])[-1]
        digest = hashlib.sha256(f"kaboom/push/v1|{oldest}".encode()).hexdigest()
        return f"kaboom-{digest[:16]}"


def from_environment(environ: Mapping[str, str] = os.environ) -> ServerSettings:
    """Return the settings the environment gives; raises InvalidSetting with a sentence."""
    _refuse_gone(environ)
    default = ServerSettings()
    port = environ.get("PORT") or "0"
    if not port.isdecimal() or int(port) > 65535:
        raise InvalidSetting(f"PORT must be a number from 0 to 65535, not “{port}”.")
    database_url = environ.get("DATABASE_URL") or default.database_url
    mail = _mail(environ)
    return ServerSettings(
        database_url=_database(database_url),
        secret_key=_secrets(environ.get("SECRET_KEY", ""), database_url),
        redis_url=_address(environ, "REDIS_URL", ("redis://", "rediss://", "unix://")),
        workers=_whole(environ, "WEB_CONCURRENCY", default.workers),
        public_url=_public(environ),
        trusted_hosts=_names(environ.get("TRUSTED_HOSTS", "")),
        bot_pace=_pace(environ.get("BOT_PACE") or default.bot_pace),
        rate_limits=_switch(environ, "RATE_LIMITS", default.rate_limits),
        proxies=_whole(environ, "PROXIES", default.proxies),
        expire_days=_whole(environ, "EXPIRE_DAYS", default.expire_days),
        leaderboard=_switch(environ, "LEADERBOARD", default.leaderboard),
        contact=_contact(environ.get("CONTACT", "")),
        smtp_url=mail[0],
        mail_from=mail[1],
        metrics_token=environ.get("METRICS_TOKEN", ""),
        # Flask sets this when a command runs: a backup must not move for the bots.
        clock=_switch(environ, "CLOCK", default.clock)
        and environ.get("FLASK_RUN_FROM_CLI") != "true",
        pseudo_language=_switch(environ, "PSEUDO_LANGUAGE", default.pseudo_language),
        tournaments_listed=_switch(environ, "TOURNAMENTS_LISTED", default.tournaments_listed),
        tournament_tables=max(1, _whole(environ, "TOURNAMENT_TABLES", default.tournament_tables)),
    )


def misspelt(environ: Mapping[str, str] = os.environ) -> list[str]:
    """Return a sentence for each variable that looks like a setting written wrongly."""
    found = {name: get_close_matches(name, SETTINGS, 1, ALIKE) for name in environ}
    return [
        f"{name} is no setting; was {close[0]} meant?"
        for name, close in sorted(found.items())
        if close and name not in SETTINGS and close[0] not in environ
    ]


def _database(url: str) -> str:
    if not url.startswith(("sqlite:///", "postgres://", "postgresql://", "postgresql+psycopg://")):
        raise InvalidSetting("DATABASE_URL must begin with sqlite:/// or postgresql://.")
    if url == "sqlite:///":
        raise InvalidSetting(
            "DATABASE_URL must name a file, such as sqlite:////srv/kaboom.sqlite3."
        )
    _port_of(url, "DATABASE_URL")
    return url


def _port_of(url: str, name: str) -> None:
    try:
        urlsplit(url).port  # noqa: B018  (asking for it checks it)
    except ValueError:
        raise InvalidSetting(
            f"{name} must have a number as its port; # and / in a password are written %23 and %2F."
        ) from None


def _secrets(text: str, database_url: str) -> str:
    if not text and not database_url.startswith("sqlite"):
        raise InvalidSetting(
            f"With a database server SECRET_KEY is needed: {LEAST_SECRET} random characters."
        )
    if any(len(secret) < LEAST_SECRET for secret in text.split()):
        raise InvalidSetting(f"SECRET_KEY must be at least {LEAST_SECRET} characters long.")
    return text


def _address(environ: Mapping[str, str], name: str, beginnings: tuple[str, ...]) -> str:
    text = environ.get(name, "")
    if text and not text.startswith(beginnings):
        raise InvalidSetting(f"{name} must begin with {' or '.join(beginnings)}.")
    if text in beginnings:
        raise InvalidSetting(f"{name} must go on after {text}.")
    _port_of(text, name)
    return text


def _public(environ: Mapping[str, str]) -> str:
    text = _address(environ, "PUBLIC_URL", ("https://", "http://")).rstrip("/")
    parts = urlsplit(text)
    if text and not parts.hostname:
        raise InvalidSetting(
            "PUBLIC_URL must go on with a name, such as https://cards.example.org."
        )
    if parts.path or "?" in text or "#" in text:
        raise InvalidSetting(
            f"PUBLIC_URL must end after the name, {parts.scheme}://{parts.netloc}: Kaboom cannot "
            "be served under a path. Give it a name of its own, such as https://cards.example.org."
        )
    return text


def _names(text: str) -> tuple[str, ...]:
    if "/" in text:
        raise InvalidSetting("TRUSTED_HOSTS must be names alone, such as cards.example.org.")
    return tuple(text.split())


def _mail(environ: Mapping[str, str]) -> tuple[str, str]:
    url = _address(environ, "SMTP_URL", ("smtp://", "smtps://", "smtp+plain://"))
    sender = environ.get("MAIL_FROM", "")
    if url and not re.fullmatch(r"[!-?A-~]+@[!-?A-~]+", sender):
        raise InvalidSetting("With SMTP_URL, MAIL_FROM is needed: the address letters are from.")
    if url and not environ.get("PUBLIC_URL"):
        raise InvalidSetting("With SMTP_URL, PUBLIC_URL is needed: letters hold links.")
    return url, sender


def _contact(text: str) -> str:
    if not text or re.fullmatch(r"(https://|mailto:)[!-~]+", text):
        return text
    if not re.fullmatch(r"[!-~]+@[!-~]+", text):
        raise InvalidSetting("CONTACT must be a mail address, or begin with https://.")
    return f"mailto:{text}"


def _refuse_gone(environ: Mapping[str, str]) -> None:
    """Stop a host who upgrades: without halls, links of one would lead to another's database."""
    for name in GONE:
        if environ.get(name):
            raise InvalidSetting(
                f"{name} is set, but halls are gone: give each hall a host name of its own, then "
                "unset HALL and HALLS (docs/scale.md)."
            )


def _switch(environ: Mapping[str, str], name: str, default: bool) -> bool:
    text = environ.get(name)
    if not text:
        return default
    if text not in ("0", "1"):
        raise InvalidSetting(f"{name} must be 0 or 1, not “{text}”.")
    return text == "1"


def _pace(text: str) -> Pace:
    if text not in {*Pace}:
        raise InvalidSetting(f"BOT_PACE must be one of {', '.join(Pace)}, not “{text}”.")
    return Pace(text)


def _whole(environ: Mapping[str, str], name: str, default: int) -> int:
    text = environ.get(name)
    if not text:
        return default
    if not text.isdigit():
        raise InvalidSetting(f"{name} must be a whole number, not “{text}”.")
    return int(text)
