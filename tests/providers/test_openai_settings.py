"""What each setting of an OpenAI config sends, and what is refused before anything is spent."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from relaybench.domain.errors import SettingRejected
from relaybench.domain.model import PERSISTENT
from relaybench.domain.tools import all_tools
from relaybench.providers.openai_models import facts_of
from relaybench.providers.openai_tools import billed_uses
from relaybench.providers.protocol import Request
from relaybench.providers.registry import check_config
from relaybench.providers.responses_settings import OPTIONS, responses_settings
from tests.providers.openai_support import (
    DONE,
    QUEUED,
    SSE,
    Reply,
    Server,
    answered,
    background,
    config,
    message,
    stream,
)

PLAIN: dict[str, Any] = {
    "model": "gpt-5.5",
    "store": False,
    "stream": True,
    "reasoning": {"summary": "auto"},
    "include": ["reasoning.encrypted_content"],
}
IN_BACKGROUND: dict[str, Any] = {
    "model": "gpt-5.5",
    "background": True,
    "store": True,
    "reasoning": {"effort": "xhigh", "summary": "auto"},
}
SEARCH = {"type": "web_search"}
CODE = {"type": "code_interpreter", "container": {"type": "auto", "memory_limit": "4g"}}
SOURCES, OUTPUTS = "web_search_call.action.sources", "code_interpreter_call.outputs"
ENCRYPTED = "reasoning.encrypted_content"


async def sent(**changes: Any) -> dict[str, Any]:
    """What a config sends besides the input, seen at the transport."""
    asked = config(**changes)
    settings = responses_settings(asked)
    replies = (
        [QUEUED, DONE] if settings.get("background") else [Reply(stream(message()), headers=SSE)]
    )
    server = Server(*replies)
    completion = await answered(server, Request("p\u2028", asked, "c"))
    found = server.sent
    assert found.pop("input") == [{"role": "user", "content": "p\u2028"}]
    assert completion.settings_sent == found == settings
    assert completion.request_json.encode() == server.requests[0].content
    assert str(server.requests[0].url) == "https://api.openai.com/v1/responses"
    return found


CASES: list[tuple[dict[str, Any], dict[str, Any]]] = [
    ({}, {}),
    (
        {"model": "o9-unheard-of"},
        {"model": "o9-unheard-of", "reasoning": None, "include": None},
    ),
    ({"model": "gpt-4.1"}, {"model": "gpt-4.1", "reasoning": None, "include": None}),
    ({"effort": "low"}, {"reasoning": {"effort": "low", "summary": "auto"}}),
    ({"effort": "none"}, {"reasoning": {"effort": "none", "summary": "auto"}}),
    (
        {"model": "new", "effort": "ultra"},
        {"model": "new", "reasoning": {"effort": "ultra", "summary": "auto"}},
    ),
    ({"options": {"reasoning_summary": "detailed"}}, {"reasoning": {"summary": "detailed"}}),
    ({"options": {"reasoning_summary": "none"}}, {"reasoning": None}),
    ({"max_output_tokens": 128_000}, {"max_output_tokens": 128_000}),
    ({"instructions": "Use [b] no {{x}}."}, {"instructions": "Use [b] no {{x}}."}),
    ({"options": {"verbosity": "high"}}, {"text": {"verbosity": "high"}}),
    ({"options": {"service_tier": "flex"}}, {"service_tier": "flex"}),
    (
        {"effort": "none", "options": {"temperature": 0}},
        {"reasoning": {"effort": "none", "summary": "auto"}, "temperature": 0},
    ),
    (
        {"options": {"extra_body": {"truncation": "auto", "metadata": {"a": "b"}}}},
        {"truncation": "auto", "metadata": {"a": "b"}},
    ),
    (
        {"tools": ("web_search",)},
        {"tools": [SEARCH], "include": [SOURCES, ENCRYPTED]},
    ),
    (
        {"tools": all_tools("openai")},
        {"tools": [SEARCH, CODE], "include": [SOURCES, OUTPUTS, ENCRYPTED]},
    ),
    (
        {"tools": ("code_interpreter",), "options": {"container_memory": "64g"}},
        {
            "tools": [
                {
                    "type": "code_interpreter",
                    "container": {"type": "auto", "memory_limit": "64g"},
                }
            ],
            "include": [OUTPUTS, ENCRYPTED],
        },
    ),
    (
        {"tools": ("shell",), "options": {"container_memory": "1g"}},
        {
            "tools": [
                {
                    "type": "shell",
                    "environment": {"type": "container_auto", "memory_limit": "1g"},
                }
            ]
        },
    ),
    (
        {"tools": ("web_search",), "options": {"search_context_size": "high"}},
        {
            "tools": [SEARCH | {"search_context_size": "high"}],
            "include": [SOURCES, ENCRYPTED],
        },
    ),
    (
        {"tools": ("web_search",), "options": {"user_location": {"country": "DE"}}},
        {
            "tools": [SEARCH | {"user_location": {"type": "approximate", "country": "DE"}}],
            "include": [SOURCES, ENCRYPTED],
        },
    ),
    (
        {"tools": ("web_search",), "blocked_domains": ("a.test", "b.test")},
        {
            "tools": [SEARCH | {"filters": {"blocked_domains": ["a.test", "b.test"]}}],
            "include": [SOURCES, ENCRYPTED],
        },
    ),
    (
        {"tools": ("web_search",), "options": {"max_tool_calls": 7}},
        {"tools": [SEARCH], "max_tool_calls": 7, "include": [SOURCES, ENCRYPTED]},
    ),
]


@pytest.mark.parametrize(("changes", "more"), CASES)
async def test_each_setting_changes_the_payload_and_only_its_part(
    changes: dict[str, Any], more: dict[str, Any]
) -> None:
    wanted = {name: value for name, value in (PLAIN | more).items() if value is not None}
    assert await sent(**changes) == wanted


@pytest.mark.parametrize(
    ("changes", "more"),
    [
        ({"effort": "xhigh"}, {}),
        ({"effort": "high"}, {"reasoning": {"effort": "high", "summary": "auto"}}),
        (
            {"model": "gpt-5.6-sol", "effort": "max"},
            {"model": "gpt-5.6-sol", "reasoning": {"effort": "max", "summary": "auto"}},
        ),
        (
            {"effort": "low", "options": {"background": True}},
            {"reasoning": {"effort": "low", "summary": "auto"}},
        ),
        # Turns are given back with their reasoning, though OpenAI has it too.
        ({"effort": "xhigh", "harness": PERSISTENT}, {"include": [ENCRYPTED]}),
    ],
)
async def test_long_efforts_run_in_the_background(
    changes: dict[str, Any], more: dict[str, Any]
) -> None:
    assert await sent(**changes) == IN_BACKGROUND | more


async def test_a_long_effort_is_streamed_where_the_config_says_so() -> None:
    found = await sent(effort="xhigh", options={"background": False})
    assert found == PLAIN | {"reasoning": {"effort": "xhigh", "summary": "auto"}}


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"effort": "max"}, "'gpt-5.5' takes effort none, low, medium, high, xhigh, not 'max'"),
        ({"effort": "minimal"}, "not 'minimal'; change effort, or write options.send_anyway"),
        ({"model": "gpt-5.5-2026-04-23", "effort": "max"}, "takes effort none, low"),
        ({"model": "gpt-5.6-sol", "effort": "minimal"}, "takes effort none, low"),
        ({"model": "gpt-6-astra", "effort": "none"}, "takes effort low, medium, high, xhigh, max"),
        ({"model": "gpt-6.2-sol", "effort": "minimal"}, "takes effort low"),
        ({"model": "gpt-5", "effort": "none"}, "takes effort minimal, low, medium, high,"),
        ({"model": "gpt-5.1", "effort": "xhigh"}, "takes effort none, low, medium, high,"),
        ({"model": "gpt-5-pro", "effort": "medium"}, "takes effort high, not 'medium'"),
        ({"model": "gpt-5.4-pro", "effort": "low"}, "takes effort medium, high, xhigh,"),
        ({"model": "o3", "effort": "xhigh"}, "takes effort low, medium, high,"),
        ({"model": "gpt-4.1", "effort": "low"}, "takes no effort"),
        ({"max_output_tokens": 128_001}, "at most 128000 output tokens, not 128001"),
        ({"options": {"temperature": 1}}, "takes no temperature: it is a reasoning model"),
        ({"model": "gpt-4o", "options": {"temperature": True}}, "must be a number"),
        ({"model": "gpt-4o", "options": {"verbosity": "low"}}, "takes verbosity medium only"),
        ({"options": {"verbosity": "loud"}}, "options.verbosity is 'loud'"),
        ({"options": {"temprature": 1}}, "no option is called 'temprature'"),
        ({"options": {"background": "yes"}}, "options.background is 'yes', but must be true"),
        ({"options": {"reasoning_summary": "long"}}, "one of auto, concise, detailed, none"),
        (
            {"model": "gpt-4.1", "options": {"reasoning_summary": "auto"}},
            "options.reasoning_summary has no effect",
        ),
        ({"options": {"service_tier": "gold"}}, "options.service_tier is 'gold'"),
        ({"tools": ("web_search", "web_fetch")}, "has no tool 'web_fetch'; it has web_search,"),
        ({"options": {"container_memory": "4g"}}, "without the tool code_interpreter or shell"),
        ({"options": {"search_context_size": "low"}}, "without the tool web_search"),
        ({"options": {"user_location": {}}}, "without the tool web_search"),
        ({"blocked_domains": ("a.test",)}, "blocked_domains is for the tool web_search"),
        ({"tools": ("shell",), "blocked_domains": ("a.test",)}, "blocked_domains is for"),
        (
            {"tools": ("shell",), "options": {"container_memory": "2g"}},
            "one of 4g, 1g, 16g, 64g",
        ),
        (
            {"tools": ("web_search",), "options": {"search_context_size": "huge"}},
            "one of low, medium, high",
        ),
        (
            {"tools": ("web_search",), "options": {"user_location": {"planet": "Mars"}}},
            "no other keys than city, region, country, timezone",
        ),
        ({"tools": ("web_search",), "options": {"user_location": "DE"}}, "must be a table"),
        ({"options": {"max_tool_calls": 3}}, "no effect without tools"),
        ({"tools": ("shell",), "options": {"max_tool_calls": 0}}, "a whole number of 1 or more"),
        ({"tools": ("shell",), "options": {"max_tool_calls": True}}, "a whole number"),
        (
            {"model": "gpt-5", "effort": "minimal", "tools": ("web_search",)},
            "cannot search the web at effort 'minimal'",
        ),
        ({"options": {"extra_body": []}}, "options.extra_body is [], but must be a table"),
        ({"options": {"send_anyway": "effort"}}, "must be a list of effort,"),
        ({"options": {"send_anyway": ["model"]}}, "must be a list of effort,"),
        *(
            ({"options": {"extra_body": {name: None}}}, f"options.extra_body sets '{name}'")
            for name in (
                "model",
                "input",
                "stream",
                "background",
                "store",
                "instructions",
                "previous_response_id",
                "conversation",
                "prompt",
                "tools",
                "include",
                "reasoning",
            )
        ),
    ],
)
def test_what_is_refused_before_anything_is_spent(changes: dict[str, Any], words: str) -> None:
    with pytest.raises(SettingRejected, match=re.escape(words)) as caught:
        check_config(config(**changes))
    assert "'gpt'" in str(caught.value)  # names the config


@pytest.mark.parametrize(
    ("changes", "override", "part"),
    [
        ({"effort": "max"}, "effort", {"reasoning": {"effort": "max", "summary": "auto"}}),
        ({"max_output_tokens": 200_000}, "max_output_tokens", {"max_output_tokens": 200_000}),
        ({"options": {"temperature": 0.5}}, "temperature", {"temperature": 0.5}),
        (
            {"model": "gpt-4.1", "options": {"verbosity": "low"}},
            "verbosity",
            {"text": {"verbosity": "low"}},
        ),
        (
            {"model": "gpt-5", "effort": "minimal", "tools": ("web_search",)},
            "tools",
            {"tools": [SEARCH]},
        ),
    ],
)
def test_an_override_that_is_written_down_is_sent(
    changes: dict[str, Any], override: str, part: dict[str, Any]
) -> None:
    refused = config(**changes)
    with pytest.raises(SettingRejected, match=f'send_anyway = \\["{override}"\\]'):
        responses_settings(refused)
    asked = replace(refused, options={**refused.options, "send_anyway": [override]})
    found = responses_settings(asked)
    assert part.items() <= found.items()
    assert "send_anyway" not in found
    assert asked.digest != refused.digest  # the override is part of the record


def test_a_snapshot_is_known_by_its_model_and_another_model_is_not() -> None:
    assert facts_of("gpt-5.5-2026-04-23") is facts_of("gpt-5.5") is not None
    assert facts_of("gpt-5.5-nova") is None
    assert facts_of("gpt-5.55") is None


def test_there_is_a_case_for_every_option() -> None:
    cases = str([changes for changes, _ in CASES])
    assert [name for name in OPTIONS if name not in cases] == ["background", "send_anyway"]


@given(
    st.dictionaries(st.sampled_from(["container", "web_search", "file_search"]), st.integers(1, 9)),
    st.sampled_from(["1g", "4g", "16g", "64g"]),
)
def test_no_use_is_lost_or_made_up_where_the_response_counts_them(
    fees: dict[str, int], memory: str
) -> None:
    asked = config(tools=("shell",), options={"container_memory": memory})
    found = billed_uses(asked, fees, {"tool_usage": {"web_search": {"num_requests": 3}}})
    assert sum(found.values()) == sum(fees.values())
    assert found.get(f"container_{memory}") == fees.get("container")
    assert "container" not in found


def test_searches_are_counted_where_the_response_does_not_say() -> None:
    def call(**action: str) -> dict[str, object]:
        return {"type": "web_search_call", "action": dict(action)}

    output = [
        call(type="search", query="a"),
        call(type="open_page", url="https://a.test"),
        call(type="find_in_page", url="https://a.test", pattern="x"),
        {"type": "web_search_call"},
        {"type": "message"},
        "nonsense",
    ]
    assert billed_uses(config(), {}, {"output": output}) == {"web_search": 2}
    stated = {"output": output, "tool_usage": {"web_search": {"num_requests": 0}}}
    assert billed_uses(config(), {}, stated) == {}


def test_the_background_config_of_the_other_tests_is_one() -> None:
    assert responses_settings(background())["background"] is True
