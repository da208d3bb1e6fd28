"""A request to the simulator, read as far as all wire formats have it in common. Imports httpx2."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Final

import httpx2

from relaybench.providers import (
    simulated_anthropic,
    simulated_chat,
    simulated_google,
    simulated_responses,
)
from relaybench.providers.pieces import Json, listing, mapping
from relaybench.providers.simulated_exchange import Reply, digest_of
from relaybench.providers.simulated_faults import Wire
from relaybench.providers.simulated_model import Temper
from relaybench.providers.simulated_script import Deed, Scene
from relaybench.providers.simulated_settings import temper_of

#: The header in which goes along what a config asks of the simulation.
HEADER: Final = "x-relaybench-simulate"

_RESPONSE: Final = re.compile(r".*/responses/(?P<id>[^/]+?)(?P<cancel>/cancel)?")
_GENERATE: Final = re.compile(r".*/models/(?P<model>[^/:]+):(?P<verb>\w+)")
_PROMPTS: Final[Mapping[Wire, Callable[[Json], str]]] = {
    Wire.CHAT: simulated_chat.prompt_in,
    Wire.ANTHROPIC: simulated_anthropic.prompt_in,
    Wire.RESPONSES: simulated_responses.prompt_in,
    Wire.GOOGLE: simulated_google.prompt_in,
}
_TOOLS: Final[Mapping[Wire, Callable[[Json], frozenset[Deed]]]] = {
    Wire.CHAT: lambda _: frozenset(),
    Wire.ANTHROPIC: simulated_anthropic.tools_in,
    Wire.RESPONSES: simulated_responses.tools_in,
    Wire.GOOGLE: simulated_google.tools_in,
}
#: Where a conversation stands in a request.
_TALKS: Final = {
    Wire.CHAT: "messages",
    Wire.ANTHROPIC: "messages",
    Wire.RESPONSES: "input",
    Wire.GOOGLE: "contents",
}


@dataclass(frozen=True, slots=True)
class Call:
    """One request.

    ``response_id`` names the response that is asked for or called off, where one is; ``idle_s``
    is how long the client would wait for a byte. ``carried`` is what a request carried whose
    work is asked for again.
    """

    wire: Wire
    model: str
    body: Json
    temper: Temper
    cell: str
    stream: bool
    idle_s: float | None = None
    response_id: str = ""
    cancel: bool = False
    carried: Json | None = None

    @property
    def place(self) -> str:
        """The cell, or what names a later request of its conversation."""
        if self.response_id:
            return f"{self.response_id}?"
        talk = [mapping(each).get("role") for each in listing(self.body.get(_TALKS[self.wire]))]
        token = self.body.get("continuationToken")
        if len([role for role in talk if role != "system"]) <= 1 and token is None:
            return self.cell
        said = json.dumps(self.body.get(_TALKS[self.wire]))
        return f"{self.cell}#{digest_of(said, token)[:16]}"

    def scene(self, answers: Mapping[str, str]) -> Scene:
        """Who is asked what, with the key of the prompt where it is known."""
        prompt = _PROMPTS[self.wire](self.body)
        return Scene(
            prompt,
            answers.get(prompt),
            self.temper,
            self.model,
            self.cell,
            _TOOLS[self.wire](self.carried or self.body),
            cuts_text=self.wire is Wire.GOOGLE,
        )

    def reply(self, scene: Scene, *, whole: bool = False) -> Reply:
        """The response; ``whole`` as one JSON body whatever was asked for. Raises Objection."""
        stream = self.stream and not whole
        body = {**self.body, "stream": stream}
        match self.wire:
            case Wire.ANTHROPIC:
                return simulated_anthropic.reply(body, scene)
            case Wire.RESPONSES:
                return simulated_responses.reply(body, scene)
            case Wire.GOOGLE:
                return simulated_google.reply(self.body, scene, stream=stream)
        return simulated_chat.reply(body, scene)


def read_call(request: httpx2.Request, content: bytes) -> Call:
    """Read a request whose content was read; its address tells the wire format."""
    body = mapping(json.loads(content)) if content else {}
    options = mapping(json.loads(request.headers.get(HEADER, "{}")))
    idle_s = mapping(request.extensions.get("timeout")).get("read")
    path = request.url.path
    call = Call(
        Wire.CHAT,
        str(body.get("model")),
        body,
        temper_of(options),
        str(options.get("cell", "")),
        bool(body.get("stream")),
        idle_s if isinstance(idle_s, int | float) else None,
    )
    if path.endswith("/messages"):
        return replace(call, wire=Wire.ANTHROPIC)
    if generate := _GENERATE.fullmatch(path):
        stream = generate["verb"] == "streamGenerateContent"
        return replace(call, wire=Wire.GOOGLE, model=generate["model"], stream=stream)
    if path.endswith("/responses"):
        return replace(call, wire=Wire.RESPONSES)
    if asked := _RESPONSE.fullmatch(path):
        return replace(
            call,
            wire=Wire.RESPONSES,
            model=str(options.get("model", "")),
            response_id=asked["id"],
            cancel=bool(asked["cancel"]),
            carried=mapping(options.get("carried")),
        )
    return call
