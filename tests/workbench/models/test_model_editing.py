"""Changes to the workspace's own models.toml: what is written, what stays, what is refused."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from relaybench.domain.errors import CatalogError, StaleFileError, UnknownNameError, UsageError
from relaybench.workbench.models.model_editing import (
    add_model,
    change_model,
    copy_model,
    remove_cohort,
    remove_model,
    save_cohort,
    settings_of,
)
from relaybench.workbench.models.own_models import OwnModels
from relaybench.workbench.models.setting_text import read_setting, read_value, written
from relaybench.workbench.workspace import Workspace

OWN = """\
# head of the file

[models.mine]  # the first
provider = "compatible"                 # any server
model = "m"
base_url = "http://localhost:11434/v1"
[models.mine.prices]
input = 0.10     # cheap
output = 0.20
as_of = 2026-11-30
source = "s"
[[models.mine.prices.tiers]]
above = 1000
input = 1.5

# about the other
[models.other]
provider = "manual"
model = "web"

# all cohorts
[cohorts]
# the best
both = ["mine", "other"]   # in this order
"""


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    (tmp_path / "models.toml").write_text(OWN, "utf-8")
    return Workspace(tmp_path, tmp_path / "results.db", {})


def text(workspace: Workspace) -> str:
    return (workspace.root / "models.toml").read_text("utf-8")


def test_a_copy_stands_behind_the_models_and_all_else_stays(workspace: Workspace) -> None:
    saved = copy_model(workspace, "mine", "mine-low", {"effort": "low", "base_url": "http://h/v1"})
    assert saved.notes == ()
    before, after = text(workspace).split("\n[models.mine-low]\n")
    head, tail = OWN.split("\n# all cohorts")
    assert before == head
    assert after.endswith("\n# all cohorts" + tail)
    config = workspace.catalog().models["mine-low"]
    assert (config.effort, config.base_url) == ("low", "http://h/v1")
    assert config.prices == workspace.catalog().models["mine"].prices


def test_a_shipped_model_is_copied_as_it_is_written(workspace: Workspace) -> None:
    shipped = workspace.catalog().models["gpt-5-5-xhigh"]
    copy_model(workspace, "gpt-5-5-xhigh", "gpt-low", {"effort": "low", "tools": ["web_search"]})
    data = tomllib.loads(text(workspace))["models"]["gpt-low"]
    assert data == {
        "provider": "openai", "model": "gpt-5.5", "effort": "low", "tools": ["web_search"],
        "key_env": "OPENAI_API_KEY", "max_output_tokens": 128_000,
    }  # fmt: skip
    catalog = workspace.catalog()
    assert catalog.models["gpt-5-5-xhigh"] == shipped
    assert catalog.models["gpt-low"].prices == shipped.prices
    assert "gpt-low" in catalog.own
    assert "gpt-5-5-xhigh" not in catalog.own


def test_only_what_changes_is_touched_in_an_own_model(workspace: Workspace) -> None:
    change_model(workspace, "mine", {"effort": "high", "prices": {"input": 0.3, "output": None}})
    assert text(workspace) == OWN.replace(
        'base_url = "http://localhost:11434/v1"\n',
        'base_url = "http://localhost:11434/v1"\neffort = "high"\n\n',
    ).replace("input = 0.10     # cheap\noutput = 0.20\n", "input = 0.3     # cheap\n")
    change_model(workspace, "mine", {"effort": None})
    assert workspace.catalog().models["mine"].effort is None


def test_changing_a_shipped_model_writes_one_of_the_same_name_and_says_so(
    workspace: Workspace,
) -> None:
    saved = change_model(workspace, "claude-opus-4-7-max", {"concurrency": 2})
    assert "is shipped; yours of the same name" in saved.notes[0]
    catalog = workspace.catalog()
    assert catalog.models["claude-opus-4-7-max"].concurrency == 2
    assert "claude-opus-4-7-max" in catalog.own
    saved = remove_model(workspace, "claude-opus-4-7-max")
    assert saved.notes == ("the shipped claude-opus-4-7-max counts again",)
    assert text(workspace) == OWN


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"concurrency": 0}, "models.mine.concurrency: concurrency is 0"),
        ({"efort": "low"}, "did you mean effort?"),
        ({"options": {"api_key": "sk-abc"}}, "never put a key in this file"),
        ({"key_env": "sk-0123456789abcdef01"}, "not the name of an environment variable"),
        ({"prices": {"input": -1}}, "models.mine.prices.input: input is not a price"),
        ({"max_nudges": 3}, "max_nudges"),
    ],
)
def test_what_would_be_read_with_a_fault_is_refused_by_file_line_and_key(
    workspace: Workspace, changes: dict[str, object], words: str
) -> None:
    with pytest.raises(CatalogError, match="nothing was saved") as caught:
        change_model(workspace, "mine", changes)
    assert words in str(caught.value)
    assert str(caught.value).startswith("models.toml:")
    assert text(workspace) == OWN


def test_settings_that_no_adapter_can_honour_are_refused(workspace: Workspace) -> None:
    with pytest.raises(UsageError, match="takes effort none, low"):
        copy_model(workspace, "gpt-5-5-xhigh", "x", {"effort": "huge"})
    for setting in ({"options": {"a": 1}}, {"instructions": "Be brief."}, {"max_output_tokens": 5}):
        with pytest.raises(UsageError, match="has no effect, since nothing is sent"):
            change_model(workspace, "other", setting)
    for setting in ({"base_url": "http://h/v1"}, {"key_env": "A_KEY"}):
        with pytest.raises(CatalogError, match="a manual model"):
            change_model(workspace, "other", setting)
    assert text(workspace) == OWN


def test_names(workspace: Workspace) -> None:
    for name in ("mine", "sim-alpha"):
        with pytest.raises(UsageError, match=f"a model is called {name} already"):
            copy_model(workspace, "mine", name)
    for name in ("", "-x", "a b", "[b]", "ä", "x\n", "n" * 81):
        with pytest.raises(UsageError, match="a model's name is"):
            add_model(workspace, name, {"provider": "manual", "model": "m"})
    with pytest.raises(UnknownNameError, match="no model is called 'nix'"):
        change_model(workspace, "nix", {"effort": "low"})
    with pytest.raises(UnknownNameError):
        settings_of(workspace, "nix")
    add_model(workspace, "a.b_c-1", {"provider": "manual", "model": "[m]\x1b"})
    assert workspace.catalog().models["a.b_c-1"].model == "[m]\x1b"


def test_the_same_settings_under_two_names_are_told(workspace: Workspace) -> None:
    saved = copy_model(workspace, "sim-alpha", "sim-again", {"concurrency": 9})
    assert saved.notes[0].startswith("sim-again and sim-alpha send the same")


def test_a_model_goes_only_when_no_cohort_needs_it(workspace: Workspace) -> None:
    with pytest.raises(UsageError, match="mine is in the cohort both"):
        remove_model(workspace, "mine")
    with pytest.raises(UsageError, match="is shipped with relaybench and cannot be removed"):
        remove_model(workspace, "sim-alpha")
    save_cohort(workspace, "both", ["other"])
    remove_model(workspace, "mine")
    assert text(workspace) == "# head of the file\n\n# about the other\n" + OWN.partition(
        "# about the other\n"
    )[2].replace('["mine", "other"]', '["other"]')


def test_cohorts_keep_their_order_and_the_comments_around_them(workspace: Workspace) -> None:
    save_cohort(workspace, "new", ["other", "sim-beta", "mine"])
    assert text(workspace) == OWN + 'new = ["other", "sim-beta", "mine"]\n'
    assert workspace.catalog().cohorts["new"] == ("other", "sim-beta", "mine")
    saved = save_cohort(workspace, "demo", ["mine"])
    assert saved.notes == ("demo is shipped; yours counts instead of it",)
    assert remove_cohort(workspace, "demo").notes == ("the shipped cohort demo counts again",)
    remove_cohort(workspace, "new")
    assert text(workspace) == OWN
    for members, error in (
        ([], UsageError),
        (["mine", "mine"], UsageError),
        (["x"], UnknownNameError),
    ):
        with pytest.raises(error):
            save_cohort(workspace, "bad", members)
    with pytest.raises(UsageError, match="shipped with relaybench"):
        remove_cohort(workspace, "paper")
    with pytest.raises(UnknownNameError, match="no cohort is called"):
        remove_cohort(workspace, "nix")
    assert text(workspace) == OWN


def test_a_workspace_without_the_file_gets_one(tmp_path: Path) -> None:
    workspace = Workspace(tmp_path, tmp_path / "results.db", {})
    save_cohort(workspace, "c", ["sim-alpha"])
    add_model(workspace, "m", {"provider": "manual", "model": "web"})
    assert text(workspace).startswith("# Your models, on top of those that are shipped")
    catalog = workspace.catalog()
    assert catalog.cohorts["c"] == ("sim-alpha",)
    assert catalog.models["m"].manual


def test_other_forms_of_the_file_are_merged_or_refused_but_never_damaged(
    workspace: Workspace,
) -> None:
    path = workspace.root / "models.toml"
    inline = (
        '# c\r\nmodels.x = { provider = "manual", model = "m" } # d\r\ncohorts = { a = ["x"] }\r\n'
    )
    path.write_bytes(inline.encode())
    change_model(workspace, "x", {"effort": "pro"})
    assert workspace.catalog().models["x"].effort == "pro"
    after = path.read_bytes().decode()
    assert after.startswith("# c\r\nmodels.x = {")
    assert after.endswith('# d\r\ncohorts = { a = ["x"] }\r\n')


def test_a_file_that_was_changed_meanwhile_is_left_alone(workspace: Workspace) -> None:
    own = OwnModels.read(workspace.root)
    new = own.with_cohort("late", ["mine"])
    path = workspace.root / "models.toml"
    path.write_text(OWN + "# from outside\n", "utf-8")
    with pytest.raises(StaleFileError):
        own.save(new)
    assert text(workspace) == OWN + "# from outside\n"


@pytest.mark.parametrize(
    "value", ["a", 'q"\\', "\x7f\x1b\u2028😀", 3, 2.5, True, ["a", 1], {"k y": {"z": []}}, {}]
)
def test_settings_in_a_line_come_back_as_they_were(value: object) -> None:
    assert read_value(written(value)) == value


def test_settings_as_users_type_them() -> None:
    assert read_setting("concurrency=2") == ("concurrency", 2)
    assert read_setting("options.verbosity=low") == ("options", {"verbosity": "low"})
    assert read_setting('tools = ["a"]') == ("tools", ["a"])
    assert read_value("1\nb = 2") == "1\nb = 2"
    for text in ("effort", "=1", "a..b=1", "x=[1", 'x="y'):
        with pytest.raises(UsageError):
            read_setting(text)
