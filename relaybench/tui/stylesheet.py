"""A stylesheet that parses each source once.

Textual parses all sources anew whenever a screen is shown for the first time, although nothing in
them has changed: that alone would be felt at a switch. Parsed rules are kept here for as long as
the variables of the theme are the same.
"""

from __future__ import annotations

from typing import Final

from textual.cache import LRUCache
from textual.css.stylesheet import Stylesheet

#: Sources whose rules are kept: those of Textual's widgets and of ours.
_KEPT: Final = 1024


class KeptStylesheet(Stylesheet):
    """Textual's stylesheet with a parse cache that outlives ``reparse``."""

    def __init__(self, *, variables: dict[str, str] | None = None) -> None:
        super().__init__(variables=variables)
        self._parse_cache = LRUCache(_KEPT)

    def set_variables(self, variables: dict[str, str]) -> None:
        """Take other variables; the same ones change nothing."""
        if variables != self._variables:
            super().set_variables(variables)

    def reparse(self) -> None:
        """Parse what is new; where a source is faulty the rules stay as they were."""
        self.parse()
