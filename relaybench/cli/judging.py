"""Commands that take in and judge answers without sending anything: grade and import."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from relaybench.cli.output import columns, data, plural, say

if TYPE_CHECKING:
    from relaybench.cli.main import Place

#: The most bad lines of an import that are shown one by one.
_BAD_LINES = 20


@click.command()
@click.argument("run", required=False)
@click.option(
    "--strict/--tolerant",
    default=None,
    help="Without or with mending slips in the code block (default: as the run was graded).",
)
@click.option(
    "--corrected-keys",
    is_flag=True,
    help="Grade against keys that were corrected since, where the prompt is unchanged.",
)
@click.option("--dry-run", is_flag=True, help="Only print what would change.")
@click.pass_obj
def grade(
    place: Place, run: str | None, strict: bool | None, corrected_keys: bool, dry_run: bool
) -> None:
    """Grade all answers of RUN (default: the newest) again, and print which verdicts changed.

    Nothing is sent. Old grades stay in each attempt's trail.
    """
    from relaybench.workbench.results.judging import regrade

    report = regrade(place.workspace, run, strict=strict, use_corrected=corrected_keys, dry=dry_run)
    if report.changes:
        rows = [["attempt", "item", "model", "repeat", "before", "after", "why"]]
        rows += [
            [
                str(each.attempt_id),
                each.item,
                each.model,
                str(each.repeat + 1),
                each.before.value,
                each.after.value,
                each.why,
            ]
            for each in report.changes
        ]
        data(columns(rows))
    verb = "would change" if dry_run else "changed"
    against = f" ({report.by_corrected} against a corrected key)" if report.by_corrected else ""
    say(
        f"{plural(report.graded, 'answer')} of {report.run!r} graded{against}; "
        f"{plural(len(report.changes), 'verdict')} {verb}."
    )
    if report.unsound:
        say(
            f"{', '.join(report.unsound)} cannot be compared with the files, since they have "
            "errors now; `relaybench check` names them."
        )
    if report.corrected and not corrected_keys:
        say(
            f"The key of {', '.join(report.corrected)} was corrected since, with the same prompt. "
            f"Grade against it with: relaybench grade {report.run} --corrected-keys"
        )


@click.command("import")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--run", "run_name", help="Name of the run (default: import-FILE).")
@click.option("--raw", is_flag=True, help="Responses are bodies as the providers sent them.")
@click.pass_obj
def import_file(place: Place, file: Path, run_name: str | None, raw: bool) -> int:
    """Take in results made elsewhere from FILE, a JSON object a line, and grade them.

    Bad lines are reported with their number and good ones kept; a file imported twice adds
    nothing. With --raw text, stop reason, tokens and tool uses are taken from the body; one that
    is an error or not finished is a bad line. README lists the keys of a line.
    """
    from relaybench.workbench.results.importing import import_results

    report = import_results(place.workspace, file, run_name, raw=raw)
    for bad in report.bad[:_BAD_LINES]:
        say(f"{file}:{bad.number}: {bad.problem}")
    if len(report.bad) > _BAD_LINES:
        say(f"… and {plural(len(report.bad) - _BAD_LINES, 'more bad line')}")
    say(
        f"run {report.run!r}: {plural(report.added, 'line')} added, {report.known} known already, "
        f"{len(report.bad)} refused."
    )
    if report.domains:
        say(
            f"{plural(report.domains, 'item')} had no domains in earlier imports; the ones given "
            "now hold there too."
        )
    return 1 if report.bad else 0


COMMANDS = (grade, import_file)
