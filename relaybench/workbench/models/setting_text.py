"""Settings of a model as one line of text, as TOML writes them, and back."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from datetime import date, datetime, time

from relaybench.domain.errors import UsageError


def written(value: object) -> str:
    """A setting as TOML writes it in one line."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list | tuple):
        return f"[{', '.join(written(each) for each in value)}]"
    if isinstance(value, Mapping):
        pairs = (f"{_key(str(key))} = {written(each)}" for key, each in value.items())
        return f"{{ {', '.join(pairs)} }}" if value else "{}"
    if isinstance(value, str):
        return _quoted(value)
    return value.isoformat() if isinstance(value, date | datetime | time) else str(value)


def _quoted(text: str) -> str:
    # What JSON escapes TOML reads the same; it wants this one escaped too.
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _key(name: str) -> str:
    plain = name.isascii() and name.replace("-", "").replace("_", "").isalnum()
    return name if plain else _quoted(name)


def read_value(text: str) -> object:
    """Read a value as TOML writes it; text without quotes that is no other value is text.

    Raises UsageError for a list, table or text that is begun as one and is none.
    """
    typed = text.strip()
    try:
        found = tomllib.loads(f"value = {typed}")
    except (tomllib.TOMLDecodeError, ValueError) as error:
        if typed[:1] in ("[", "{", '"', "'"):
            raise UsageError(f"{typed!r} is not a TOML value: {error}") from error
        return text
    return found["value"] if len(found) == 1 else text


def read_setting(text: str) -> tuple[str, object]:
    """Read ``key=value``; ``options.key=value`` gives a table with one key.

    Raises UsageError where there is no ``=``.
    """
    name, equals, value = text.partition("=")
    keys = [each.strip() for each in name.split(".")]
    if not equals or not all(keys):
        raise UsageError(f"{text!r} is no setting; write KEY=VALUE, such as concurrency=2")
    found: object = read_value(value)
    for key in reversed(keys[1:]):
        found = {key: found}
    return keys[0], found
