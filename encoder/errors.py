"""What can go wrong in the encoder, as one tree.

    EncoderError (a ValueError)
    |-- SettingError             an argument outside its range
    |-- OutOfCodesError          more distinct tokens than there are codes
    |-- UnknownTokenError        a given codebook has no code for a token of the text
    `-- DamagedPromptError       what was to be decoded is not what an encoder wrote
        |-- DamagedEnvelopeError     no fence, an unclosed fence, no body
        |-- DamagedDictionaryError   a malformed line or a code that is given twice
        |-- UnknownCodeError         the body uses a code that the dictionary lacks
        `-- StrayTextError           the body holds something that is no code

Every message says where (line and column, counted from 1, columns in characters) and what
to do about it, on one line, whatever the text holds.
"""

from __future__ import annotations

_SHOWN = 40  # characters of foreign text in a message


class EncoderError(ValueError):
    """Anything that the encoder cannot do; the message is meant for a person."""


class SettingError(EncoderError):
    """An argument is outside its range."""


class OutOfCodesError(EncoderError):
    """A text has more distinct tokens than there are three-letter codes."""


class UnknownTokenError(EncoderError):
    """A given codebook has no code for a token of the text."""


class DamagedPromptError(EncoderError):
    """What was to be decoded is not what an encoder wrote."""


class DamagedEnvelopeError(DamagedPromptError):
    """The fences or the body of an encoded prompt are missing."""


class DamagedDictionaryError(DamagedPromptError):
    """A dictionary has a malformed line or gives one code twice."""


class UnknownCodeError(DamagedPromptError):
    """An encoded body uses a code that the dictionary lacks."""


class StrayTextError(DamagedPromptError):
    """An encoded body holds something that is neither a code nor white space."""


def quoted(text: str) -> str:
    """Return ``text`` as it may stand in a message: escaped, on one line, not too long."""
    return repr(text if len(text) <= _SHOWN else text[:_SHOWN] + "...")


def place(text: str, offset: int) -> str:
    """Say where in ``text`` the ``offset`` is: "line 3, column 14" (lines end at newlines only)."""
    line = text.count("\n", 0, offset) + 1
    column = offset - text.rfind("\n", 0, offset)
    return f"line {line}, column {column}"
