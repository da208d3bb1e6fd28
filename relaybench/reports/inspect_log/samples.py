"""One attempt as a sample of an Inspect AI log, in full and as the summary that lists show.

An attempt that failed is a sample with an error and no score; every other way of giving no
answer is scored as incorrect, with its outcome beside it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Final

from relaybench.domain.completion import StopReason, Usage
from relaybench.domain.item import Item, ItemKind
from relaybench.domain.results import Outcome
from relaybench.reports.attempts_table import shown_stop_reason
from relaybench.reports.inspect_log.names import number, readable, run_number
from relaybench.reports.tables import Missing
from relaybench.store.plans import RunRow
from relaybench.store.results import AttemptRow
from relaybench.store.transcripts import Transcript

#: The name of the score: the answer is compared with the key, letter by letter.
SCORER: Final = "exact_match"
#: What stands for prompts, keys, answers and responses where they were not asked for.
LEFT_OUT: Final = "[left out: exported without answers]"
_IMPORTED: Final = "[not known: made elsewhere]"
#: Lists show no more of a text (Inspect's own limit for them is far beyond).
_SUMMARY_LENGTH: Final = 1000
#: Inspect's words for why a model stopped.
_STOPPED: Final = {
    StopReason.END: "stop",
    StopReason.STOP_SEQUENCE: "stop",
    StopReason.MAX_TOKENS: "max_tokens",
    StopReason.TOOL_USE: "tool_calls",
    StopReason.REFUSAL: "content_filter",
    StopReason.BLOCKED: "content_filter",
}
#: Inspect's words for answers that are incorrect without being wrong.
_REASONS: Final = {
    Outcome.REFUSED: "refusal",
    Outcome.UNPARSEABLE: "invalid_response_format",
}

Document = dict[str, object]


@dataclass(frozen=True, slots=True)
class SampleWriter:
    """Makes samples of one model config's attempts. ``ids`` are the samples' names by item."""

    run: RunRow
    model: str
    simulated: bool
    ids: Mapping[str, str]
    items: Mapping[str, Item]
    with_answers: bool

    def sample(self, transcript: Transcript) -> Document:
        """An attempt as ``EvalSample``."""
        row, item = transcript.row, self.items[transcript.row.item_digest]
        usage = model_usage(row.usage, row.cost)
        used: Document = {self.model: usage} if usage else {}
        messages = self._messages(item, transcript)
        return {
            "id": self.ids[item.digest],
            "epoch": row.repeat + 1,
            "input": self._input(item),
            "target": readable(row.key) if self.with_answers else LEFT_OUT,
            "messages": messages,
            "output": self._output(transcript, messages, usage),
            "scores": self._scores(row),
            "metadata": self._metadata(item, row),
            "store": {},
            "events": [],
            "attachments": {},
            "model_usage": used,
            "started_at": row.started_at,
            "completed_at": row.finished_at,
            "total_time": _seconds(row),
            "uuid": self._number(row),
            "error": self._error(row),
        }

    def summary(self, sample: Document) -> Document:
        """A sample as ``EvalSampleSummary``: without its texts, or with their beginning only."""
        messages, error = sample["messages"], sample["error"]
        scores = sample["scores"]
        kept = ("id", "epoch", "metadata", "model_usage", "started_at", "completed_at")
        return {
            **{name: sample[name] for name in kept},
            "input": _beginning(sample["input"]),
            "target": _beginning(sample["target"]),
            "scores": {
                name: {key: _beginning(value) for key, value in score.items()}
                for name, score in scores.items()
            }
            if isinstance(scores, dict)
            else None,
            "total_time": sample["total_time"],
            "uuid": sample["uuid"],
            "error": error["message"] if isinstance(error, dict) else None,
            "completed": True,
            "message_count": len(messages) if isinstance(messages, list) else 0,
        }

    def _input(self, item: Item) -> str:
        if not self.with_answers:
            return LEFT_OUT
        return _IMPORTED if item.kind is ItemKind.IMPORTED else readable(item.prompt)

    def _messages(self, item: Item, transcript: Transcript) -> list[Document]:
        """The conversation; Inspect's data frames need every message to have a number."""
        said: list[Document] = [self._user(self._input(item), source="input")]
        if self.with_answers:
            for turn in transcript.turns:
                said.append(self._assistant(readable(turn.text or "")))
                if turn.nudge is not None:
                    said.append(self._user(readable(turn.nudge), source=None))
        elif transcript.answered:
            said.append(self._assistant(LEFT_OUT))
        sample = self._number(transcript.row)
        return [{"id": number("message", sample, place), **each} for place, each in enumerate(said)]

    def _user(self, text: str, source: str | None) -> Document:
        return {"role": "user", "content": text, "source": source}

    def _assistant(self, text: str) -> Document:
        return {"role": "assistant", "content": text, "source": "generate", "model": self.model}

    def _number(self, row: AttemptRow) -> str:
        return number("sample", run_number(self.run), row.id)

    def _output(
        self, transcript: Transcript, messages: list[Document], usage: Document | None
    ) -> Document:
        output: Document = {"model": self.model, "choices": []}
        last = transcript.response
        if transcript.answered:
            stopped = _STOPPED.get(StopReason(transcript.stop_reason or "other"), "unknown")
            output["choices"] = [{"message": messages[-1], "stop_reason": stopped}]
        if self.with_answers and last is not None and last.refusal is not None:
            output["error"] = readable(last.refusal)
        if usage:
            output["usage"] = usage
        return output

    def _scores(self, row: AttemptRow) -> Document | None:
        if not row.outcome.scored:
            return None
        answer = None if row.answer is None else readable(row.answer)
        score: Document = {
            "value": "C" if row.outcome is Outcome.CORRECT else "I",
            "answer": answer if answer is None or self.with_answers else LEFT_OUT,
            "explanation": readable(row.note) if self.with_answers and row.note else row.outcome,
            "metadata": {
                "outcome": row.outcome,
                "near_miss": row.near_miss,
                "repaired": row.repaired,
                "steps_right": dict(row.steps),
            },
        }
        if row.outcome in _REASONS:
            score["reason"] = _REASONS[row.outcome]
        return {SCORER: score}

    def _metadata(self, item: Item, row: AttemptRow) -> Document:
        stop_reason = shown_stop_reason(row.raw_stop_reason, self.with_answers)
        facts: Document = {
            "simulated": self.simulated,
            "outcome": row.outcome,
            "attempt": row.id,
            "item": readable(item.ref),
            "domains": [readable(each) for each in item.domains],
            "near_miss": row.near_miss,
            "repaired": row.repaired,
            "steps_right": dict(row.steps),
            "calls": row.calls,
            "cost_usd": None if row.cost is None else float(row.cost),
            "stop_reason": None if isinstance(stop_reason, Missing) else readable(stop_reason),
            "error_kind": row.error_kind,
        }
        if item.kind is not ItemKind.IMPORTED:
            facts |= {
                "prompt_sha256": item.prompt_sha256,
                "steps": len(item.steps),
                "encoded": item.encoded,
                "bloat_characters": item.bloat_characters,
                "characters": len(item.prompt),
            }
        if self.with_answers:  # a short key could be guessed from it once the prompt is known
            facts["item_sha256"] = item.digest
        return facts

    def _error(self, row: AttemptRow) -> Document | None:
        if row.outcome is not Outcome.ERROR:
            return None
        message = row.error_kind or "error"
        if self.with_answers and row.error_message:
            message = f"{message}: {readable(row.error_message)}"
        return {"message": message, "traceback": "", "traceback_ansi": ""}


def _beginning(value: object) -> object:
    if isinstance(value, str) and len(value) > _SUMMARY_LENGTH:
        return f"{readable(value[:_SUMMARY_LENGTH])}..."
    return value


def _seconds(row: AttemptRow) -> float | None:
    if row.finished_at is None:
        return None
    took = datetime.fromisoformat(row.finished_at) - datetime.fromisoformat(row.started_at)
    seconds = took.total_seconds()
    return seconds if math.isfinite(seconds) and seconds >= 0 else None


def model_usage(usage: Usage, cost: Decimal | None) -> Document | None:
    """Tokens and USD as ``ModelUsage``; None where input or output was not reported.

    There every count is a number: what was not reported must not be read as 0.
    """
    if usage.input is None or usage.output is None:
        return None
    output = usage.output + (usage.unattributed or 0)
    return {
        "input_tokens": usage.input,
        "output_tokens": output,
        "total_tokens": (usage.input_total or 0) + output,
        "input_tokens_cache_write": usage.cache_write,
        "input_tokens_cache_read": usage.cached_input,
        "reasoning_tokens": usage.reasoning,
        "total_cost": None if cost is None else float(cost),
    }
