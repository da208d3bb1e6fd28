"""Text as it came, reversibly.

SQLite's own functions stop at a NUL and no UTF-8 text can hold a lone surrogate, yet models send
both. Plain text is stored as TEXT, so that any SQL client reads it; anything else as a BLOB of
UTF-8 with surrogates passed through. Which of the two it is says how to read it back.
"""

from __future__ import annotations


def pack(text: str | None) -> str | bytes | None:
    """Make a text fit for a column."""
    if text is None:
        return None
    if "\0" not in text:
        try:
            text.encode("utf-8")
        except UnicodeEncodeError:
            pass
        else:
            return text
    return text.encode("utf-8", "surrogatepass")


def unpack(value: str | bytes | None) -> str:
    """Read a text column back, exactly; NULL reads as empty."""
    if isinstance(value, bytes):
        return value.decode("utf-8", "surrogatepass")
    return value or ""


def unpack_or_none(value: str | bytes | None) -> str | None:
    """Read a text column in which NULL has a meaning of its own."""
    return None if value is None else unpack(value)
