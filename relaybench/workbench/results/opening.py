"""Open one attempt for somebody who looks at it: small facts at once, big texts when asked for."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from decimal import Decimal
from enum import StrEnum
from typing import Final

from relaybench.domain.completion import Completion, Part, PartKind, wire_bytes
from relaybench.domain.item import Item
from relaybench.domain.triage import TriageMark
from relaybench.grading.difference import PartDifference, part_differences
from relaybench.grading.extraction import visible_start
from relaybench.store.attempt_lists import AttemptEntries, AttemptLists
from relaybench.store.attempts import AttemptDetail, Attempts, GradeRow
from relaybench.store.call_costs import call_costs
from relaybench.store.plans import Plans
from relaybench.store.raw_calls import RawCalls, SaidTurn
from relaybench.store.tool_uses import ToolUse
from relaybench.store.triage import Triage
from relaybench.workbench.results.evidence import reading
from relaybench.workbench.results.parsing import parse_body
from relaybench.workbench.workspace import Workspace

#: Lines of a stream are laid out one by one up to here; longer ones stand as they came.
_MOST_LINES: Final = 20_000


@dataclass(frozen=True, slots=True)
class OpenedAttempt:
    """An attempt without its big texts: facts, prompt, grades, calls, marks, and the comparison.

    ``graded`` is the version of the item whose key counts; ``parts`` sets the answer against it.
    ``call_costs`` are USD by number of the call, None where unknown.
    """

    detail: AttemptDetail
    graded: Item
    parts: tuple[PartDifference, ...]
    marks: tuple[TriageMark, ...]
    call_costs: Mapping[int, Decimal | None]

    @property
    def grade(self) -> GradeRow | None:
        """The grade that counts, None before there is one."""
        return next((each for each in self.detail.grades if each.current), None)

    @property
    def mark(self) -> TriageMark | None:
        """The mark that counts, None where there is none or it was taken back."""
        newest = self.marks[-1] if self.marks else None
        return newest if newest and newest.blame else None

    @property
    def seconds(self) -> float | None:
        """From its beginning to its end; None while it is open."""
        row = self.detail.row
        if row.finished_at is None:
            return None
        began, ended = (datetime.fromisoformat(t) for t in (row.started_at, row.finished_at))
        return (ended - began).total_seconds()


class PieceKind(StrEnum):
    """What a piece of a transcript is."""

    TEXT = "text"
    THINKING = "thinking"
    TOOL = "tool"
    REFUSAL = "refusal"
    NUDGE = "nudge"  # said to the model to go on; empty: continued verbatim


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of a transcript; of a tool ``name`` and ``status`` say which and how it went.

    Thinking that stood in the text itself (an open model's ``<think>``) has the name ``text``.
    """

    kind: PieceKind
    text: str
    turn: int
    name: str = ""
    status: str = ""


@dataclass(frozen=True, slots=True)
class Transcript:
    """What was said in an attempt, in order.

    ``answer`` is where the answer was read: number of the piece, start and end in it; None where
    none was, or where it cannot be told.
    """

    pieces: tuple[Piece, ...]
    answer: tuple[int, int, int] | None = None


def attempt_list(workspace: Workspace, run: str | None) -> AttemptEntries:
    """All attempts of a run (the newest one for None), in the plan's order."""
    with reading(workspace) as connection:
        return AttemptLists(connection).of_run(Plans(connection).find(run))


def attempts_among(workspace: Workspace, ids: Sequence[int]) -> AttemptEntries:
    """These attempts in the order given; numbers that are not there are left out."""
    with reading(workspace) as connection:
        return AttemptLists(connection).among(ids)


def open_attempt(workspace: Workspace, number: int) -> OpenedAttempt:
    """One attempt; raises UnknownNameError where there is none of that number."""
    with reading(workspace) as connection:
        attempts = Attempts(connection)
        detail = attempts.detail(number, texts=False)
        grade = next((each for each in detail.grades if each.current), None)
        graded = detail.item
        if grade is not None and grade.key != graded.key:
            graded = attempts.item(attempts.graded_item(number))
        row = detail.row
        configs = Plans(connection).configs(Plans(connection).find(detail.run).id)
        return OpenedAttempt(
            detail,
            graded,
            compared(grade, graded),
            tuple(Triage(connection).trail(number)),
            call_costs(connection, number, configs[row.config_digest].prices),
        )


def compared(grade: GradeRow | None, graded: Item) -> tuple[PartDifference, ...]:
    """A grade's answer against its key, step by step; nothing where there is no answer."""
    if grade is None or grade.answer is None:
        return ()
    return part_differences(
        grade.answer,
        grade.key,
        graded.answer_parts,
        graded.answer_labels,
        graded.separator,
        grade.steps,
    )


