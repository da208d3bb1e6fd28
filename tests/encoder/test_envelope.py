"""Encoding, decoding, and every way in which a prompt can be damaged."""

from __future__ import annotations

import re
from contextlib import suppress
from hashlib import sha256
from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from encoder import (
    CAPACITY,
    DEFAULT_INSTRUCTIONS,
    Codebook,
    DamagedEnvelopeError,
    DamagedPromptError,
    EncoderError,
    Entry,
    Instructions,
    OutOfCodesError,
    SettingError,
    StrayTextError,
    UnknownCodeError,
    UnknownTokenError,
    decode,
    decode_body,
    encode,
    encode_with,
    parse_codebook,
    read_prompt,
)
from encoder.tokens import is_space, split
from tests.encoder.texts import HOSTILE, LAWS, anything, hostile, seeds, texts

BOOK = parse_codebook("<AvY> : word\n<avy> : Word\n<qQq> : .\n")
SAMPLE = "The table's 4th row: `x_2` <AvY> caf\u00e9 \u4e00\u4e8c \U0001f680\r\n\tthe THE end.\n"


@LAWS
@given(texts, seeds, st.floats(0, 1))
@example("", 0, 0.5)
@example("".join(HOSTILE), 1, 1.0)
@example("\n".join(HOSTILE), 1, 0.0)
def test_round_trip(text: str, seed: int, share: float) -> None:
    """Whatever is encoded can be decoded, to the character."""
    encoded = encode(text, seed=seed, twin_share=share)
    assert decode(encoded.prompt) == text
    assert decode_body(encoded.body, encoded.codebook) == text
    assert read_prompt(encoded.prompt) == encoded


@LAWS
@given(texts, seeds)
def test_a_body_holds_codes_and_the_texts_white_space(text: str, seed: int) -> None:
    """Everything else is encoded, and counted."""
    encoded = encode(text, seed=seed)
    tokens = [piece for piece in split(text) if not is_space(piece)]
    gaps = re.sub(r"<[A-Za-z]{3}>", "", encoded.body)
    assert gaps == "".join(filter(str.isspace, text))
    assert encoded.substitutions == len(tokens) == len(re.findall("<", encoded.body))
    assert len(encoded.codebook) == len(set(tokens))
    assert re.fullmatch(r"(<[A-Za-z]{3}>|\s)*", encoded.body)


@LAWS
@given(texts, seeds)
def test_the_same_seed_gives_the_same_bytes(text: str, seed: int) -> None:
    """Nothing depends on the order of a set."""
    assert encode(text, seed=seed).prompt == encode(text, seed=seed).prompt


@LAWS
@given(hostile, seeds)
def test_encoding_with_the_same_codebook_gives_the_same_body(text: str, seed: int) -> None:
    """A codebook is all that encoding needs."""
    encoded = encode(text, seed=seed)
    assert encode_with(text, encoded.codebook) == encoded


@LAWS
@given(hostile, anything, anything)
def test_round_trip_with_any_wording(text: str, before: str, after: str) -> None:
    """No instruction can blur where the body begins."""
    wording = Instructions(before, after.replace("\n", " ").removesuffix("\r"))
    encoded = encode(text, seed=1, instructions=wording)
    assert decode(encoded.prompt) == text


def test_a_nest_of_prompts() -> None:
    """An encoded prompt is a text like any other."""
    prompts = [SAMPLE]
    for seed in range(4):
        prompts.append(encode(prompts[-1], seed=seed).prompt)
    for plain, prompt in pairwise(prompts):
        assert decode(prompt) == plain


def test_the_bytes_of_one_text_are_fixed() -> None:
    """If this fails, every encoding ever made changes: old seeds no longer mean the same."""
    prompt = encode(
        SAMPLE * 2, seed=20_240, twin_share=0.4, instructions=Instructions("one", "two")
    ).prompt
    assert sha256(prompt.encode()).hexdigest() == (
        "fa4f6a880a9061ba148929f31d1d996621558c680dd8daa57bf2798babd1bac7"
    )


