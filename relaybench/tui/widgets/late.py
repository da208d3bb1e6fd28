"""Widgets that are mounted when they are first needed, so that a screen stands sooner."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

from textual.widget import Widget


class Late:
    """Mounts what ``make`` returns into a widget, once; whoever needs it awaits ``there``.

    A worker that is stopped while it waits does not stop the mounting.
    """

    def __init__(self, parent: Widget, make: Callable[[], Sequence[Widget]]) -> None:
        self._parent, self._make = parent, make
        self._mounting: asyncio.Task[None] | None = None

    @property
    def stands(self) -> bool:
        """Whether all is mounted."""
        return self._mounting is not None and self._mounting.done()

    async def there(self) -> None:
        """Mount it, unless that was done."""
        if self._mounting is None:
            self._mounting = asyncio.create_task(self._mount())
        if not self._mounting.done():
            await asyncio.shield(self._mounting)

    async def _mount(self) -> None:
        await self._parent.mount(*self._make())
