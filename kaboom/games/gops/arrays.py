"""numpy on one thread. `values` and `three` use it; they are imported once a bot has to think."""

import os
from typing import Any

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # threads cost more than such small products

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.floating[Any]]
Indices = NDArray[np.intp]

__all__ = ["Indices", "Numbers", "np"]
