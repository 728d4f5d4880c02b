"""Kaboom's worker with less patience, so that tests need not wait as long as people may."""

from kaboom.realtime.gunicorn_worker import Worker as InEarnest


class Worker(InEarnest):
    patience = 1.0
    until_read = 1.0
