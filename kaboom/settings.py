"""Every setting of a server, from environment variables, with its default."""

import hashlib
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
LEAST_SECRET = 32  # characters


class BadSetting(ValueError):
    """A setting that cannot be used; str() is a sentence for the host."""


@dataclass(frozen=True, slots=True)
class ServerSettings:
    """The settings of a server; docs/hosting.md lists them for hosts."""

    database_url: str = f"sqlite:///{ROOT / 'instance' / 'kaboom.sqlite3'}"
    secret_key: str = ""  # seals what tells of cards; several, newest first, split by spaces
    redis_url: str = ""  # empty: one worker, push inside the process
    workers: int = 1  # processes; more than one needs a database server and Redis
    trusted_hosts: tuple[str, ...] = ()  # names this server answers to; empty: to any
    public_url: str = ""  # what invitations begin with; empty: as the browser asked
    bot_seconds: tuple[float, float] = (1.0, 2.5)
    rate_limits: bool = True
    proxies: int = 0  # how many reverse proxies stand in front and set X-Forwarded-*
    expire_days: int = 30  # a table nobody touched for so long is taken away; 0: never
    metrics_token: str = ""  # what /metrics asks for; empty: it answers this machine only
    clock: bool = True  # does this process run the clock?
    pseudo_language: bool = False  # may browsers ask for the language that tests read?

    @property
    def channel(self) -> str:
        """Return the Redis channel on which this installation's processes wake each other.

        Two installations on one Redis have two secrets. The oldest counts, so that a new one in
        front of it changes nothing.
        """
        oldest = (self.secret_key.split() or [""])[-1]
        return "kaboom-" + hashlib.sha256(f"kaboom/push/v1|{oldest}".encode()).hexdigest()[:16]


def from_environment(environ: Mapping[str, str] = os.environ) -> ServerSettings:
    """Return the settings the environment gives; raises BadSetting with a sentence."""
    default = ServerSettings()
    database_url = environ.get("DATABASE_URL") or default.database_url
    return ServerSettings(
        database_url=_database(database_url),
        secret_key=_secrets(environ.get("SECRET_KEY", ""), database_url),
        redis_url=_address(environ, "REDIS_URL", ("redis://", "rediss://", "unix://")),
        workers=_whole(environ, "WEB_CONCURRENCY", default.workers),
        public_url=_address(environ, "PUBLIC_URL", ("https://", "http://")).rstrip("/"),
        trusted_hosts=tuple(environ.get("TRUSTED_HOSTS", "").split()),
        bot_seconds=_two_numbers(environ, "BOT_SECONDS", default.bot_seconds),
        rate_limits=_switch(environ, "RATE_LIMITS", default.rate_limits),
        proxies=_whole(environ, "PROXIES", default.proxies),
        expire_days=_whole(environ, "EXPIRE_DAYS", default.expire_days),
        metrics_token=environ.get("METRICS_TOKEN", ""),
        # Flask says so when a command runs: a backup must not play on for the bots.
        clock=_switch(environ, "CLOCK", default.clock)
        and environ.get("FLASK_RUN_FROM_CLI") != "true",
        pseudo_language=_switch(environ, "PSEUDO_LANGUAGE", default.pseudo_language),
    )


def _database(url: str) -> str:
    if not url.startswith(("sqlite:///", "postgres://", "postgresql://", "postgresql+psycopg://")):
        raise BadSetting("DATABASE_URL must begin with sqlite:/// or postgresql://.")
    return url


def _secrets(text: str, database_url: str) -> str:
    if not text and not database_url.startswith("sqlite"):
        raise BadSetting(
            f"With a database server SECRET_KEY is needed: {LEAST_SECRET} random characters."
        )
    if any(len(secret) < LEAST_SECRET for secret in text.split()):
        raise BadSetting(f"SECRET_KEY must be at least {LEAST_SECRET} characters long.")
    return text


def _address(environ: Mapping[str, str], name: str, beginnings: tuple[str, ...]) -> str:
    text = environ.get(name, "")
    if text and not text.startswith(beginnings):
        raise BadSetting(f"{name} must begin with {' or '.join(beginnings)}.")
    return text


def _switch(environ: Mapping[str, str], name: str, default: bool) -> bool:
    text = environ.get(name)
    if not text:
        return default
    if text not in ("0", "1"):
        raise BadSetting(f"{name} must be 0 or 1, not “{text}”.")
    return text == "1"


def _two_numbers(
    environ: Mapping[str, str], name: str, default: tuple[float, float]
) -> tuple[float, float]:
    text = environ.get(name)
    if not text:
        return default
    try:
        least, most = (float(part) for part in text.split("-"))
    except ValueError:
        least, most = -1.0, -1.0
    if not 0 <= least <= most:
        raise BadSetting(f"{name} must be two numbers of seconds like 1-2.5, not “{text}”.")
    return least, most


def _whole(environ: Mapping[str, str], name: str, default: int) -> int:
    text = environ.get(name)
    if not text:
        return default
    if not text.isdigit():
        raise BadSetting(f"{name} must be a whole number, not “{text}”.")
    return int(text)