def test_the_shape_of_a_prompt() -> None:
    """Line by line, as in the paper's example."""
    encoded = encode(" Word, word\n", seed=5)
    lines = encoded.prompt.split("\n")
    assert lines[0] == DEFAULT_INSTRUCTIONS.before
    assert lines[1] == lines[5] == "```"
    assert all(re.fullmatch(r"<[A-Za-z]{3}> : (Word|word|,)", line) for line in lines[2:5])
    assert lines[6] == DEFAULT_INSTRUCTIONS.after
    assert re.fullmatch(r" (<[A-Za-z]{3}>){2} <[A-Za-z]{3}>", lines[7])
    assert lines[8:] == [""]


def test_what_stands_before_the_first_instruction_does_no_harm() -> None:
    """Bloat may come first."""
    prompt = encode(SAMPLE, seed=5).prompt
    assert decode(f"A user context.\n\nIts end.\n\n{prompt}") == SAMPLE


def test_custom_wording_stays_in_place() -> None:
    """Wording is written and read back unchanged."""
    wording = Instructions("First line.\n\nSecond `line` ``` with <AvY>.", "Now:")
    encoded = encode_with("word", BOOK, instructions=wording)
    assert encoded.prompt == f"{wording.before}\n```\n{BOOK.text}```\nNow:\n<AvY>"
    assert read_prompt(encoded.prompt).instructions == wording


@pytest.mark.parametrize("before", ["```", "a\n```", "```\nb", "a\n```\r\nb"])
def test_wording_must_not_open_a_fence(before: str) -> None:
    """A reader would take such a line for the dictionary's fence."""
    with pytest.raises(SettingError, match="line of three backticks"):
        Instructions(before, "after")


def test_the_second_instruction_is_one_line() -> None:
    """A reader would take a second line for the body."""
    with pytest.raises(SettingError, match="must be one line"):
        Instructions("before", "after\n")


def test_a_prompt_that_was_saved_on_windows() -> None:
    """The envelope is read as it was; the body keeps its new line ends."""
    encoded = encode("One two.\nThree", seed=9)
    saved = encoded.prompt.replace("\n", "\r\n")
    assert decode(saved) == "One two.\r\nThree"
    assert read_prompt(saved).instructions == DEFAULT_INSTRUCTIONS


def test_the_first_of_two_codes_for_a_token_is_used() -> None:
    """The paper's own dictionary has such a token."""
    book = Codebook((Entry("abc", "a"), Entry("abd", "a")))
    assert encode_with("a a", book).body == "<abc> <abc>"
    assert decode_body("<abc> <abd>", book) == "a a"


def test_a_token_that_the_codebook_lacks() -> None:
    """The message gives the token and its place."""
    with pytest.raises(
        UnknownTokenError, match=r"^line 2, column 7 of the text: .* no code for 'other'; use"
    ):
        encode_with("word.\n\tWord other word", BOOK)


def test_more_tokens_than_codes() -> None:
    """The message gives the first token without a code; one fewer still fits."""
    symbols = [chr(point) for point in range(0x20000, 0x10FFFF) if not chr(point).isalpha()]
    text = "a a\n" + " ".join(symbols[:CAPACITY])
    with pytest.raises(OutOfCodesError) as caught:
        encode(text, seed=1)
    column = 2 * CAPACITY - 1
    assert str(caught.value).startswith(
        f"line 2, column {column} of the text: no code is left for {symbols[CAPACITY - 1]!r}; "
        "the text has 140,609 distinct words, digits and symbols, but there are only 140,608"
    )
    assert decode(encode(text[3:], seed=1).prompt) == text[3:]


