"""The scope a key needs, route by route. Keys are refused at routes that are not named here."""

from kaboom.web.api.scopes import FREE, NEVER, Scope

PLAY = {
    "chat.call",
    "chat.hands",
    "table.cut",
    "table.decide_ahead",
    "table.give_password",
    "table.hand_over",
    "table.hint",
    "table.leave",
    "table.more",
    "table.move",
    "table.nudge",
    "table.propose",
    "table.ready",
    "table.rematch",
    "table.sit",
    "table.take_over",
    "table.vote",
}
TABLE = {
    "chat.spectators",
    "daily.play",
    "host.access",
    "host.bots",
    "host.change_options",
    "host.seats",
    "table.bot",
    "table.end",
    "table.play_hosts_move",
    "table.remove",
    "table.start",
    "tables.open_table",
}
TALK = {
    "chat.delete",
    "chat.mute",
    "chat.page",
    "chat.room",
    "chat.say_it",
    "chat.unmute",
    "voices.talk_json",
    "voices.talk_text",
}
POSTS = {
    **dict.fromkeys(PLAY, Scope.PLAY),
    **dict.fromkeys(TABLE, Scope.TABLE),
    **dict.fromkeys(TALK, Scope.TALK),
}
# Whose pages may be looked at: those of tables, matches, games.
LOOK = {
    "calls.turns",
    "chat",
    "daily",
    "host",
    "listings",
    "lobby",
    "me.show",
    "look",
    "pages",
    "ratings",
    "record",
    "record_files",
    "status",
    "table",
    "tournaments",
    "visits",
    "voices",
}
SAME_FOR_ALL = {"documents", "sharing", "static"}


def needed(endpoint: str, method: str) -> str:
    """Return the scope a key must have for a route; FREE if any will do, NEVER if none will."""
    blueprint = endpoint.partition(".")[0]
    if blueprint in SAME_FOR_ALL:
        return FREE
    if method in ("GET", "HEAD", "OPTIONS"):
        if endpoint in TALK:
            return Scope.TALK
        return Scope.LOOK if blueprint in LOOK or endpoint in LOOK else NEVER
    return POSTS.get(endpoint, NEVER)
