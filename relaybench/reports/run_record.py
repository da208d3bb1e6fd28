"""What a run was, as JSON: settings, prices, items and counts; and its answers one by one.

The name of a key's environment variable is left out, and so is whatever in an address or among
the options could be a secret: these files are made to be given away.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final
from urllib.parse import urlsplit, urlunsplit

from relaybench.domain.item import Item
from relaybench.domain.model import PERSISTENT, ModelConfig, Prices
from relaybench.domain.results import Outcome
from relaybench.domain.secret_names import is_secret_name
from relaybench.reports.export_folder import MADE_BY
from relaybench.reports.run_facts import how_simulated, pending
from relaybench.store.plans import StoredPlan
from relaybench.store.results import ConfigResult
from relaybench.store.transcripts import Transcript

_REMOVED: Final = "[removed]"
#: Parts of an address's path that are the same for everybody; any other could be a secret.
_PATH_WORDS: Final = frozenset(
    {
        *("v0", "v1", "v2", "v3", "v4", "v1alpha", "v1beta", "beta", "api", "compatible-mode"),
        *("openai", "anthropic", "google", "compat", "inference", "serverless", "paas", "ai"),
        *("chat", "completions", "responses", "messages", "models", "engines", "deployments"),
        *("client", "accounts", "projects", "locations", "endpoints", "gateway"),
    }
)


def run_record(
    plan: StoredPlan,
    results: Sequence[ConfigResult],
    *,
    with_answers: bool = False,
    files: Mapping[str, str],
) -> dict[str, object]:
    """A run's record for ``run.json``; prompts and keys of its items only with answers.

    ``files`` are the other files of the export by name, with their SHA-256.
    """
    run = plan.run
    configs = list(plan.configs.values())
    how = how_simulated([run], configs)
    by_digest = {result.config.digest: result for result in results}
    return {
        "made_by": MADE_BY,
        "version": run.version,
        "run": run.name,
        "kind": run.kind,
        "simulated": how.any,
        "created_at": run.created_at,
        "strict_extraction": bool(run.strict),
        "with_answers": with_answers,
        "counts": {
            "items": run.items,
            "models": run.configs,
            "repeats": run.repeats,
            "planned": run.planned,
            "answered": run.answered,
            "failed": run.failed,
        },
        "models": [
            {
                "config": config.name,
                "label": config.label,
                "simulated": how.of(config),
                "sha256": digest,
                "settings": config_settings(config),
                "prices": _prices(config.prices),
                "counts": _counts(by_digest.get(digest)),
                "costs": _costs(by_digest.get(digest)),
            }
            for digest, config in plan.configs.items()
        ],
        "items": [_item(item, with_answers) for item in plan.items.values()],
        "files": files,
    }


def config_settings(config: ModelConfig) -> dict[str, object]:
    """What a config asks for, without the name of its key's variable and without secrets."""
    return {
        "provider": config.provider,
        "model": config.model,
        "effort": config.effort,
        "tools": list(config.tools),
        "harness": config.harness,
        "max_continuations": config.max_continuations,
        "max_nudges": config.max_nudges if config.harness == PERSISTENT else None,
        "nudge": config.nudge if config.harness == PERSISTENT else None,
        "instructions": config.instructions,
        "blocked_domains": list(config.blocked_domains),
        "base_url": _address(config.base_url),
        "max_output_tokens": config.max_output_tokens,
        "timeout_s": config.timeout_s,
        "idle_timeout_s": config.idle_timeout_s,
        "options": without_secrets(config.options),
    }


def _address(url: str | None) -> str | None:
    if url is None:
        return None
    try:
        parts = urlsplit(url)
    except ValueError:
        return _REMOVED
    host = parts.netloc.rpartition("@")[2]  # what stands before @ is a name and a password
    query = _REMOVED if parts.query else ""
    path = "/".join(
        each if not each or each in _PATH_WORDS else _REMOVED for each in parts.path.split("/")
    )
    return urlunsplit((parts.scheme, host, path, query, ""))


def without_secrets(value: object) -> object:
    """Settings with whatever is named like a secret replaced, at any depth."""
    if isinstance(value, Mapping):
        return {
            str(name): _REMOVED
            if is_secret_name(str(name)) and not isinstance(each, bool)
            else without_secrets(each)
            for name, each in value.items()
        }
    if isinstance(value, list | tuple):
        return [without_secrets(each) for each in value]
    return value


