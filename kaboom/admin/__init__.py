"""The host's pages: this server's hosts, their acts, and what they can do about a player."""
