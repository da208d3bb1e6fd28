"""What configs are called: by what differs from the default, and apart within a run."""

from __future__ import annotations

from dataclasses import replace

import pytest

from relaybench.domain.labels import told_apart
from relaybench.domain.model import ModelConfig

ALL = ("web_search", "web_fetch", "code_execution")
OPUS = ModelConfig("opus", "anthropic", "claude-opus-4-7", effort="max", tools=ALL)
OFF = "You have no tools here."


@pytest.mark.parametrize(
    ("config", "label"),
    [
        (OPUS, "claude-opus-4-7 (max)"),
        (replace(OPUS, tools=ALL[::-1]), "claude-opus-4-7 (max)"),
        (replace(OPUS, tools=(), instructions=OFF), "claude-opus-4-7 (max, no tools)"),
        (
            replace(OPUS, tools=(), instructions=f"{OFF}\n\nBe brief."),
            "claude-opus-4-7 (max, no tools, instructed)",
        ),
        (replace(OPUS, tools=ALL[1::-1]), "claude-opus-4-7 (max, tools: web_search + web_fetch)"),
        (replace(OPUS, blocked_domains=("a.example",)), "claude-opus-4-7 (max, domains blocked)"),
        (replace(OPUS, instructions="Be brief."), "claude-opus-4-7 (max, instructed)"),
        (replace(OPUS, harness="persistent"), "claude-opus-4-7 (max, persistent)"),
        (replace(OPUS, harness="imported", tools=()), "claude-opus-4-7 (max)"),
        (ModelConfig("l", "compatible", "local"), "local"),
        (ModelConfig("s", "simulated", "sim-alpha"), "sim-alpha"),
        (ModelConfig("s", "simulated", "sim", options={"wire": "google"}), "sim (no tools)"),
    ],
)
def test_a_label_says_what_differs_from_the_default(config: ModelConfig, label: str) -> None:
    assert config.label == label


def test_a_label_that_another_has_too_gets_the_name() -> None:
    other = replace(OPUS, name="opus-64k", max_output_tokens=64_000)
    lone = replace(OPUS, name="lone", effort="low")
    apart = told_apart([OPUS, other, lone])
    assert [each.label for each in apart] == [
        "claude-opus-4-7 (max) [opus]",
        "claude-opus-4-7 (max) [opus-64k]",
        "claude-opus-4-7 (low)",
    ]
    assert [each.digest for each in apart] == [OPUS.digest, other.digest, lone.digest]
    assert [each.label for each in told_apart([apart[0], lone])] == [OPUS.label, lone.label]


def test_imported_configs_are_told_apart_by_their_provider() -> None:
    one = replace(OPUS, harness="imported")
    apart = told_apart([one, replace(one, provider="gateway")])
    assert [each.mark for each in apart] == ["anthropic", "gateway"]


def test_nothing_that_differs_ever_has_the_same_label() -> None:
    made = [replace(OPUS, name="same", options={"n": number}) for number in range(3)]
    assert len({each.label for each in told_apart(made)}) == 3
