"""Commands that send: run and demo."""

from __future__ import annotations

import contextlib
import os
import shlex
import sys
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING

import click

from relaybench.cli.output import columns, data, plural, say, usd

if TYPE_CHECKING:
    from relaybench.cli.main import Place
    from relaybench.workbench.results.spent import Counted
    from relaybench.workbench.runs.planning import Proposal, RunOptions
    from relaybench.workbench.workspace import Workspace

VARIANTS = ("as-written", "plain", "bloated", "encoded")


class Dollars(click.ParamType[Decimal]):
    """An amount of USD above 0."""

    name = "usd"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> Decimal:
        """Read an amount, with or without a dollar sign."""
        from relaybench.domain.errors import PlanError
        from relaybench.workbench.runs.run_choice import read_budget

        try:
            return read_budget(str(value))
        except PlanError as error:
            self.fail(str(error), param, ctx)


@click.command()
@click.argument("targets", nargs=-1)
@click.option("--cohort", "cohorts", multiple=True, help="Cohort of models (repeatable).")
@click.option("--model", "names", multiple=True, help="Single model by its name (repeatable).")
@click.option(
    "--variant",
    "variants",
    multiple=True,
    type=click.Choice(VARIANTS),
    help="Form of each composite (repeatable: paired items).  [default: as-written]",
)
@click.option("--repeats", type=click.IntRange(1, 1000), help="Attempts per item and model.")
@click.option("--concurrency", type=click.IntRange(1, 1000), help="Calls at once, per provider.")
@click.option("--budget", type=Dollars(), help="USD that the run may cost in all.")
@click.option("--allow-unknown-price", is_flag=True, help="With --budget: run unpriced models too.")
@click.option("--strict", is_flag=True, help="Grade without mending slips in the code block.")
@click.option("--run", "run_name", help="Name of the new run.")
@click.option("--resume", help="Go on with this run: send its missing and failed cells.")
@click.option("--yes", is_flag=True, help="Do not ask before sending.")
@click.pass_obj
def run(
    place: Place,
    targets: tuple[str, ...],
    cohorts: tuple[str, ...],
    names: tuple[str, ...],
    variants: tuple[str, ...],
    repeats: int | None,
    concurrency: int | None,
    budget: Decimal | None,
    allow_unknown_price: bool,
    strict: bool,
    run_name: str | None,
    resume: str | None,
    yes: bool,
) -> int:
    """Send TARGETS to models, grade the answers, and print the tables.

    A target is a SET, a SET/COMPOSITE, or single subproblems: library:DOMAIN/CLASS[:INSTANCE].
    First Ctrl-C: send nothing more and let calls under way finish. Second: leave now. A run that
    was left, or died, goes on with --resume; --resume with more --repeats tops it up.
    """
    from relaybench.domain.problem import Variant
    from relaybench.workbench.runs.planning import RunOptions, propose_resume
    from relaybench.workbench.runs.run_choice import RunChoice, plan

    workspace = place.workspace
    options = RunOptions(concurrency, budget, allow_unknown_price)
    if resume:
        if targets or cohorts or names or variants or run_name or strict:
            raise click.UsageError(
                "--resume goes on with the run's own frozen plan; it takes no targets, models, "
                "variants, --strict or --run"
            )
        proposal = propose_resume(workspace, resume, repeats=repeats, options=options)
    else:
        if not targets:
            raise click.UsageError("name what to run, such as a set; `relaybench list` shows them")
        choice = RunChoice(
            targets,
            tuple(Variant(each) for each in variants or VARIANTS[:1]),
            cohorts,
            names,
            repeats or 1,
            run_name,
            strict,
            options,
        )
        proposal = plan(workspace, choice)
    return start(workspace, proposal, options, yes=yes)


def describe(proposal: Proposal, options: RunOptions) -> None:
    """Say what a run will do: cells, tokens and cost, low to high."""
    what = "simulated run" if proposal.simulated else "run"
    begun = f", {_spent(proposal.spent)}" if proposal.run else ""
    say(
        f"{what} {proposal.name!r}: {plural(len(proposal.items), 'item')} x "
        f"{plural(len(proposal.configs), 'model')} x {plural(proposal.repeats, 'repeat')} = "
        f"{plural(len(proposal.items) * len(proposal.configs) * proposal.repeats, 'cell')}, "
        f"{len(proposal.cells)} to send{_by_hand(proposal)}{begun}"
    )
    rows = [["model", "cells", "input tokens", "output tokens", "cost, low to high"]]
    for each in proposal.estimates:
        if each.config.manual:
            rows.append([each.config.label, str(each.cells), "-", "-", "by hand"])
            continue
        rows.append(
            [
                each.config.label,
                str(each.cells),
                f"~{each.input_tokens:,}",
                f"{each.output_low:,} to {each.output_high:,}",
                _range(each.cost_low, each.cost_high, each.cost_mean),
            ]
        )
    low, high = proposal.cost
    rows.append(["total", str(len(proposal.cells)), "", "", _range(low, high)])
    say(columns(rows, indent=2))
    for basis in dict.fromkeys(each.basis for each in proposal.estimates if each.cells):
        names = [each.config.label for each in proposal.estimates if each.basis == basis]
        whose = "" if len(names) == len(proposal.estimates) else f" ({', '.join(names)})"
        say(f"  estimate {basis}{whose}")
    if proposal.budget is not None:
        say(f"  budget: {usd(proposal.budget)} for the whole run")
    for note in proposal.notes:
        say(f"  note: {note}")


