"""Production entry point for gunicorn: gevent's patches first, then the application."""

import sys

from gevent import monkey

monkey.patch_all()

# Everything else must be imported after the patches.
from gunicorn.arbiter import Arbiter  # noqa: E402

from kaboom.app import create_app  # noqa: E402
from kaboom.cli.errors import FORESEEN, sentence  # noqa: E402

try:
    app = create_app()
except FORESEEN as wrong:
    print(sentence(wrong), file=sys.stderr, flush=True)
    sys.exit(Arbiter.WORKER_BOOT_ERROR)  # otherwise gunicorn would retry forever
