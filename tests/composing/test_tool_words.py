"""What a model is told about its tools."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from relaybench.composing.style import load_style, standard_style
from relaybench.composing.tool_words import tool_instructions
from relaybench.domain.errors import ProblemError
from relaybench.domain.tools import SERVER_TOOLS, all_tools, known_tools

STYLE = standard_style()


@pytest.mark.parametrize("provider", SERVER_TOOLS)
def test_nothing_is_said_where_all_tools_are_on(provider: str) -> None:
    assert tool_instructions(provider, all_tools(provider), STYLE) is None
    assert tool_instructions(provider, tuple(reversed(all_tools(provider))), STYLE) is None
    assert tool_instructions(provider, known_tools(provider), STYLE) is None


@pytest.mark.parametrize("provider", ["compatible", "simulated", "imported"])
def test_nothing_is_said_where_a_provider_has_no_tools_of_its_own(provider: str) -> None:
    assert tool_instructions(provider, (), STYLE) is None
    assert tool_instructions(provider, ("x",), STYLE) is None


@given(data=st.data(), provider=st.sampled_from(sorted(SERVER_TOOLS)))
def test_exactly_the_tools_that_are_left_are_named(data: st.DataObject, provider: str) -> None:
    tools = data.draw(st.sets(st.sampled_from(known_tools(provider))))
    said = tool_instructions(provider, sorted(tools), STYLE)
    if set(all_tools(provider)) <= tools:
        assert said is None
        return
    assert said is not None
    words = {"web_search": "web search", "google_search": "web search",
             "web_fetch": "fetching web pages", "url_context": "fetching web pages",
             "code_execution": "code execution", "code_interpreter": "code execution",
             "shell": "a shell", "google_maps": "map search"}  # fmt: skip
    if tools:
        named = {word for word in words.values() if word in said}
        assert named == {words[tool] for tool in tools}
    else:
        assert said == STYLE.texts["tools.none"]


def test_the_wording_of_several_and_of_one() -> None:
    two = tool_instructions("anthropic", ["code_execution", "web_search"], STYLE)
    assert two is not None
    assert "only these: web search and code execution." in two
    three = tool_instructions("google", ["google_search", "google_maps", "url_context"], STYLE)
    assert three is not None
    assert "web search, fetching web pages and map search." in three
    one = tool_instructions("openai", ["web_search"], STYLE)
    assert one is not None
    assert "only these: web search." in one


def test_a_workspace_words_it_its_own_way(tmp_path: Path) -> None:
    (tmp_path / "standard.toml").write_text(
        '[tools]\nsome = "Nur {{names}}!"\nnone = "Nichts."\n', "utf-8"
    )
    style = load_style("standard", tmp_path)
    assert tool_instructions("openai", ["web_search"], style) == "Nur web search!"
    assert tool_instructions("openai", [], style) == "Nichts."
    (tmp_path / "standard.toml").write_text('[tools]\nsome = "Only some."\n', "utf-8")
    with pytest.raises(ProblemError, match=r"tools\.some lacks the slot \{\{names\}\}"):
        load_style("standard", tmp_path)
