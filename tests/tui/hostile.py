"""A workspace in which every text that an author, a model or a provider can write is hostile."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

from relaybench.workbench.problems.starting import init_workspace
from relaybench.workbench.results.importing import import_results
from relaybench.workbench.workspace import Workspace, find_workspace

#: Markup of two libraries, escape sequences, C1, NUL, bidirectional controls, combining and wide
#: characters, slots of template languages, a lone surrogate.
TEXTS: Final = (
    "[red]x[/red] [/] [b [A-Z]+ [@click=app.quit]q[/]",
    "\x1b]0;owned\x07\x1b[31mred\x1b[2J\x9b1m\x90q\x9c",
    "nul\x00bell\x07back\x08feed\x0ccarriage\rdel\x7f",
    "\u202etxt.exe\u202c \u2066iso\u2069 \u200e\u2028line\u2029para",
    "e\u0301\u0323 漢字かな 👩‍👩‍👧‍👦 שלום مرحبا \u200b\ufeff",
    "{{n}} {0} %s ${HOME} $(id) `id`",
)
HOSTILE: Final = " ".join(TEXTS)
#: A key in the environment, which must never be seen.
SECRET: Final = "sk-planted-0123456789abcdef"


def _toml(text: str) -> str:
    """A basic string of TOML: what does not print, by its escape."""
    return (
        '"'
        + "".join(
            f"\\U{ord(each):08x}" if each in '"\\' or not each.isprintable() else each
            for each in text
        )
        + '"'
    )


def hostile_workspace(folder: Path) -> Workspace:
    """Make it: an example whose class and composite are hostile, and imported hostile answers."""
    init_workspace(folder)
    text = _toml(HOSTILE)
    (folder / "problems/library/math").mkdir(parents=True, exist_ok=True)
    (folder / "problems/library/math/hostile.toml").write_text(
        f'id = "hostile"\ndomain = "math"\ntitle = {text}\nprompt = {text}\n'
        f'rules = [{text}]\nexample = {_toml(TEXTS[0])}\nliteral = ["n"]\n'
        f'[[instances]]\nid = "one"\ndata = {{ slot = {text} }}\nanswer = {_toml(TEXTS[0])}\n'
        f'status = "draft"\n',
        "utf-8",
    )
    (folder / "problems/sets/hostile").mkdir(parents=True, exist_ok=True)
    (folder / "problems/sets/hostile/one.toml").write_text(
        f'id = "one"\ntitle = {text}\nseparator = {_toml("[/] ")}\n'
        '[[steps]]\nlabel = "A"\nuse = "math/hostile:one"\n'
        f'[[steps]]\nlabel = "B"\nuse = {_toml("[b]/x:y")}\n',
        "utf-8",
    )
    environment = {"OPENAI_API_KEY": SECRET, "ANTHROPIC_API_KEY": SECRET}
    workspace = find_workspace(folder, environment=environment)
    lines = [
        {
            "set": TEXTS[0],
            "composite": TEXTS[1],
            "key": f"{TEXTS[0]}-{TEXTS[4]}",
            "model": model,
            "response": f"{HOSTILE}\n```\n{answer}\n```\n",
            "stop_reason": "end_turn",
        }
        for model, answer in ((TEXTS[2], HOSTILE), (TEXTS[3], f"{TEXTS[0]}-{TEXTS[4]}"))
    ]
    path = folder / "answers.jsonl"
    path.write_text("".join(json.dumps(each) + "\n" for each in lines), "utf-8")
    report = import_results(workspace, path, "hostile")
    assert not report.bad, report.bad
    return workspace
