"""Which body a model config makes for Google's generateContent, or why it cannot. Pure."""

from __future__ import annotations

from relaybench.domain.errors import SettingRejected
from relaybench.domain.model import ModelConfig


def google_settings(config: ModelConfig) -> dict[str, object]:
    """Everything that the request carries besides the prompt."""
    raise SettingRejected(f"model config {config.name!r}: no adapter yet")
