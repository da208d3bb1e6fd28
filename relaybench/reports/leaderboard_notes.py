"""What a reader of a leaderboard must know, said by the table itself."""

from __future__ import annotations

from collections.abc import Sequence

from relaybench.domain.results import Outcome
from relaybench.reports.cost_notes import cost_notes
from relaybench.reports.numbers import counted
from relaybench.reports.run_facts import (
    how_simulated,
    named_counts,
    pending,
    several_forms_notes,
    simulated_notes,
    uneven_repeats,
)
from relaybench.stats.rates import ScoreSummary
from relaybench.store.plans import RunRow
from relaybench.store.results import ConfigResult


def leaderboard_notes(
    run: RunRow,
    results: Sequence[ConfigResult],
    scores: Sequence[ScoreSummary | None],
    problems: int | None = None,
) -> tuple[str, ...]:
    """Notes in the order of their weight; ``scores`` are aligned with ``results``.

    ``problems``: how many problems the run's items are; None where each is one of its own.
    """
    configs = [result.config for result in results]
    notes = simulated_notes(how_simulated([run], configs), configs)
    notes += incomplete_notes(run, results)
    if run.kind == "import":  # of a run that was sent, incomplete ones are named
        notes += uneven_repeats(n for result in results for _, n in result.problems)
    notes += several_forms_notes(run.items, run.items if problems is None else problems)
    notes += other_model_notes(results)
    notes += extraction_notes(run, results)
    notes += cost_notes(results)
    notes += _definitions(run, scores)
    return tuple(notes)


def incomplete_notes(run: RunRow, results: Sequence[ConfigResult]) -> list[str]:
    """Models with attempts that are not scored, a note each."""
    notes = []
    for result in results:
        if result.scored >= result.planned:
            continue
        parts = [f"{result.scored:,} of {result.planned:,} attempts scored"]
        failed, waiting = result.count(Outcome.ERROR), pending(result)
        if failed:
            parts.append(f"{failed:,} ended in an error and stay open")
        if waiting:
            parts.append(f"{waiting:,} pending")
        without = max(run.items - len(result.problems), 0)
        if without:
            parts.append(f"{without:,} of {run.items:,} items have no scored attempt")
        notes.append(
            f"Incomplete: {result.config.label}: {', '.join(parts)}. "
            "Its score is over what was scored and may change."
        )
    return notes


def other_model_notes(results: Sequence[ConfigResult]) -> list[str]:
    """Models of which some answers came from another model than asked, a note each."""
    notes = []
    for result in results:
        if result.others:
            count = sum(result.others.values())
            who = ", ".join(f"{model} ({n:,})" for model, n in result.others.items())
            notes.append(
                f"{counted(count, 'answer')} of {result.config.label} came "
                f"from another model than asked: {who}."
            )
    return notes


def extraction_notes(run: RunRow, results: Sequence[ConfigResult]) -> list[str]:
    """Strict extraction, repaired answers and near misses, where there are any."""
    notes = []
    if run.strict:
        notes.append(
            "Strict extraction: an answer counts only where it stands in a proper fenced code "
            "block; nothing was repaired."
        )
    repaired = {result.config.digest: result.repaired for result in results}
    if any(repaired.values()):
        notes.append(
            f"Repaired answers: {named_counts(results, repaired)}. Their code block was malformed "
            "and was read tolerantly; strict extraction grades without."
        )
    near = {result.config.digest: result.near_misses for result in results}
    if any(near.values()):
        notes.append(
            f"Near misses: {named_counts(results, near)}. They equal the key but for case, "
            "Unicode form, white space or invisible characters, and count as wrong."
        )
    return notes


def hallucination_note(repeated: bool) -> str:
    """What the hallucination rate is, and that it means little without the parse rate.

    ``repeated``: whether items were asked more than once.
    """
    note = (
        "Hallucination is wrong / (correct + wrong), so it is of parseable answers alone: read it "
        "beside the parse rate, the share of scored attempts with a parseable answer."
    )
    if repeated:
        note += " Its interval treats all parseable answers as independent."
    return note


def score_notes(scores: Sequence[ScoreSummary | None]) -> list[str]:
    """What pass@1 is, and how its intervals were made."""
    known = [score for score in scores if score is not None]
    notes = [
        "Pass@1 is the mean over items of correct / scored attempts. Scored are correct, "
        "wrong, unparseable, refused, truncated and stalled ones; errors are no answers and are "
        "not scored."
    ]
    if any(score.clustered for score in known):
        notes.append(
            "Intervals are 95% Wilson intervals; where an item has several attempts, that of "
            "pass@1 uses the effective sample size, since attempts at one item are not "
            "independent."
        )
    else:
        notes.append("Intervals are 95% Wilson intervals over items, one attempt each.")
    return notes


def _definitions(run: RunRow, scores: Sequence[ScoreSummary | None]) -> list[str]:
    notes = [*score_notes(scores), hallucination_note(run.repeats > 1)]
    notes.append(
        "Costs are in USD. Per item is total cost / scored attempts, per correct is total cost / "
        "correct answers; the total holds what failed attempts were charged. Cache rate is "
        "cached input / all input tokens."
    )
    return notes
