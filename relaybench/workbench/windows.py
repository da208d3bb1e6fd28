"""Several windows on one workspace: whose a file is that carries the number of a process."""

from __future__ import annotations

import os
from pathlib import Path


def is_others(process: int) -> bool:
    """Whether another process of relaybench with that number is alive."""
    if process == os.getpid():
        return False
    try:
        os.kill(process, 0)
    except PermissionError:
        pass
    except (OSError, OverflowError):
        return False
    try:  # the number may have gone to another program since
        return b"relaybench" in Path(f"/proc/{process}/cmdline").read_bytes()
    except OSError:
        return True
