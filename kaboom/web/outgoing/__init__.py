"""Requests from this server to other servers: where they may go, and the client that sends them."""
