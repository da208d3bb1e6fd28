"""What follows on a response: it is the attempt's last, or another turn. Pure.

A paused turn goes on as it is, to the config's cap; then the attempt is stalled. The single harness
takes every other response as final. The persistent one goes on with a fixed nudge where a turn
ended at a limit or without a code block, as often as the config says.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from relaybench.domain.completion import Completion, StopReason, Turn
from relaybench.domain.model import PERSISTENT, ModelConfig
from relaybench.grading.extraction import NoAnswer, extract

#: Ends after which a model can be asked to go on.
_NUDGEABLE = (StopReason.END, StopReason.STOP_SEQUENCE, StopReason.MAX_TOKENS)
#: There is no room left for another turn behind this one.
_CONTEXT_FULL = "model_context_window_exceeded"


@dataclass(frozen=True, slots=True)
class Final:
    """The attempt ends with this response."""

    completion: Completion


@dataclass(frozen=True, slots=True)
class GoOn:
    """Another turn follows: after ``nudge``, or None to continue a paused one."""

    nudge: str | None


def next_step(config: ModelConfig, earlier: Sequence[Turn], completion: Completion) -> Final | GoOn:
    """What follows on a response, given the attempt's earlier turns."""
    if completion.stop_reason is StopReason.PAUSE:
        pauses = sum(turn.nudge is None for turn in earlier)
        if pauses < config.max_continuations:
            return GoOn(None)
        return Final(replace(completion, stop_reason=StopReason.LIMIT))
    nudges = sum(turn.nudge is not None for turn in earlier)
    if config.harness == PERSISTENT and nudges < config.max_nudges and _unfinished(completion):
        return GoOn(config.nudge)
    return Final(completion)


def _unfinished(completion: Completion) -> bool:
    """Whether a turn gave no final answer though the model did not refuse one."""
    if completion.stop_reason not in _NUDGEABLE or completion.refusal:
        return False
    if completion.raw_stop_reason == _CONTEXT_FULL:
        return False
    truncated = completion.stop_reason is StopReason.MAX_TOKENS
    return isinstance(extract(completion.final_text, truncated=truncated), NoAnswer)
