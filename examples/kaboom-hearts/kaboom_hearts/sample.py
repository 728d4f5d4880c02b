"""Facts about Hearts for its tests."""

from kaboom.engine.toolkit.fixtures import Glimpse, Sample

SAMPLE = Sample(
    short={"limit": 10},
    long={"limit": 200},
    variants=({"limit": 50}, {"limit": 50, "pass_seconds": 20, "play_seconds": 20}),
    sealed={"pass": ""},
    together=frozenset({"pass"}),
    places=("hands", "trick", "taken"),
    count=lambda state, seats: {52},
    glimpses=(
        Glimpse("lead", "follow_suit", after=12, options={"limit": 10}),
        Glimpse("pass", "pass_now"),
        Glimpse("match-over", "over", options={"limit": 10}),
    ),
    going_on="Waiting for|Your turn|is next",
    wishes=("^Next deal",),
    sends="^Pass to|^Play a card",
    done="You (play|pass|have chosen)",
)
