"""The daily deal: one board a day, the same for all players, against the same bots."""
