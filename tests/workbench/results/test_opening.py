"""One attempt opened: comparison, transcript in order, raw texts; and a key corrected from it."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from relaybench.domain.completion import Completion, StopReason, ToolEvent
from relaybench.domain.errors import UnknownNameError
from relaybench.domain.results import Outcome
from relaybench.domain.triage import Blame
from relaybench.store.raw_calls import SaidTurn
from relaybench.store.tool_uses import ToolUse
from relaybench.workbench.results.judging import regrade
from relaybench.workbench.results.key_fixing import KeySource, fix_key, key_sources, no_key_to_fix
from relaybench.workbench.results.opening import (
    PieceKind,
    answer_place,
    attempt_list,
    attempts_among,
    laid_out,
    open_attempt,
    raw_call,
    transcript,
    turn_pieces,
)
from relaybench.workbench.results.triage import mark, marks
from relaybench.workbench.workspace import Workspace
from tests.store.support import answer, bench
from tests.workbench.support import make_workspace, simulated_run


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    return make_workspace(tmp_path)


def turn(text: str = "hello", **more: object) -> SaidTurn:
    values: dict[str, object] = {
        "number": 1, "refusal": None, "text": text, "answer_text": None, "thinking": "",
        "response": "", "tools": (), "followed": False, "nudge": None, **more,
    }  # fmt: skip
    return SaidTurn(**values)  # type: ignore[arg-type]


def kinds(said: SaidTurn, provider: str = "anthropic") -> list[tuple[str, str]]:
    return [(each.kind.value, each.text) for each in turn_pieces(said, 1, provider)]


def test_pieces_stand_in_the_order_of_the_response() -> None:
    content = [
        {"type": "text", "text": "first "},
        {"type": "server_tool_use", "id": "1", "name": "web_search", "input": {"query": "q"}},
        {"type": "thinking", "thinking": "hm", "signature": ""},
        {"type": "server_tool_use", "id": "2", "name": "web_fetch", "input": {"url": "u"}},
        {"type": "text", "text": "last"},
    ]
    body = {"type": "message", "content": content, "stop_reason": "end_turn"}
    tools = (ToolUse("web_search", "q", "completed"), ToolUse("web_fetch", "u", ""))
    said = turn("first last", thinking="hm", tools=tools, response=json.dumps(body))
    assert kinds(said) == [
        ("text", "first "),
        ("tool", "q"),
        ("thinking", "hm"),
        ("tool", "u"),
        ("text", "last"),
    ]
    search = next(iter(turn_pieces(said, 3, "anthropic")))
    assert search.turn == 3


@pytest.mark.parametrize("response", ["", "nonsense", '{"error": {"message": "no"}}', "\ud800"])
def test_without_a_response_that_can_be_read_what_is_known_is_shown(response: str) -> None:
    tools = (ToolUse("web_search", "q", "completed"),)
    said = turn("text", thinking="hm", tools=tools, response=response)
    assert kinds(said) == [("thinking", "hm"), ("tool", "q"), ("text", "text")]


def test_a_response_that_says_something_else_is_not_believed() -> None:
    body = {"type": "message", "content": [{"type": "text", "text": "other"}]}
    said = turn("text", thinking="hm", response=json.dumps({**body, "stop_reason": "end_turn"}))
    assert kinds(said) == [("thinking", "hm"), ("text", "text")]


def test_thinking_of_open_models_refusals_and_nudges() -> None:
    assert kinds(turn("<think>hm</think>so")) == [("thinking", "<think>hm</think>"), ("text", "so")]
    assert kinds(turn("<think>hm")) == [("thinking", "<think>hm")]
    assert kinds(turn("", refusal="I won't")) == [("refusal", "I won't")]
    assert kinds(turn(followed=True, nudge="go on"))[-1] == (PieceKind.NUDGE, "go on")
    assert kinds(turn(followed=True))[-1] == (PieceKind.NUDGE, "")


def test_the_answer_is_found_again_in_its_piece() -> None:
    said = turn("<think>hm</think>so ```\n42\n```")
    pieces = list(turn_pieces(said, 1, "m"))
    assert answer_place(pieces, said, 1, (24, 26)) == (1, 7, 9)
    assert pieces[1].text[7:9] == "42"
    late = turn("a 42 b 42", answer_text="b 42")
    assert answer_place(list(turn_pieces(late, 1, "m")), late, 1, (2, 4)) == (0, 7, 9)
    elsewhere = turn("42", answer_text="of another response 42")
    assert answer_place(list(turn_pieces(elsewhere, 1, "m")), elsewhere, 1, (20, 22)) is None
    assert answer_place(pieces, said, 1, None) is None


def test_json_is_laid_out_and_all_else_stays() -> None:
    assert laid_out('{"a":[1,"é"]}') == '{\n  "a": [\n    1,\n    "é"\n  ]\n}'
    assert laid_out('event: x\ndata: {"a":1}\n\ndata: [DONE]') == (
        'event: x\ndata: {\n  "a": 1\n}\n\ndata: [DONE]'
    )
    assert laid_out("{not json") == "{not json"
    assert laid_out("[" * 100_000) == "[" * 100_000


def said(text: str, stop: StopReason = StopReason.END) -> Completion:
    return replace(
        answer(text),
        stop_reason=stop,
        request_json='{"model":"m"}',
        response_raw='{"x":1}',
        tool_events=(ToolEvent("search", "q", "ok"),),
    )


def test_an_attempt_is_opened_without_its_texts(tmp_path: Path) -> None:
    workspace = Workspace(tmp_path, tmp_path / "results.db", {})
    with bench(workspace.database, items=3) as b:
        call = b.recording.call_started(b.cell())
        b.recording.turn_taken(b.cell(), call, said("wait", StopReason.PAUSE), "go on")
        b.answer(b.cell(), said("```\n41\n```"))
        b.answer(b.cell(1), said("nothing"))
        b.recording.call_started(b.cell(2))
    regrade(workspace, "r")
    mark(workspace, 1, Blame.MODEL, "  off by one ")
    opened = open_attempt(workspace, 1)
    assert all(call.text is None and call.request_json is None for call in opened.detail.calls)
    assert [each.tools[0].detail for each in opened.detail.calls] == ["q", "q"]
    assert opened.grade is not None
    assert opened.grade.outcome is Outcome.WRONG
    (part,) = opened.parts
    assert (part.label, part.key, part.answer, part.right) == ("A", "42", "41", False)
    assert opened.mark is not None
    assert opened.mark.note == "off by one"
    assert list(opened.call_costs) == [1, 2]
    assert open_attempt(workspace, 2).parts == ()
    assert (open_attempt(workspace, 3).grade, open_attempt(workspace, 3).seconds) == (None, None)

    said_so = transcript(workspace, 1)
    assert said_so.answer == (4, 4, 6)
    assert [(each.kind.value, each.turn) for each in said_so.pieces] == [
        ("tool", 1),
        ("text", 1),
        ("nudge", 1),
        ("tool", 2),
        ("text", 2),
    ]
    raw = raw_call(workspace, 1, 2)
    assert '"model": "m"' in raw
    assert "response of call 2" in raw
    with pytest.raises(UnknownNameError, match="has no call 9"):
        raw_call(workspace, 1, 9)
    assert [each.id for each in attempt_list(workspace, None)] == [1, 2, 3]
    among = attempts_among(workspace, [3, 1, 7])
    assert [each.id for each in among] == [3, 1]
    assert [each.id for each in among[1:]] == [1]
    assert [each.id for each in among.at([1, 0])] == [1, 3]
    assert [among.is_wrong(place) for place in (0, 1)] == [
        each.outcome is Outcome.WRONG for each in among
    ]
    assert list(marks(workspace)) == [1]


async def test_a_key_is_corrected_where_it_comes_from(workspace: Workspace) -> None:
    make_workspace(workspace.root, answers={2: "5"})
    await simulated_run(workspace)
    opened = open_attempt(workspace, 2)
    assert no_key_to_fix(opened) == ""
    (source,) = key_sources(workspace, opened)
    assert (source.use, source.part, source.answer) == ("math/sum:n-2", "5", "5")
    fix = fix_key(workspace, source.use, "4")
    assert (fix.old, fix.new, fix.fresh) == ("5", "4", ())
    assert 'answer = "4"' in (workspace.root / fix.file).read_text("utf-8")
    assert open_attempt(workspace, 2).detail.row.outcome is Outcome.CORRECT
    regrade(workspace, "r", use_corrected=True)
    again = open_attempt(workspace, 2)
    assert (again.graded.key, again.detail.item.key) == ("4", "5")
    assert [each.right for each in again.parts] == [False]
    unfit = fix_key(workspace, source.use, "four")
    assert [each.code for each in unfit.fresh]
    (workspace.root / unfit.file).write_text("[[broken", "utf-8")
    (broken,) = key_sources(workspace, again)
    assert (broken.answer, broken.why) == (None, f"{unfit.file} line 1 cannot be read")
    (workspace.root / unfit.file).unlink()
    (gone,) = key_sources(workspace, again)
    assert (gone.answer, gone.why) == (None, "no longer in the library")


def test_what_is_offered_is_the_answer_before_its_augmentations() -> None:
    source = KeySource("A", "d/c:i", "FEDCBA", "abc", False, ("reverse", "caesar:3"), "x", ())
    assert source.offer == "zyx"
    assert source.becomes("zyx") == "abc"
    lost = replace(source, augment=("upper",))
    assert lost.offer == "x", "what was lost cannot be told"
    assert replace(source, right=True).offer == "x"
