"""One line of ``import --raw``: a response body as it was sent, or a file that holds one."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import Annotated, Any, Final, Literal

from pydantic import Field

from relaybench.domain.completion import Completion, StopReason, wire_bytes
from relaybench.domain.model import OPENAI
from relaybench.providers.bodies import body_of
from relaybench.providers.openai_tools import with_searches
from relaybench.workbench.results.import_line import (
    BaseLine,
    ImportResult,
    Text,
    read_line,
    read_object,
)
from relaybench.workbench.results.parsing import looks_like, parse_body

#: What the body itself says.
_IN_BODY: Final = ("stop_reason", "usage")


class RawLine(BaseLine):
    """One line whose response is a body: as a JSON string, as JSON, or in a file beside the line's.

    ``model`` is the id that was asked for; left out, it is the one that the body names.
    """

    provider: Literal["anthropic", "openai", "google", "compatible"]
    model: Text | None = None
    response: str | dict[str, Any] | list[Any] | None = None
    response_file: Text | None = None
    status: Annotated[int, Field(ge=100, le=599, strict=True)] | None = None


def raw_reader(folder: Path) -> Callable[[bytes], ImportResult | str]:
    """A reader of raw lines; ``folder`` is the import file's, where response files lie."""
    return lambda raw: parse_raw_line(raw, folder)


def parse_raw_line(raw: bytes, folder: Path) -> ImportResult | str:
    """Read one line and the body it holds or names; a string says why it cannot be taken.

    A body that is an error, is cut or is still pending is no answer and is not taken.
    """
    data = read_object(raw)
    if isinstance(data, str):
        return data
    stated = [key for key in _IN_BODY if data.get(key) is not None]
    if stated:
        return (
            f"{' and '.join(stated)} cannot stand beside a raw response, which says it itself; "
            f"leave {'it' if len(stated) == 1 else 'them'} out"
        )
    line = read_line(RawLine, data)
    if isinstance(line, str):
        return line
    body = _body(line, folder)
    if isinstance(body, str):
        return body
    completion = _completion(line, body)
    if isinstance(completion, str):
        return completion
    model = line.model or completion.served_model
    if not model:
        return "model is missing, and the response names none"
    fees = completion.tool_fees
    if line.provider == OPENAI:
        # The size of a container, and so its price, is only known to who asked for it.
        fees = with_searches(fees, body_of(wire_bytes(completion.response_raw)))
    completion = replace(completion, requested_model=model, tool_fees=fees)
    return ImportResult(line.item(), line.config_of(line.provider, model), completion, line.repeat)


def _body(line: RawLine, folder: Path) -> bytes | str:
    if (line.response is None) is (line.response_file is None):
        return "give the response either as response or as response_file"
    if isinstance(line.response, str):
        # A lone surrogate in a JSON string is no byte of a response; it goes in as it stands.
        return line.response.encode("utf-8", "surrogatepass")
    if line.response is not None:
        return json.dumps(line.response).encode()
    return _file(str(line.response_file), folder)


def _file(name: str, folder: Path) -> bytes | str:
    """The bytes of a response file. Only files at or below the import file's folder are read."""
    path = PurePosixPath(name.replace("\\", "/"))
    if path.is_absolute() or ".." in path.parts or Path(name).is_absolute():
        return (
            f"response_file: {name!r} does not lie beside the import file; name it by a path from "
            "there, without .."
        )
    file = folder / path
    try:
        if not file.is_file():
            return f"response_file: there is no file {str(file)!r}"
        return file.read_bytes()
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        why = error.strerror if isinstance(error, OSError) else str(error)
        return f"response_file: {name!r} cannot be read: {why}"


def _completion(line: RawLine, body: bytes) -> Completion | str:
    parsed = parse_body(body, line.provider, line.status)
    if len(parsed.results) == 1:  # a line of a batch's results
        parsed = parsed.results[0][1]
    if parsed.error is not None:
        return f"the response is no answer but an error ({parsed.error.kind}): {parsed.error}"
    if parsed.kind == "batch_results":
        return "the response holds the results of a whole batch; give each result its own line"
    other = looks_like(parsed, line.provider)
    if other:
        return f"the response looks like one of provider {other!r}, not of {line.provider!r}"
    completion = parsed.completion
    if completion is None or completion.stop_reason is StopReason.PENDING:
        return "the response is not finished; fetch it again when the provider has finished it"
    return completion
