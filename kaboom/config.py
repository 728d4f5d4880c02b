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

PACKAGE = Path(__file__).parent
CHECKOUT = PACKAGE.parent
INSTALLED = (PACKAGE / "templates").is_dir()  # by pip, which puts package data inside it
ROOT = PACKAGE if INSTALLED else CHECKOUT  # where templates, static and migrations are
LEAST_SECRET = 32  # characters
LONGEST_NAME = 40  # maximum number of characters of OPENID_NAME
SETTINGS = (
    "ACCESS_LOG", "BOT_PACE", "CLOCK", "CONTACT", "DATABASE_URL", "EXPIRE_DAYS",
    "FORWARDED_ALLOW_IPS", "HOST", "LEADERBOARD", "MAIL_FROM",
    "METRICS_TOKEN", "OPENID_CLIENT_ID", "OPENID_CLIENT_SECRET", "OPENID_ISSUER", "OPENID_NAME",
    "OPENID_ONLY", "PORT", "PROXIES", "PUBLIC_URL", "RATE_LIMITS", "REDIS_URL",
    "SECRET_KEY", "SMTP_URL", "TOURNAMENTS_LISTED", "TOURNAMENT_TABLES", "TRUSTED_HOSTS",
    "WEB_CONCURRENCY",
)  # fmt: skip
PATH = r"(/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)*"  # path of PUBLIC_URL: names that need no escaping
SOCKET_FILE = "unix:"  # prefix of a HOST that is a file
LOOPBACK = ("localhost", "127.0.0.1", "::1")
ALIKE = 0.9  # similarity of names that differ in about one letter in ten
GONE = ("HALL", "HALLS")  # up to 0.2, they spread a card room over several databases


def data_folder() -> Path:
    """Return the default folder of the embedded database."""
    if not INSTALLED:
        return CHECKOUT / "instance"
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "kaboom"


class InvalidSetting(ValueError):
    """A setting that cannot be used; str() is a sentence for the host."""


@dataclass(frozen=True, slots=True)
class OpenId:
    """Sign-in with an OpenID provider: its URL, and this server's registration as its client."""

    issuer: str
    client_id: str
    client_secret: str = ""  # empty: a public client, with PKCE alone
    name: str = ""  # name of the provider, shown on the button
    only: bool = False  # must every player and spectator sign in this way?


@dataclass(frozen=True, slots=True)
class ServerSettings:
    """The settings of a server; docs/hosting.md lists them for hosts."""

    database_url: str = f"sqlite:///{data_folder() / 'kaboom.sqlite3'}"
    secret_key: str = ""  # encrypts what reveals cards; several, newest first, separated by spaces
    redis_url: str = ""  # empty: one worker, push inside the process
    workers: int = 1  # processes; more than one needs a database server and Redis
    trusted_hosts: tuple[str, ...] = ()  # host names this server accepts; empty: any
    public_url: str = ""  # where all pages are served; empty: the root of the requested host
    bot_pace: Pace = Pace.NATURAL  # pace of bots at new tables
    rate_limits: bool = True
    proxies: int = 0  # number of reverse proxies in front that set X-Forwarded-*
    expire_days: int = 30  # a table unused for this long is deleted; 0: never
    leaderboard: bool = False  # does /leaderboards list all players who agreed to that?
    contact: str = ""  # who runs this server: an e-mail address or URL
    smtp_url: str = ""  # server for e-mails to players; empty: none are sent
    mail_from: str = ""  # their sender
    metrics_token: str = ""  # required by /metrics; empty: it responds only to this machine
    clock: bool = True  # does this process run the clock?
    pseudo_language: bool = False  # may browsers request the pseudo-language?
    tournaments_listed: bool = False  # may tournaments be shown in the lobby?
    tournament_tables: int = 120  # maximum open at the same time in a tournament round
    openid: OpenId | None = None  # sign-in with a provider, in addition to the other ways

    @property
    def prefix(self) -> str:
        """Return the path of PUBLIC_URL, such as `/cards`; empty if the server has its own host
        name.
        """
        return urlsplit(self.public_url).path

    @property
    def channel(self) -> str:
        """Return the Redis channel on which this installation's processes wake each other.

        Two installations on one Redis have different secrets. The channel is derived from the
        oldest secret, so that putting a new one in front of it changes nothing.
        """
        oldest = (self.secret_key.split() or [""])[-1]
        digest = hashlib.sha256(f"kaboom/push/v1|{oldest}".encode()).hexdigest()
        return f"kaboom-{digest[:16]}"


def from_environment(environ: Mapping[str, str] = os.environ) -> ServerSettings:
    """Return the settings from the environment; raises InvalidSetting with a sentence for
    the host.
    """
    _refuse_gone(environ)
    default = ServerSettings()
    where_to_listen(environ)  # which checks HOST and PORT
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
        # Flask sets this when a command runs: a backup, for example, must not make bots' moves.
        clock=_switch(environ, "CLOCK", default.clock)
        and environ.get("FLASK_RUN_FROM_CLI") != "true",
        pseudo_language=_switch(environ, "PSEUDO_LANGUAGE", default.pseudo_language),
        tournaments_listed=_switch(environ, "TOURNAMENTS_LISTED", default.tournaments_listed),
        tournament_tables=max(1, _whole(environ, "TOURNAMENT_TABLES", default.tournament_tables)),
        openid=_openid(environ),
    )


