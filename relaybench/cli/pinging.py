"""The command that asks models for one word: do key, model id, tools and effort work?"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import TYPE_CHECKING, Final

import click

from relaybench.cli.output import columns, data, data_json, plural, say, usd

if TYPE_CHECKING:
    from relaybench.cli.main import Place
    from relaybench.workbench.models.pinging import PingPlan, PingResult

#: The most letters of the settings that are shown; --format json has all.
_MOST: Final = 600


@click.command()
@click.argument("names", nargs=-1, metavar="[MODEL]...")
@click.option("--cohort", "cohorts", multiple=True, help="Cohort of models (repeatable).")
@click.option(
    "--timeout",
    "timeout_s",
    type=click.FloatRange(1, 86_400),
    default=120.0,
    show_default=True,
    help="Seconds that one answer may take.",
)
@click.option("--yes", is_flag=True, help="Do not ask before sending.")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text")
@click.pass_obj
def ping(
    place: Place,
    names: tuple[str, ...],
    cohorts: tuple[str, ...],
    timeout_s: float,
    yes: bool,
    form: str,
) -> int:
    """Send one tiny prompt to each MODEL (default: all whose key is present) and say what came.

    It goes out with the model's own effort, tools and instructions, once, and with a small limit
    on the output. It is no result; `models` shows the last ping of each. Exit code 1 if any model
    failed.
    """
    import asyncio

    from relaybench.workbench.models.ping_history import keep_pings
    from relaybench.workbench.models.pinging import ping as send
    from relaybench.workbench.models.pinging import plan_pings

    workspace = place.workspace
    plan = plan_pings(workspace, names, cohorts, timeout_s=timeout_s)
    for why in dict.fromkeys(plan.skipped.values()):
        left_out = [name for name, reason in plan.skipped.items() if reason == why]
        say(f"left out {', '.join(left_out)}: {why}")
    if not plan.pings:
        say("There is nothing to ping: set a key, or name a model (`relaybench models`).")
        return 1
    if plan.open:
        _describe(plan)
        if not yes and any(not each.config.simulated for each in plan.open):
            if not sys.stdin.isatty():
                raise click.UsageError("there is nobody to ask; add --yes to start without asking")
            click.confirm("Send?", abort=True, err=True, default=False)
    results = asyncio.run(send(workspace, plan))
    if form == "json":
        data_json([_json(each) for each in results])
    else:
        _print(results)
    keep_pings(workspace, results)
    failed = sum(not each.ok for each in results)
    say(f"\n{plural(len(results) - failed, 'model')} answered, {failed} failed.")
    return 1 if failed else 0


def _describe(plan: PingPlan) -> None:
    """Say what is sent and what it may cost, low to high."""
    say(f"ping {plural(len(plan.open), 'model')}, one tiny prompt each:")
    rows = [["model", "output limit", "cost, low to high"]]
    for each in plan.open:
        limit = each.sent.max_output_tokens
        rows.append(
            [
                each.config.name,
                "none" if limit is None else f"{limit:,}",
                _range(each.cost_low, each.cost_high),
            ]
        )
    rows.append(["total", "", _range(*plan.cost)])
    say(columns(rows, indent=2))
    if any(each.config.tools for each in plan.open):
        say("  a model that uses a tool all the same may cost more")


def _range(low: Decimal | None, high: Decimal | None) -> str:
    if low is None or high is None:
        return "unknown"
    return usd(low) if low == high else f"{usd(low)} to {usd(high)}"


def _print(results: Sequence[PingResult]) -> None:
    rows = [["model", "result", "key", "input", "output", "cost", "time"]]
    for each in results:
        usage = each.completion.usage if each.completion else None
        rows.append(
            [
                each.planned.config.name,
                _result(each),
                _key(each),
                _tokens(usage.input_total if usage else None),
                _tokens(usage.output if usage else None),
                usd(each.cost) if each.sent else "-",
                f"{each.seconds:.1f} s" if each.seconds is not None else "-",
            ]
        )
    data(columns(rows, left=(1, 2)))
    for each in results:
        data("")
        data(f"{each.planned.config.name}\n" + "\n".join(_details(each)))


def _result(result: PingResult) -> str:
    if not result.ok:
        return f"failed: {_kind(result)}"
    other = result.other_model
    return f"ok, but answered by another model: {other}" if other else "ok"


def _kind(result: PingResult) -> str:
    return result.error.kind if result.error else "no answer"


def _key(result: PingResult) -> str:
    return {True: "present", False: "missing", None: "not needed"}[result.planned.key]


def _tokens(count: int | None) -> str:
    return "-" if count is None else f"{count:,}"


def _details(result: PingResult) -> list[str]:
    from relaybench.domain.literal import visible

    config, completion, error = result.planned.config, result.completion, result.error
    facts: dict[str, str] = {"asked": f"{config.model} of {config.provider}"}
    if config.key_env:
        facts["key"] = f"{_key(result)}: {config.key_env}"
    if completion is not None:
        facts["served"] = completion.served_model or "not reported"
        effort, tools = _effort(completion.settings_sent), _tools(completion.settings_sent)
        facts["effort"] = f"{config.effort or 'not asked for'}; sent as {effort}"
        facts["tools"] = f"{', '.join(config.tools) or 'none'}; sent as {tools}"
        raw = completion.raw_stop_reason
        facts["answer"] = result.answer + (f" (stop reason {raw})" if raw else "")
        if uses := ", ".join(each.kind for each in completion.tool_events):
            facts["tools used"] = uses
    if error is not None:
        facts["reached"] = ("yes" if result.reached else "no") + (
            "" if result.sent else ", nothing was sent"
        )
        facts["error"] = str(error)
        facts["what to do"] = result.advice
    return [f"  {name:<11} {visible(_cut(value))}" for name, value in facts.items()]


def _cut(text: str) -> str:
    return text if len(text) <= _MOST else text[: _MOST - 1] + "…"


def _effort(settings: Mapping[str, object]) -> str:
    """What a request said about effort and thinking, in the provider's own form."""
    generation = settings.get("generationConfig")
    found = generation if isinstance(generation, Mapping) else {}
    words = {**settings, **found}
    said = {key: words[key] for key in _EFFORT_KEYS if key in words}
    return json.dumps(said, default=str) if said else "nothing"


