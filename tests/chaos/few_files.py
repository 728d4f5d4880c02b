"""gunicorn in a process that may have 400 files open, however many this machine allows: 300 are
connections.
"""

import resource

from gunicorn.app.wsgiapp import run

if __name__ == "__main__":
    resource.setrlimit(resource.RLIMIT_NOFILE, (400, 400))
    run()
