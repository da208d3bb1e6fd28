"""What a config of Anthropic's API sends, setting by setting, and what is refused by name."""

from __future__ import annotations

from typing import Any

import pytest

from relaybench.domain.errors import SettingRejected
from relaybench.providers.anthropic_models import NEWEST_TOOLS, facts_of
from relaybench.providers.anthropic_settings import anthropic_settings
from relaybench.providers.registry import check_config
from tests.providers.anthropic_samples import TOOLS, config

PLAIN: dict[str, Any] = {
    "model": "claude-opus-4-7",
    "stream": True,
    "max_tokens": 128_000,
    "thinking": {"type": "adaptive", "display": "summarized"},
}
EFFORTS = ("low", "medium", "high", "xhigh", "max")
SEARCH = {"type": "web_search_20260318", "name": "web_search"}
FETCH = {"type": "web_fetch_20260318", "name": "web_fetch"}
CODE = {"type": "code_execution_20260521", "name": "code_execution"}
CACHE = {"cache_control": {"type": "ephemeral", "ttl": "5m"}}


def searching(**options: object) -> dict[str, Any]:
    return {"tools": ("web_search",), "options": options}


@pytest.mark.parametrize(
    ("changes", "more"),
    [
        ({}, {}),
        ({"max_output_tokens": 99}, {"max_tokens": 99}),
        ({"effort": "max"}, {"output_config": {"effort": "max"}}),
        ({"effort": "xhigh"}, {"output_config": {"effort": "xhigh"}}),
        ({"instructions": "Be exact."}, {"system": "Be exact."}),
        (
            {"options": {"thinking_display": "omitted"}},
            {"thinking": {"type": "adaptive", "display": "omitted"}},
        ),
        ({"options": {"thinking": "disabled"}}, {"thinking": {"type": "disabled"}}),
        ({"options": {"cache": "5m"}}, CACHE),
        ({"options": {"cache": "1h"}}, {"cache_control": {"type": "ephemeral", "ttl": "1h"}}),
        ({"options": {"cache": "off"}}, {}),
        ({"options": {"api_key_header": True}}, {"api_key_header": True}),
        ({"options": {"api_key_header": False}}, {}),
        ({"tools": TOOLS}, {"tools": [SEARCH, FETCH, CODE], **CACHE}),
        ({"tools": ("code_execution",)}, {"tools": [CODE], **CACHE}),
        (searching(cache="off"), {"tools": [SEARCH]}),
        (
            {"tools": TOOLS, "blocked_domains": ("a.test",), "options": {"cache": "off"}},
            {
                "tools": [
                    SEARCH | {"blocked_domains": ["a.test"]},
                    FETCH | {"blocked_domains": ["a.test"]},
                    CODE,
                ]
            },
        ),
        ({"blocked_domains": ("a.test",)}, {}),  # nothing that could reach a domain
        (
            searching(cache="off", max_uses={"web_search": 7}),
            {"tools": [SEARCH | {"max_uses": 7}]},
        ),
        (
            {"tools": TOOLS, "options": {"cache": "off", "allowed_callers": ["direct"]}},
            {
                "tools": [
                    SEARCH | {"allowed_callers": ["direct"]},
                    FETCH | {"allowed_callers": ["direct"]},
                    CODE,
                ]
            },
        ),
        (
            searching(cache="off", user_location={"city": "Ulm", "country": "DE"}),
            {
                "tools": [
                    SEARCH
                    | {"user_location": {"type": "approximate", "city": "Ulm", "country": "DE"}}
                ]
            },
        ),
        (
            searching(cache="off", tool_versions={"web_search": "web_search_20250305"}),
            {"tools": [{"type": "web_search_20250305", "name": "web_search"}]},
        ),
        (
            searching(cache="off", tool_versions={"web_search": "web_search_20270101"}),
            {"tools": [{"type": "web_search_20270101", "name": "web_search"}]},
        ),
    ],
)
def test_each_setting_changes_the_payload_and_only_its_part(
    changes: dict[str, Any], more: dict[str, Any]
) -> None:
    assert anthropic_settings(config(**changes)) == PLAIN | more
    check_config(config(**changes))


@pytest.mark.parametrize(
    ("model", "efforts"),
    [
        ("claude-fable-5-2", EFFORTS),
        ("claude-opus-5-5", EFFORTS),
        ("claude-haiku-5-5", EFFORTS),
        ("claude-opus-4-7", EFFORTS),
        ("claude-opus-4-6", ("low", "medium", "high", "max")),
        ("claude-sonnet-4-6", ("low", "medium", "high", "max")),
        ("claude-opus-4-5-20251101", ("low", "medium", "high")),
        ("claude-sonnet-4-5", ()),
        ("claude-haiku-4-5-20251001", ()),
        ("claude-novel-7", (*EFFORTS, "ultra")),  # not known: as asked
    ],
)
def test_each_family_takes_its_own_efforts(model: str, efforts: tuple[str, ...]) -> None:
    for effort in (*EFFORTS, "ultra", ""):
        asked = config(model=model, effort=effort, max_output_tokens=9000)
        if effort in efforts or model == "claude-novel-7":
            assert anthropic_settings(asked)["output_config"] == {"effort": effort}
            continue
        words = ", ".join(efforts) if efforts else "takes no effort"
        with pytest.raises(SettingRejected, match=words) as caught:
            anthropic_settings(asked)
        assert model in str(caught.value)
        assert "'opus'" in str(caught.value)
        anyway = config(
            model=model,
            effort=effort,
            max_output_tokens=9000,
            options={"send_anyway": ["effort"]},
        )
        assert anthropic_settings(anyway)["output_config"] == {"effort": effort}


