"""Keys act one after the other, each where the one before it has led.

Textual sends a key to the widget that has the focus the moment it comes. From a quick hand, or in
one packet of a network, several are then under way before the first has acted: what was meant for
the dialog that it opens acts on the screen below. Here a key waits until the one before it has
been everywhere it goes, and until the dialog that it opens stands.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Awaitable, Callable
from functools import partial
from time import monotonic
from typing import TYPE_CHECKING, Any, Final, Generic
from weakref import WeakSet

from textual import events
from textual._time import get_time
from textual.app import App, ReturnType, ScreenStackError
from textual.message_pump import MessagePump
from textual.screen import ModalScreen
from textual.worker import Worker

from relaybench.tui.dialogs.dialog import Dialog

if TYPE_CHECKING:
    from textual.timer import Timer

#: Groups of workers that open a dialog, most after they have read something for it.
ASKING: Final = frozenset({"ask", "dialog", "ping-ask", "quit", "start", "value"})
#: Seconds that keys wait for such a worker at most, and for anything else that never comes.
PATIENCE_S: Final = 1.0
#: Seconds between two looks whether keys can go on.
_LOOK_EVERY_S: Final = 0.01


class InTurnApp(App[ReturnType], Generic[ReturnType]):
    """An application whose keys act in turn."""

    def __init__(self) -> None:
        super().__init__()
        self.keys = KeysInTurn(self, super().on_event)

    async def on_event(self, event: events.Event) -> None:
        """Take what happens; keys in turn."""
        if isinstance(event, events.Key | events.Paste):
            await self.keys.take(event)
        else:
            await super().on_event(event)


class KeysInTurn:
    """Takes the keys and pastes of an application; ``send`` lets Textual deal with one."""

    def __init__(self, app: App[Any], send: Callable[[events.Event], Awaitable[None]]) -> None:
        self._app, self._send = app, send
        self._waiting: deque[events.Key | events.Paste] = deque()
        self._under_way: MessagePump | None = None
        self._since = 0.0  # when the first of those that wait began to
        self._given_up: WeakSet[Worker[Any]] = WeakSet()
        self._look: Timer | None = None
        self._settled_in: object = None  # the screen or dialog in which keys find their place

    @property
    def idle(self) -> bool:
        """Whether no key waits or is under way."""
        return self._app._exit or not (self._waiting or self._under_way)

    async def take(self, event: events.Key | events.Paste) -> None:
        """Send a key, now or when its turn comes."""
        if event.is_forwarded:  # it has been where it was sent, and nobody wanted it
            if not self._missed(event):
                await self._send(event)
        elif self._waiting or self._under_way is not None or self._held() or not self._settled:
            if not self._waiting:
                self._since = monotonic()
            self._waiting.append(event)
            if self._look is None:
                self._look = self._app.set_interval(_LOOK_EVERY_S, self._go_on)
            await self._go_on()
        else:
            await self._send_next(event)

    async def _send_next(self, event: events.Key | events.Paste) -> None:
        if self._is_typed(event):
            await self._send(event)
        else:
            await self._send_in_turn(event)

    def _is_typed(self, event: events.Key | events.Paste) -> bool:
        """Whether it only becomes text of the field that has the focus, and leads nowhere else.

        Nothing has to wait for such a key: a text that comes at once is drawn once.
        """
        from textual.widgets import Input, TextArea  # loaded with the screens, not before

        field, front = self._app.focused, self._front
        return (
            isinstance(event, events.Key)
            and isinstance(field, Input | TextArea)
            and (not isinstance(front, Dialog) or front.typed_ahead)
            and event.is_printable
            and field.check_consume_key(event.key, event.character)
        )

    def _missed(self, event: events.Event) -> bool:
        """Whether a key was sent before the dialog in front could be seen."""
        front = self._front
        return isinstance(front, Dialog) and event.time < front.seen_at

    @property
    def _front(self) -> object:
        try:
            return self._app.screen
        except ScreenStackError:
            return None

    @property
    def _settled(self) -> bool:
        """Whether the focus is where the way to what is in front has led."""
        return self._settled_in is self._front

    def _held(self) -> bool:
        front = self._front
        if isinstance(front, Dialog):
            if not front.seen or front.left:
                return True
        elif isinstance(front, ModalScreen) and front.focused is None:
            return True
        return any(worker not in self._given_up for worker in self._asking)

    @property
    def _asking(self) -> list[Worker[Any]]:
        """Workers of what is in front that are going to ask something."""
        front = self._front
        nodes = [front] if isinstance(front, Dialog) else [front, self._app]
        return [
            worker
            for worker in self._app.workers
            if worker.group in ASKING and not worker.is_finished and worker.node in nodes
        ]

    async def _send_in_turn(self, event: events.Key | events.Paste) -> None:
        front = self._front
        if isinstance(front, Dialog):
            if not front.typed_ahead and self._missed(event):
                return
            event.time = get_time()
        self._settled_in = front
        self._under_way = target = self._app.focused or self._app.screen
        await self._send(event)
        self._follow_twice(target)

    def _follow_twice(self, target: MessagePump) -> None:
        """Behind a key, and behind what it made the widget say: a field, that it was submitted."""
        self._follow(target, partial(self._follow, target, self._acted))

    def _follow(self, pump: MessagePump, then: Callable[[], Any]) -> None:
        """Go behind a key, from the widget that got it to the application, where keys act."""
        above = pump._parent or self._app
        if pump is self._app:
            self._app.call_later(then)
        elif not pump.call_later(self._follow, above, then):
            self._follow(above, then)

    async def _acted(self) -> None:
        self._under_way = None
        await self._go_on()

    async def _go_on(self) -> None:
        if self._waiting and monotonic() - self._since > PATIENCE_S:
            self._under_way = None
            self._given_up.update(self._asking)
        while self._waiting and self._under_way is None:
            if self._held():
                self._settled_in = None
                break
            self._since = monotonic()
            if self._settled:
                await self._send_next(self._waiting.popleft())
            else:  # the focus may still be on its way to where a dialog's answer has led
                self._settled_in = self._front
                self._under_way = self._app.focused or self._app.screen
                self._follow_twice(self._under_way)
        if not self._waiting and self._look is not None:
            self._look.stop()
            self._look = None
