"""A coach for tests that works in the test's process, with few deals."""

from kaboom.coach import judging
from kaboom.coach.process import work
from kaboom.coach.runner import Coach
from tests.coach.test_judging import BRIEFLY


class HereCoach(Coach):
    """A coach without a separate process."""

    def progress(self, task):
        """Yield judgements, after each step."""
        yield from work(task, judging.stopped)


def coached(service, monkeypatch):
    """Coach everything that waits, briefly."""
    for name, value in BRIEFLY.items():
        monkeypatch.setattr(judging, name, value)
    coach = HereCoach(service)
    while coach.coach_next():
        pass
