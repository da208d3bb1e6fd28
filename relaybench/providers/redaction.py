"""Keep secrets out of whatever is kept, shown or logged."""

from __future__ import annotations

import base64
import html
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Final, cast
from urllib.parse import quote, quote_plus

from relaybench.domain.completion import Completion
from relaybench.domain.errors import ProviderError

REMOVED: Final = "[key removed]"
#: Shorter secrets are not searched for: "none" or "test" would be cut out of honest answers.
SHORTEST: Final = 8


class Redactor:
    """Removes known secrets from text. Opaque: its ``repr`` never shows them."""

    __slots__ = ("_escaped", "_secrets")

    def __init__(self, secrets: Iterable[str]) -> None:
        """Take the secrets; those too short to be told from ordinary words are ignored."""
        long = [secret for secret in secrets if len(secret) >= SHORTEST]
        found = {form for secret in long for form in written_forms(secret)}
        self._escaped = tuple(_with_escapes(secret) for secret in long)
        self._secrets = tuple(sorted(found, key=len, reverse=True))

    def __repr__(self) -> str:
        """Say nothing about the secrets."""
        return "<Redactor>"

    def text(self, text: str) -> str:
        """Return the text without secrets."""
        for secret in self._secrets:
            text = text.replace(secret, REMOVED)
        if "\\u" in text:
            for pattern in self._escaped:
                text = pattern.sub(REMOVED, text)
        return text

    def completion(self, completion: Completion) -> Completion:
        """Return the completion without secrets; unchanged in the usual case of none."""
        return cast(Completion, self._value(completion)) if self._secrets else completion

    def error(self, error: ProviderError) -> ProviderError:
        """Take the secrets out of an error, in place."""
        error.args = tuple(self._value(each) for each in error.args)
        error.raw = self.text(error.raw)
        error.request_json = self.text(error.request_json)
        error.settings_sent = cast(Mapping[str, object], self._value(error.settings_sent))
        error.error_type = None if error.error_type is None else self.text(error.error_type)
        error.error_code = None if error.error_code is None else self.text(error.error_code)
        return error

    def _value(self, value: object) -> object:
        if type(value) is str:
            return self.text(value)
        if isinstance(value, Mapping):
            return {self._value(key): self._value(each) for key, each in value.items()}
        if isinstance(value, list | tuple):
            return type(value)(self._value(each) for each in value)
        if is_dataclass(value) and not isinstance(value, type):
            names = [field.name for field in fields(value)]
            return replace(value, **{name: self._value(getattr(value, name)) for name in names})
        return value


def written_forms(secret: str) -> set[str]:
    """How a server may echo a secret: as it is, escaped for JSON, HTML or a URL, or in base64."""
    escaped = json.dumps(secret)[1:-1]
    forms = {secret, escaped, escaped.replace("/", "\\/"), html.escape(secret)}
    forms |= {quote(secret), quote(secret, safe=""), quote_plus(secret)}
    digits = secret.encode().hex()
    return forms | {digits, digits.upper()} | _in_base64(secret)


def _with_escapes(secret: str) -> re.Pattern[str]:
    """The secret in JSON whose encoder escapes whichever characters it likes."""

    def either(char: str) -> str:
        code = "".join(f"[{digit}{digit.upper()}]" for digit in f"{ord(char):04x}")
        plain = re.escape(char) if char not in '\\"/' else f"\\\\?{re.escape(char)}"
        return f"(?:{plain}|\\\\u{code})"

    return re.compile("".join(map(either, secret)))


def _in_base64(secret: str) -> set[str]:
    """The secret's part of the base64 of any text that holds it.

    Three bytes make four characters, so it depends on what stands before; the first and last
    character, which carry bits of the neighbours too, are left out.
    """
    forms = set()
    for before in range(3):
        raw = base64.b64encode(b"\0" * before + secret.encode()).decode().rstrip("=")
        end = len(raw) - 1 if (before + len(secret.encode())) % 3 else len(raw)
        form = raw[(0, 2, 3)[before] : end]
        forms |= {form, form.replace("+", "-").replace("/", "_")}
    return forms
