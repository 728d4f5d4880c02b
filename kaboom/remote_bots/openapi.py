"""The API operations for remote bots."""

from kaboom.accounts.openapi import NAME
from kaboom.remote_bots import schemas
from kaboom.remote_bots.service import CHANGES
from kaboom.web.api.operations import TEXT, Part, PostOperation, Shape, Tag, json_and_text, register
from kaboom.web.api.scopes import Scope, let_read

ID = {"type": "integer", "minimum": 1, "maximum": 999_999_999}

register(
    Tag("bots", "Remote bots", order=35),
    Part("bot", ID),
    Shape(schemas.RemoteBots, order=190),
    Shape(schemas.RemoteBot, order=191),
    Shape(schemas.InvitableBots, order=192),
    *json_and_text(
        "/settings/bots",
        "list_remote_bots",
        "bots",
        "Your bots",
        "RemoteBots",
        scope=Scope.TABLE,
        order=500,
    ),
    *json_and_text(
        "/settings/bots/{bot}",
        "get_remote_bot",
        "bots",
        "Your bot, and its last calls",
        "RemoteBot",
        scope=Scope.TABLE,
        order=502,
    ),
    *json_and_text(
        "/t/{code}/invite-bot",
        "list_invitable_bots",
        "bots",
        "The bots that you may invite",
        "InvitableBots",
        scope=Scope.TABLE,
        order=504,
    ),
    PostOperation(
        "/settings/bots",
        "add_remote_bot",
        "bots",
        "Add a bot; the response has its secret",
        {"bot_name": NAME, "address": TEXT, "name": NAME},
        ("bot_name", "address"),
        answer="RemoteBot",
        status=201,
        scope=Scope.TABLE,
        order=500,
    ),
    PostOperation(
        "/settings/bots/{bot}",
        "change_remote_bot",
        "bots",
        "Check a bot’s URL; pause, resume, share or delete the bot; keep: only you may invite it",
        {"do": {"type": "string", "enum": ["check", *CHANGES, "delete"]}},
        ("do",),
        answer="RemoteBot",
        scope=Scope.TABLE,
        order=501,
    ),
    PostOperation(
        "/t/{code}/invite-bot",
        "invite_remote_bot",
        "bots",
        "Seat a player’s bot at your table",
        {"bot": ID},
        ("bot",),
        scope=Scope.TABLE,
        order=502,
    ),
)

let_read("remote_bots", Scope.TABLE)
let_read("remote_bots_api", Scope.TABLE)
