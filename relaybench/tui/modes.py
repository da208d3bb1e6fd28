"""The seven screens by name, number and class; a class is loaded when it is first shown."""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final, cast

if TYPE_CHECKING:
    from relaybench.tui.desk import Desk
    from relaybench.tui.work_screen import WorkScreen


@dataclass(frozen=True, slots=True)
class Mode:
    """A screen: what it is called, the key that leads there, and where its class is."""

    name: str
    title: str
    number: int
    purpose: str
    class_name: str

    @property
    def key(self) -> str:
        """The key that leads there from anywhere."""
        return f"f{self.number}"

    @property
    def module(self) -> str:
        """The module that the screen's class is in."""
        return f"relaybench.tui.screens.{self.name}"

    @property
    def stylesheet(self) -> Path:
        """Its stylesheet, beside the module."""
        return Path(__file__).parent / "screens" / f"{self.name}.tcss"

    def load(self) -> None:
        """Load the module of the screen; in a thread, so that going there is quick."""
        importlib.import_module(self.module)

    def screen(self, desk: Desk) -> WorkScreen:
        """Make the screen."""
        module = importlib.import_module(self.module)
        return cast("WorkScreen", getattr(module, self.class_name)(desk))


MODES: Final = (
    Mode("library", "Library", 1, "write subproblems", "LibraryScreen"),
    Mode("composer", "Composer", 2, "wire subproblems into a composite", "ComposerScreen"),
    Mode("models", "Models", 3, "model configs and cohorts", "ModelsScreen"),
    Mode("run", "Run", 4, "send problems to models and watch", "RunScreen"),
    Mode("results", "Results", 5, "tables and plots of runs", "ResultsScreen"),
    Mode("attempt", "Attempt", 6, "one answer in full", "AttemptScreen"),
    Mode("manual", "Manual", 7, "models with only a web page", "ManualScreen"),
)
