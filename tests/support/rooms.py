"""The rooms of the house: a room imports only those that stand above it, and itself."""

ROOMS = (
    "engine", "games", "db", "realtime", "web", "accounts", "tables", "notifications", "social",
    "ratings", "play", "tournaments", "records", "lobby",
)  # fmt: skip
