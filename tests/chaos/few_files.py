"""gunicorn in a process limited to 400 open files, 300 of which are connections."""

import resource

from gunicorn.app.wsgiapp import run

if __name__ == "__main__":
    resource.setrlimit(resource.RLIMIT_NOFILE, (400, 400))
    run()
