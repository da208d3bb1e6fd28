"""The command that shows one attempt in full."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from relaybench.cli.output import data, data_json, terminal_width

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from relaybench.cli.main import Place
    from relaybench.domain.model import ModelConfig
    from relaybench.domain.triage import TriageMark
    from relaybench.grading.difference import PartDifference
    from relaybench.store.attempts import AttemptDetail, CallRow

_VERDICTS = {True: "right", False: "wrong", None: "cannot be told"}


@click.command()
@click.argument("number", type=int)
@click.option("--raw", is_flag=True, help="Raw requests and responses of the calls too.")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text")
@click.pass_obj
def attempt(place: Place, number: int, raw: bool, form: str) -> None:
    """Show attempt NUMBER: prompt, response, grade trail, and every call."""
    from relaybench.domain.model_ids import same_model
    from relaybench.workbench.results.opening import open_attempt
    from relaybench.workbench.results.reporting import attempt as read_attempt

    detail, opened = read_attempt(place.workspace, number), open_attempt(place.workspace, number)
    if form == "json":
        data_json({**_attempt_json(detail, raw), "triage": _marks_json(opened.marks)})
        return
    row = detail.row
    kind = "simulated attempt" if detail.simulated else "attempt"
    data(f"{kind} {row.id} of run {detail.run}: {row.item}, {row.model}, repeat {row.repeat + 1}")
    data(f"outcome: {row.outcome.value}" + (f" ({row.note})" if row.note else ""))
    if opened.mark:
        note = f" ({opened.mark.note})" if opened.mark.note else ""
        data(f"triage: {opened.mark.blame} fault{note}; it changes no outcome")
    if row.error_message:
        data(f"error: {row.error_kind}: {row.error_message}")
    data("settings asked: " + ", ".join(f"{k}={v}" for k, v in asked(detail.config).items()))
    data(f"model asked: {detail.config.model} (config {row.config_name})")
    if row.served_model:
        other = not same_model(detail.config.model, row.served_model)
        data(f"model served: {row.served_model}" + (", another than asked" if other else ""))
    _heading("prompt")
    data(detail.item.prompt or "(not known: imported)")
    for number, call in enumerate(detail.turns, 1):
        turn = f" (turn {number} of {len(detail.turns)})" if len(detail.turns) > 1 else ""
        if call.thinking:
            _heading(f"thinking{turn}")
            data(call.thinking)
        _heading(f"response{turn}")
        data(call.refusal or call.text or "(empty)")
        if call.followed:
            _heading("paused, and continued" if call.nudge is None else "nudged on")
            data(call.nudge or "(nothing said)")
    if detail.row.answer != detail.row.key:
        _print_parts(opened.parts)
    _heading("grades")
    for each in detail.grades:
        now = "now" if each.current else "before"
        marks = [m for m, on in (("repaired", each.repaired), ("near miss", each.near_miss)) if on]
        data(
            f"{each.created_at}  {each.outcome.value} ({now})  {each.extractor}"
            + "".join(f", {mark}" for mark in marks)
        )
        data(f"  answer: {'none' if each.answer is None else each.answer}")
        data(f"  key:    {each.key}")
        for label, right in each.steps.items():
            data(f"  step {label}: {_VERDICTS[right]}")
        if each.note:
            data(f"  {each.note}")
    _heading("calls")
    for one in detail.calls:
        _print_call(one, raw)


def asked(config: ModelConfig) -> dict[str, object]:
    """What a model config asks for; each call shows what was sent."""
    identity = config.identity()
    return {name: value for name, value in identity.items() if value not in (None, {}, [])}


def _print_parts(parts: Sequence[PartDifference]) -> None:
    """Answer below key for every part that is wrong, with marks under what differs."""
    from relaybench.grading.difference import spelled
    from relaybench.reports.answer_lines import aligned, line_text

    wrong = [each for each in parts if each.answer is not None and each.answer != each.key]
    if wrong:
        _heading("answer against key (^ other, - missing, + too many)")
    for each in wrong:
        data("whole:" if each.label is None else f"step {each.label}:")
        for row in aligned(each.segments, terminal_width() - 12):
            data(f"  key     {line_text(row.key)}")
            data(f"  answer  {line_text(row.answer)}")
            data(f"          {row.marks}")
        for name in spelled(each.segments):
            data(f"  {name}")


def _marks_json(marks: Iterable[TriageMark]) -> list[dict[str, object]]:
    return [
        {"fault": each.blame or "clear", "note": each.note, "created_at": each.created_at}
        for each in marks
    ]


def _heading(text: str) -> None:
    data(f"\n--- {text} ---")


def _print_call(call: CallRow, raw: bool) -> None:
    usage = call.usage
    data(
        f"{call.number}. {call.status}, {call.started_at} to {call.finished_at or '…'}"
        + (f", HTTP {call.http_status}" if call.http_status else "")
    )
    if call.error_kind:
        data(f"   {call.error_kind}: {call.error_message}")
    if call.wait_s is not None:
        asked = f" (asked for {call.retry_after_s:g} s)" if call.retry_after_s else ""
        data(f"   waited {call.wait_s:.1f} s{asked}")
    buckets = [
        f"{name.replace('_', ' ')} {value:,}"
        for name in ("input", "cached_input", "cache_write", "output", "reasoning")
        if (value := getattr(usage, name)) is not None
    ]
    if buckets:
        data(f"   tokens: {', '.join(buckets)}")
    if not call.billed:
        data("   not billed, by the provider's rules")
    if call.handle:
        data(f"   work at the provider: {call.handle}")
    if call.settings_sent:
        data("   settings sent: " + ", ".join(f"{k}={v}" for k, v in call.settings_sent.items()))
    for tool in call.tools:
        data(f"   tool {tool.kind} {tool.status}: {tool.detail}")
    if raw and call.request_json:
        data(f"   request:\n{call.request_json}")
    if raw and call.response_raw:
        data(f"   response:\n{call.response_raw}")


def _attempt_json(detail: AttemptDetail, raw: bool) -> dict[str, object]:
    row, call = detail.row, detail.response
    return {
        "attempt": row.id,
        "run": detail.run,
        "simulated": detail.simulated,
        "item": row.item,
        "model": row.model,
        "config": row.config_name,
        "model_asked": detail.config.model,
        "model_served": row.served_model,
        "settings_asked": asked(detail.config),
        "repeat": row.repeat,
        "outcome": row.outcome.value,
        "note": row.note,
        "error_kind": row.error_kind,
        "error_message": row.error_message,
        "prompt": detail.item.prompt,
        "response": call.text if call else None,
        "thinking": call.thinking if call else None,
        "refusal": call.refusal if call else None,
        "grades": [
            {
                "created_at": each.created_at,
                "outcome": each.outcome.value,
                "current": each.current,
                "extractor": each.extractor,
                "strict": each.strict,
                "repaired": each.repaired,
                "near_miss": each.near_miss,
                "span": each.span,
                "steps": dict(each.steps),
                "note": each.note,
                "answer": each.answer,
                "key": each.key,
            }
            for each in detail.grades
        ],
        "calls": [
            {
                "number": each.number,
                "status": each.status,
                "started_at": each.started_at,
                "finished_at": each.finished_at,
                "http_status": each.http_status,
                "error_kind": each.error_kind,
                "error_message": each.error_message,
                "retry_after_s": each.retry_after_s,
                "wait_s": each.wait_s,
                "settings_sent": dict(each.settings_sent),
                "handle": each.handle,
                "billed": each.billed,
                "followed": each.followed,
                "nudge": each.nudge,
                "tools": [
                    {"kind": tool.kind, "status": tool.status, "detail": tool.detail}
                    for tool in each.tools
                ],
                **({"request": each.request_json, "response": each.response_raw} if raw else {}),
            }
            for each in detail.calls
        ],
    }


COMMANDS = (attempt,)
