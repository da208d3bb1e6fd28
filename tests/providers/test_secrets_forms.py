"""A secret is found in every form in which a server may echo it."""

from __future__ import annotations

import base64
import html
import json
from urllib.parse import quote, quote_plus

import pytest
from hypothesis import given
from hypothesis import strategies as st

from relaybench.providers.redaction import REMOVED, Redactor

KEY = 'sk-pl@nted/0123+456"789&<x>'
_KEYS = st.text(st.characters(min_codepoint=33, max_codepoint=126), min_size=12, max_size=60)


@pytest.mark.parametrize(
    "echo",
    [
        KEY,
        json.dumps({"message": f"bad key {KEY}"}),
        json.dumps({"message": f"bad key {KEY}"}).replace("/", "\\/"),
        f"<p>{html.escape(KEY)}</p>",
        f"https://elsewhere.test/?key={quote(KEY, safe='')}",
        f"https://elsewhere.test/?key={quote_plus(KEY)}",
        f"https://elsewhere.test/{quote(KEY)}",
        base64.b64encode(KEY.encode()).decode(),
        base64.urlsafe_b64encode(KEY.encode()).decode(),
        base64.b64encode(f"Bearer {KEY}".encode()).decode(),
        base64.b64encode(f"user:{KEY}\n".encode()).decode(),
    ],
)
def test_an_echo_is_removed(echo: str) -> None:
    shown = Redactor([KEY]).text(f"before {echo} after")
    assert REMOVED in shown
    assert shown.startswith("before ")
    assert shown.endswith(" after")
    for form in (KEY, KEY[4:-6], quote(KEY, safe="")[6:-8], html.escape(KEY)[4:-6]):
        assert form not in shown


@given(_KEYS, st.binary(max_size=9), st.binary(max_size=9))
def test_base64_of_a_text_with_the_secret_does_not_give_it_away(
    key: str, before: bytes, after: bytes
) -> None:
    echo = base64.b64encode(before + key.encode() + after).decode()
    shown = Redactor([key]).text(echo)
    assert REMOVED in shown
    left = shown.replace(REMOVED, "")
    assert len(left) * 3 // 4 <= len(before) + len(after) + 4


@given(st.text(max_size=80))
def test_what_holds_no_secret_is_left_alone(text: str) -> None:
    redactor = Redactor(["sk-0123456789-abcdefghij"])
    assert redactor.text(text) == text


def test_a_key_escaped_character_by_character_is_found() -> None:
    secret = 'sk-two/+="\\x9876543210'
    redactor = Redactor([secret])
    some = json.dumps(secret).replace("+", "\\u002B").replace("=", "\\u003d").replace("/", "\\/")
    every = "".join(f"\\u{ord(char):04X}" for char in secret)
    for form in (some, every, secret.encode().hex(), secret.encode().hex().upper()):
        assert redactor.text(f"a {form} z").replace('"', "") == f"a {REMOVED} z", form
    untouched = "a \\u002B b"
    assert redactor.text(untouched) == untouched
