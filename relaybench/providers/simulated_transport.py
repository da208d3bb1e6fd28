"""The simulated providers as a transport below the SDKs. Imports httpx2: load lazily.

Whatever is above it is real: request building, streaming, decoding, error handling, usage. It
keeps the providers' books (``ledger``), against which a run's own figures can be held.
"""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from typing import Final

import httpx2

from relaybench.domain.completion import Usage
from relaybench.providers.pieces import mapping
from relaybench.providers.simulated_background import Background, Unknown, Work
from relaybench.providers.simulated_call import Call, read_call
from relaybench.providers.simulated_delivery import (
    HTML_PAGE,
    Body,
    Sleep,
    connection_error,
    delivery_of,
)
from relaybench.providers.simulated_exchange import JSON, Billed, Objection, Reply, digest_of
from relaybench.providers.simulated_faults import (
    Fault,
    Wire,
    error_body,
    error_response,
    fault_of,
    storm_of,
)

#: Faults that a question for work in the background can meet: none that would end it.
_POLL_FAULTS: Final = frozenset(
    {
        Fault.RATE_LIMIT,
        Fault.SERVER,
        Fault.UNAVAILABLE,
        Fault.OVERLOADED,
        Fault.REFUSED,
        Fault.RESET,
        Fault.CUT,
        Fault.HTML,
    }
)
#: Faults that lose the response to a request which was taken on.
_LOSING: Final = frozenset(
    {
        Fault.CUT,
        Fault.HALF_JSON,
        Fault.EMPTY,
        Fault.MALFORMED,
        Fault.STALL,
        Fault.ENDLESS,
    }
)


class SimulatedTransport(httpx2.AsyncBaseTransport):
    """Answers requests of four wire formats as a seeded model, from prompts and their keys.

    The same seed, model and cell always fare the same; only failures of a first try pass.
    ``ledger`` is what the providers billed, in the order in which they began to answer.
    """

    def __init__(self, answers: Mapping[str, str], sleep: Sleep = asyncio.sleep) -> None:
        """Take the key of each prompt; ``sleep`` stands in for the time that thinking takes."""
        self.ledger: list[Billed] = []
        self._answers = answers
        self._prompts = {prompt: prompt for prompt in answers}  # one copy of each, however many
        self._sleep = sleep
        self._tries: Counter[tuple[str, str, int]] = Counter()
        self._stormed: Counter[Wire] = Counter()
        self._tools: dict[tuple[str, str, int], str] = {}
        self._background = Background()

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Answer one request; raises what a broken connection raises."""
        call = read_call(request, await request.aread())
        fault = self._fault(call)
        if fault is not None:
            if broken := connection_error(fault):
                raise broken
            if fault is Fault.HTML:
                return httpx2.Response(502, html=HTML_PAGE)
            if failed := error_response(call.wire, fault, call.temper.retry_after_s):
                return httpx2.Response(failed.status, headers=failed.headers, json=failed.body)
        try:
            return await self._answered(call, fault)
        except Objection as objection:
            body = error_body(call.wire, Fault.REJECTED, 400, words=str(objection))
            return httpx2.Response(400, json=body)
        except Unknown as unknown:
            error = {"message": str(unknown), "type": "invalid_request_error"}
            return httpx2.Response(404, json={"error": {**error, "param": "id", "code": None}})

    def _fault(self, call: Call) -> Fault | None:
        if self._stormed[call.wire] < storm_of(call.temper):
            self._stormed[call.wire] += 1
            return Fault.STORM
        if call.cancel:
            return None
        key = (call.model, call.place, call.temper.seed)
        self._tries[key] += 1
        fault = fault_of(call.temper, call.model, call.place, self._tries[key])
        return fault if not call.response_id or fault in _POLL_FAULTS else None

    async def _answered(self, call: Call, fault: Fault | None) -> httpx2.Response:
        if call.response_id:
            return self._asked_for(call, fault)
        scene = call.scene(self._answers)
        scene = replace(scene, prompt=self._prompts.get(scene.prompt, scene.prompt))
        self._check_tools(call)
        if call.wire is Wire.RESPONSES and call.body.get("background"):
            work = self._background.begin(call.body, scene, fails=fault is Fault.FAILED)
            fault = None if fault is Fault.FAILED else fault
            if fault in _LOSING:  # the work goes on, even if nobody learns its id
                work.entry = self._bill(call, call.cell, _finished(work))
            return self._sent(call, Reply(_json(work), JSON, work.usage), fault)
        reply = call.reply(scene)
        entry = self._bill(call, call.cell, reply)
        if fault is Fault.HALF_JSON:
            reply = call.reply(scene, whole=True)
        if not call.stream and call.temper.latency_s > 0:
            await self._sleep(call.temper.latency_s)
        return self._sent(call, reply, fault, entry)

    def _asked_for(self, call: Call, fault: Fault | None) -> httpx2.Response:
        scene = call.scene(self._answers)
        carried = mapping(call.carried)
        work = self._background.find(call.response_id, scene, carried, self._answers)
        if call.cancel:
            if work.cancel() and work.entry is not None:
                free = replace(self.ledger[work.entry], usage=Usage(), fees={}, charged=False)
                self.ledger[work.entry] = free
            return httpx2.Response(200, json=work.body())
        done = work.poll(call.temper.polls)
        reply = _finished(work)
        if done and work.entry is None:  # once, however often its result is asked for
            work.entry = self._bill(call, work.cell, reply)
        return self._sent(call, reply, fault, work.entry if done else None)

    def _check_tools(self, call: Call) -> None:
        """A conversation must go on with the tools with which it began."""
        place = (call.model, call.cell, call.temper.seed)
        tools = digest_of(call.body.get("tools"))
        if call.place == call.cell:
            self._tools[place] = tools
        elif place in self._tools and self._tools[place] != tools:
            raise Objection("tools: they are not those with which the conversation began")

    def _bill(self, call: Call, cell: str, reply: Reply) -> int:
        """Write an entry into the books; gives its place in them."""
        entry = Billed(
            call.wire,
            call.model,
            cell,
            reply.usage,
            reply.fees,
            charged=reply.charged,
            turn=reply.turn,
            number=reply.number,
        )
        self.ledger.append(entry)
        return len(self.ledger) - 1

    def _sent(
        self, call: Call, reply: Reply, fault: Fault | None, entry: int | None = None
    ) -> httpx2.Response:
        place = (call.temper.seed, call.model, call.place)
        delivery = delivery_of(call.wire, reply, fault, *place)

        def delivered() -> None:
            if entry is not None:
                self.ledger[entry] = replace(self.ledger[entry], delivered=True)

        stream = Body(
            delivery,
            self._sleep,
            latency_s=call.temper.latency_s if call.stream else 0.0,
            idle_s=call.idle_s,
            delivered=delivered,
        )
        headers = {"content-type": delivery.content_type}
        return httpx2.Response(200, headers=headers, stream=stream)


def _finished(work: Work) -> Reply:
    return Reply(_json(work), JSON, work.usage, work.fees, turn=work.turn)


def _json(work: Work) -> bytes:
    return json.dumps(work.body()).encode()