def _by_hand(proposal: Proposal) -> str:
    return f", {len(proposal.by_hand)} by hand" if proposal.by_hand else ""


def _spent(spent: Counted) -> str:
    """What a run has cost so far; what may have been billed on top stands apart."""
    parts = [plural(spent.calls, "call") + " that may have been billed"] if spent.calls else []
    parts += [plural(spent.answers, "answer") + " of unknown cost"] if spent.answers else []
    said = f"{usd(spent.known)} spent"
    if not parts:
        return f"{said} so far"
    are = "is" if spent.calls + spent.answers == 1 else "are"
    return f"{said}; {' and '.join(parts)} {are} counted at up to {usd(spent.doubtful)} on top"


def _range(low: Decimal | None, high: Decimal | None, mean: Decimal | None = None) -> str:
    if low is None or high is None:
        return "unknown"
    about = "" if mean is None or low == high else f", about {usd(mean)}"
    return f"{usd(low)} to {usd(high)}{about}"


def start(workspace: Workspace, proposal: Proposal, options: RunOptions, *, yes: bool) -> int:
    """Show a proposal, ask, carry it out, and print its tables; returns the exit code."""
    from relaybench.cli.outcomes import print_tables, summary

    if not proposal.cells:
        from relaybench.workbench.runs.running import settle

        graded = settle(workspace, proposal)
        late = f"; {graded} answers were graded now" if graded else ""
        if proposal.by_hand:
            say(f"run {proposal.name!r}: nothing to send{late}")
            say(_next_by_hand(proposal))
            return 0
        say(f"run {proposal.name!r} is complete: every cell has its answer; nothing to send{late}")
        return 0
    describe(proposal, options)
    if not yes and not proposal.simulated:
        if not sys.stdin.isatty():
            raise click.UsageError("there is nobody to ask; add --yes to start without asking")
        click.confirm("Start?", abort=True, err=True, default=False)
    from relaybench.cli.session import carry_out

    code, words = carry_out(workspace, proposal, options)
    data("")
    print_tables(workspace, proposal.name)
    say(f"\n{summary(workspace, proposal.name)}")
    for line in words:
        say(line)
    if proposal.by_hand:
        say(_next_by_hand(proposal))
    return code


def _next_by_hand(proposal: Proposal) -> str:
    count = len(proposal.by_hand)
    are = "is" if count == 1 else "are"
    return (
        f"{plural(count, 'cell')} {are} answered by hand: `relaybench manual "
        f"{shlex.quote(proposal.name)}` lists them, gives their prompts and takes the answers."
    )


@click.command()
@click.pass_obj
def demo(place: Place) -> int:
    """Run ten composites on four simulated providers: free, offline, in seconds.

    They are the set `starter` that comes with relaybench (your own, where you have one of that
    name); your problems stay as they are. Results go to .demo/results.db in the workspace (or
    --db), never into your own; where there is no workspace they are not kept.
    """
    import tempfile

    from relaybench.workbench.runs.demonstrating import demo_workspace, propose_demo
    from relaybench.workbench.runs.planning import RunOptions
    from relaybench.workbench.workspace import find_workspace

    workspace = place.workspace
    with contextlib.ExitStack() as stack:
        has_problems = (workspace.root / "problems").is_dir()
        if not has_problems:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
            say("There is no workspace here: the results of the demo are not kept.")
            workspace = find_workspace(folder)
        elif not place.chosen:
            workspace = demo_workspace(workspace)
        options = RunOptions()
        proposal = propose_demo(workspace)
        code = start(workspace, proposal, options, yes=True)
        if code == 0:
            say("\nEverything above is simulated: made-up answers, at made-up prices. Next:")
            for what, line in _next_steps(workspace, kept=has_problems):
                say(f"  # {what}\n  {line}")
        return code


def _next_steps(workspace: Workspace, *, kept: bool) -> Iterator[tuple[str, str]]:
    """What to do after the demo, and the command for it as it works in the current folder."""
    from relaybench.workbench.workspace import find_workspace

    program = os.path.relpath(sys.argv[0]) if os.sep in sys.argv[0] else "relaybench"
    if kept:
        here = find_workspace().root == workspace.root
        where = [] if here else ["--workspace", os.path.relpath(workspace.root)]
        database = os.path.relpath(workspace.database)
        page = os.path.join(os.path.dirname(database), "report.html")
        for what, *command in (
            ("which differences between the models are real", "compare"),
            ("which subproblems fail most", "steps"),
            ("the wrong answers, each beside its key", "attempts", "--outcome", "wrong"),
            ("all of it on one page, with figures", "report", "--out", page),
        ):
            yield what, shlex.join([program, *where, "--db", database, *command])
    yield "a workspace for problems of your own", shlex.join([program, "init", "my-bench"])


COMMANDS = (run, demo)
