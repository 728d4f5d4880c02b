"""Correspondence play, with days for each decision: vacations and reminders."""
