"""Kaboom's worker with shorter timeouts, so that tests wait less than people may."""

from kaboom.realtime.gunicorn_worker import Worker as InEarnest


class Worker(InEarnest):
    patience = 1.0
    until_read = 1.0
