"""Commands that look at single attempts: attempts, attempt."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from relaybench.cli.output import columns, data, data_json, say, terminal_width, usd

if TYPE_CHECKING:
    from relaybench.cli.main import Place
    from relaybench.domain.model import ModelConfig
    from relaybench.store.attempts import AttemptDetail, CallRow

_VERDICTS = {True: "right", False: "wrong", None: "cannot be told"}
#: Cells across from which the list shows all its columns, and the most cells of a name in it.
_ROOMY, _NAME = 110, 34
OUTCOMES = (
    "correct",
    "wrong",
    "unparseable",
    "refused",
    "truncated",
    "stalled",
    "error",
    "pending",
)


@click.command(short_help="List the attempts of a run.")
@click.argument("run", required=False)
@click.option("--outcome", type=click.Choice(OUTCOMES), help="Only attempts with this outcome.")
@click.option("--item", metavar="SET/NAME", help="Only attempts at this item, in all its forms.")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text")
@click.pass_obj
def attempts(
    place: Place, run: str | None, outcome: str | None, item: str | None, form: str
) -> None:
    """List the attempts of RUN (default: the newest): outcome, answer and key."""
    from relaybench.domain.results import Outcome
    from relaybench.workbench.reporting import attempts as list_attempts

    last = "answer / key / why"
    rows = [["attempt", "item", "form", "model", "rep.", "outcome", "calls", "cost", last]]
    found = []
    for each in list_attempts(place.workspace, run, Outcome(outcome) if outcome else None, item):
        if form == "json":
            found.append(
                {
                    "attempt": each.id,
                    "item": each.item,
                    "encoded": None if each.imported else each.encoded,
                    "bloat_characters": None if each.imported else each.bloat_characters,
                    "model": each.model,
                    "config": each.config_name,
                    "model_served": each.served_model,
                    "repeat": each.repeat,
                    "outcome": each.outcome.value,
                    "answer": each.answer,
                    "key": each.key,
                    "near_miss": each.near_miss,
                    "repaired": each.repaired,
                    "steps": dict(each.steps),
                    "note": each.note,
                    "raw_stop_reason": each.raw_stop_reason,
                    "error_kind": each.error_kind,
                    "error_message": each.error_message,
                    "calls": each.calls,
                    "cost_usd": each.cost,
                }
            )
            continue
        if each.error_message:
            why = each.error_message
        elif each.answer is None:
            why = each.note
        elif each.answer == each.key:
            why = each.answer
        else:
            why = f"{each.answer} / {each.key}" + (" (near miss)" if each.near_miss else "")
        rows.append(
            [
                str(each.id),
                _short(each.item),
                each.form or "-",
                _short(each.model),
                str(each.repeat + 1),
                each.outcome.value,
                str(each.calls),
                usd(each.cost),
                why,
            ]
        )
    if form == "json":
        data_json(found)
    elif len(rows) == 1:
        say(
            "No attempts"
            + (f" at {item}" if item else "")
            + (f" with outcome {outcome}." if outcome else " yet.")
        )
        if item:
            say("`relaybench items` lists the items of a run as SET/NAME.")
        if outcome == "pending":
            say("Cells that were not sent yet have no attempt; `relaybench runs` counts them.")
    else:
        width = terminal_width()
        if width < _ROOMY:  # the answers matter more than calls and costs
            rows = [[*row[:4], row[5], row[8]] for row in rows]
        left = (1, 2, 3, 4, 5) if width < _ROOMY else (1, 2, 3, 5, 8)
        data(columns(rows, left=left, width=width))


def _short(text: str) -> str:
    """A name with its middle left out where it is long: both ends tell names apart."""
    return text if len(text) <= _NAME else f"{text[: _NAME // 2 - 1]}…{text[-_NAME // 2 :]}"


@click.command(short_help="Show one attempt in full.")
@click.argument("number", type=int)
@click.option("--raw", is_flag=True, help="Raw requests and responses of the calls too.")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text")
@click.pass_obj
def attempt(place: Place, number: int, raw: bool, form: str) -> None:
    """Show attempt NUMBER: prompt, response, grade trail, and every call."""
    from relaybench.domain.model_ids import same_model
    from relaybench.workbench.reporting import attempt as read_attempt

    detail = read_attempt(place.workspace, number)
    if form == "json":
        data_json(_attempt_json(detail, raw))
        return
    row = detail.row
    kind = "simulated attempt" if detail.simulated else "attempt"
    data(f"{kind} {row.id} of run {detail.run}: {row.item}, {row.model}, repeat {row.repeat + 1}")
    data(f"outcome: {row.outcome.value}" + (f" ({row.note})" if row.note else ""))
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


COMMANDS = (attempts, attempt)
