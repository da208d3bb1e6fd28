"""The command line: ``python -m encoder encode|decode|bloat``.

Bytes go through unharmed: text is read and written as UTF-8 with surrogate escapes, without
newline translation, and nothing is added at its end. Exit codes: 0 done, 1 damaged or
unencodable input, 2 wrong usage or a file that cannot be read or written, 130 interrupted,
141 the reader of the output went away.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import NoReturn

from encoder.bloat import bloat
from encoder.codebook import Codebook, parse_codebook
from encoder.envelope import decode, decode_body, encode, encode_with, read_prompt
from encoder.errors import EncoderError, SettingError

DAMAGED, USAGE, INTERRUPTED, BROKEN_PIPE = 1, 2, 130, 141
"""The exit codes other than 0."""


class _UsageError(Exception):
    """A request that cannot be carried out, with its message."""


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        # One line, where argparse would print the usage first.
        raise _UsageError(f"{message} (try --help)")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit code."""
    try:
        _write(_result(_options(arguments)))
    except (_UsageError, SettingError) as error:
        return _complain(error, USAGE)
    except EncoderError as error:
        return _complain(error, DAMAGED)
    except BrokenPipeError:
        _drop_output()
        return BROKEN_PIPE
    except KeyboardInterrupt:
        _drop_output()
        return INTERRUPTED
    return 0


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    try:
        return _parser().parse_args(arguments)
    except SystemExit:
        sys.stdout.flush()  # the help: a reader that went away must show here
        raise


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="encoder",
        allow_abbrev=False,
        description="Encode prompts in a private code, decode them, fabricate user context.",
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")

    text = _Parser(add_help=False)
    text.add_argument(
        "file", nargs="?", default="-", metavar="FILE", help="the text; standard input if left out"
    )

    encoding = commands.add_parser(
        "encode", parents=[text], allow_abbrev=False, help="write the whole encoded prompt"
    )
    source = encoding.add_mutually_exclusive_group(required=True)
    source.add_argument("--seed", type=int, metavar="N", help="the seed of a new dictionary")
    source.add_argument(
        "--dictionary",
        metavar="FILE",
        help="use this dictionary (its lines, or a whole prompt that has it); write the body only",
    )
    encoding.add_argument(
        "--twin-share",
        type=float,
        metavar="S",
        help="the least share of codes with a case twin, 0 to 1 (default 0.5)",
    )

    decoding = commands.add_parser(
        "decode", parents=[text], allow_abbrev=False, help="write the plain text"
    )
    decoding.add_argument(
        "--dictionary",
        metavar="FILE",
        help="the text is a body only; this file has its dictionary",
    )

    fabricating = commands.add_parser(
        "bloat", allow_abbrev=False, help="write an invented user context"
    )
    fabricating.add_argument("--characters", type=int, required=True, metavar="N")
    fabricating.add_argument("--seed", type=int, required=True, metavar="N")
    return parser


def _result(options: argparse.Namespace) -> str:
    if options.command == "bloat":
        return bloat(options.characters, options.seed)
    if options.file == options.dictionary == "-":
        raise _UsageError("the text and the dictionary cannot both be standard input")
    if options.command == "decode":
        if options.dictionary is None:
            return decode(_read(options.file))
        return decode_body(_read(options.file), _codebook(options.dictionary))
    if options.dictionary is None:
        share = 0.5 if options.twin_share is None else options.twin_share
        return encode(_read(options.file), seed=options.seed, twin_share=share).prompt
    if options.twin_share is not None:
        raise _UsageError("--twin-share is for a new dictionary: drop it or --dictionary")
    return encode_with(_read(options.file), _codebook(options.dictionary)).body


def _codebook(name: str) -> Codebook:
    text = _read(name)
    try:
        # No dictionary line begins with a backtick, so such a line means a whole prompt.
        if text.startswith("```") or "\n```" in text:
            return read_prompt(text).codebook
        return parse_codebook(text)
    except EncoderError as error:
        raise type(error)(f"dictionary {name!r}: {error}") from None


def _read(name: str) -> str:
    try:
        if name == "-":
            if sys.stdin is None:
                raise _UsageError("there is no standard input; name a file")
            data = sys.stdin.buffer.read()
        else:
            data = Path(name).read_bytes()
    except OSError as error:
        raise _UsageError(f"cannot read {name!r}: {error.strerror}") from None
    return data.decode("utf-8", "surrogateescape")


def _write(text: str) -> None:
    if sys.stdout is None:
        raise _UsageError("there is no standard output to write to")
    try:
        sys.stdout.buffer.write(text.encode("utf-8", "surrogateescape"))
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        _drop_output()
        raise _UsageError(f"cannot write the output: {error.strerror}") from None


def _drop_output() -> None:
    # What is still buffered must not fail again when the interpreter shuts down.
    if sys.stdout is not None:
        with suppress(OSError, ValueError):
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, sys.stdout.fileno())
            os.close(nowhere)


def _complain(error: Exception, code: int) -> int:
    if sys.stderr is not None:
        # argparse repeats arguments as they are: nothing may break the line.
        message = "".join(c if c.isprintable() else repr(c)[1:-1] for c in str(error))
        print(f"encoder: error: {message}", file=sys.stderr)
    return code


if __name__ == "__main__":
    sys.exit(main())
