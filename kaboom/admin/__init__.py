"""The host's pages: this server's hosts, their acts, and what they may do about a player."""
