"""Registers the statistics pages with the application."""

from collections.abc import Iterable

from flask import Flask
from flask_babel import format_date

from kaboom.engine.toolkit.avatars import face_of
from kaboom.statistics import api, dates, openapi, pictures, public, routes, service
from kaboom.statistics.stamps import STAMPS
from kaboom.tables.context import tables
from kaboom.web.session import key_hash

__all__ = ["init_app", "openapi"]


def init_app(app: Flask) -> None:
    """Register the routes, and what pages in other rooms show about players."""
    app.register_blueprint(routes.bp)
    app.register_blueprint(routes.public_bp)
    app.jinja_env.globals.update(
        bars=pictures.bars,
        days_in_a_row=lambda: service.days_in_a_row(tables(), key_hash()),
        portrait=_portrait,
        public_pages=_public_pages,
        stamp_words=STAMPS,
        statistics_words=api,
    )
    app.jinja_env.filters.update(
        date_of=format_date,
        face_of=face_of,
        month_of=dates.month_of,
        month_of_date=dates.month_of_date,
        weekday_of_date=dates.weekday_of_date,
    )


def _portrait() -> service.Portrait | None:
    return service.portrait(tables(), key_hash())


def _public_pages(players: Iterable[int | None]) -> dict[int, str]:
    """Return the codes of these players' public pages, without players who have none."""
    return public.codes(tables(), {it for it in players if it})
