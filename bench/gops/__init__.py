"""Solves GOPS, and fits the nets its bot thinks with."""
