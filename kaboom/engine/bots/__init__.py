"""Seats played by the house."""
