"""The command that reads a saved response."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

import click

from relaybench.cli.output import data_json, say

#: As in ``workbench.parsing.WIRES``, which --help must not load.
_PROVIDERS: Final = ("anthropic", "openai", "google", "compatible")


class Header(click.ParamType[tuple[str, str]]):
    """A header of a response: ``retry-after:16``."""

    name = "name:value"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, str]:
        """Split name and value."""
        name, colon, rest = str(value).partition(":")
        if not (colon and name.strip()):
            self.fail(f"{value!r} is no header; write NAME:VALUE, such as retry-after:16", param)
        return name.strip(), rest.strip()


@click.command()
@click.option("--provider", type=click.Choice(_PROVIDERS), required=True, help="Whose it is.")
@click.option(
    "--status",
    type=click.IntRange(100, 599),
    help="Its HTTP status; without it an error is known by its look.",
)
@click.option(
    "--header",
    "headers",
    type=Header(),
    multiple=True,
    help="A header that came with it, such as retry-after:16 (repeatable).",
)
@click.argument(
    "file", type=click.Path(exists=True, dir_okay=False, allow_dash=True, path_type=Path)
)
def parse(
    provider: str, status: int | None, headers: tuple[tuple[str, str], ...], file: Path
) -> int:
    """Print as JSON what relaybench makes of a response body or event stream in FILE (- is stdin).

    Nothing is sent and nothing is stored. Results and states of batches are read too. Exit code 1:
    it is an error, or not all of it is answers.
    """
    from relaybench.workbench.results.parsing import as_json, looks_like, parse_body

    raw = sys.stdin.buffer.read() if str(file) == "-" else file.read_bytes()
    parsed = parse_body(raw, provider, status, dict(headers))
    data_json(as_json(parsed))
    other = looks_like(parsed, provider)
    if other:
        say(f"This looks like a response of provider {other!r}, not of {provider!r}.")
    return 0 if parsed.good else 1


COMMANDS = (parse,)
