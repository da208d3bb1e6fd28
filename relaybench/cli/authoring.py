"""Commands for authors: init, check, show, answer."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from relaybench.cli.output import (
    columns,
    data,
    data_json,
    exact,
    finding_json,
    findings_text,
    plural,
    say,
)

if TYPE_CHECKING:
    from relaybench.cli.main import Place
    from relaybench.domain.item import Item


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
def init(folder: Path) -> None:
    """Make a workspace in FOLDER, with one small example."""
    from relaybench.workbench.problems.starting import init_workspace

    for path in init_workspace(folder):
        data(str(path))
    say(
        f"\nNext: cd {shlex.quote(str(folder))}, then\n"
        "  relaybench check                           see that the problems are sound\n"
        "  relaybench show example/first              look at the exact prompt\n"
        "  relaybench run example --cohort simulated  try it on the simulator, free and offline"
    )


@click.command()
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path))
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text")
@click.pass_obj
def check(place: Place, paths: tuple[Path, ...], form: str) -> int:
    """Judge all problem files, or those in PATHS: what is wrong, where, and how to mend it.

    Exit code 1 if anything was found.
    """
    from relaybench.workbench.problems.authoring import check as check_problems

    report = check_problems(place.workspace, paths)
    counts = {
        "files": report.files,
        "classes": report.classes,
        "instances": report.instances,
        "composites": report.composites,
    }
    if form == "json":
        data_json({**counts, "findings": [finding_json(each) for each in report.findings]})
    elif report.findings:
        data(findings_text(report.findings))
    if form == "text":
        files = len(report.by_file())
        say(
            ("" if not report.findings else "\n")
            + f"{plural(len(report.findings), 'finding')} in {plural(files, 'file')}; looked at "
            + ", ".join(f"{count} {what}" for what, count in counts.items())
            + "."
        )
    return 1 if report.findings else 0


@click.command()
@click.argument("target")
@click.option("--plain", is_flag=True, help="Without code and bloat, whatever the file says.")
@click.option("--bloated", is_flag=True, help="With the file's bloat, without code.")
@click.option("--encoded", is_flag=True, help="Encoded, whatever the file says.")
@click.option("--key", is_flag=True, help="Show the answer key too, after the facts.")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text")
@click.pass_obj
def show(
    place: Place, target: str, plain: bool, bloated: bool, encoded: bool, key: bool, form: str
) -> None:
    """Print the exact text that is sent for TARGET.

    TARGET is SET/COMPOSITE or library:DOMAIN/CLASS:INSTANCE.
    The text goes to stdout byte for byte, its facts to stderr.
    """
    from relaybench.domain.problem import Variant
    from relaybench.workbench.problems.selecting import show as show_item

    asked = {Variant.PLAIN: plain, Variant.BLOATED: bloated, Variant.ENCODED: encoded}
    chosen = [variant for variant, on in asked.items() if on] or [Variant.AS_WRITTEN]
    if len(chosen) > 1:
        names = " and ".join(f"--{variant}" for variant in chosen)
        raise click.UsageError(f"{names} are forms of the prompt; choose one")
    item = show_item(place.workspace, target, chosen[0])
    if form == "json":
        data_json({**_facts(item, key), "prompt": item.prompt})
        return
    exact(item.prompt)
    say("" if item.prompt.endswith("\n") else "\n")
    rows = [(name.replace("_", " "), _shown(value)) for name, value in _facts(item, key).items()]
    width = max(len(name) for name, _ in rows)
    say("\n".join(f"{name.ljust(width)}  {value}" for name, value in rows))


def _shown(value: object) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{label} = {answer}" for label, answer in value.items())
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def _facts(item: Item, key: bool) -> dict[str, Any]:
    facts: dict[str, Any] = {
        "item": item.ref,
        "steps": len(item.steps),
        "domains": list(item.domains),
        "characters": len(item.prompt),
        "estimated_tokens": item.estimated_tokens,
        "encoded": "yes" if item.encoded else "no",
        "encoding_seed": "-" if item.encoding_seed is None else item.encoding_seed,
        "substitutions": item.substitutions,
        "dictionary_size": item.dictionary_size,
        "bloat_characters": item.bloat_characters,
        "prompt_sha256": item.prompt_sha256,
    }
    if key:
        facts["key"] = item.key
        facts["key_parts"] = {step.label: step.answer for step in item.steps}
    return facts


@click.command(
    "answer",
    context_settings={"ignore_unknown_options": True},  # an answer such as -5 is no option
)
@click.argument("target")
@click.argument("text")
@click.pass_obj
def set_answer(place: Place, target: str, text: str) -> int:
    """Correct the answer of TARGET (DOMAIN/CLASS:INSTANCE) to TEXT in its file.

    Comments and everything else in the file stay. Old runs keep their key until
    `relaybench grade RUN --corrected-keys`. Exit code 1 if a problem is no longer sound with it.
    """
    from relaybench.workbench.results.key_fixing import fix_key

    fix = fix_key(place.workspace, target, text)
    if fix.old == text:
        say(f"{fix.file}: the answer of {target} is {text!r} already")
        return 0
    say(f"{fix.file}: the answer of {target} is now {text!r} (was {fix.old!r})")
    if fix.fresh:
        say("This is not sound any more:\n")
        data(findings_text(fix.fresh))
    return 1 if fix.fresh else 0


@click.command("list")
@click.option("--classes", is_flag=True, help="List classes and their instances, not composites.")
@click.pass_obj
def list_problems(place: Place, classes: bool) -> None:
    """List sets and composites, or classes."""
    library = place.workspace.library()
    if classes:
        rows = [["class", "instances", "title"]]
        rows += [
            [ref, str(len(each.problem.instances)), each.problem.title]
            for ref, each in sorted(library.classes.items())
        ]
    else:
        rows = [["composite", "steps", "title", "form"]]
        for ref, loaded in sorted(library.composites.items()):
            composite = loaded.composite
            forms = (("bloat", composite.bloat), ("encoded", composite.encoding))
            form = "+".join(name for name, on in forms if on) or "plain"
            rows.append([ref, str(len(composite.steps)), composite.title, form])
    data(columns(rows, left=(2, 3)))


COMMANDS = (init, list_problems, check, show, set_answer)
