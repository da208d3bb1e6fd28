"""Several windows on one workspace: whose a file is that carries the number of a process.

A file that was set aside carries none: it is nobody's, and stays.
"""

from __future__ import annotations

import os
from itertools import count
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


def free_aside(folder: Path, stem: str, suffix: str) -> Path:
    """A name that is free for what is set aside in a folder: ``STEM.aside-N.SUFFIX``."""
    names = (folder / f"{stem}.aside-{number}.{suffix}" for number in count(1))
    return next(each for each in names if not each.exists())
