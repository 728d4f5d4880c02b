"""How many examples hypothesis tries."""

from hypothesis import HealthCheck, Phase, settings

from tests.support.effort import LONG


def tried(examples: int, steps: int) -> settings:
    """Return the settings for this many examples of this many steps; fixed ones in `make test`."""
    return settings(
        max_examples=examples,
        stateful_step_count=steps,
        deadline=None,
        derandomize=not LONG,
        database=None,
        phases=(Phase.generate, Phase.shrink) if LONG else (Phase.generate,),
        suppress_health_check=list(HealthCheck),
    )
