"""What a manual config may say: its answers come from a person, so nothing that is sent."""

from __future__ import annotations

from typing import Final

from relaybench.domain.errors import SettingRejected
from relaybench.domain.model import MAX_CONTINUATIONS, PERSISTENT, ModelConfig

_INSTEAD: Final = "take it out; notes may say how the page was set"


def manual_settings(config: ModelConfig) -> dict[str, object]:
    """What stands beside an answer that was pasted; raises SettingRejected for what nobody reads.

    Effort and tools are notes of what the person chose on the page.
    """
    unread = {
        "options": bool(config.options),
        "max_output_tokens": config.max_output_tokens is not None,
        "instructions": config.instructions is not None,
        "max_continuations": config.max_continuations != MAX_CONTINUATIONS,
        "harness": config.harness == PERSISTENT,
    }
    for name, given in unread.items():
        if given:
            raise SettingRejected(
                f"model config {config.name!r}: {name} has no effect, since nothing is sent for a "
                f"manual model; {_INSTEAD}"
            )
    return {"manual": True, "effort": config.effort, "tools": list(config.tools)}
