"""The catalog that a workspace sees: the shipped file, then its own models.toml on top."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path

from relaybench.catalog.reading import CatalogPart, read_catalog
from relaybench.domain.errors import CatalogError, UnknownNameError
from relaybench.domain.finding import Fault, Finding
from relaybench.domain.model import ModelConfig
from relaybench.toml_files.source import read_source

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


def _read(path: Path, shown: str, known: Mapping[str, ModelConfig]) -> CatalogPart:
    """Read one file; its cohorts may name its own models and those ``known`` already."""
    source = read_source(path, shown)
    if isinstance(source, Finding):
        raise CatalogError(_message([source]))
    part = read_catalog(source)
    faults = [*part.faults, *_cohort_faults(part, {**known, **part.models})]
    if faults:
        raise CatalogError(_message(source.place(faults)))
    return part


def _cohort_faults(part: CatalogPart, models: Mapping[str, ModelConfig]) -> Iterator[Fault]:
    for name, members in part.cohorts.items():
        for index, member in enumerate(members):
            if member not in models:
                yield Fault(
                    ("cohorts", name, index),
                    "unknown-model",
                    f"cohort {name} names {member!r}, which is no model",
                    f"define [models.{member}] or use one of: {', '.join(models)}",
                )


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
        part = _read(path, f"(shipped) {FILE_NAME}", {})
    own = workspace / FILE_NAME
    if os.path.lexists(own):  # a link to nothing must not bring back the shipped prices unsaid
        mine = _read(own, FILE_NAME, part.models)
        part.models.update(mine.models)
        part.cohorts.update(mine.cohorts)
    return Catalog(part.models, part.cohorts)