def _prices(prices: Prices | None) -> dict[str, object] | None:
    if prices is None:
        return None
    return {
        "unit": "USD per million tokens; tool fees in USD per use; null is unknown",
        "as_of": prices.as_of.isoformat() if prices.as_of else None,
        "source": prices.source,
        "note": prices.note,
        "tiers": [
            {
                "above_input_tokens": tier.above,
                "input": tier.input,
                "cached_input": tier.cached_input,
                "cache_write": tier.cache_write,
                "cache_write_1h": tier.cache_write_1h,
                "output": tier.output,
            }
            for tier in prices.tiers
        ],
        "tool_fees": dict(prices.tool_fees),
    }


def _counts(result: ConfigResult | None) -> dict[str, object] | None:
    if result is None:
        return None
    outcomes = {
        outcome.value: result.count(outcome) for outcome in Outcome if outcome != Outcome.PENDING
    }
    return {
        "planned": result.planned,
        "scored": result.scored,
        **outcomes,
        "pending": pending(result),
        "retries": result.retries,
        "repaired": result.repaired,
        "near_misses": result.near_misses,
        "lost_calls": result.lost_calls,
        "answers_without_token_counts": result.unreported,
        "attempts_of_unknown_cost": result.uncosted,
    }


def _costs(result: ConfigResult | None) -> dict[str, object] | None:
    if result is None:
        return None
    facts = result.facts
    low, high = facts.estimate or (None, None)
    return {
        "unit": "USD; null is unknown",
        "total": result.cost.total,
        "had_nothing_been_cached": result.uncached,
        "estimate": facts.estimate and {"low": low, "high": high, "basis": facts.estimate_basis},
        "billed_but_not_saved": {
            "calls": facts.unsaved_calls,
            "under_way": facts.under_way,
            "estimated": facts.unsaved_usd,
        },
        "tool_answers_past_a_price_step": facts.stepped,
        "replaced_prices": [
            {
                "replaced_at": each.replaced_at,
                "prices": _prices(each.prices),
                "total": each.cost,
            }
            for each in facts.replaced
        ],
    }


def _item(item: Item, with_answers: bool) -> dict[str, object]:
    # Not the item's own hash: a short key could be guessed from it once the prompt is known.
    record: dict[str, object] = {
        "item": item.ref,
        "kind": item.kind.value,
        "prompt_sha256": item.prompt_sha256,
        "steps": len(item.steps),
        "domains": list(item.domains),
        "encoded": item.encoded,
        "encoding_seed": item.encoding_seed,
        "bloat_characters": item.bloat_characters,
        "substitutions": item.substitutions,
        "dictionary_size": item.dictionary_size,
        "characters": len(item.prompt),
        "estimated_tokens": item.estimated_tokens,
    }
    if with_answers:
        record["sha256"] = item.digest
        record["prompt"] = item.prompt
        record["key"] = item.key
    return record


def response_record(plan: StoredPlan, transcript: Transcript) -> dict[str, object]:
    """One attempt's prompt, response, key and answer for ``responses.jsonl``.

    ``response`` is all visible text of the last answered call, ``answer_text`` the part of it in
    which the answer was looked for where that is not all of it; null where there is none.
    """
    row, last = transcript.row, transcript.response
    how = how_simulated([plan.run], plan.configs.values())
    return {
        "simulated": how.of(plan.configs.get(row.config_digest)),
        "attempt": row.id,
        "item": row.item,
        "item_sha256": row.item_digest,
        "model": row.model,
        "config": row.config_name,
        "config_sha256": row.config_digest,
        "repeat": row.repeat,
        "outcome": row.outcome.value,
        "key": row.key,
        "answer": row.answer,
        "note": row.note,
        "prompt": plan.items[row.item_digest].prompt,
        "response": None if last is None else last.text,
        "answer_text": None if last is None else last.answer_text,
        "refusal": None if last is None else last.refusal,
        "earlier_turns": [
            {"text": turn.text, "nudge": turn.nudge} for turn in transcript.turns if turn.followed
        ],
    }
