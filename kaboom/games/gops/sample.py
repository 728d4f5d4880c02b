"""Test data for the contract tests of GOPS."""

from kaboom.engine.toolkit.fixtures import Glimpse, Sample

SAMPLE = Sample(
    long={"games": 9},
    variants=(
        {"games": 2},
        {"players": 3, "games": 2, "bid_seconds": 20, "last_tie": "split"},
        {"players": 3, "multi_tie": "highest_unique"},
        {"show_prize_order": True},
    ),
    unseen=("last_tie",),
    needs={"multi_tie": {"players": 3}},
    sealed={"bid": ""},
    together=frozenset({"bid"}),
    places=("stack", "on_offer", "won", "unclaimed"),
    count=lambda state, seats: {13},
    going_on=r"On offer: .+\. (Ann has|You have) \d+ points?\.",
    glimpses=(
        Glimpse("bid", "bid_now", after=8),
        Glimpse("match-over", "over"),
        Glimpse("three", "bid_now", after=10, options={"players": 3}),
    ),
    wishes=("^I am ready",),
    sends="^Bid",
    done=r"Round \d+: (you win|Robin wins|a tie)",
)
