"""Correct a key from an attempt, and grade again: what is asked and said on the way."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from relaybench.domain.answer_rules import unfit_form
from relaybench.domain.literal import visible
from relaybench.reports.numbers import counted, listed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from relaybench.tui.work_screen import WorkScreen
    from relaybench.workbench.results.judging import Regrade
    from relaybench.workbench.results.key_fixing import KeyFix, KeySource
    from relaybench.workbench.results.opening import OpenedAttempt

#: Changed verdicts that are listed one by one before a run is graded again.
_MOST: Final = 200


async def fix_key(screen: WorkScreen, opened: OpenedAttempt) -> bool:
    """Correct one part of an attempt's key; whether grades may have changed. In a worker."""
    from relaybench.workbench.results.key_fixing import key_sources, no_key_to_fix

    reason = no_key_to_fix(opened)
    if reason:
        screen.notice(reason, "warning")
        return False
    sources: list[KeySource] = []
    with screen.reporting("the key was not changed"):
        sources = await asyncio.to_thread(key_sources, screen.desk.workspace, opened)
    source = await _choose(screen, sources) if sources else None
    if source is None:
        return False
    answer = await _new_answer(screen, source)
    if answer is None or not await _write(screen, source, answer):
        return False
    return await regrade_run(screen, opened.detail.run)


async def _choose(screen: WorkScreen, sources: Sequence[KeySource]) -> KeySource | None:
    from relaybench.tui.dialogs.pick import Choice, Pick

    if len(sources) == 1 and sources[0].answer is not None:
        return sources[0]
    wrong = next((each.label for each in sources if each.right is False), None)
    label = await screen.app.push_screen_wait(
        Pick(
            "Which step's key is wrong?",
            [
                Choice(
                    each.label,
                    f"{each.label}  {each.use}",
                    _against(each),
                    each.why,
                )
                for each in sources
            ],
            current=wrong,
        )
    )
    return next((each for each in sources if each.label == label), None)


def _against(source: KeySource) -> str:
    verdict = {True: "right", False: "wrong", None: "cannot be told"}[source.right]
    given = "" if source.answered is None else f", answered {source.answered}"
    return f"{verdict}: key {source.part}{given}"


async def _new_answer(screen: WorkScreen, source: KeySource) -> str | None:
    from relaybench.tui.dialogs.ask import Ask

    return await screen.app.push_screen_wait(
        Ask(
            f"The right answer of {visible(source.use)}",
            value=source.offer,
            hint=said_of(source),
            check=lambda text: _unfit(text),
        )
    )


def _unfit(text: str) -> str | None:
    reason = unfit_form(text)
    return f"An answer that {reason} cannot be given back by a code block." if reason else None


def said_of(source: KeySource) -> str:
    """What the user must know before a key is changed."""
    lines = [f"In the file now: {visible(source.answer or '')}"]
    if source.part != source.becomes(source.answer or ""):
        lines.append(f"This attempt was graded by: {visible(source.part)}")
    if source.augment:
        lines.append(
            f"Give the answer before {', '.join(source.augment)}: the key is computed from it."
        )
    if source.answered is not None:
        lines.append(f"The model gave: {visible(source.answered)}")
    if source.used_by:
        lines.append(f"Used by the composites {listed(source.used_by)}")
    lines.append("Runs keep the grades that they have until they are graded again.")
    return "\n".join(lines)


async def _write(screen: WorkScreen, source: KeySource, answer: str) -> bool:
    """Write the answer into its file; whether grading again makes sense."""
    from relaybench.workbench.results.key_fixing import fix_key as correct

    fixes: list[KeyFix] = []
    with screen.reporting("the key was not changed"):
        fixes.append(await asyncio.to_thread(correct, screen.desk.workspace, source.use, answer))
        await screen.desk.read_problems()
    if not fixes:
        return False
    (fix,) = fixes
    if fix.old == fix.new:
        return True
    changed = visible(f"{fix.file}: {fix.use} is now {fix.new!r} (was {fix.old!r}).")
    if not fix.fresh:
        screen.notice(changed)
        return True
    return await _keep(screen, fix, changed)


