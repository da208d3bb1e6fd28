"""sqlite-utils, loaded without NumPy and pandas.

It imports both where they are installed, to know their column types, which no table here has.
That would make every command wait for NumPy, which is installed for the statistics.
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator


@contextlib.contextmanager
def _not_installed(*names: str) -> Iterator[None]:
    """Make modules that are not loaded yet look as if they were not installed."""
    hidden = [name for name in names if name not in sys.modules]
    sys.modules.update(dict.fromkeys(hidden))  # type: ignore[arg-type]  # None refuses an import
    try:
        yield
    finally:
        for name in hidden:
            del sys.modules[name]


with _not_installed("numpy", "pandas"):
    from sqlite_utils import Database, Migrations

__all__ = ["Database", "Migrations"]
