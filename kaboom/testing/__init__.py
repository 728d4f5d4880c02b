"""The contract of every game, built in or from another package, as tests for pytest.

`pytest --pyargs kaboom.testing -k hearts` tests one game, identified by its key. It needs pytest
and none of Kaboom's own tests. A game's `sample.py` makes it faster and more thorough. Each failure
is one sentence: the game, the place in the match, what is wrong and what to do
(kaboom/games/trial.py).
"""
