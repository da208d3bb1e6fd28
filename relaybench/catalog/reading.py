"""Read a models.toml into model configs and cohorts, with a fault for everything amiss."""

from __future__ import annotations

from dataclasses import dataclass, field

from relaybench.catalog.model_reading import read_model
from relaybench.catalog.unread_keys import no_unread
from relaybench.domain.finding import Fault
from relaybench.domain.model import ModelConfig
from relaybench.toml_files.fields import Fields
from relaybench.toml_files.source import SourceFile


@dataclass(slots=True)
class CatalogPart:
    """What one models.toml holds."""

    models: dict[str, ModelConfig] = field(default_factory=dict)
    cohorts: dict[str, tuple[str, ...]] = field(default_factory=dict)
    faults: list[Fault] = field(default_factory=list)


def read_catalog(source: SourceFile) -> CatalogPart:
    """Read a models.toml that is valid TOML."""
    part = CatalogPart()
    fields = Fields(source.data, (), part.faults)
    models = fields.table_or_none("models")
    for name in models.table if models else ():
        entry = models.table_or_none(str(name)) if models else None
        if entry:
            part.models[str(name)] = read_model(str(name), entry)
    cohorts = fields.table_or_none("cohorts")
    for name in cohorts.table if cohorts else ():
        if cohorts:
            part.cohorts[str(name)] = cohorts.texts(str(name))
    no_unread(fields, "read here", "there are [models.NAME] and [cohorts]")
    return part
