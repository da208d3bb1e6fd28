"""The command that lists attempts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from relaybench.cli.output import columns, data, data_json, say, terminal_width, usd

if TYPE_CHECKING:
    from relaybench.cli.main import Place
    from relaybench.domain.triage import TriageMark

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
#: Triage marks to list by; "any" and "none" say whether there is one.
TRIAGE = ("extractor", "key", "model", "any", "none")


@click.command()
@click.argument("run", required=False)
@click.option("--outcome", type=click.Choice(OUTCOMES), help="Only attempts with this outcome.")
@click.option(
    "--item",
    "items",
    multiple=True,
    metavar="SET/NAME",
    help="Only attempts at this item, in all its forms (repeatable).",
)
@click.option("--model", metavar="NAME", help="Only attempts of this model, as tables name it.")
@click.option("--near-miss", is_flag=True, help="Only near misses, each with what it misses by.")
@click.option("--triage", type=click.Choice(TRIAGE), help="Only attempts with this triage mark.")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text")
@click.pass_obj
def attempts(
    place: Place,
    run: str | None,
    outcome: str | None,
    items: tuple[str, ...],
    model: str | None,
    near_miss: bool,
    triage: str | None,
    form: str,
) -> None:
    """List the attempts of RUN (default: the newest): outcome, answer and key."""
    from relaybench.domain.results import Outcome
    from relaybench.workbench.results.reporting import attempts as list_attempts
    from relaybench.workbench.results.triage import marks

    last = "answer / key / why"
    rows = [["attempt", "item", "form", "model", "rep.", "outcome", "calls", "cost", last]]
    found = []
    asked = Outcome(outcome) if outcome else None
    marked = marks(place.workspace, run)
    for each in list_attempts(place.workspace, run, asked, items, model, near_misses=near_miss):
        mark = marked.get(each.id)
        if not _wanted(mark, triage):
            continue
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
                    "triage": mark and mark.blame,
                    "triage_note": mark and mark.note,
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
            missed = f" (near miss: {each.note})" if near_miss else " (near miss)"
            why = f"{each.answer} / {each.key}" + (missed if each.near_miss else "")
        if mark and mark.note:
            why += f" [{mark.note}]"
        rows.append(
            [
                str(each.id),
                _short(each.item),
                each.form or "-",
                _short(each.model),
                str(each.repeat + 1),
                each.outcome.value + (f" ({mark.blame} fault)" if mark else ""),
                str(each.calls),
                usd(each.cost),
                why,
            ]
        )
    if form == "json":
        data_json(found)
    elif len(rows) == 1:
        narrowed = near_miss or triage is not None or model is not None
        say(
            ("No near misses" if near_miss else "No attempts")
            + (f" at {' or '.join(items)}" if items else "")
            + (f" with outcome {outcome}" if outcome else "")
            + (f" with the triage mark {triage}" if triage else "")
            + ("." if outcome or narrowed else " yet.")
        )
        if items:
            say("`relaybench items` lists the items of a run as SET/NAME.")
        if outcome == "pending":
            say("Cells that were not sent yet have no attempt; `relaybench runs` counts them.")
    else:
        width = terminal_width()
        if width < _ROOMY:  # the answers matter more than calls and costs
            rows = [[*row[:4], row[5], row[8]] for row in rows]
        left = (1, 2, 3, 4, 5) if width < _ROOMY else (1, 2, 3, 5, 8)
        data(columns(rows, left=left, width=width))


def _wanted(mark: TriageMark | None, triage: str | None) -> bool:
    if triage in (None, "any", "none"):
        return triage is None or (mark is not None) is (triage == "any")
    return mark is not None and mark.blame == triage


def _short(text: str) -> str:
    """A name with its middle left out where it is long: both ends tell names apart."""
    return text if len(text) <= _NAME else f"{text[: _NAME // 2 - 1]}…{text[-_NAME // 2 :]}"


COMMANDS = (attempts,)
