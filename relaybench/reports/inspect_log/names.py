"""Names and numbers by which Inspect AI tells logs and samples apart: the same every time."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from typing import Final

from relaybench.domain.item import Item, text_digest
from relaybench.domain.literal import visible
from relaybench.domain.model import ModelConfig
from relaybench.store.plans import RunRow

#: How long Inspect's own numbers are.
_ID_LENGTH: Final = 22
#: What a name may hold to stand between the underscores of a log's file name.
_UNUSUAL: Final = re.compile(r"[^A-Za-z0-9]+")
_NAME_LENGTH: Final = 60
#: A longer id of a sample is cut: it is the name of a file in the log's archive.
_SAMPLE_LENGTH: Final = 200
_LONE: Final = re.compile("[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]")


def readable(text: str) -> str:
    """A text that pydantic takes: lone surrogates are spelled out (``\\ud800``), all else stays."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        pass
    else:
        return text
    return _LONE.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def number(*parts: object) -> str:
    """A number of 22 hexadecimal digits that follows from its parts alone."""
    return text_digest("\0".join(str(part) for part in parts))[:_ID_LENGTH]


def run_number(run: RunRow) -> str:
    """Tells a run from all others, of other results files too."""
    return number("run", run.name, run.created_at)


def task_name(run: RunRow, items: Iterable[Item]) -> str:
    """The set that was run; the run's name where it was made of several."""
    names = {item.set_name for item in items}
    return readable(names.pop() if len(names) == 1 else run.name)


def log_name(run: RunRow, task: str, config: ModelConfig) -> str:
    """A log's file name in Inspect's own form: ``time_task_model_number.eval``."""
    time = re.sub(r"[:+.]", "-", run.created_at)
    names = [_UNUSUAL.sub("-", each)[:_NAME_LENGTH].strip("-") for each in (task, config.name)]
    number_of_log = task_number(run, config)
    return "_".join([time, names[0] or "task", names[1] or "model", number_of_log]) + ".eval"


def task_number(run: RunRow, config: ModelConfig) -> str:
    """Tells a run's log of one model config from all others."""
    return number("task", run_number(run), config.digest)


def sample_ids(items: dict[str, Item]) -> dict[str, str]:
    """A name for every item (by digest) that no other one has and that can be a file's name.

    Items of one name are told apart by their forms, or else by their prompts' hashes; no name
    tells anything of a key.
    """
    found: dict[str, str] = {}
    refs = Counter(item.ref for item in items.values())
    forms = Counter((item.ref, item.form) for item in items.values())
    taken: set[str] = set()
    for digest, item in items.items():
        name = visible(item.ref)
        if refs[item.ref] > 1:
            alone = forms[item.ref, item.form] == 1
            name = f"{name} [{item.form if item.form and alone else item.prompt_sha256[:8]}]"
        if len(name) > _SAMPLE_LENGTH or any(
            part in ("", ".", "..") for part in re.split(r"[/\\]", name)
        ):
            name = f"item {text_digest(item.ref + item.prompt_sha256)[:_ID_LENGTH]}"
        again = 2
        unique = name
        while unique in taken:
            unique, again = f"{name} ({again})", again + 1
        taken.add(unique)
        found[digest] = unique
    return found
