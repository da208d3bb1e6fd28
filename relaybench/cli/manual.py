"""The command for models that have only a web page: prompts out, pasted answers in."""

from __future__ import annotations

from decimal import Decimal, InvalidOperation
from typing import TYPE_CHECKING

import click

from relaybench.cli.output import columns, data, data_json, exact, plural, say
from relaybench.cli.table_options import run_argument

if TYPE_CHECKING:
    from typing import IO

    from relaybench.cli.main import Place
    from relaybench.store.manual import ManualCell
    from relaybench.workbench.runs.manual import ManualRun, Recorded

#: As in ``workbench.manual.Ended``.
_ENDED = ("by-itself", "refused", "cut-off")


@click.command()
@run_argument
@click.option("--item", help="SET/COMPOSITE, or the first characters of its digest.")
@click.option("--model", help="Name of the manual model.")
@click.option("--repeat", type=click.IntRange(1, 1000), help="Which repeat, counted from 1.")
@click.option("--next", "first", is_flag=True, help="The first cell that is open.")
@click.option("--answer", type=click.File("rb"), metavar="FILE", help="The answer; - for stdin.")
@click.option(
    "--ended", type=click.Choice(_ENDED), default=_ENDED[0], help="How the answer ended there."
)
@click.option("--input-tokens", type=click.IntRange(0), help="Where the page tells it.")
@click.option("--output-tokens", type=click.IntRange(0), help="Where the page tells it.")
@click.option("--cost", metavar="USD", help="What it cost, where that is known.")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text")
@click.pass_obj
def manual(
    place: Place,
    run: str | None,
    item: str | None,
    model: str | None,
    repeat: int | None,
    first: bool,
    answer: IO[bytes] | None,
    ended: str,
    input_tokens: int | None,
    output_tokens: int | None,
    cost: str | None,
    form: str,
) -> int:
    """List the cells of RUN that are answered by hand, print a prompt, take an answer.

    RUN is the newest run with such cells by default. Options that leave one open cell, or --next,
    print its exact prompt; --answer stores what the model said, grades it and prints the grade.
    """
    from relaybench.workbench.runs.manual import choose_cells, manual_run, prompt_of

    workspace = place.workspace
    found = manual_run(workspace, run)
    if not found.cells:
        raise click.UsageError(
            f"run {found.run.name!r} has no manual model; write one into models.toml with provider "
            '= "manual" and name it in a run'
        )
    narrowed = first or item is not None or model is not None or repeat is not None
    chosen = choose_cells(found.cells, item=item, model=model, repeat=repeat)
    free = [each for each in chosen if each.open]
    if repeat is None and len({(each.cell.item, each.cell.config) for each in free}) == 1:
        free = free[:1]
    if answer is None and not (narrowed and (first or len(free) == 1)):
        _list(found, chosen if narrowed else found.cells, form)
        return 0
    if first and not free:
        raise click.UsageError(f"every such cell of {found.run.name!r} has its answer already")
    free = free[:1] if first else free
    if answer is not None and not free and len(chosen) == 1:
        free = chosen  # the refusal says what else is open
    if len(free) != 1:
        raise click.UsageError(
            f"{plural(len(free), 'cell')} of {found.run.name!r} fit; name one with --item, --model "
            "and --repeat, or take the first open one with --next"
        )
    if answer is None:
        exact(prompt_of(workspace, free[0]))
        say(f"\n{_called(free[0])}: store the answer by adding --answer FILE (or - for stdin)")
        return 0
    return _record(place, found, free[0], answer, ended, (input_tokens, output_tokens), cost, form)


def _record(
    place: Place,
    found: ManualRun,
    cell: ManualCell,
    answer: IO[bytes],
    ended: str,
    tokens: tuple[int | None, int | None],
    cost: str | None,
    form: str,
) -> int:
    from relaybench.domain.completion import Usage
    from relaybench.workbench.runs.manual import Ended, record_manual

    if answer.isatty():
        say(f"{_called(cell)}: paste the answer, then Ctrl-D")
    try:
        text = answer.read().decode("utf-8")
    except UnicodeDecodeError as error:
        raise click.UsageError("the answer is not UTF-8 text; nothing was stored") from error
    recorded = record_manual(
        place.workspace,
        found.run.name,
        cell.cell,
        text,
        ended=Ended(ended),
        usage=Usage(input=tokens[0], output=tokens[1]),
        cost=_usd(cost),
    )
    if form == "json":
        data_json(_json(recorded))
    else:
        _print(recorded)
    left = len(found.open) - 1
    say(f"\n{plural(left, 'cell')} of {found.run.name!r} left to answer by hand")
    return 0


def _usd(amount: str | None) -> Decimal | None:
    if amount is None:
        return None
    try:
        return Decimal(amount.removeprefix("$"))
    except InvalidOperation as error:
        raise click.UsageError(f"{amount!r} is not an amount of USD, such as 0.25") from error


def _called(cell: ManualCell) -> str:
    return f"{cell.item} ({cell.form}), {cell.config.name}, repeat {cell.cell.repeat + 1}"


def _list(found: ManualRun, cells: tuple[ManualCell, ...] | list[ManualCell], form: str) -> None:
    if form == "json":
        data_json(
            [
                {
                    "item": each.item,
                    "item_digest": each.cell.item,
                    "form": each.form,
                    "model": each.config.name,
                    "repeat": each.cell.repeat + 1,
                    "characters": each.characters,
                    "open": each.open,
                    "attempt": each.attempt,
                    "outcome": each.outcome and each.outcome.value,
                }
                for each in cells
            ]
        )
        return
    rows = [["item", "digest", "form", "model", "repeat", "characters", "answer"]]
    for each in cells:
        state = "open" if each.open else f"attempt {each.attempt}: {each.outcome}"
        rows.append(
            [
                each.item,
                each.cell.item[:8],
                each.form,
                each.config.name,
                str(each.cell.repeat + 1),
                f"{each.characters:,}",
                state,
            ]
        )
    data(columns(rows, left=(1, 2, 3, 6)))
    say(
        f"\nrun {found.run.name!r}: {len(found.open)} of {plural(len(found.cells), 'cell')} open. "
        "--next prints the first prompt, --next --answer FILE stores its answer."
    )


def _print(recorded: Recorded) -> None:
    verdicts = {True: "right", False: "wrong", None: "cannot be told"}
    grade = recorded.grade
    data(f"attempt {recorded.attempt}: {grade.outcome.value}")
    data(f"  answer: {'none' if grade.answer is None else grade.answer}")
    data(f"  key:    {recorded.item.key}")
    for label, right in grade.steps.items():
        data(f"  step {label}: {verdicts[right]}")
    if grade.note:
        data(f"  {grade.note}")


def _json(recorded: Recorded) -> dict[str, object]:
    grade = recorded.grade
    return {
        "attempt": recorded.attempt,
        "outcome": grade.outcome.value,
        "answer": grade.answer,
        "key": recorded.item.key,
        "steps": dict(grade.steps),
        "near_miss": grade.near_miss,
        "repaired": grade.repaired,
        "note": grade.note,
    }


COMMANDS = (manual,)