def _tools(settings: Mapping[str, object]) -> str:
    tools = settings.get("tools")
    return json.dumps(tools, default=str) if tools else "nothing"


#: Where the wire formats carry effort and thinking.
_EFFORT_KEYS: Final = (
    "thinking",
    "output_config",
    "reasoning",
    "reasoning_effort",
    "thinkingConfig",
    "chat_template_kwargs",
)


def _json(result: PingResult) -> dict[str, object]:
    config, completion, error = result.planned.config, result.completion, result.error
    usage = completion.usage if completion else None
    return {
        "name": config.name,
        "provider": config.provider,
        "simulated": config.simulated,
        "ok": result.ok,
        "key_env": config.key_env,
        "key": _key(result),
        "settings_accepted_here": result.planned.refused is None or result.planned.key is False,
        "sent": result.sent,
        "reached": result.reached,
        "model_asked": config.model,
        "model_served": completion and completion.served_model,
        "other_model": result.other_model,
        "effort": config.effort,
        "tools": list(config.tools),
        "instructions": config.instructions,
        "settings_sent": dict(completion.settings_sent) if completion else None,
        "answer": result.answer or None,
        "text": completion and completion.final_text,
        "stop_reason": completion and completion.stop_reason.value,
        "raw_stop_reason": completion and completion.raw_stop_reason,
        "tools_used": [each.kind for each in completion.tool_events] if completion else None,
        "usage": usage
        and {
            "input": usage.input,
            "cached_input": usage.cached_input,
            "cache_write": usage.cache_write,
            "output": usage.output,
            "reasoning": usage.reasoning,
        },
        "cost_usd": result.cost,
        "estimate_usd": [result.planned.cost_low, result.planned.cost_high],
        "seconds": result.seconds,
        "error": error
        and {
            "kind": error.kind,
            "message": str(error),
            "http_status": error.http_status,
            "retryable": error.retryable,
            "retry_after_s": error.retry_after_s,
            "advice": result.advice,
        },
    }


COMMANDS = (ping,)
