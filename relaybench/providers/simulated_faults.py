"""What goes wrong at a simulated provider, and how each wire format words it. Pure and seeded.

Most faults pass: the first tries of a cell meet them, later ones get through. Some last.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from relaybench.providers.simulated_model import Temper, dice_of


class Wire(StrEnum):
    """The wire formats that the simulator speaks."""

    CHAT = "chat"
    ANTHROPIC = "anthropic"
    RESPONSES = "responses"
    GOOGLE = "google"


class Fault(StrEnum):
    """A kind of fault; those that are numbers come as that status or the provider's likeness."""

    RATE_LIMIT = "429"
    SERVER = "500"
    UNAVAILABLE = "503"
    OVERLOADED = "529"
    REFUSED = "refused"  # no connection
    RESET = "reset"  # connected, then reset before any header
    CUT = "cut"  # in the middle of the body
    TRICKLE = "trickle"  # in tiny pieces, but whole
    HALF_JSON = "half_json"
    EMPTY = "empty"  # a 200 without a body
    HTML = "html"  # an error page of something in between
    MALFORMED = "malformed"  # a 200 that is JSON, but no completion
    FAILED = "failed"  # an error object in the middle of a success
    STALL = "stall"  # begins, then silence until the client gives up
    ENDLESS = "endless"  # begins, then signs of life for ever
    STORM = "storm"  # the first requests to the whole provider meet a 429
    REJECTED = "400"
    UNAUTHORIZED = "401"
    SPENT = "402"
    FORBIDDEN = "403"
    UNKNOWN_MODEL = "404"
    TOO_LARGE = "413"


#: Faults that no other try cures.
LASTING: Final = frozenset(
    {
        Fault.REJECTED,
        Fault.UNAUTHORIZED,
        Fault.SPENT,
        Fault.FORBIDDEN,
        Fault.UNKNOWN_MODEL,
        Fault.TOO_LARGE,
    }
)
#: How many requests a storm turns away, and the seconds that it asks to wait.
STORM_REQUESTS: Final = 12
STORM_WAIT_S: Final = 0.05

_STATUSES: Final = frozenset(fault for fault in Fault if fault.value.isdigit())
_STATUS: Final[Mapping[tuple[Wire, Fault], int]] = {
    # Neither of the two has a status for "spent" or "overloaded".
    (Wire.RESPONSES, Fault.SPENT): 429,
    (Wire.GOOGLE, Fault.SPENT): 429,
    (Wire.RESPONSES, Fault.OVERLOADED): 503,
    (Wire.GOOGLE, Fault.OVERLOADED): 503,
}
_ANTHROPIC: Final[Mapping[Fault, tuple[str, str]]] = {
    Fault.REJECTED: ("invalid_request_error", "the simulated server does not take this"),
    Fault.UNAUTHORIZED: ("authentication_error", "invalid x-api-key"),
    Fault.SPENT: ("billing_error", "Your credit balance is too low to access the API."),
    Fault.FORBIDDEN: ("permission_error", "Your API key may not use this resource."),
    Fault.UNKNOWN_MODEL: ("not_found_error", "model: there is no such simulated model"),
    Fault.TOO_LARGE: ("request_too_large", "Request exceeds the maximum size"),
    Fault.RATE_LIMIT: ("rate_limit_error", "This request would exceed your rate limit."),
    Fault.SERVER: ("api_error", "Internal server error"),
    Fault.UNAVAILABLE: ("api_error", "Service temporarily unavailable"),
    Fault.OVERLOADED: ("overloaded_error", "Overloaded"),
}
_OPENAI: Final[Mapping[Fault, tuple[str, str | None, str]]] = {
    Fault.REJECTED: ("invalid_request_error", None, "the simulated server does not take this"),
    Fault.UNAUTHORIZED: (
        "invalid_request_error",
        "invalid_api_key",
        "Incorrect API key provided.",
    ),
    Fault.SPENT: (
        "insufficient_quota",
        "insufficient_quota",
        "You exceeded your current quota, please check your plan and billing details.",
    ),
    Fault.FORBIDDEN: (
        "request_forbidden",
        "unsupported_country_region_territory",
        "Country, region, or territory not supported",
    ),
    Fault.UNKNOWN_MODEL: (
        "invalid_request_error",
        "model_not_found",
        "The simulated model does not exist",
    ),
    Fault.TOO_LARGE: ("invalid_request_error", None, "The request is too large"),
    Fault.RATE_LIMIT: (
        "requests",
        "rate_limit_exceeded",
        "Rate limit reached for simulated requests",
    ),
    Fault.SERVER: ("server_error", None, "The simulated server had an error"),
    Fault.UNAVAILABLE: ("server_error", None, "The simulated server is not available"),
    Fault.OVERLOADED: ("server_error", None, "The simulated server is overloaded"),
}
_GOOGLE: Final[Mapping[Fault, tuple[str, str]]] = {
    Fault.REJECTED: ("INVALID_ARGUMENT", "The simulated server does not take this."),
    Fault.UNAUTHORIZED: ("UNAUTHENTICATED", "Request had invalid authentication credentials."),
    Fault.SPENT: ("RESOURCE_EXHAUSTED", "You exceeded your current quota."),
    Fault.FORBIDDEN: ("PERMISSION_DENIED", "Your project has been denied access."),
    Fault.UNKNOWN_MODEL: ("NOT_FOUND", "models/simulated is not found for API version v1beta."),
    Fault.TOO_LARGE: ("INVALID_ARGUMENT", "Request payload size exceeds the limit."),
    Fault.RATE_LIMIT: ("RESOURCE_EXHAUSTED", "You exceeded your current quota."),
    Fault.SERVER: ("INTERNAL", "An internal error has occurred."),
    Fault.UNAVAILABLE: ("UNAVAILABLE", "The model is overloaded. Please try again later."),
    Fault.OVERLOADED: ("UNAVAILABLE", "The model is overloaded. Please try again later."),
}


