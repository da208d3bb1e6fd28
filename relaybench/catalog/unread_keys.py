"""Keys of a catalog file that must not stand there: those that nothing reads, and secrets."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Mapping
from typing import Final

from relaybench.domain.finding import Fault, KeyPath
from relaybench.domain.secret_names import is_secret_name
from relaybench.toml_files.fields import Fields

#: How keys of well-known services begin.
KEY_FORM: Final = re.compile(
    r"(?:sk|pk|rk|xai|key|nvapi|pplx|fw|csk|tgp_v1)[-_]|(?:gsk|hf|r8|ghp)_|AIza|AKIA|Bearer",
    re.IGNORECASE,
)
#: A whole text that is such a key, not a word that begins like one.
KEY: Final = re.compile(
    rf"Bearer\s+\S+|(?:{KEY_FORM.pattern})(?=\S*[0-9])[\w.+/=-]{{16,}}", re.IGNORECASE
)


def no_unread(fields: Fields, what: str, mend: str) -> None:
    """Add a fault for each key that was not asked for; ``notes`` are the author's own."""
    for key in fields.table:
        if key in fields.known or key == "notes":
            continue
        if KEY_FORM.match(key):
            key_shown, path = "a key of this table", fields.path  # it may be a secret itself
        else:
            key_shown, path = key, (*fields.path, key)
        near = difflib.get_close_matches(key, fields.known, 1, 0.75)
        if is_secret_name(key):
            advice = 'name the variable that holds it: key_env = "…"; never put a key in this file'
        else:
            advice = f"did you mean {near[0]}?" if near else mend
        fields.faults.append(Fault(path, "unknown-key", f"{key_shown} is not {what}", advice))


def secret_places(value: object, path: KeyPath = ()) -> Iterator[KeyPath]:
    """Where settings hold what by its name or its form is a secret, at any depth.

    A switch (true or false) is none, whatever it is called.
    """
    if isinstance(value, Mapping):
        for name, each in value.items():
            if KEY.fullmatch(str(name)):
                yield path  # not the name itself: it would be shown
            elif is_secret_name(str(name)) and not isinstance(each, bool):
                yield (*path, str(name))
            else:
                yield from secret_places(each, (*path, str(name)))
    elif isinstance(value, list):
        for place, each in enumerate(value):
            yield from secret_places(each, (*path, place))
    elif isinstance(value, str) and KEY.fullmatch(value.strip()):
        yield path
