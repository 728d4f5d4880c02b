"""Requests from this server to others."""
