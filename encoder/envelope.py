"""The encoded prompt: instruction, fenced dictionary, instruction, body; and reading one back.

Its shape, line by line::

    an instruction, of any number of lines
    ```
    <AvY> : token          as often as there are codes
    ```
    an instruction, of one line
    the body: codes and white space, to the very end

The body begins right after the newline of the second instruction, so that its white space
comes back to the character. Lines end at newlines only.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from encoder.codebook import CAPACITY, Codebook, make_codebook, parse_codebook
from encoder.errors import (
    DamagedEnvelopeError,
    OutOfCodesError,
    SettingError,
    StrayTextError,
    UnknownCodeError,
    UnknownTokenError,
    place,
    quoted,
)
from encoder.tokens import is_space, split

_FENCE = "```"
_FENCE_LINE = re.compile(r"^```\r?$", re.MULTILINE)  # the \r: a file that was saved on Windows
_CODE = re.compile(r"<([A-Za-z]{3})>")
_PIECE = re.compile(r"<[A-Za-z]{3}>|\s+|(?:(?!<[A-Za-z]{3}>)\S)+")


@dataclass(frozen=True, slots=True)
class Instructions:
    """What a model is told before the dictionary and between the dictionary and the body."""

    before: str
    after: str

    def __post_init__(self) -> None:
        """Refuse wording that would make the prompt unreadable."""
        if _FENCE_LINE.search(self.before):
            raise SettingError(
                "the instruction before the dictionary has a line of three backticks, which "
                "would be taken for the dictionary's fence; remove that line"
            )
        if "\n" in self.after:
            raise SettingError(
                "the instruction after the dictionary must be one line, because the encoded "
                "text begins on the next; join its lines"
            )


DEFAULT_INSTRUCTIONS = Instructions(
    before=(
        "This is a benchmark task. The text at the end of this message is in a private "
        "code: each word, digit and symbol was replaced by three letters in angle brackets. "
        "Codes are case-sensitive. Decode the task with the dictionary below, then solve it. "
        "Write your final answer in plain text, not in the code."
    ),
    after="Decode the following text and carry out the task that it describes:",
)
"""Our own wording; pass other :class:`Instructions` to replace it."""


@dataclass(frozen=True, slots=True)
class Encoded:
    """A text in codes, with what a reader needs to decode it."""

    body: str
    codebook: Codebook
    instructions: Instructions = DEFAULT_INSTRUCTIONS

    @property
    def prompt(self) -> str:
        """The whole envelope, as a model gets it."""
        return (
            f"{self.instructions.before}\n{_FENCE}\n{self.codebook.text}{_FENCE}\n"
            f"{self.instructions.after}\n{self.body}"
        )

    @property
    def substitutions(self) -> int:
        """How many tokens of the text were replaced by codes."""
        return self.body.count("<")  # besides codes there is only white space


def encode(
    text: str,
    *,
    seed: int,
    twin_share: float = 0.5,
    instructions: Instructions = DEFAULT_INSTRUCTIONS,
) -> Encoded:
    """Encode ``text`` with codes drawn from ``seed``; the same arguments give the same bytes.

    ``twin_share`` (0 to 1) is the least share of codes that have a case twin.
    """
    pieces = split(text)
    distinct = [piece for piece in set(pieces) if not is_space(piece)]
    if len(distinct) > CAPACITY:
        raise OutOfCodesError(_too_many(text, pieces, len(distinct)))
    codebook = make_codebook(distinct, seed=seed, twin_share=twin_share)
    return Encoded(_body(text, pieces, codebook), codebook, instructions)


def encode_with(
    text: str, codebook: Codebook, *, instructions: Instructions = DEFAULT_INSTRUCTIONS
) -> Encoded:
    """Encode ``text`` with a given codebook, which must know every token of the text."""
    return Encoded(_body(text, split(text), codebook), codebook, instructions)


def _body(text: str, pieces: list[str], codebook: Codebook) -> str:
    table = {piece: piece for piece in set(pieces) if is_space(piece)}
    # Backwards, so that of several codes for one token the first in the dictionary wins.
    table.update((token, f"<{code}>") for code, token in reversed(codebook.entries))
    try:
        return "".join(map(table.__getitem__, pieces))
    except KeyError:
        offset = 0
        for piece in pieces:
            if piece not in table:
                break
            offset += len(piece)
        raise UnknownTokenError(
            f"{place(text, offset)} of the text: the codebook has no code for "
            f"{quoted(piece)}; use a codebook made for this text, or add an entry"
        ) from None


def _too_many(text: str, pieces: list[str], distinct: int) -> str:
    seen: set[str] = set()
    offset = 0
    for piece in pieces:
        if not is_space(piece):
            seen.add(piece)
        if len(seen) > CAPACITY:
            break
        offset += len(piece)
    return (
        f"{place(text, offset)} of the text: no code is left for {quoted(piece)}; the text has "
        f"{distinct:,} distinct words, digits and symbols, but there are only {CAPACITY:,} "
        "codes; shorten the text or split it"
    )


def decode(prompt: str) -> str:
    """Read a whole encoded prompt as a model gets it, and return the plain text."""
    encoded = read_prompt(prompt)
    return decode_body(encoded.body, encoded.codebook)


def read_prompt(prompt: str) -> Encoded:
    """Take a whole encoded prompt apart without decoding its body.

    Whatever stands before the dictionary's fence counts as the first instruction.
    """
    opening = _FENCE_LINE.search(prompt)
    if opening is None:
        raise DamagedEnvelopeError(
            "line 1, column 1: no dictionary in this prompt; a line of three backticks must "
            "open it, so check that the whole prompt was passed"
        )
    line = prompt.count("\n", 0, opening.start()) + 1
    closing = _FENCE_LINE.search(prompt, opening.end() + 1)
    if closing is None:
        raise DamagedEnvelopeError(
            f"line {line}, column 1: the dictionary opened here is never closed; a line of "
            "three backticks must end it, so check whether the prompt was cut off"
        )
    codebook = parse_codebook(prompt[opening.end() + 1 : closing.start()], first_line=line + 1)
    after, newline, body = prompt[closing.end() + 1 :].partition("\n")
    if not newline:
        raise DamagedEnvelopeError(
            f"{place(prompt, len(prompt))}: the prompt ends before its encoded text; an "
            "instruction of one line and the codes must follow the dictionary, so check "
            "whether the prompt was cut off"
        )
    before = prompt[: opening.start()].removesuffix("\n").removesuffix("\r")
    return Encoded(body, codebook, Instructions(before, after.removesuffix("\r")))


def decode_body(body: str, codebook: Codebook) -> str:
    """Decode a body (codes and white space) with a codebook."""
    tokens = dict[str, str](codebook.entries)
    # Gaps and codes take turns, from a gap to a gap.
    pieces = _CODE.split(body)
    gaps = set(pieces[0::2])
    try:
        pieces[1::2] = map(tokens.__getitem__, pieces[1::2])
    except KeyError:
        raise _damage(body, tokens) from None
    if not all(gap.isspace() for gap in gaps if gap):
        raise _damage(body, tokens)
    return "".join(pieces)


def _damage(body: str, tokens: dict[str, str]) -> UnknownCodeError | StrayTextError:
    """Find the first damage in a body that has some."""
    for match in _PIECE.finditer(body):
        piece = match[0]
        where = f"{place(body, match.start())} of the encoded text"
        if _CODE.fullmatch(piece):
            if piece[1:-1] not in tokens:
                return UnknownCodeError(
                    f"{where}: the code {piece} is not in the dictionary; codes are "
                    "case-sensitive, so check for a changed letter or the wrong dictionary"
                )
        elif not is_space(piece):
            return StrayTextError(
                f"{where}: {quoted(piece)} is no code; only codes like <AvY> and white space "
                "may stand there, so restore or remove it"
            )
    raise AssertionError("a body without damage")
