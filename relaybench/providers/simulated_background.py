"""Work that a simulated provider does in the background, under the ids of its responses. Pure.

An id tells prompt and turn, so that a simulator which was started anew finds the work again.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from relaybench.domain.completion import Usage
from relaybench.providers.pieces import Json, mapping
from relaybench.providers.simulated_responses import Talk, prompt_name
from relaybench.providers.simulated_script import Scene

_ID: Final = re.compile(r"resp_(?P<prompt>[0-9a-f]{24})_(?P<turn>\d{1,4})_(?P<number>\d{1,6})")


class Unknown(Exception):
    """A response that is asked for and is not there; the message says which."""


@dataclass(slots=True)
class Work:
    """One response in the making: ``entry`` is its place in the books once it was billed."""

    talk: Talk
    turn: int
    number: int
    fails: bool = False
    polls: int = 0
    status: str = "queued"
    entry: int | None = None

    @property
    def usage(self) -> Usage:
        """What the finished response uses."""
        return self.talk.usage(self.turn)

    @property
    def fees(self) -> Mapping[str, int]:
        """What the finished response is billed for tools."""
        return self.talk.fees(self.turn)

    @property
    def cell(self) -> str:
        """The cell that it is for."""
        return self.talk.scene.cell

    def poll(self, patience: int) -> bool:
        """Ask once more; returns whether it is done after having been asked in vain enough."""
        self.polls += 1
        if self.status in ("queued", "in_progress"):
            self.status = "in_progress"
            if self.polls > patience:
                self.status = "failed" if self.fails else ""
        return self.status == ""

    def cancel(self) -> bool:
        """Call it off and say whether it was under way; doing so twice is no mistake."""
        under_way = self.status in ("queued", "in_progress")
        if under_way:
            self.status = "cancelled"
        return under_way

    def body(self) -> dict[str, object]:
        """The response as it stands."""
        body = self.talk.response(self.turn, status=self.status, number=self.number)
        if self.status == "failed":
            error = {"code": "server_error", "message": "The simulated server had an error"}
            body["error"] = error
        return body


class Background:
    """All work of one simulated provider."""

    def __init__(self) -> None:
        """Start without any."""
        self._works: dict[str, Work] = {}
        self._begun: Counter[str] = Counter()

    def begin(self, body: Json, scene: Scene, *, fails: bool) -> Work:
        """Take on a request."""
        turn = Talk(body, scene).turn()
        # Not kept: what was said, which is long. The response does not tell it.
        talk = Talk({name: each for name, each in body.items() if name != "input"}, scene)
        place = talk.response_id(turn)
        work = Work(talk, turn, self._begun[place], fails)
        self._begun[place] += 1
        self._works[talk.response_id(turn, work.number)] = work
        return work

    def find(self, name: str, scene: Scene, carried: Json, prompts: Mapping[str, str]) -> Work:
        """The work under an id; raises Unknown.

        Where the id is of an earlier life, ``carried`` is the body that the request had then.
        """
        if name in self._works:
            return self._works[name]
        told = _ID.fullmatch(name)
        if told is None or mapping(carried).get("store") is not True:
            raise Unknown(f"Response with id '{name}' not found.")
        for prompt, key in prompts.items():
            if prompt_name(prompt) == told["prompt"]:
                talk = Talk(carried, replace(scene, prompt=prompt, key=key))
                work = Work(talk, int(told["turn"]), int(told["number"]), status="in_progress")
                self._works[name] = work
                return work
        raise Unknown(f"Response with id '{name}' not found.")
