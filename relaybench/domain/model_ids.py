"""When two model ids mean the same model: the very id, or a dated snapshot of it."""

from __future__ import annotations

import re
from typing import Final

#: What may follow a model id and still be the same model: a date, a build, "latest".
_SNAPSHOT: Final = re.compile(
    r"[-@:](?:latest|v\d{1,3}(?::\d{1,3})?|\d{3}|\d{4}|\d{6}|\d{8}"
    r"|\d{4}-\d{2}-\d{2}|\d{2}-\d{2}|\d{2}-\d{4}|preview-\d{2}-\d{4})"
)


def names(listed: str, model: str) -> bool:
    """Whether a listed id means a model: that very id, or a dated snapshot of it."""
    if not model.startswith(listed):
        return False
    rest = model[len(listed) :]
    return not rest or _SNAPSHOT.fullmatch(rest) is not None


def same_model(asked: str, served: str | None) -> bool:
    """Whether the model that answered is the one asked for; True where it is not told.

    What stands before a slash (``models/``, a vendor) is not compared, nor are capitals.
    """
    if not served:
        return True
    wanted, came = (each.rsplit("/", 1)[-1].lower() for each in (asked, served))
    return names(wanted.removesuffix("-latest"), came)
