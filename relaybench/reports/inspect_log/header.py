"""What an Inspect AI log says of a whole model config: settings, scores, tokens."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from relaybench.domain.item import Item
from relaybench.domain.model import ModelConfig
from relaybench.domain.results import Outcome
from relaybench.reports.export_folder import MADE_BY
from relaybench.reports.inspect_log.names import (
    number,
    readable,
    run_number,
    sample_ids,
    task_name,
    task_number,
)
from relaybench.reports.inspect_log.samples import SCORER, Document, model_usage
from relaybench.reports.run_facts import Simulated, how_simulated, pending, simulated_notes
from relaybench.reports.run_record import config_settings
from relaybench.stats import rates
from relaybench.store.plans import RunRow, StoredPlan
from relaybench.store.results import ConfigResult

#: The version of the log's form that is written.
VERSION: Final = 2
#: Efforts that every version of Inspect knows by the same names.
_EFFORTS: Final = ("minimal", "low", "medium", "high")
_METRICS: Final = (
    "accuracy",
    "ci_low",
    "ci_high",
    "coverage",
    "parse_rate",
    "hallucination_rate",
)
_METHOD: Final = (
    "accuracy is pass@1: the mean over items of the share of correct attempts among the scored "
    "ones; ci_low and ci_high are the ends of its 95% Wilson interval. coverage is scored of "
    "planned attempts, parse_rate the share of scored attempts with a parseable answer, "
    "hallucination_rate the share of wrong ones among these. Attempts that ended in an error are "
    "not scored."
)


@dataclass(frozen=True, slots=True)
class Span:
    """When a model config's attempts began and ended, ISO 8601 in UTC; empty where unknown."""

    started_at: str = ""
    completed_at: str = ""


def model_name(config: ModelConfig) -> str:
    """A model as Inspect names it: ``provider/model``."""
    return readable(f"{config.provider}/{config.model}")


def spec(plan: StoredPlan, config: ModelConfig, with_answers: bool) -> Document:
    """Identity and settings of a log as ``EvalSpec``."""
    run, items = plan.run, plan.items
    simulated = how_simulated([run], plan.configs.values()).of(config)
    task = task_name(run, items.values())
    arguments: Document = {
        "run": readable(run.name),
        "config": readable(config.name),
        "label": readable(config.label),
        "effort": config.effort,
        "tools": ", ".join(config.tools),
    }
    return {
        "eval_id": number("eval", task_number(run, config)),
        "run_id": run_number(run),
        "created": run.created_at,
        "task": task,
        "task_id": task_number(run, config),
        "task_version": 0,
        "task_display_name": task,
        "task_args": arguments,
        "task_args_passed": arguments,
        "solver": config.harness,
        "tags": ["relaybench", *(["simulated"] if simulated else [])],
        "dataset": _dataset(items),
        "model": model_name(config),
        "model_generate_config": _generate_config(config),
        "model_args": readable_document(config_settings(config)),
        "config": {
            "epochs": run.repeats,
            "epochs_reducer": ["mean"],
            "fail_on_error": False,
            "continue_on_fail": True,
        },
        "packages": {"relaybench": run.version},
        "metadata": {
            "made_by": MADE_BY,
            "with_answers": with_answers,
            "simulated": simulated,
            "notes": simulated_notes(Simulated.ALL, [config]) if simulated else [],
            "config_sha256": config.digest,
            "strict_extraction": run.strict,
            "label": readable(config.label),
        },
        "scorers": [{"name": SCORER, "metrics": [{"name": name} for name in _METRICS]}],
        "headline_metric": {"score": SCORER, "metric": "accuracy"},
    }


def _dataset(items: Mapping[str, Item]) -> Document:
    return {
        "name": readable(", ".join(dict.fromkeys(item.set_name for item in items.values()))),
        "samples": len(items),
        "sample_ids": list(sample_ids(dict(items)).values()),
        "shuffled": False,
    }


def _generate_config(config: ModelConfig) -> Document:
    chosen: Document = {}
    if config.effort in _EFFORTS:
        chosen["reasoning_effort"] = config.effort
    if config.max_output_tokens is not None:
        chosen["max_tokens"] = config.max_output_tokens
    return chosen


def plan_of(config: ModelConfig) -> Document:
    """The one step there is, as ``EvalPlan``: the prompt is sent by a harness."""
    step = {"solver": f"relaybench/{config.harness}", "params": {}, "params_passed": {}}
    return {"name": "plan", "steps": [step], "config": _generate_config(config)}


def header(
    plan: StoredPlan, result: ConfigResult, span: Span, *, scored_items: int, with_answers: bool
) -> Document:
    """A whole log but for its samples, as ``EvalLog``."""
    config = result.config
    unsettled = pending(result)
    return {
        "version": VERSION,
        "status": "cancelled" if unsettled else "success",
        "eval": spec(plan, config, with_answers),
        "plan": plan_of(config),
        "results": _results(plan.run, result, scored_items),
        "stats": {
            "started_at": span.started_at,
            "completed_at": span.completed_at,
            "model_usage": _usage(result),
        },
        "invalidated": False,
    }


def _usage(result: ConfigResult) -> Document:
    usage = model_usage(result.usage, result.cost.total)
    return {model_name(result.config): usage} if usage else {}


def _results(run: RunRow, result: ConfigResult, scored_items: int) -> Document:
    metrics = metric_values(result)
    return {
        "total_samples": result.planned,
        "completed_samples": result.scored,
        "scores": [
            {
                "name": SCORER,
                "scorer": SCORER,
                "reducer": "mean" if run.repeats > 1 else None,
                "scored_samples": scored_items,
                "unscored_samples": run.items - scored_items,
                "metrics": {
                    name: {"name": name, "value": value, "params": {}}
                    for name, value in metrics.items()
                },
            }
        ],
        "metadata": {
            "method": _METHOD,
            "outcomes": {
                outcome.value: result.count(outcome)
                for outcome in Outcome
                if outcome is not Outcome.PENDING
            },
            "pending": pending(result),
            "retries": result.retries,
            "attempts_without_token_counts": result.unreported,
            "attempts_of_unknown_cost": result.uncosted,
        },
    }


def metric_values(result: ConfigResult) -> dict[str, float]:
    """The metrics of a model config that are defined, by name; the others are not there."""
    correct, wrong = result.count(Outcome.CORRECT), result.count(Outcome.WRONG)
    score = rates.score_summary(
        [[1.0] * right + [0.0] * (scored - right) for right, scored in result.problems]
    )
    found = rates.hallucination(correct, wrong, result.unparsed)
    values: dict[str, float | None] = {
        "accuracy": None if score is None else score.p,
        "ci_low": None if score is None else score.interval.lo,
        "ci_high": None if score is None else score.interval.hi,
        "coverage": rates.coverage(result.scored, result.planned),
        "parse_rate": rates.parse_rate(correct, wrong, result.unparsed),
        "hallucination_rate": None if found is None else found.rate,
    }
    return {name: value for name, value in values.items() if value is not None}


def readable_document(value: object) -> object:
    """Settings with every text in them readable for pydantic."""
    if isinstance(value, str):
        return readable(value)
    if isinstance(value, Mapping):
        return {readable(str(key)): readable_document(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [readable_document(each) for each in value]
    return value
