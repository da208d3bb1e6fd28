"""Which settings hold a secret, told by their names: one rule for reading and for publishing."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Final

#: The words of a name: ``api_key``, ``x-api-key``, ``apiKey`` and ``APIKey`` have the same two.
_WORD: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
#: Words that stand for a secret wherever they stand in a name.
_ALWAYS: Final = frozenset(
    {
        *("apikey", "apikeys", "apitoken", "accesskey", "accesstoken", "authtoken", "authkey"),
        *("secretkey", "privatekey", "secret", "secrets", "credential", "credentials", "jwt"),
        *("authorization", "authentication", "bearer", "cookie", "cookies"),
        *("password", "passwords", "passwd", "passphrase", "pwd"),
    }
)
#: A name that ends so holds a secret, but for the words before it that make it harmless.
_LAST: Final = frozenset({"auth", "key", "token"})
_HARMLESS_BEFORE: Final = frozenset(
    {
        *("cache", "sort", "group", "max", "min", "per", "first", "last", "next", "page"),
        *("eos", "bos", "pad", "unk", "sep", "mask", "stop", "start", "begin", "end"),
        "continuation",
    }
)
_PLURALS: Final = frozenset({"keys", "tokens"})
_OF_SECRETS: Final = frozenset({"access", "api", "auth", "private", "refresh", "secret", "session"})


def is_secret_name(name: str) -> bool:
    """Whether a setting of this name holds a secret: ``api_key`` does, ``prompt_cache_key`` not."""
    words = [word.lower() for word in _WORD.findall(name)]
    if _ALWAYS & set(words) or ("api", "key") in pairwise(words):
        return True
    if not words:
        return False
    before = words[-2] if len(words) > 1 else ""
    if words[-1] in _PLURALS:
        return before in _OF_SECRETS
    return words[-1] in _LAST and before not in _HARMLESS_BEFORE
