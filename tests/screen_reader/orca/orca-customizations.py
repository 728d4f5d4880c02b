"""Orca's user settings for tests: speech goes into a file, without sound."""

import sys
from pathlib import Path

from orca import settings

sys.path.insert(0, str(Path(__file__).resolve().parent))
settings.speechServerFactory = "speech_in_lines"
settings.speechFactoryModules = ["speech_in_lines"]
settings.enableBraille = False
settings.enableSound = False
settings.timeoutTime = 0  # no check for hanging, which would kill it on a slow machine
