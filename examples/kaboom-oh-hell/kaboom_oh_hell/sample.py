"""Facts about Oh Hell for its tests."""

from kaboom.engine.toolkit.fixtures import Glimpse, Sample

SAMPLE = Sample(
    short={"cards": 2},
    long={"cards": 10},
    variants=({"cards": 3, "turn_seconds": 20}, {"cards": 3, "hook": False}),
    places=("stock", "hands", "trick", "gone"),
    count=lambda state, seats: {52},
    glimpses=(Glimpse("bid", "bidding", after=2), Glimpse("follow", "follow_suit", after=14)),
    going_on="bid so far|leads|is next|Your turn",
    wishes=("^Next deal", r"^\d$"),
    done="You (bid|play)",
    sends="^Play a card",
)
