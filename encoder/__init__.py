"""Text in, text out: encode prompts in a private code, decode them, fabricate context.

Usable alone, with the standard library only, as a package and as ``python -m encoder``.
"""

from __future__ import annotations

from encoder.bloat import LONGEST, bloat
from encoder.codebook import CAPACITY, Codebook, Entry, make_codebook, parse_codebook
from encoder.envelope import (
    DEFAULT_INSTRUCTIONS,
    Encoded,
    Instructions,
    decode,
    decode_body,
    encode,
    encode_with,
    read_prompt,
)
from encoder.errors import (
    DamagedDictionaryError,
    DamagedEnvelopeError,
    DamagedPromptError,
    EncoderError,
    OutOfCodesError,
    SettingError,
    StrayTextError,
    UnknownCodeError,
    UnknownTokenError,
)

__all__ = [
    "CAPACITY",
    "DEFAULT_INSTRUCTIONS",
    "LONGEST",
    "Codebook",
    "DamagedDictionaryError",
    "DamagedEnvelopeError",
    "DamagedPromptError",
    "Encoded",
    "EncoderError",
    "Entry",
    "Instructions",
    "OutOfCodesError",
    "SettingError",
    "StrayTextError",
    "UnknownCodeError",
    "UnknownTokenError",
    "bloat",
    "decode",
    "decode_body",
    "encode",
    "encode_with",
    "make_codebook",
    "parse_codebook",
    "read_prompt",
]
