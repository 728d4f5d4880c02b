"""The length of matches in minutes, written by `python -m bench.lengths`."""

# By game, preset and number of players.
MINUTES: dict[str, dict[str, dict[int, int]]] = {
    "gops": {
        "usual": {2: 2},
        "three": {3: 2},
        "long": {2: 5},
        "open": {2: 2},
    },
    "hearts": {
        "usual": {4: 39},
        "short": {4: 14},
        "clock": {4: 39},
    },
    "kaboom": {
        "usual": {2: 6, 3: 16, 4: 28},
        "short": {2: 3, 3: 6, 4: 6},
        "calm": {2: 11, 3: 30, 4: 45},
        "sharp": {2: 7, 3: 15, 4: 28},
    },
    "karata": {
        "usual": {2: 2, 3: 4, 4: 2},
        "karatah": {2: 1, 3: 2, 4: 3},
        "jcardif": {2: 9, 3: 9, 4: 6},
        "w3ndo": {2: 1, 3: 1, 4: 2},
        "wufwuf": {2: 3, 3: 4, 4: 7},
        "street": {2: 5, 3: 2, 4: 3},
        "matatu": {2: 2, 3: 2, 4: 3},
        "fines": {2: 2, 3: 4, 4: 2},
        "long": {2: 25, 3: 24, 4: 22},
        "brisk": {2: 2, 3: 4, 4: 2},
    },
    "koth": {
        "usual": {5: 125},
        "short": {5: 17},
        "brisk": {5: 125},
        "calm": {5: 112},
    },
    "oh_hell": {
        "usual": {3: 7, 4: 9, 5: 12, 6: 14},
        "short": {3: 4, 4: 5, 5: 7, 6: 8},
        "kind": {3: 7, 4: 9, 5: 12, 6: 14},
    },
    "taken": {
        "usual": {2: 8, 3: 7, 4: 6, 5: 6, 6: 6},
        "short": {2: 1, 3: 1, 4: 2, 5: 2, 6: 2},
        "tight": {2: 9, 3: 7, 4: 6, 5: 6, 6: 6},
        "brisk": {2: 8, 3: 7, 4: 6, 5: 6, 6: 6},
    },
}
