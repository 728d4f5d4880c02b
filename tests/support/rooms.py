"""The rooms of the package: a room imports only itself and those above it."""

ROOMS = (
    "engine", "games", "db", "realtime", "web", "sharing", "accounts", "tables", "notifications",
    "social", "ratings", "correspondence", "table_page", "daily", "tournaments", "records",
    "challenges", "review", "coach", "learn", "puzzles", "matchmaking", "statistics", "lobby",
    "remote_bots", "admin",
)  # fmt: skip
