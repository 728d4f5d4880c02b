"""Chat, friends and clubs: what this room adds to an application."""

from flask import Flask

from kaboom.social.chat import operations as chat_operations
from kaboom.social.chat import room
from kaboom.social.chat import routes as chat
from kaboom.social.clubs import operations as club_operations
from kaboom.social.clubs import routes as clubs
from kaboom.social.clubs import service
from kaboom.social.friends import routes as friends
from kaboom.tables.context import tables
from kaboom.web import code_attempts
from kaboom.web.session import key_hash

__all__ = ["chat_operations", "club_operations", "init_app"]


def init_app(app: Flask) -> None:
    """Register the pages, and note who reads what is said."""
    room.init_app(app)
    for bp in (chat.bp, friends.own, friends.bp, clubs.bp):
        app.register_blueprint(bp)


def is_inside(club: str) -> bool:
    """Return True if the player who asks may know a club."""
    return bool(service.name_to(tables(), club, key_hash()))


code_attempts.belongs["club"] = is_inside