ADAPTIVE = {"type": "adaptive", "display": "summarized"}


@pytest.mark.parametrize(
    ("model", "thinking", "limit"),
    [
        ("claude-opus-5-5", ADAPTIVE, 128_000),
        ("claude-sonnet-5-5", ADAPTIVE, 128_000),
        ("claude-sonnet-4-6", ADAPTIVE, 128_000),
        ("claude-haiku-4-5", {"type": "enabled", "budget_tokens": 48_000}, 64_000),
        ("claude-opus-4-5", {"type": "enabled", "budget_tokens": 48_000}, 64_000),
    ],
)
def test_by_default_a_model_thinks_as_hard_and_answers_as_long_as_it_can(
    model: str, thinking: dict[str, object], limit: int
) -> None:
    sent = anthropic_settings(config(model=model))
    assert (sent["thinking"], sent["max_tokens"]) == (thinking, limit)


@pytest.mark.parametrize(
    ("limit", "options", "budget"),
    [
        (64_000, {}, 48_000),
        (20_000, {}, 15_000),  # a quarter is left to the answer
        (2048, {}, 1536),
        (64_000, {"budget_tokens": 1024}, 1024),
        (1025, {"budget_tokens": 1024}, 1024),
    ],
)
def test_a_fixed_budget_leaves_room_for_the_answer(
    limit: int, options: dict[str, object], budget: int
) -> None:
    asked = config(model="claude-haiku-4-5", max_output_tokens=limit, options=options)
    assert anthropic_settings(asked)["thinking"] == {"type": "enabled", "budget_tokens": budget}


@pytest.mark.parametrize(
    ("model", "code"),
    [
        ("claude-opus-4-5", "code_execution_20260120"),
        ("claude-sonnet-4-5-20250929", "code_execution_20260120"),
        ("claude-haiku-4-5", "code_execution_20250825"),
    ],
)
def test_older_models_get_older_tools(model: str, code: str) -> None:
    sent = anthropic_settings(config(model=model, tools=TOOLS))
    assert sent["tools"] == [
        {"type": "web_search_20250305", "name": "web_search"},
        {"type": "web_fetch_20250910", "name": "web_fetch"},
        {"type": code, "name": "code_execution"},
    ]


