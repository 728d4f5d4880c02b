"""Read by Orca as its user's own settings: it says everything into a file, and nothing aloud."""

import sys
from pathlib import Path

from orca import settings

sys.path.insert(0, str(Path(__file__).resolve().parent))
settings.speechServerFactory = "speech_in_lines"
settings.speechFactoryModules = ["speech_in_lines"]
settings.enableBraille = False
settings.enableSound = False
settings.timeoutTime = 0  # no check for hanging, which kills where a machine is slow
