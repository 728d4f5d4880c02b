"""Registers the chat, friends and club pages with the application."""

from flask import Flask

from kaboom.social.chat import openapi as chat_openapi
from kaboom.social.chat import room
from kaboom.social.chat import routes as chat
from kaboom.social.clubs import openapi as club_openapi
from kaboom.social.clubs import routes as clubs
from kaboom.social.clubs import service
from kaboom.social.friends import routes as friends
from kaboom.tables.context import tables
from kaboom.web import code_attempts
from kaboom.web.session import key_hash

__all__ = ["chat_openapi", "club_openapi", "init_app"]


def init_app(app: Flask) -> None:
    """Register the pages, and record who is present at tables."""
    room.init_app(app)
    for bp in (chat.bp, friends.own, friends.bp, clubs.bp):
        app.register_blueprint(bp)


def is_inside(club: str) -> bool:
    """Return True if the requester is a member of the club with that code."""
    return bool(service.name_to(tables(), club, key_hash()))


code_attempts.belongs["club"] = is_inside