async def _keep(screen: WorkScreen, fix: KeyFix, changed: str) -> bool:
    """Offer to take an answer back with which something is not sound any more."""
    from relaybench.tui.dialogs.confirm import Confirm
    from relaybench.workbench.results.key_fixing import fix_key as correct

    details = "\n".join(
        f"{each.file} line {each.line} {each.key}: {each.problem}; {each.mend}"
        for each in fix.fresh
    )
    back = await screen.app.push_screen_wait(
        Confirm(
            f"{changed}\nThis is not sound any more:",
            yes="Take it back",
            no="Keep it",
            details=details,
            variant="warning",
        )
    )
    if not back:
        screen.notice(
            f"{changed} Mend what is not sound any more, then grade again with g.",
            "warning",
            details,
        )
        return False
    with screen.reporting("the answer was not taken back"):
        await asyncio.to_thread(correct, screen.desk.workspace, fix.use, fix.old)
        await screen.desk.read_problems()
        screen.notice(f"{fix.file}: {fix.use} is {fix.old!r} again.")
    return False


async def regrade_run(screen: WorkScreen, run: str) -> bool:
    """Tell what grading a run by corrected keys would change, ask, and do it. In a worker."""
    from relaybench.tui.dialogs.confirm import Confirm
    from relaybench.workbench.results.judging import regrade

    workspace = screen.desk.workspace
    found: list[Regrade] = []
    with screen.reporting(f"{run} was not graded again"):
        found.append(await asyncio.to_thread(regrade, workspace, run, use_corrected=True, dry=True))
    if not found:
        return False
    (dry,) = found
    if not dry.by_corrected and not dry.changes:
        screen.notice(unchanged(dry), "warning" if dry.unsound else "information")
        return False
    wanted = await screen.app.push_screen_wait(
        Confirm(
            f"Grade run {visible(run)} again by the corrected keys?",
            yes="Grade again",
            details=consequences(dry),
            variant="primary",
        )
    )
    if not wanted:
        screen.notice(f"Run {run} keeps its grades; g grades it again.")
        return False
    graded = False
    with screen.reporting(f"{run} was not graded again"):
        done = await asyncio.to_thread(regrade, workspace, run, use_corrected=True)
        screen.notice(
            f"{counted(done.graded, 'answer')} of {run} graded again, {done.by_corrected:,} by a "
            f"corrected key; {counted(len(done.changes), 'verdict')} changed. Old grades stay in "
            "the trail."
        )
        graded = True
    return graded


def unchanged(dry: Regrade) -> str:
    """Why grading a run again changes nothing."""
    if dry.unsound:
        return (
            f"{', '.join(dry.unsound)} cannot be graded by corrected keys, since they have errors "
            "now: mend them in the library or composer."
        )
    return f"Nothing changes: no key of {dry.run} was corrected with its prompt unchanged."


def consequences(dry: Regrade) -> str:
    """What grading again would change, a line each."""
    changes = dry.changes[:_MOST]
    lines = [
        f"{dry.by_corrected:,} of {counted(dry.graded, 'answer')} belong to items whose key was "
        f"corrected. Verdicts that change: {len(dry.changes) or 'none'}"
    ]
    lines += [
        visible(
            f"  #{each.attempt_id} {each.item} · {each.model} · repeat {each.repeat + 1}: "
            f"{each.before.value} → {each.after.value}"
        )
        for each in changes
    ]
    if len(dry.changes) > _MOST:
        lines.append(f"  … and {len(dry.changes) - _MOST} more")
    if dry.unsound:
        lines.append(f"Left as they are, for they have errors: {', '.join(dry.unsound)}")
    lines.append("Nothing is sent. Old grades stay in each attempt's trail.")
    return "\n".join(lines)
