"""Messages by which any widget asks for another screen; the app switches and passes them on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.message import Message


class OpenTarget(Message):
    """Base: go to the screen ``mode`` and open something there."""

    mode: ClassVar[str]


class OpenClass(OpenTarget):
    """Open a class in the library; ``key`` is a TOML path to jump to (``instances[2].answer``)."""

    mode = "library"

    def __init__(self, ref: str, instance: str | None = None, key: str = "") -> None:
        super().__init__()
        self.ref, self.instance, self.key = ref, instance, key


class OpenComposite(OpenTarget):
    """Open a composite (``set/name``) in the composer."""

    mode = "composer"

    def __init__(self, ref: str) -> None:
        super().__init__()
        self.ref = ref


class OpenRun(OpenTarget):
    """Show a run; None: the set-up of a new one."""

    mode = "run"

    def __init__(self, name: str | None = None) -> None:
        super().__init__()
        self.name = name


class OpenResults(OpenTarget):
    """Show results of a run; None: as they are."""

    mode = "results"

    def __init__(self, run: str | None = None) -> None:
        super().__init__()
        self.run = run


class OpenAttempt(OpenTarget):
    """Open an attempt; ``among`` are the numbers that next and previous step through."""

    mode = "attempt"

    def __init__(self, attempt_id: int, among: Sequence[int] = ()) -> None:
        super().__init__()
        self.attempt_id, self.among = attempt_id, tuple(among)


class OpenManual(OpenTarget):
    """Show the open manual cells of a run, at one of them where it is named by digests."""

    mode = "manual"

    def __init__(
        self, run: str, item_digest: str | None = None, config_digest: str | None = None
    ) -> None:
        super().__init__()
        self.run, self.item_digest, self.config_digest = run, item_digest, config_digest
