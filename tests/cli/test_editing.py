"""The commands that change the library."""

from __future__ import annotations

import io

import pytest

from relaybench.domain.problem import Instance
from tests.cli.support import Shell


def test_a_class_through_its_life(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    made = shell("new", "math/digit-sum", "--title", "Sum of [digits]")
    assert made.out == "problems/library/math/digit-sum.toml\n"
    assert shell("check", made.out.strip(), ok=False).code == 1
    path = shell.root / made.out.strip()
    path.write_text(
        path.read_text()
        .replace("prompt = '''\n\n'''", "prompt = '''\nThe sum of the digits of {{n}}?\n'''")
        .replace('example = ""', 'example = "77"')
        .replace("data = {}", 'data = { n = "19" }')
        .replace('answer = ""', 'answer = "10"')
    )
    assert shell("check").code == 0
    shell("duplicate", "math/digit-sum:first", "second")
    shell("status", "math/digit-sum:first", "approved")
    renamed = shell("rename", "math/digit-sum", "cross-sum")
    assert "problems/library/math/cross-sum.toml" in renamed.out
    assert "What runs have sent stays" in renamed.err
    assert [each.status.value for each in _rows(shell)] == ["approved", "draft"]
    monkeypatch.setattr("sys.stdin", io.StringIO("n\n"))
    assert shell("delete", "math/cross-sum:second", ok=False).code == 130  # nobody said yes
    assert len(_rows(shell)) == 2
    shell("delete", "math/cross-sum:second", "--yes")
    assert len(_rows(shell)) == 1
    assert shell("check").code == 0


def test_a_composite_follows_and_keeps_what_it_uses(shell: Shell) -> None:
    from relaybench.workbench.workspace import find_workspace

    library = find_workspace(shell.root).library()
    step = library.composites["example/first"].composite.steps[0]
    refused = shell("delete", str(step.use), "--yes", ok=False)
    assert refused.code == 2
    assert "example/first" in refused.err
    shell("rename", str(step.use), "another-name")
    shown = shell("show", "example/first", "--format", "json", "--key").json
    assert shown["steps"] == len(library.composites["example/first"].composite.steps)
    assert shell("check").code == 0
    again = find_workspace(shell.root).library().composites["example/first"].composite.steps[0]
    assert str(again.use) == f"{step.use.class_ref}:another-name"


def _rows(shell: Shell) -> list[Instance]:
    from relaybench.workbench.workspace import find_workspace

    return list(find_workspace(shell.root).library().classes["math/cross-sum"].problem.instances)
