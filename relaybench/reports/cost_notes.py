"""What must be known to read costs, said by the table itself."""

from __future__ import annotations

from collections.abc import Sequence

from relaybench.domain.money import sum_known
from relaybench.reports.numbers import counted, usd
from relaybench.reports.run_facts import named_counts, unpriced
from relaybench.store.results import ConfigResult


def cost_notes(results: Sequence[ConfigResult]) -> list[str]:
    """What must be known to read costs: what is unknown, what may be missing, how it is summed."""
    notes = []
    names = unpriced(results)
    if names:
        notes.append(
            f"Cost unknown, never 0, for {', '.join(names)}: a price or a token count is not known."
        )
    unreported = {result.config.digest: result.unreported for result in results}
    if any(unreported.values()):
        notes.append(
            f"Answers without token counts: {named_counts(results, unreported)}. "
            f"Token sums and costs lack them.{_why_uncounted(results)}"
        )
    notes += _unsaved_notes(results) + _repriced_notes(results)
    return notes


def _why_uncounted(results: Sequence[ConfigResult]) -> str:
    """Why token counts are missing, as far as that can be said."""
    without = [each.config for each in results if each.unreported]
    words = []
    if any(config.manual for config in without):
        words.append("Web pages from which answers are pasted count none.")
    if not all(config.manual for config in without):
        words.append(
            "Some servers count tokens only where they do not stream: options = { stream = false } "
            "in models.toml."
        )
    return "".join(f" {each}" for each in words)


def price_notes(results: Sequence[ConfigResult]) -> list[str]:
    """What the prices shown are, and what they do not tell."""
    notes = [
        "Costs are the sums of what every call was charged, in full precision; only what is "
        "displayed is rounded, so parts may not add up to their total in the last digit."
    ]
    tiered = [
        f"{each.config.label} (above {', '.join(f'{tier.above:,}' for tier in tiers)} input tokens)"
        for each in results
        if each.config.prices is not None
        and (tiers := [tier for tier in each.config.prices.tiers if tier.above > 0])
    ]
    if tiered:
        notes.append(
            f"Other prices hold for long prompts: {'; '.join(tiered)}. Prices shown are the base "
            "tier; each call was charged by its own tier, so a cost can differ from tokens times "
            "price."
        )
    notes += [
        f"{each.config.label}: {counted(each.facts.stepped, 'answer')} used tools and passed the "
        f"price step at {each.facts.step:,} input tokens. Whether the provider applies it to every "
        "round of a tool or to their sum is not known; they were charged by their sum, the higher "
        "price."
        for each in results
        if each.facts.stepped
    ]
    unknown = [
        each.config.label
        for each in results
        if each.uncached is None and each.cost.total is not None
    ]
    if unknown:
        notes.append(
            f"What {', '.join(unknown)} would have cost had nothing been cached was not computed "
            "when the answers came; `relaybench reprice` does."
        )
    long_writes = [each.config.label for each in results if each.usage.cache_write_1h]
    if long_writes:
        notes.append(
            "Some cache writes have the one-hour lifetime and its price, which is not shown: "
            f"{', '.join(long_writes)}."
        )
    unattributed = {each.config.digest: each.usage.unattributed or 0 for each in results}
    if any(unattributed.values()):
        notes.append(
            "Output holds tokens that a provider's total counts but its parts do not name: "
            f"{named_counts(results, unattributed)}."
        )
    return notes


def price_source_notes(results: Sequence[ConfigResult]) -> list[str]:
    """Day and source of each model's prices, a note a model."""
    notes = []
    sources = {
        each.config.label: (
            each.config.prices.as_of,
            each.config.prices.source,
            each.config.prices.note,
        )
        for each in results
        if each.config.prices is not None
    }
    for label, (as_of, source, doubt) in sources.items():
        day = as_of.isoformat() if as_of else "an unknown day"
        doubt = f" ({doubt})" if doubt else ""
        notes.append(f"Prices of {label}: as of {day}, {source or 'source not given'}{doubt}.")
    return notes


def estimate_notes(results: Sequence[ConfigResult]) -> list[str]:
    """What was estimated before the run beside what it came to, a note for each basis."""
    by_basis: dict[str, list[str]] = {}
    for each in results:
        if each.facts.estimate is None:
            continue
        low, high = each.facts.estimate
        said = usd(low) if low == high else f"{usd(low)} to {usd(high)}"
        by_basis.setdefault(each.facts.estimate_basis, []).append(
            f"{each.config.label}: estimated {said}, was {usd(each.cost.total)}"
        )
    return [f"Before the run ({basis}) {'; '.join(models)}." for basis, models in by_basis.items()]


def _unsaved_notes(results: Sequence[ConfigResult]) -> list[str]:
    calls = {each.config.digest: each.facts.unsaved_calls for each in results}
    if not any(calls.values()):
        return []
    estimates = [
        f"{each.config.label}: {usd(each.facts.unsaved_usd)}"
        for each in results
        if each.facts.unsaved_calls
    ]
    total = sum_known(tuple(each.facts.unsaved_usd for each in results))
    note = (
        f"Calls that may have been billed though no answer was kept: {named_counts(results, calls)}"
        ". They timed out, broke off, were left, or are waiting still. They are estimated at "
        f"{usd(total)} ({', '.join(estimates)}), and no cost here holds that."
    )
    going = {each.config.digest: each.facts.under_way for each in results}
    if any(going.values()):
        note += (
            f" The work of {named_counts(results, going)} goes on at the provider; --resume asks "
            "for it."
        )
    return [note]


def _repriced_notes(results: Sequence[ConfigResult]) -> list[str]:
    notes = []
    for each in results:
        if not each.facts.replaced:
            continue
        first = each.facts.replaced[0]
        last = each.facts.replaced[-1].replaced_at[:10]
        times = "" if len(each.facts.replaced) == 1 else f" {len(each.facts.replaced)} times"
        as_of = first.prices.as_of if first.prices else None
        by = f" by the prices as of {as_of}" if as_of else ""
        notes.append(
            f"Repriced{times}, last on {last}: {each.config.label}; when it was sent its cost was "
            f"{usd(first.cost)}{by}."
        )
    return notes