def test_an_unknown_model_gets_everything_as_asked() -> None:
    asked = config(
        model="claude-novel-7",
        effort="ultra",
        max_output_tokens=500_000,
        tools=TOOLS,
        options={"thinking": "between_tools"},
    )
    sent = anthropic_settings(asked)
    assert sent["output_config"] == {"effort": "ultra"}
    assert sent["max_tokens"] == 500_000
    assert sent["thinking"] == {"type": "between_tools"}
    assert sent["tools"] == [SEARCH, FETCH, CODE]


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"options": {"efort": 1}}, "'efort'"),
        ({"options": {"temperature": 0}}, "no temperature any more"),
        ({"options": {"top_p": 1}}, "no top_p any more"),
        ({"options": {"top_k": 1}}, "no top_k any more"),
        ({"model": "claude-novel-7"}, "max_output_tokens = 128000"),
        ({"max_output_tokens": 128_001}, "at most 128000.*send_anyway"),
        ({"tools": ("google_search",)}, "'google_search'.*web_search, web_fetch, code_execution"),
        ({"options": {"thinking": "enabled"}}, "adaptive, disabled, not 'enabled'"),
        ({"model": "claude-opus-5-5", "options": {"thinking": "disabled"}}, "takes thinking adapt"),
        ({"model": "claude-haiku-4-5", "options": {"thinking": "adaptive"}}, "takes thinking enab"),
        ({"options": {"thinking": "deep"}}, "options.thinking"),
        ({"options": {"thinking_display": True}}, "options.thinking_display"),
        (
            {"options": {"thinking": "disabled", "thinking_display": "omitted"}},
            "thinking_display has no effect",
        ),
        ({"options": {"budget_tokens": 5000}}, "budget_tokens has no effect"),
        (
            {"model": "claude-haiku-4-5", "max_output_tokens": 1000},
            "budget of 750 tokens does not fit.*max_output_tokens to 2048",
        ),
        (
            {"model": "claude-haiku-4-5", "options": {"budget_tokens": 64_000}},
            "64000 tokens does not fit",
        ),
        ({"model": "claude-haiku-4-5", "options": {"budget_tokens": "all"}}, "a whole number"),
        ({"model": "claude-haiku-4-5", "options": {"budget_tokens": True}}, "a whole number"),
        (
            {"model": "claude-opus-5", "effort": "max", "options": {"thinking": "disabled"}},
            "with thinking 'disabled' takes effort low, medium, high, not 'max'",
        ),
        (
            {
                "model": "claude-sonnet-5-5",
                "effort": "xhigh",
                "options": {"thinking": "between_tools"},
            },
            "with thinking 'between_tools' takes effort low, medium, high, not 'xhigh'",
        ),
        (
            {"model": "claude-sonnet-5-5", "options": {"thinking": "disabled"}},
            "takes thinking adaptive, between_tools, not 'disabled'",
        ),
        ({"options": {"cache": "2h"}}, "options.cache"),
        ({"options": {"api_key_header": 1}}, "api_key_header"),
        ({"options": {"send_anyway": "effort"}}, "send_anyway"),
        ({"options": {"send_anyway": ["all"]}}, "send_anyway.*effort, thinking, max_output_tokens"),
        (searching(tool_versions=["web_search_20250305"]), "a table by tool"),
        (searching(tool_versions={"search": "x"}), "a table by tool"),
        (searching(tool_versions={"web_search": "web_fetch_20250910"}), "tool_versions.web_search"),
        (searching(tool_versions={"web_search": 20250305}), "tool_versions.web_search"),
        (searching(tool_versions={"web_fetch": "web_fetch_20250910"}), "does not have web_fetch"),
        (
            {
                "tools": TOOLS,
                "options": {"tool_versions": {"code_execution": "code_execution_20250825"}},
            },
            "code_execution_20250825 cannot be used next to web_search_20260318",
        ),
        (searching(max_uses={"web_search": 0}), "max_uses.web_search"),
        (searching(max_uses={"web_search": True}), "max_uses.web_search"),
        (searching(max_uses={"web_fetch": 3}), "does not have web_fetch"),
        (searching(max_uses=3), "a table by tool"),
        ({"tools": TOOLS, "options": {"max_uses": {"code_execution": 3}}}, "web_search, web_fetch"),
        (searching(allowed_callers="direct"), "allowed_callers"),
        (searching(allowed_callers=[]), "allowed_callers"),
        (
            {"tools": ("code_execution",), "options": {"allowed_callers": ["direct"]}},
            "does not have web_search or web_fetch",
        ),
        (searching(user_location={"planet": "Mars"}), "user_location"),
        (searching(user_location={"city": 3}), "user_location"),
        (searching(user_location={}), "user_location"),
        (
            {"tools": ("web_fetch",), "options": {"user_location": {"city": "Ulm"}}},
            "does not have web_search",
        ),
    ],
)
def test_what_cannot_be_honoured_is_refused_by_name(changes: dict[str, Any], words: str) -> None:
    with pytest.raises(SettingRejected, match=words) as caught:
        check_config(config(**changes))
    assert "model config 'opus'" in str(caught.value)


@pytest.mark.parametrize(
    ("changes", "name", "sent"),
    [
        (
            {"max_output_tokens": 200_000, "options": {"send_anyway": ["max_output_tokens"]}},
            "max_tokens",
            200_000,
        ),
        (
            {"options": {"thinking": "enabled", "send_anyway": ["thinking"]}},
            "thinking",
            {"type": "enabled", "budget_tokens": 112_000},
        ),
        (
            {
                "tools": ("web_search", "code_execution"),
                "options": {
                    "tool_versions": {"code_execution": "code_execution_20250825"},
                    "send_anyway": ["tools"],
                },
            },
            "tools",
            [SEARCH, {"type": "code_execution_20250825", "name": "code_execution"}],
        ),
    ],
)
def test_what_the_user_wrote_down_is_sent_all_the_same(
    changes: dict[str, Any], name: str, sent: object
) -> None:
    assert anthropic_settings(config(**changes))[name] == sent


def test_no_word_on_thinking_where_none_is_wanted() -> None:
    sent = anthropic_settings(config(options={"thinking": "unset"}))
    assert sent == {name: value for name, value in PLAIN.items() if name != "thinking"}
    sent = anthropic_settings(config(model="claude-opus-5-5", options={"thinking": "unset"}))
    assert "thinking" not in sent
    with pytest.raises(SettingRejected, match="thinking_display has no effect"):
        anthropic_settings(config(options={"thinking": "unset", "thinking_display": "omitted"}))


def test_facts_hold_for_a_model_and_its_snapshots_only() -> None:
    assert facts_of("claude-opus-4-7") is not None
    assert facts_of("claude-opus-4-7-20260416") is facts_of("claude-opus-4-7")
    assert facts_of("claude-opus-4-7-latest") is facts_of("claude-opus-4-7")
    for unknown in ("claude-opus-5-9", "claude-opus-4", "gpt-5.5", "", "claude-opus-4-7-2026"):
        assert facts_of(unknown) is None


def test_every_listed_tool_can_be_had() -> None:
    assert tuple(NEWEST_TOOLS) == TOOLS
