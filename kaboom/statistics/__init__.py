"""Statistics: a player's figures, streaks and stamps, head-to-head results, and a public page."""
