"""What a config makes Google's adapter send: each setting, and what is refused before that."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from relaybench.domain.errors import SettingRejected
from relaybench.domain.model import ModelConfig
from relaybench.providers.google_models import LEVELS, family_of
from relaybench.providers.google_settings import google_settings
from relaybench.providers.registry import check_config
from tests.providers.google_support import google, google_config, replay, run
from tests.providers.google_support import google_request as request
from tests.providers.support import Replay

ALL = ("google_search", "url_context", "code_execution")
PLAIN = {
    "model": "gemini-3.1-pro-preview",
    "api_version": "v1beta",
    "generationConfig": {"thinkingConfig": {"includeThoughts": True}, "maxOutputTokens": 65536},
}
FLASH_25 = {"model": "gemini-2.5-flash"}


def generation(**changes: Any) -> dict[str, Any]:
    plain: Any = PLAIN["generationConfig"]
    return {"generationConfig": plain | changes}


def thinking(**changes: Any) -> dict[str, Any]:
    return generation(thinkingConfig={"includeThoughts": True} | changes)


async def sent(asked: ModelConfig) -> dict[str, Any]:
    """What a request carries on the wire, model and version of its address included."""
    transport = replay()
    completion = await run(transport, request(prompt="p", **_fields(asked)))
    body = transport.sent
    assert body.pop("contents") == [{"role": "user", "parts": [{"text": "p"}]}]
    version, model = str(transport.requests[0].url.path)[1:].split("/models/")
    on_the_wire = {"model": model.removesuffix(":streamGenerateContent"), "api_version": version}
    assert completion.settings_sent == google_settings(asked)
    return on_the_wire | body


def _fields(asked: ModelConfig) -> dict[str, Any]:
    return {name: getattr(asked, name) for name in ModelConfig.__dataclass_fields__}


@pytest.mark.parametrize(
    ("changes", "more"),
    [
        ({}, {}),
        (
            {"model": "gemini-3.1-pro-preview-customtools"},
            {"model": "gemini-3.1-pro-preview-customtools"},
        ),
        ({"effort": "high"}, thinking(thinkingLevel="HIGH")),
        ({"effort": "low"}, thinking(thinkingLevel="LOW")),
        ({"effort": "Medium"}, thinking(thinkingLevel="MEDIUM")),
        (
            {"effort": "max", "options": {"send_anyway": ["effort"]}},
            thinking(thinkingLevel="MAX"),
        ),
        ({"max_output_tokens": 99}, generation(maxOutputTokens=99)),
        (
            {"max_output_tokens": 70_000, "options": {"send_anyway": ["max_output_tokens"]}},
            generation(maxOutputTokens=70_000),
        ),
        ({"instructions": "Be terse."}, {"systemInstruction": {"parts": [{"text": "Be terse."}]}}),
        (
            {"tools": ALL},
            {
                "tools": [{"googleSearch": {}}, {"urlContext": {}}, {"codeExecution": {}}],
                "toolConfig": {"includeServerSideToolInvocations": True},
            },
        ),
        (
            {"tools": ("google_maps",)},
            {
                "tools": [{"googleMaps": {}}],
                "toolConfig": {"includeServerSideToolInvocations": True},
            },
        ),
        (
            {
                "tools": ("code_execution",),
                "options": {"include_server_side_tool_invocations": False},
            },
            {"tools": [{"codeExecution": {}}]},
        ),
        ({"options": {"temperature": 0}}, generation(temperature=0)),
        (
            {"options": {"include_thoughts": False}},
            {"generationConfig": {"maxOutputTokens": 65536}},
        ),
        ({"options": {"api_version": "v1alpha"}}, {"api_version": "v1alpha"}),
        (
            {"options": {"safety_settings": {"HARM_CATEGORY_HARASSMENT": "OFF"}}},
            {"safetySettings": [{"category": "HARM_CATEGORY_HARASSMENT", "threshold": "OFF"}]},
        ),
        (
            {"tools": ("code_execution",), "blocked_domains": ("a.test",)},
            {
                "tools": [{"codeExecution": {}}],
                "toolConfig": {"includeServerSideToolInvocations": True},
            },
        ),
        (
            {
                "tools": ("google_search",),
                "blocked_domains": ("a.test",),
                "options": {"ignore_blocked_domains": True},
            },
            {
                "tools": [{"googleSearch": {}}],
                "toolConfig": {"includeServerSideToolInvocations": True},
            },
        ),
        (
            {
                "options": {
                    "extra_body": {"service_tier": "flex", "generation_config": {"top_k": 7}}
                }
            },
            {"serviceTier": "flex"} | generation(topK=7),
        ),
        (
            {"options": {"extra_body": {"serviceTier": "flex", "generationConfig": {"seed": 7}}}},
            {"serviceTier": "flex"} | generation(seed=7),
        ),
    ],
)
async def test_each_setting_changes_the_payload_and_only_its_part(
    changes: dict[str, Any], more: dict[str, Any]
) -> None:
    assert await sent(google_config(**changes)) == PLAIN | more


@pytest.mark.parametrize(
    ("model", "effort", "config"),
    [
        ("gemini-2.5-pro", None, {"includeThoughts": True}),
        ("gemini-2.5-pro", "max", {"thinkingBudget": 32768, "includeThoughts": True}),
        ("gemini-2.5-pro", "high", {"thinkingBudget": 24576, "includeThoughts": True}),
        ("gemini-2.5-pro", "128", {"thinkingBudget": 128, "includeThoughts": True}),
        ("gemini-2.5-pro", "dynamic", {"thinkingBudget": -1, "includeThoughts": True}),
        ("gemini-2.5-pro", "-1", {"thinkingBudget": -1, "includeThoughts": True}),
        ("gemini-2.5-flash", "none", {"thinkingBudget": 0, "includeThoughts": True}),
        ("gemini-2.5-flash", "0", {"thinkingBudget": 0, "includeThoughts": True}),
        ("gemini-2.5-flash", "max", {"thinkingBudget": 24576, "includeThoughts": True}),
        ("gemini-2.5-flash-lite", "low", {"thinkingBudget": 1024, "includeThoughts": True}),
        ("gemini-4-argon", "medium", {"thinkingLevel": "MEDIUM", "includeThoughts": True}),
        ("gemini-4-new", "xhigh", {"thinkingLevel": "XHIGH", "includeThoughts": True}),
        ("gemini-5-new", "max", {"thinkingLevel": "MAX", "includeThoughts": True}),
        ("gemini-5-new", "xhigh", {"thinkingLevel": "XHIGH", "includeThoughts": True}),
        ("gemini-pro-latest", "Sideways", {"thinkingLevel": "SIDEWAYS", "includeThoughts": True}),
        ("models/gemini-3-pro", "low", {"thinkingLevel": "LOW", "includeThoughts": True}),
    ],
)
def test_effort_in_the_words_of_each_family(
    model: str, effort: str | None, config: dict[str, Any]
) -> None:
    settings: Any = google_settings(google_config(model=model, effort=effort))
    assert settings["generationConfig"]["thinkingConfig"] == config


@pytest.mark.parametrize("model", ["gemini-2.0-flash", "gemini-1.5-flash", "gemma-4-31b-it"])
def test_a_model_that_does_not_think_is_not_asked_about_it(model: str) -> None:
    settings: Any = google_settings(google_config(model=model))
    assert "thinkingConfig" not in settings["generationConfig"]


def test_tool_parts_are_asked_for_only_where_a_model_knows_of_them() -> None:
    old = google_settings(google_config(model="gemini-2.5-pro", tools=ALL))
    assert "toolConfig" not in old
    for model in ("gemini-4-argon", "gemini-3.6-flash", "gemini-5"):
        assert "toolConfig" in google_settings(google_config(model=model, tools=ALL))


def test_the_order_of_tools_is_always_the_same() -> None:
    turned = google_settings(google_config(tools=ALL[::-1]))
    assert turned == google_settings(google_config(tools=ALL))


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"effort": "max"}, r"gemini-3.1-pro-preview takes effort low, medium or high, not 'max'"),
        ({"effort": "minimal"}, r"low, medium or high.*options.send_anyway = \[\"effort\"\]"),
        ({"model": "gemini-3-pro-preview", "effort": "medium"}, "low or high"),
        ({"model": "gemini-3.6-flash", "effort": "max"}, "minimal, low, medium, high or xhigh"),
        ({"model": "gemini-2.5-pro", "effort": "none"}, "128 to 32768 tokens"),
        ({"model": "gemini-2.5-pro", "effort": "0"}, "128 to 32768 tokens"),
        ({"model": "gemini-2.5-pro", "effort": "32769"}, "128 to 32768 tokens"),
        ({"model": "gemini-2.5-flash-lite", "effort": "511"}, "512 to 24576 tokens"),
        ({"model": "gemini-2.5-flash", "effort": "hard"}, "minimal, low, medium, high"),
        ({"model": "gemini-2.0-flash", "effort": "high"}, "does not think"),
        ({"max_output_tokens": 65_537}, "max_output_tokens at most 65536, not 65537"),
        ({"model": "gemini-4-argon", "max_output_tokens": 1_048_577}, "at most 1048576"),
        ({"tools": ("web_search",)}, "no tool called 'web_search'.*google_search, url_context"),
        (
            {"tools": ALL, "blocked_domains": ("a.test", "b.test")},
            "a.test, b.test.*ignore_blocked_domains = true",
        ),
        ({"tools": ("url_context",), "blocked_domains": ("a.test",)}, "blocked_domains"),
        ({"model": "gemini/../../evil"}, "no model id"),
        ({"model": "gemini-3?key=x"}, "no model id"),
        ({"model": ""}, "no model id"),
        ({"options": {"temprature": 1}}, "'temprature'"),
        ({"options": {"temperature": "hot"}}, "temperature"),
        ({"options": {"temperature": True}}, "temperature"),
        ({"options": {"temperature": float("nan")}}, "temperature"),
        ({"options": {"api_version": 1}}, "api_version"),
        ({"options": {"api_version": "v1/../x"}}, "api_version"),
        ({"options": {"include_thoughts": "yes"}}, "include_thoughts"),
        ({"options": {"send_anyway": "effort"}, "effort": "high"}, "send_anyway"),
        ({"options": {"send_anyway": ["tools"]}, "effort": "high"}, "send_anyway"),
        ({"options": {"safety_settings": ["OFF"]}}, "safety_settings"),
        ({"options": {"safety_settings": {"HARM_CATEGORY_HARASSMENT": "NO"}}}, "BLOCK_NONE"),
        ({"options": {"safety_settings": {"HARASSMENT": "OFF"}}}, "HARM_CATEGORY_HARASSMENT"),
        ({"options": {"extra_body": [1]}}, "extra_body"),
        ({"options": {"extra_body": {"contents": []}}}, "'contents'"),
        ({"options": {"extra_body": {"model": "x"}}}, "'model'"),
        ({"options": {"extra_body": {"generationConfig": 1}}}, "'generationConfig'"),
        (
            {"options": {"extra_body": {"generationConfig": {"candidateCount": 2}}}},
            "'generationConfig.candidateCount'",
        ),
        (
            {"options": {"extra_body": {"generationConfig": {"maxOutputTokens": 2}}}},
            "'generationConfig.maxOutputTokens'",
        ),
        ({"tools": ALL, "options": {"extra_body": {"tools": []}}}, "'tools'"),
        ({"instructions": "i", "options": {"extra_body": {"system_instruction": 1}}}, "'systemIn"),
        ({"tools": ALL, "options": {"extra_body": {"tool_config": {}}}}, "'toolConfig'"),
        ({"options": {"extra_body": {"continuation_token": "x"}}}, "'continuationToken'"),
        ({"options": {"extra_body": {"generation_config": {"candidate_count": 2}}}}, "candidateC"),
        ({"options": {"extra_body": {"generation_config": {"max_output_tokens": 2}}}}, "maxOutput"),
        ({"options": {"extra_body": {"generationConfig": {"thinking_config": {}}}}}, "thinkingCo"),
        ({"options": {"extra_body": {"cachedContent": 1, "cached_content": 2}}}, "cached_conte"),
    ],
)
async def test_what_cannot_be_honoured_is_refused_by_name(
    changes: dict[str, Any], words: str
) -> None:
    transport = Replay()
    asked = google_config(**changes)
    with pytest.raises(SettingRejected, match=words) as caught:
        check_config(asked)
    assert "'gem'" in str(caught.value)
    adapter = google(transport)
    with pytest.raises(SettingRejected, match=words):
        await adapter.complete(request(**_fields(asked)))
    await adapter.aclose()
    assert transport.requests == []


def test_options_are_checked_even_where_they_would_not_be_read() -> None:
    with pytest.raises(SettingRejected, match="send_anyway"):
        google_settings(google_config(options={"send_anyway": ["everything"]}))


def test_settings_do_not_change_the_options() -> None:
    extra = {"generationConfig": {"seed": 1}}
    asked = google_config(options={"extra_body": extra})
    assert google_settings(asked) == google_settings(asked)
    assert extra == {"generationConfig": {"seed": 1}}


@given(st.sampled_from(["gemini-3.1-pro", "gemini-4-argon", "gemini-3.6"]), st.text(max_size=9))
def test_no_effort_is_sent_that_a_known_family_lacks(model: str, effort: str) -> None:
    try:
        settings: Any = google_settings(google_config(model=model, effort=effort))
    except SettingRejected:
        assert effort.strip().lower() not in family_of(model).levels
    else:
        level = settings["generationConfig"]["thinkingConfig"]["thinkingLevel"]
        assert level.lower() in LEVELS


@given(st.integers(0, 50_000))
def test_a_budget_is_sent_as_it_is_or_refused(budget: int) -> None:
    asked = google_config(model="gemini-2.5-pro", effort=str(budget))
    if 128 <= budget <= 32_768:
        settings: Any = google_settings(asked)
        assert settings["generationConfig"]["thinkingConfig"]["thinkingBudget"] == budget
    else:
        with pytest.raises(SettingRejected):
            google_settings(asked)
