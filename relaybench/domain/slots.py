"""Slots ``{{name}}`` in templates: found and filled in one pass, everything else literal."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import Final

#: What stands between the braces.
SLOT_NAME: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_SLOT: Final = re.compile(rf"\{{\{{({SLOT_NAME.pattern})\}}\}}")
_ALMOST: Final = re.compile(rf"\{{\{{(?: +{SLOT_NAME.pattern} *| *{SLOT_NAME.pattern} +)\}}\}}")


def all_slots(template: str) -> tuple[str, ...]:
    """Names of everything in the template that has a slot's form, each once, in order."""
    return tuple(dict.fromkeys(_SLOT.findall(template)))


def almost_slots(template: str) -> tuple[str, ...]:
    """What may be meant as a slot but is none, as written: ``{{ name }}`` with spaces."""
    return tuple(dict.fromkeys(match[0] for match in _ALMOST.finditer(template)))


def slots_in(template: str, declared: Collection[str]) -> tuple[str, ...]:
    """Names of the declared slots that the template uses, each once, in order."""
    return tuple(name for name in all_slots(template) if name in declared)


def fill(template: str, values: Mapping[str, str]) -> str:
    """Put values into their slots in one pass; what was filled in is never scanned again.

    Only names in ``values`` are slots; braces, ``$``, ``%`` and backslashes stay as they are.
    """
    return _SLOT.sub(lambda slot: values.get(slot[1], slot[0]), template)
