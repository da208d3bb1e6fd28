"""A workspace's configs say which tools are allowed, and a run is frozen with it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from relaybench.composing.style import standard_style
from relaybench.domain.errors import ProblemError
from relaybench.domain.model import ModelConfig
from relaybench.workbench.instructing import switched_off, with_instructions
from relaybench.workbench.runs.planning import propose
from relaybench.workbench.workspace import Workspace
from tests.workbench.support import items_of, make_workspace, send, stored

STYLE = standard_style()
NONE = STYLE.texts["tools.none"]
MODELS = """\
[models.bare]
provider = "anthropic"
model = "m"
max_output_tokens = 1000
tools = []
instructions = "Be brief."
[models.bare.prices]
input = 1
output = 2
as_of = 2026-11-30
source = "a page"
[models.full]
provider = "anthropic"
model = "m"
max_output_tokens = 1000
instructions = "Be brief."
[models.sim]
provider = "simulated"
model = "s"
tools = []
[models.sim.options]
wire = "anthropic"
no_block = 0.0
refuse = 0.0
truncate = 0.0
fail = 0.0
"""


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    (tmp_path / "models.toml").write_text(MODELS, "utf-8")
    return make_workspace(tmp_path)


def test_the_sentence_stands_before_the_users_own_words() -> None:
    bare = ModelConfig("x", "openai", "m", tools=())
    assert with_instructions(bare, STYLE).instructions == NONE
    own = with_instructions(replace(bare, instructions="Be brief."), STYLE)
    assert own.instructions == f"{NONE}\n\nBe brief."
    assert own.digest != replace(bare, instructions="Be brief.").digest
    full = replace(bare, tools=("web_search", "code_interpreter"))
    assert with_instructions(full, STYLE) is full
    assert switched_off(full) == ()
    assert switched_off(bare) == ("web_search", "code_interpreter")
    wired = ModelConfig("s", "simulated", "m", options={"wire": "google"})
    assert with_instructions(wired, STYLE).instructions == NONE
    for other in (ModelConfig("s", "simulated", "m"), ModelConfig("c", "compatible", "m")):
        assert with_instructions(other, STYLE) is other


def test_a_catalogs_configs_say_it_and_keep_their_prices(workspace: Workspace) -> None:
    catalog = workspace.catalog()
    bare = catalog.model("bare")
    assert bare.instructions == f"{NONE}\n\nBe brief."
    assert catalog.model("full").instructions == "Be brief."
    assert bare.prices is not None
    assert catalog.own_prices[bare.digest] == bare.prices
    assert bare.prices.as_of is not None
    assert catalog.prices(bare, bare.prices.as_of) == bare.prices
    assert workspace.catalog().models == catalog.models


def test_a_workspace_words_it_its_own_way(workspace: Workspace) -> None:
    workspace.styles.mkdir(parents=True)
    style = workspace.styles / "standard.toml"
    style.write_text('[tools]\nnone = "No tools."\n', "utf-8")
    assert workspace.catalog().model("bare").instructions == "No tools.\n\nBe brief."
    style.write_text("[tools\n", "utf-8")
    with pytest.raises(ProblemError, match=r"standard\.toml: not valid TOML"):
        workspace.catalog()


async def test_a_run_is_frozen_with_it(workspace: Workspace) -> None:
    config = workspace.catalog().model("sim")
    await send(workspace, propose(workspace, items_of(workspace)[:1], [config], name="r"))
    with stored(workspace) as s:
        (kept,) = s.plan.configs.values()
        assert kept.instructions == NONE
        assert kept.digest == config.digest
        (row,) = s.on.rows("SELECT request_json FROM calls")
        assert NONE in row["request_json"]