@pytest.mark.parametrize(
    ("body", "error", "message"),
    [
        ("<AvY> <AVY>", UnknownCodeError, "line 1, column 7 of the encoded text: the code <AVY>"),
        ("<AvY>\n\n <avY><avy>", UnknownCodeError, "line 3, column 2 of .*<avY> is not in the dic"),
        ("<AvY>\u2028<xxx>", UnknownCodeError, "line 1, column 7 "),
        ("<AvY> word", StrayTextError, "line 1, column 7 of the encoded text: 'word' is no code"),
        ("<AvY>word<xxx>", StrayTextError, "line 1, column 6 .*'word' is no code"),
        ("<AvY><Avy<qQq>", StrayTextError, "line 1, column 6 .*'<Avy' is no code"),
        ("<AvY> <Av1>", StrayTextError, "'<Av1>' is no code"),
        ("<AvY>\n.", StrayTextError, "line 2, column 1 of"),
        ("<\u212aab>", StrayTextError, "line 1, column 1 of"),  # a Kelvin sign folds to k
        ("```", StrayTextError, "line 1, column 1 of"),
        ("<<AvY>>", StrayTextError, "line 1, column 1 of the encoded text: '<' is no code"),
    ],
)
def test_a_damaged_body(body: str, error: type[EncoderError], message: str) -> None:
    """The message gives the first damage and its place in the body."""
    with pytest.raises(error, match=message):
        decode_body(body, BOOK)


@pytest.mark.parametrize(
    ("prompt", "message"),
    [
        ("", "line 1, column 1: no dictionary in this prompt"),
        ("Just text ``` and more\n ```\n", "no dictionary in this prompt"),
        ("a\n````\nb", "no dictionary in this prompt"),
        ("a\n\n```", "line 3, column 1: the dictionary opened here is never closed"),
        ("a\n```\n", "line 2, column 1: the dictionary opened here is never closed"),
        ("a\n```\n<AvY> : a\n", "line 2, column 1: the dictionary opened here is never closed"),
        ("a\n```\n<AvY> : a\n```", "line 4, column 4: the prompt ends before its encoded text"),
        ("a\n```\n<AvY> : a\n```\n", "line 5, column 1: the prompt ends before"),
        ("a\n```\n<AvY> : a\n```\nNow:", "line 5, column 5: the prompt ends before"),
        ("a\n```\n<AvY> : a\noops\n```\nb\n", "line 4 is no dictionary entry: 'oops'"),
        ("a\n```\n\n<AvY> : a\n```\nb\n", "line 3 is no dictionary entry: ''"),
        ("a\n\n```\n<AvY> : a\n<AvY> : b\n```\nb\n", "<AvY> is on line 4 and again on line 5"),
        ("a\n```\n<AvY> : a\n```\nTwo\nlines:\n<AvY>", "line 1, column 1 of the encoded text"),
    ],
)
def test_a_damaged_prompt(prompt: str, message: str) -> None:
    """The message gives the place in the prompt."""
    with pytest.raises(DamagedPromptError, match=message) as caught:
        decode(prompt)
    assert "\n" not in str(caught.value)


@LAWS
@given(hostile, st.integers(0, 10_000))
def test_a_prompt_that_was_cut_off_never_fails_otherwise(text: str, cut: int) -> None:
    """A cut is noticed, unless it is between two codes."""
    prompt = encode(text, seed=1).prompt
    try:
        decoded = decode(prompt[:cut])
    except DamagedPromptError:
        return
    assert text.startswith(decoded)


@LAWS
@given(hostile)
def test_text_that_is_no_prompt_never_fails_otherwise(text: str) -> None:
    """Any text either decodes or is said to be damaged."""
    with suppress(DamagedPromptError):
        decode(text)


def test_empty_dictionary_and_no_tokens() -> None:
    """White space alone needs no codes."""
    encoded = encode(" \r\n ", seed=1)
    assert len(encoded.codebook) == encoded.substitutions == 0
    assert encoded.body == " \r\n "
    assert decode(encoded.prompt) == " \r\n "


def test_errors_are_one_tree() -> None:
    """Callers can catch all of them at once."""
    assert issubclass(EncoderError, ValueError)
    assert issubclass(DamagedEnvelopeError, DamagedPromptError)
    assert issubclass(DamagedPromptError, EncoderError)
