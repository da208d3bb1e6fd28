"""The wording of prompts: read from a style file, never written in code."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from pathlib import Path

from encoder import Instructions, SettingError
from relaybench.domain.augmentation import KINDS, Augmentation
from relaybench.domain.errors import ProblemError
from relaybench.domain.problem import ID_PATTERN
from relaybench.domain.slots import all_slots, fill

_STANDARD = "standard"
#: Slots that a text may do without: an example only helps.
_MAY_GO = frozenset({"example"})


@dataclass(frozen=True, slots=True)
class Style:
    """A style's texts by ``section.name``, each a template with ``{{slots}}``."""

    name: str
    texts: Mapping[str, str]

    def write(self, text: str, **values: str) -> str:
        """Fill one of the style's texts."""
        return fill(self.texts[text], values)

    def sentence(self, augmentation: Augmentation) -> str:
        """The sentence that asks a model for an augmentation."""
        return self.write(f"augment.{augmentation.kind.name}", n=str(augmentation.number))


def _read(name: str, text: str, where: str, fallback: Mapping[str, str]) -> Style:
    try:
        data = tomllib.loads(text)
    except (ValueError, ArithmeticError) as error:
        raise ProblemError(f"{where}: not valid TOML: {error}") from error
    except RecursionError as error:
        raise ProblemError(f"{where}: values are nested too deeply") from error
    texts = dict(fallback)
    for section, entries in data.items():
        if not isinstance(entries, dict):
            raise ProblemError(f"{where}: {section} is not a section; write [{section}]")
        for key, value in entries.items():
            path = f"{section}.{key}"
            if not isinstance(value, str):
                raise ProblemError(f"{where}: {path} is not text")
            if fallback and path not in fallback:
                known = ", ".join(sorted(fallback))
                raise ProblemError(f"{where}: {path} is not a text of a style; there are: {known}")
            texts[path] = value.strip("\n")
            if fallback:
                _check_slots(path, texts[path], fallback[path], where)
    try:
        Instructions(texts["encoding.before"], texts["encoding.after"])
    except SettingError as error:
        raise ProblemError(f"{where}: [encoding]: {error}") from error
    return Style(name, texts)


def _check_slots(path: str, text: str, standard: str, where: str) -> None:
    """A text that loses a slot loses what the model must be told; one misspelt would be sent."""
    known, given = all_slots(standard), all_slots(text)
    strange = [slot for slot in given if slot not in known]
    if strange:
        there = ", ".join(f"{{{{{slot}}}}}" for slot in known) or "none"
        raise ProblemError(
            f"{where}: {path} has the slot {{{{{strange[0]}}}}}, which is not filled here; "
            f"there are: {there}"
        )
    lost = [slot for slot in known if slot not in given and slot not in _MAY_GO]
    if lost:
        raise ProblemError(
            f"{where}: {path} lacks the slot {{{{{lost[0]}}}}}; without it the prompt would not "
            "say what is asked"
        )


def standard_style() -> Style:
    """The wording that is shipped."""
    file = resources.files("relaybench.composing") / "styles" / f"{_STANDARD}.toml"
    style = _read(_STANDARD, file.read_text("utf-8"), str(file), {})
    missing = [name for name in KINDS if f"augment.{name}" not in style.texts]
    if missing:
        raise ProblemError(f"{file}: no sentence for {', '.join(missing)}")
    return style


def load_style(name: str, folder: Path | None = None) -> Style:
    """Load a style: the workspace's own file, on top of the shipped wording.

    ``folder`` is the workspace's ``problems/styles``. A style may give only the texts that it
    changes. Raises ProblemError for a style that does not exist or cannot be used.
    """
    standard = standard_style()
    path = folder / f"{name}.toml" if folder and ID_PATTERN.fullmatch(name) else None
    if path and path.is_file():
        try:
            text = path.read_bytes().decode("utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise ProblemError(f"{path}: cannot be read: {error}") from error
        return _read(name, text, str(path), standard.texts)
    if name == _STANDARD:
        return standard
    raise ProblemError(f"there is no style {name!r}; write problems/styles/{name}.toml")
