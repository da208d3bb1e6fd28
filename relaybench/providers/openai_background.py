"""Waiting for a response that OpenAI makes in the background. Sends nothing itself."""

from __future__ import annotations

import json
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final

from relaybench.domain.completion import Usage
from relaybench.domain.errors import (
    BackgroundLost,
    ModelNotFound,
    ProviderError,
    ServerFault,
    SettingRejected,
)
from relaybench.providers.adapter import Received
from relaybench.providers.pieces import Json, mapping, string
from relaybench.providers.protocol import Phase

#: Seconds between two questions: the first, by how much each is longer, and the longest.
FIRST_S: Final = 2.0
GROWTH: Final = 1.5
LONGEST_S: Final = 15.0
#: The longest wait in seconds that a refused question is given; the work goes on meanwhile.
LONGEST_STATED_S: Final = 60.0
#: Questions in a row that may fail before the call does; the next one asks again.
MOST_FAILURES: Final = 10
#: Questions in a row to which the provider may say that it does not know the work.
MOST_UNKNOWN: Final = 5

_PENDING: Final = {"queued": Phase.QUEUED, "in_progress": Phase.THINKING}
_BEGUN: Final = re.compile(rb'"id"\s*:\s*"(resp_[A-Za-z0-9_-]+)"\s*,')


@dataclass(frozen=True, slots=True)
class Polled:
    """What a question for a response brought."""

    status: int
    content_type: str
    body: bytes


def handle_of(body: bytes) -> str | None:
    """The id of a response that is under way; None where it is at its end, or none began.

    It comes first: it is found in a body that broke off behind it.
    """
    response = _json(body)
    if response:
        return string(response.get("id")) if response.get("status") in _PENDING else None
    found = _BEGUN.search(body)
    return found.group(1).decode() if found else None


async def wait_for(
    received: Received,
    poll: Callable[[], Awaitable[Polled]],
    sleep: Callable[[float], Awaitable[None]],
) -> None:
    """Ask for the response under ``received.handle`` until it is at its end, and take it in.

    Asking costs nothing and is tried again; after 10 failures in a row the last one is raised.
    Raises BackgroundLost, and forgets the handle, where OpenAI says again and again that it no
    longer knows it.
    """
    known = received.request.handle is not None
    delay, failures = FIRST_S, 0
    wait = 0.0 if known else delay
    while True:
        if wait:
            await sleep(wait)
            delay = min(delay * GROWTH, LONGEST_S)
        wait = delay
        try:
            answer, status = await _asked(poll)
        except ModelNotFound as error:
            failures += 1
            # A proxy's page says nothing of the work, and one 404 of the provider may be a slip:
            # taking the work for lost too soon would pay for it twice.
            said = error.error_type is not None or error.error_code is not None
            if failures >= (MOST_UNKNOWN if said else MOST_FAILURES):
                if known and not said:
                    raise ServerFault(str(error), http_status=error.http_status) from None
                raise _unknown(received, error, known=known) from None
        except ProviderError as error:
            failures += 1
            if not error.retryable or failures >= MOST_FAILURES:
                raise
            wait = max(delay, min(error.retry_after_s or 0.0, LONGEST_STATED_S))
        else:
            if status not in _PENDING:
                break
            known, failures = True, 0
            received.report(_PENDING[status])
    received.begin(answer.status, answer.content_type)
    received.feed(answer.body)
    received.handle = None  # whatever it says is final: asking again would say the same


async def _asked(poll: Callable[[], Awaitable[Polled]]) -> tuple[Polled, str]:
    answer = await poll()
    status = string(_json(answer.body).get("status"))
    if status is None:
        raise ServerFault(
            "asked for a response in the background, the server gave something else",
            http_status=answer.status,
        )
    return answer, status


def _unknown(received: Received, error: ModelNotFound, *, known: bool) -> ProviderError:
    handle, received.handle = received.handle, None
    if known:
        return BackgroundLost(
            f"the response {handle} is no longer known at the provider, its work is lost: {error}",
            http_status=error.http_status,
            error_type=error.error_type,
            error_code=error.error_code,
        )
    return SettingRejected(
        f"the server took the work on, but does not know the response {handle} when asked for it; "
        "set options.background = false where a server has no background mode",
        http_status=error.http_status,
        usage=Usage(),  # the work may well be charged
    )


def _json(body: bytes) -> Json:
    try:
        return mapping(json.loads(body.decode("utf-8", "replace")))
    except (ValueError, RecursionError):
        return {}
