"""The catalog that a workspace sees: the shipped file, then its own models.toml on top."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path

from relaybench.catalog.reading import CatalogPart, read_catalog
from relaybench.domain.errors import CatalogError, UnknownNameError
from relaybench.domain.finding import Fault, Finding
from relaybench.domain.model import ModelConfig
from relaybench.toml_files.source import SourceFile, read_source

FILE_NAME = "models.toml"


@dataclass(frozen=True, slots=True)
class Catalog:
    """Model configs and cohorts by name."""

    models: dict[str, ModelConfig]
    cohorts: dict[str, tuple[str, ...]]

    def model(self, name: str) -> ModelConfig:
        """The config of that name; raises UnknownNameError that lists what there is."""
        if name not in self.models:
            raise UnknownNameError(
                f"no model is called {name!r}; there are: {', '.join(self.models)}. "
                f"Models are defined in {FILE_NAME} (see `relaybench models`)."
            )
        return self.models[name]

    def cohort(self, name: str) -> tuple[ModelConfig, ...]:
        """The configs of a cohort, in its order; raises UnknownNameError."""
        if name not in self.cohorts:
            raise UnknownNameError(
                f"no cohort is called {name!r}; there are: {', '.join(self.cohorts)}. "
                f"Cohorts are defined in {FILE_NAME}."
            )
        return tuple(self.model(each) for each in self.cohorts[name])

    def choose(self, cohorts: Sequence[str], models: Sequence[str]) -> tuple[ModelConfig, ...]:
        """All configs of the cohorts and the single models asked for, each once, in order."""
        chosen = {config.name: config for name in cohorts for config in self.cohort(name)}
        chosen |= {name: self.model(name) for name in models if name not in chosen}
        return tuple(chosen.values())


def _read(path: Path, shown: str) -> CatalogPart:
    source = read_source(path, shown)
    if isinstance(source, Finding):
        raise CatalogError(_message([source]))
    part = read_catalog(source)
    if part.faults:
        raise CatalogError(_message(source.place(part.faults)))
    return part


def _message(findings: Sequence[Finding]) -> str:
    lines = []
    for each in sorted(findings):
        key = f" {each.key}:" if each.key else ""
        lines.append(f"{each.file}:{each.line}:{key} {each.problem}; {each.mend}")
    return "\n".join(lines)


def load_catalog(workspace: Path) -> Catalog:
    """Load the catalog of a workspace; one without a models.toml has the shipped one.

    Raises CatalogError with one line per fault: file, line, key, what and how to mend it.
    """
    shipped = resources.files("relaybench.catalog") / FILE_NAME
    with resources.as_file(shipped) as path:
        part = _read(path, f"(shipped) {FILE_NAME}")
    own = workspace / FILE_NAME
    if own.is_file():
        mine = _read(own, FILE_NAME)
        _check_cohorts(own, mine, {**part.models, **mine.models})
        part.models.update(mine.models)
        part.cohorts.update(mine.cohorts)
    return Catalog(part.models, part.cohorts)


def _check_cohorts(path: Path, part: CatalogPart, models: dict[str, ModelConfig]) -> None:
    source = read_source(path, FILE_NAME)
    for name, members in part.cohorts.items():
        for index, member in enumerate(members):
            if member not in models and isinstance(source, SourceFile):
                fault = Fault(
                    ("cohorts", name, index),
                    "unknown-model",
                    f"cohort {name} names {member!r}, which is no model",
                    f"define [models.{member}] or use one of: {', '.join(models)}",
                )
                raise CatalogError(_message(source.place([fault])))
