"""The paper's public pair of a plain and an encoded problem."""

from __future__ import annotations

import re

from encoder import Codebook, decode, encode_with, read_prompt
from encoder.tokens import is_space, split
from tests.encoder.texts import from_the_paper, without_space

PLAIN_PHRASE, ENCODED_PHRASE = "ASCII uppercase letter", "Unicode character"


def codes(body: str) -> list[str]:
    """List the codes of a body."""
    return re.findall(r"<([A-Za-z]{3})>", body)


def test_the_facts_of_the_encoded_example() -> None:
    """Its counts, and that nothing but codes and white space is in the body."""
    encoded = read_prompt(from_the_paper("example-encoded.txt"))
    assert len(encoded.codebook) == 429
    assert encoded.substitutions == 1338
    assert set(re.sub(r"<[A-Za-z]{3}>", "", encoded.body)) <= {" ", "\n"}
    assert encoded.codebook.twins == 0


def test_decoding_gives_the_plain_example_but_for_one_phrase() -> None:
    """The two appendices differ in that phrase only."""
    decoded = decode(from_the_paper("example-encoded.txt"))
    plain = from_the_paper("example-plain.txt")
    assert plain.count(PLAIN_PHRASE) == decoded.count(ENCODED_PHRASE) == 1
    expected = plain.replace(PLAIN_PHRASE, ENCODED_PHRASE)
    assert without_space(decoded) == without_space(expected)


def test_a_saved_windows_copy_decodes_alike() -> None:
    """Carriage returns at line ends do not count."""
    prompt = from_the_paper("example-encoded.txt")
    copy = decode(prompt.replace("\n", "\r\n"))
    assert without_space(copy) == without_space(decode(prompt))


def test_tokens_are_the_papers() -> None:
    """Our tokens of the plain example are the paper's, one by one."""
    encoded = read_prompt(from_the_paper("example-encoded.txt"))
    tokens = dict[str, str](encoded.codebook.entries)
    plain = from_the_paper("example-plain.txt").replace(PLAIN_PHRASE, ENCODED_PHRASE)
    ours = [piece for piece in split(plain) if not is_space(piece)]
    assert ours == [tokens[code] for code in codes(encoded.body)]


def test_encoding_again_gives_the_same_codes() -> None:
    """The paper has two codes for one word, so its first code stands for the second too."""
    encoded = read_prompt(from_the_paper("example-encoded.txt"))
    first: dict[str, str] = {}
    twice = {
        code: first[token]
        for code, token in encoded.codebook.entries
        if first.setdefault(token, code) != code
    }
    assert len(twice) == 1
    assert {dict(encoded.codebook.entries)[code] for code in twice} == {"when"}
    plain = from_the_paper("example-plain.txt").replace(PLAIN_PHRASE, ENCODED_PHRASE)
    ours = codes(encode_with(plain, encoded.codebook).body)
    theirs = codes(encoded.body)
    assert len(ours) == len(theirs) == 1338
    assert [mine for mine, code in zip(ours, theirs, strict=True) if mine != code] == list(
        twice.values()
    )
    assert ours == [twice.get(code, code) for code in theirs]


def test_the_codebook_survives_its_own_text() -> None:
    """Reading the example and writing it again changes no byte."""
    prompt = from_the_paper("example-encoded.txt")
    encoded = read_prompt(prompt)
    assert encoded.prompt == prompt
    assert Codebook(encoded.codebook.entries) == encoded.codebook
