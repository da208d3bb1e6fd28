"""Very long names, which would make a page of megabytes: shown without their middle.

Every other file of an export has them whole.
"""

from __future__ import annotations

import re
from typing import Final

#: Longer names lose their middle.
_LONGEST: Final = 200
_KEPT: Final = 98  # characters at each end, beside the ellipsis and its spaces
_LONG_WORD: Final = re.compile(rf"\S{{{_LONGEST + 1},}}")


def short_name(name: str) -> str:
    """A name of at most 200 characters, with an ellipsis where its middle is left out."""
    return (
        name if len(name) <= _LONGEST else f"{name[:_KEPT]} \N{HORIZONTAL ELLIPSIS} {name[-_KEPT:]}"
    )


def short_words(text: str) -> str:
    """A sentence in which no word, which is a name then, is longer than that."""
    if len(text) <= _LONGEST:
        return text
    return _LONG_WORD.sub(lambda found: short_name(found[0]), text)