def where_to_listen(environ: Mapping[str, str] = os.environ) -> str:
    """Return the address at which gunicorn listens: `127.0.0.1:8000`, `[::1]:8000`, or `unix:` and
    a socket file.

    Raises InvalidSetting for a socket file without an absolute path, and for an impossible port.
    """
    port = environ.get("PORT") or "8000"
    if not port.isdecimal() or int(port) > 65535:
        raise InvalidSetting(f"PORT must be a number from 0 to 65535, not “{port}”.")
    host = environ.get("HOST") or "0.0.0.0"
    if host.startswith(SOCKET_FILE):
        if not host.startswith(f"{SOCKET_FILE}/") or host.endswith("/"):
            raise InvalidSetting(
                f"HOST must name a socket file by its full path, such as {SOCKET_FILE}/run/kaboom/"
                f"kaboom.sock, not “{host}”."
            )
        return host
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def misspelt(environ: Mapping[str, str] = os.environ) -> list[str]:
    """Return a sentence for each variable that looks like a misspelt setting."""
    found = {name: get_close_matches(name, SETTINGS, 1, ALIKE) for name in environ}
    return [
        f"{name} is not a setting. Did you mean {close[0]}?"
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
            f"The port in {name} must be from 0 to 65535. "
            "Write # and / in a password as %23 and %2F."
        ) from None


def _secrets(text: str, database_url: str) -> str:
    if not text and not database_url.startswith("sqlite"):
        raise InvalidSetting(
            f"SECRET_KEY is needed with a database server: at least {LEAST_SECRET} random "
            "characters."
        )
    if any(len(secret) < LEAST_SECRET for secret in text.split()):
        raise InvalidSetting(f"SECRET_KEY must be at least {LEAST_SECRET} characters long.")
    return text


def _address(environ: Mapping[str, str], name: str, beginnings: tuple[str, ...]) -> str:
    text = environ.get(name, "")
    if text and not text.startswith(beginnings):
        raise InvalidSetting(f"{name} must begin with {' or '.join(beginnings)}.")
    if text in beginnings:
        raise InvalidSetting(f"{name} must name a server after {text}.")
    _port_of(text, name)
    return text


def _public(environ: Mapping[str, str]) -> str:
    text = _address(environ, "PUBLIC_URL", ("https://", "http://")).rstrip("/")
    parts = urlsplit(text)
    if text and not parts.hostname:
        raise InvalidSetting(
            "PUBLIC_URL must be a URL with a host name, such as https://cards.example.org."
        )
    if "?" in text or "#" in text or not re.fullmatch(PATH, parts.path):
        raise InvalidSetting(
            "PUBLIC_URL must end after the host name or after a path of plain names, such as "
            f"{parts.scheme}://{parts.netloc}/cards."
        )
    return text


def _names(text: str) -> tuple[str, ...]:
    if "/" in text:
        raise InvalidSetting("TRUSTED_HOSTS must be host names, such as cards.example.org.")
    return tuple(text.split())


def _mail(environ: Mapping[str, str]) -> tuple[str, str]:
    url = _address(environ, "SMTP_URL", ("smtp://", "smtps://", "smtp+plain://"))
    sender = environ.get("MAIL_FROM", "")
    if url and not re.fullmatch(r"[!-?A-~]+@[!-?A-~]+", sender):
        raise InvalidSetting(
            "SMTP_URL needs MAIL_FROM, the sender's address, such as me@example.org."
        )
    if url and not environ.get("PUBLIC_URL"):
        raise InvalidSetting("PUBLIC_URL is needed with SMTP_URL, because e-mails contain links.")
    return url, sender


def _openid(environ: Mapping[str, str]) -> OpenId | None:
    issuer = _address(environ, "OPENID_ISSUER", ("https://", "http://"))
    client = environ.get("OPENID_CLIENT_ID", "")
    only = _switch(environ, "OPENID_ONLY", False)
    if not issuer:
        if client or only:
            raise InvalidSetting("OPENID_ISSUER is needed to sign players in by OpenID.")
        return None
    parts = urlsplit(issuer)
    if not parts.hostname or parts.username is not None or parts.query or parts.fragment:
        raise InvalidSetting("OPENID_ISSUER must be a URL such as https://id.example.org.")
    if parts.scheme == "http" and parts.hostname not in LOOPBACK:
        raise InvalidSetting("OPENID_ISSUER must begin with https:// unless it is on this machine.")
    if not client:
        raise InvalidSetting("OPENID_CLIENT_ID is needed with OPENID_ISSUER.")
    if not environ.get("PUBLIC_URL"):
        raise InvalidSetting(
            "PUBLIC_URL is needed with OPENID_ISSUER, because the provider sends players back "
            "to it."
        )
    name = " ".join(environ.get("OPENID_NAME", "").split()) or parts.hostname
    if len(name) > LONGEST_NAME or not name.isprintable():
        raise InvalidSetting(
            f"OPENID_NAME must have at most {LONGEST_NAME} characters, all printable."
        )
    return OpenId(issuer, client, environ.get("OPENID_CLIENT_SECRET", ""), name, only)


def _contact(text: str) -> str:
    if not text or re.fullmatch(r"(https://|mailto:)[!-~]+", text):
        return text
    if not re.fullmatch(r"[!-~]+@[!-~]+", text):
        raise InvalidSetting("CONTACT must be an e-mail address or begin with https://.")
    return f"mailto:{text}"


def _refuse_gone(environ: Mapping[str, str]) -> None:
    """Raise InvalidSetting for a removed setting. If it were ignored, the links of one hall would
    lead to the database of another.
    """
    for name in GONE:
        if environ.get(name):
            raise InvalidSetting(
                f"{name} is set, but halls were removed. Give each hall its own host name, then "
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
    if not text.isdecimal():
        raise InvalidSetting(f"{name} must be a whole number, not “{text}”.")
    return int(text)