def transcript(workspace: Workspace, number: int) -> Transcript:
    """What was said in an attempt, in order: text, thinking, tools, refusals, nudges."""
    with reading(workspace) as connection:
        detail = Attempts(connection).detail(number, texts=False)
        span = next((each.span for each in detail.grades if each.current), None)
        pieces: list[Piece] = []
        answer = None
        for at, turn in enumerate(RawCalls(connection).turns(number), 1):
            pieces += turn_pieces(turn, at, detail.config.provider)
            answer = None if turn.followed else answer_place(pieces, turn, at, span)
        return Transcript(tuple(pieces), answer)


def answer_place(
    pieces: Sequence[Piece], turn: SaidTurn, at: int, span: tuple[int, int] | None
) -> tuple[int, int, int] | None:
    """Where a grade's span of the final text stands among the pieces of its turn."""
    final = turn.text if turn.answer_text is None else turn.answer_text
    shift = turn.text.rfind(final)
    if span is None or shift < 0:  # the answer of a continued turn spans several responses
        return None
    start, end = span[0] + shift, span[1] + shift
    passed = 0
    for place, piece in enumerate(pieces):
        if piece.turn == at and (piece.kind is PieceKind.TEXT or piece.name == "text"):
            if passed <= start and end <= passed + len(piece.text):
                return place, start - passed, end - passed
            passed += len(piece.text)
    return None


def turn_pieces(turn: SaidTurn, at: int, provider: str) -> Iterator[Piece]:
    """The pieces of one response; their order is the response's own where it can be read again."""
    completion = None
    if turn.tools or turn.thinking:  # else there is only one order
        completion = _read_again(turn.response, provider)
    parts = completion.parts if completion is not None else _parts_of(turn)
    if completion is not None and not _says_the_same(completion, turn):
        parts = _parts_of(turn)
    yield from _unfolded(_with_tools(parts, turn.tools, at))
    if turn.followed:
        yield Piece(PieceKind.NUDGE, turn.nudge or "", at)


def _read_again(response: str, provider: str) -> Completion | None:
    try:
        return parse_body(wire_bytes(response), provider).completion
    except UnicodeEncodeError:  # no text of bytes that came
        return None


def _says_the_same(completion: Completion, turn: SaidTurn) -> bool:
    return completion.text == turn.text and completion.thinking == turn.thinking


def _parts_of(turn: SaidTurn) -> tuple[Part, ...]:
    """What is known without the response: thinking, tools, text, in the order that is likely."""
    parts = [Part(PartKind.THINKING, turn.thinking)]
    parts += [Part(PartKind.TOOL, tool.kind) for tool in turn.tools]
    parts += [Part(PartKind.TEXT, turn.text), Part(PartKind.REFUSAL, turn.refusal or "")]
    return tuple(part for part in parts if part.text)


def _unfolded(pieces: Iterable[Piece]) -> Iterator[Piece]:
    """Thinking that stands as text (an open model's ``<think>``) as thinking."""
    first = True
    for piece in pieces:
        start = visible_start(piece.text) if first and piece.kind is PieceKind.TEXT else 0
        first = first and piece.kind is not PieceKind.TEXT
        if start == 0:
            yield piece
            continue
        yield replace(piece, kind=PieceKind.THINKING, text=piece.text[:start], name="text")
        if start is not None and piece.text[start:]:
            yield replace(piece, text=piece.text[start:])


def _with_tools(parts: Iterable[Part], tools: Sequence[ToolUse], at: int) -> Iterator[Piece]:
    """Parts as pieces; a tool takes the next event of its name, and what is left comes last."""
    left = list(tools)
    for part in parts:
        if part.kind is not PartKind.TOOL:
            yield Piece(PieceKind(part.kind.value), part.text, at)
            continue
        event = next((each for each in left if each.kind == part.text), None)
        if event is None:
            yield Piece(PieceKind.TOOL, "", at, part.text)
            continue
        left.remove(event)
        yield Piece(PieceKind.TOOL, event.detail, at, event.kind, event.status)
    for each in left:
        yield Piece(PieceKind.TOOL, each.detail, at, each.kind, each.status)


def raw_call(workspace: Workspace, number: int, call: int) -> str:
    """Request and response of one call of an attempt, JSON laid out for reading."""
    with reading(workspace) as connection:
        raw = RawCalls(connection).raw(number, call)
    pieces = []
    for name, text in (("request", raw.request), ("response", raw.response)):
        pieces.append(f"── {name} of call {call} ──\n" + (laid_out(text) if text else "(none)"))
    return "\n\n".join(pieces)


def laid_out(text: str) -> str:
    """JSON with a line for each value; a stream of events piece by piece; all else as it came."""
    if text.lstrip()[:1] in ("{", "["):
        return _pretty(text)
    lines = text.split("\n")
    if len(lines) > _MOST_LINES:
        return text
    return "\n".join(
        f"data: {_pretty(line[5:].strip())}" if line.startswith("data:") else line for line in lines
    )


def _pretty(text: str) -> str:
    try:
        return json.dumps(json.loads(text), indent=2, ensure_ascii=False)
    except (ValueError, RecursionError):
        return text
