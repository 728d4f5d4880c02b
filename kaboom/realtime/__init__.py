"""Tells open pages that something changed, and who is present; it knows no tables and no rules."""
