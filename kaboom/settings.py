"""Every setting of a server, from environment variables, with its default."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]


class BadSetting(ValueError):
    """A setting that cannot be used; str() is a sentence for the host."""


@dataclass(frozen=True, slots=True)
class ServerSettings:
    """The settings of a server; README.md lists them for hosts."""

    database_url: str = f"sqlite:///{ROOT / 'instance' / 'kaboom.sqlite3'}"
    secret_key: str = ""  # seals what tells of cards; several, newest first, split by spaces
    redis_url: str = ""  # empty: one worker, push inside the process
    public_url: str = ""  # what invitations begin with; empty: as the browser asked
    bot_seconds: tuple[float, float] = (1.0, 2.5)
    rate_limits: bool = True
    proxies: int = 0  # how many reverse proxies stand in front and set X-Forwarded-*
    expire_days: int = 30  # a table nobody touched for so long is taken away; 0: never
    metrics_token: str = ""  # what /metrics asks for; empty: it answers this machine only
    clock: bool = True  # does this process run the clock?
    pseudo_language: bool = False  # may browsers ask for the language that tests read?


def from_environment(environ: Mapping[str, str] = os.environ) -> ServerSettings:
    """Return the settings the environment gives; raises BadSetting with a sentence."""
    default = ServerSettings()
    return ServerSettings(
        database_url=environ.get("DATABASE_URL") or default.database_url,
        secret_key=environ.get("SECRET_KEY", ""),
        redis_url=environ.get("REDIS_URL", ""),
        public_url=environ.get("PUBLIC_URL", "").rstrip("/"),
        bot_seconds=_two_numbers(environ, "BOT_SECONDS", default.bot_seconds),
        rate_limits=environ.get("RATE_LIMITS", "1") != "0",
        proxies=_whole(environ, "PROXIES", default.proxies),
        expire_days=_whole(environ, "EXPIRE_DAYS", default.expire_days),
        metrics_token=environ.get("METRICS_TOKEN", ""),
        # Flask says so when a command runs: a backup must not play on for the bots.
        clock=environ.get("CLOCK", "1") != "0" and environ.get("FLASK_RUN_FROM_CLI") != "true",
        pseudo_language=environ.get("PSEUDO_LANGUAGE") == "1",
    )


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
