"""Answers that the store would not take (a full disk): kept in a file, and taken in later.

The file lies beside the results file, or in the folder for temporary files where that disk is the
full one. A line holds one answer, whole; a run's next session stores it before it asks what is
missing, so that an answer which has arrived is never sent again.
"""

from __future__ import annotations

import contextlib
import dataclasses
import hashlib
import json
import os
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from relaybench.domain.completion import Completion, Part, PartKind, StopReason, ToolEvent, Usage
from relaybench.domain.errors import StoreError
from relaybench.domain.results import Cell
from relaybench.runner.recorder import CallTicket
from relaybench.store.plans import StoredPlan
from relaybench.store.recording import Recording


def rescue_files(database: Path) -> tuple[Path, Path]:
    """Where answers of a results file are put: beside it, or else among temporary files."""
    mark = hashlib.sha256(os.fsencode(database.resolve())).hexdigest()[:12]
    name = f"{database.name}.rescued.jsonl"
    return database.parent / name, Path(tempfile.gettempdir()) / f"relaybench-{mark}-{name}"


@dataclass(frozen=True, slots=True)
class Rescued:
    """A response to keep: its attempt's last one, or a turn that ``nudge`` (or none) follows."""

    completion: Completion
    last: bool = True
    nudge: str | None = None


def rescue(database: Path, run: str, ticket: CallTicket, response: Rescued) -> Path:
    """Put an answer into a rescue file; raises StoreError that holds it where none can be had."""
    line = {
        "run": run,
        "call": ticket.id,
        "cell": dataclasses.asdict(ticket.cell),
        "completion": dataclasses.asdict(response.completion),
        "last": response.last,
        "nudge": response.nudge,
    }
    text = json.dumps(line)
    for path in rescue_files(database):
        try:
            _append(path, text)
        except OSError:
            continue
        return path
    raise StoreError(f"an answer could be stored nowhere: {text}")


def _append(path: Path, text: str) -> None:
    """Append a line to a private file that is no link, and see it onto the disk."""
    flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0)
    with open(os.open(path, flags, 0o600), "wb") as file:
        # First a line break: an earlier line may have been cut off by a full disk.
        file.write(f"\n{text}\n".encode())
        file.flush()
        os.fsync(file.fileno())


def take_in(database: Path, plan: StoredPlan, recording: Recording) -> int:
    """Store the rescued answers of a run; returns how many. Lines of other runs stay."""
    taken = 0
    for path in rescue_files(database):
        lines = _lines(path)
        left = []
        for text in lines:
            cell, call, response = _answer(text, plan)
            if response is None:
                left.append(text)
            elif cell.repeat not in recording.responses(cell.item, cell.config):
                if response.last:
                    recording.answered(cell, call, response.completion)
                else:
                    recording.turn_taken(cell, call, response.completion, response.nudge)
                taken += 1
        if len(left) < len(lines):
            _keep(path, left)
    return taken


def _lines(path: Path) -> list[str]:
    with contextlib.suppress(OSError):
        if not path.is_symlink() and (os.name == "nt" or path.stat().st_uid == os.getuid()):
            return [line for line in path.read_text("utf-8").splitlines() if line.strip()]
    return []


def _keep(path: Path, lines: list[str]) -> None:
    """Leave only these lines; the answers that were taken in are in the store by now."""
    with contextlib.suppress(OSError):
        if lines:
            path.write_text("\n".join(lines) + "\n", "utf-8")
        else:
            path.unlink()


def _answer(text: str, plan: StoredPlan) -> tuple[Cell, int, Rescued | None]:
    """A line's answer; None for one of another run, or that was cut off."""
    none = (Cell("", "", 0), 0, None)
    try:
        line = json.loads(text)
        if line["run"] != plan.run.name:
            return none
        cell = Cell(**line["cell"])
        if cell.item not in plan.items or cell.config not in plan.configs:
            return none
        completion = _completion(line["completion"])
        last, nudge = bool(line.get("last", True)), line.get("nudge")
        return cell, int(line["call"]), Rescued(completion, last, nudge)
    except (ValueError, KeyError, TypeError):
        return none


def _completion(data: dict[str, Any]) -> Completion:
    parts = tuple(Part(PartKind(each["kind"]), each["text"]) for each in data["parts"])
    return Completion(
        **{
            **data,
            "stop_reason": StopReason(data["stop_reason"]),
            "usage": Usage(**data["usage"]),
            "parts": parts,
            "tool_events": tuple(ToolEvent(**each) for each in data["tool_events"]),
        }
    )