@dataclass(frozen=True, slots=True)
class ErrorResponse:
    """A response that is an error: its status, headers and JSON body."""

    status: int
    headers: Mapping[str, str]
    body: Mapping[str, object]


def fault_of(temper: Temper, model: str, place: str, number: int) -> Fault | None:
    """The fault that try ``number`` (from 1) at a place meets; None where it works."""
    dice = dice_of("failure", temper.seed, model, place)
    if dice.random() >= temper.fail:
        return None
    kinds = [Fault(name) for name in temper.faults if name != Fault.STORM]
    if kinds:
        lasting = dice_of("lasting", temper.seed, model, place).choice(kinds)
        if lasting in LASTING:
            return lasting
        kinds = [kind for kind in kinds if kind not in LASTING]
    if number > (temper.fail_tries or dice.choice((1, 1, 2))):
        return None
    kind = dice_of("kind", temper.seed, model, place, number)
    if kinds:
        return kind.choice(kinds)
    if temper.faults:
        return None  # nothing but storms
    return Fault.RATE_LIMIT if kind.random() < 0.6 else Fault.SERVER


def storm_of(temper: Temper) -> int:
    """How many requests to the provider a storm turns away; 0 where there is none."""
    return (temper.storm or STORM_REQUESTS) if Fault.STORM in temper.faults else 0


def error_response(wire: Wire, fault: Fault, wait_s: float) -> ErrorResponse | None:
    """The response of a fault that is a status, as the provider words it; None for the others."""
    if fault is Fault.STORM:
        fault, wait_s = Fault.RATE_LIMIT, STORM_WAIT_S
    if fault not in _STATUSES:
        return None
    status = _STATUS.get((wire, fault), int(fault))
    headers = _limit_headers(wire, wait_s) if fault is Fault.RATE_LIMIT else {}
    body = error_body(wire, fault, status, wait_s)
    return ErrorResponse(status, headers, body)


def error_body(
    wire: Wire, fault: Fault, status: int, wait_s: float = 0.0, *, words: str = ""
) -> dict[str, object]:
    """The JSON body of an error in the wire's own shape; ``words`` replace the usual message."""
    if wire is Wire.ANTHROPIC:
        kind, message = _ANTHROPIC[fault]
        error: dict[str, object] = {"type": kind, "message": words or message}
        return {"type": "error", "error": error, "request_id": "req_simulated"}
    if wire is Wire.GOOGLE:
        error = _google_error(fault, status, wait_s)
        return {"error": {**error, "message": words or error["message"]}}
    kind, code, message = _OPENAI[fault]
    error = {"message": words or message, "type": kind}
    if wire is Wire.RESPONSES:
        error["param"] = None
    if code is not None or wire is Wire.RESPONSES:
        error["code"] = code
    return {"error": error}


def _google_error(fault: Fault, status: int, wait_s: float) -> dict[str, object]:
    word, message = _GOOGLE[fault]
    error: dict[str, object] = {"code": status, "message": message, "status": word}
    if status != 429:
        return error
    name = "RequestsPerDayPerModel" if fault is Fault.SPENT else "RequestsPerModelPerMinute"
    violation = {"quotaId": f"GenerateContent{name}", "quotaValue": "1000"}
    details: list[object] = [
        {"@type": "type.googleapis.com/google.rpc.QuotaFailure", "violations": [violation]}
    ]
    if fault is Fault.RATE_LIMIT:  # the only place where Google says how long
        retry = {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": f"{wait_s:g}s"}
        details.append(retry)
    return {**error, "details": details}


def _limit_headers(wire: Wire, wait_s: float) -> dict[str, str]:
    if wire is Wire.GOOGLE:
        return {}
    if wire is Wire.RESPONSES:
        return {
            "retry-after-ms": f"{wait_s * 1000:g}",
            "x-ratelimit-limit-requests": "500",
            "x-ratelimit-remaining-requests": "0",
            "x-ratelimit-reset-requests": f"{wait_s * 1000:g}ms",
        }
    headers = {"retry-after": f"{wait_s:g}"}
    if wire is Wire.ANTHROPIC:
        headers |= {"x-should-retry": "true", "anthropic-ratelimit-requests-remaining": "0"}
    return headers
