"""The words by which providers say what went wrong, and what each of them means. Pure."""

from __future__ import annotations

import re
from typing import Final

SPENT: Final = re.compile(
    r"exceeded your current quota|insufficient (?:credit|balance|funds|quota)"
    r"|credit balance is too low"
    r"|(?:out of|no|not enough) credits?\b"
    r"(?!(?: \w+){0,2} (?:charged|used|deducted|consumed|spent|billed)\b)"
    r"|\bcredits? (?:(?:are|is|were|was|have been|has been) )?(?:depleted|exhausted|used up)"
    r"|\bcredit limit\b|\bpayment required\b|\baccount is not active\b"
    r"|\bExceededBudget\b|\bbudget has been exceeded"
    r"|(?<!thinking )(?<!token )(?<!reasoning )\bbudget exceeded"
    r"|\bexceeded (?:your|its|the) budget"
    r"|spend(?:ing)? (?:limit|cap)|reached your specified API usage limits?",
    re.IGNORECASE,
)
SPENT_CODES: Final = frozenset(
    {
        "insufficient_quota",
        "insufficient_balance",
        "insufficient_credits",
        "billing_error",
        "billing_not_active",
        "billing_hard_limit_reached",
        "payment_required",
        "contract_spend_limit_reached",
        "enforced_spend_limit_reached",
        "linked_organization_spend_limit_reached",
        "linked_organization_billing_unavailable",
        "billing_disabled",
        "budget_exceeded",
        "exceededbudget",
        "exceeded_current_quota_error",  # Moonshot
        "arrearage",  # Qwen
        "1113",  # Zhipu
    }
)
#: The account or its key is barred; no other request of it can work.
BARRED_CODES: Final = frozenset(
    {
        "invalid_api_key",
        "api_key_invalid",
        "organization_on_hold",
        "cmek_key_disabled",
        "cmek_key_network_blocked",
        "sandbox_egress_restricted",
        "unsupported_country_region_territory",
    }
)
#: Not available for the moment, whatever the status.
PASSING_CODES: Final = frozenset({"cmek_context_unavailable", "cmek_key_unreachable"})
NEEDS_BILLING: Final = re.compile(r"\b(?:enable|set up|activate) billing\b", re.IGNORECASE)
NO_ACCESS: Final = re.compile(
    r"not (?:allowed|permitted) to (?:sample|use|access)\b.{0,20}\bmodel\b"
    r"|(?:do(?:es)? not|don't) have access to (?:the |this )?model\b",
    re.IGNORECASE,
)
MODERATION: Final = re.compile(r"\bmoderation\b", re.IGNORECASE)
#: That the prompt is too long; "took too long" speaks of time.
TOO_LONG: Final = re.compile(
    r"context (?:length|window|size)|token limit|too many tokens(?! per)"
    r"|\b(?:prompt|inputs?|requests?|messages?|context|conversation|content|text|payload|body)\b"
    r"(?:(?!\b(?:took|tak\w+|wait\w*|r[au]n\w*|for)\b)[^.]){0,60}\btoo (?:long|large)\b",
    re.IGNORECASE,
)

_BLOCKED_CODE: Final = re.compile(
    r"(?:^|_)(?:(?:bio|cyber|misalignment|content|usage|safety|responsibleai)"
    r"\w*(?:policy|policies|violation|filter|moderation)|cyber\w*|moderation_blocked"
    r"|data_?inspection_?failed)"
)
_BLOCKED: Final = re.compile(
    r"\bflagged\b|\busage polic(?:y|ies)\b|\bcontent (?:management )?polic(?:y|ies)\b"
    r"|\bsafety system\b|\bblocked by (?:\w+ )?content filter",
    re.IGNORECASE,
)
_FLAGGED: Final = re.compile(r"\bflagged\b", re.IGNORECASE)
_OF_ACCOUNT: Final = re.compile(
    r"\b(?:account|organi[sz]ation|project|api key|key|user)\b[^.]{0,40}\bflagged\b", re.IGNORECASE
)
_BLOCKED_OUTRIGHT: Final = re.compile(
    r"\bblocked by (?:\w+ )?content filter|\bresult of our safety system", re.IGNORECASE
)
_WRONG_KEY: Final = re.compile(
    r"\b(?:incorrect|invalid|missing|wrong|expired|unknown|no)\s+(?:x-)?api[ _-]?key\b"
    r"(?![^.]*\b(?:text|prompt|message|content)\b)"
    r"|(?<![.\w\]])api[ _-]?key\b[^.]{0,20}"
    r"\b(?:not valid|invalid|incorrect|expired|missing|not found)",
    re.IGNORECASE,
)
_WRONG_PLACE: Final = re.compile(
    r"\b(?:user|your) (?:location|country|region)\b[^.]{0,40}\bnot (?:supported|available)"
    r"|\bcountry, region,? or territory\b[^.]{0,20}\bnot (?:supported|available)"
    r"|\bnot (?:supported|available)\b[^.]{0,30}\b(?:location|country|region)\b",
    re.IGNORECASE,
)
_OF_ONE_FEATURE: Final = re.compile(r"\b(?:tool|model|feature|parameter)s?\b", re.IGNORECASE)
_QUOTED: Final = re.compile(r"(?<!\w)(['\"`“])[^'\"`”]*['\"`”](?!\w)")
_LARGE: Final = re.compile(r"\brequest too large\b", re.IGNORECASE)
_LIMIT: Final = re.compile(r"\blimit:? ([\d,]+\d|\d)\b.{0,40}?\brequested:? ([\d,]+\d|\d)", re.I)
_IMAGE: Final = re.compile(r"image_\w+|(?:invalid|unsupported|empty)_\w*image\w*")

_STATUS_OF_WORD: Final = {
    word: status
    for status, words in {
        400: "invalid_request_error bad_request badrequesterror invalid_argument "
        "context_length_exceeded content_filter invalid_prompt failed_precondition "
        "data_residency_mismatch",
        401: "authentication_error invalid_api_key unauthorized unauthenticated",
        402: "billing_error payment_required insufficient_quota",
        403: "permission_error permission_denied forbidden",
        404: "model_not_found not_found_error not_found",
        408: "request_timeout",
        413: "request_too_large",
        429: "rate_limit_exceeded rate_limit_error rate_limited too_many_requests "
        "resource_exhausted ramp_limit_exceeded tokens requests",
        504: "timeout_error gateway_timeout deadline_exceeded",
        529: "overloaded_error overloaded",
    }.items()
    for word in words.split()
}


def status_of_word(word: str) -> int | None:
    """The HTTP status that says the same as a body's type or code; None for unknown words."""
    low = word.lower().replace("-", "_")
    return 400 if _IMAGE.fullmatch(low) else _STATUS_OF_WORD.get(low)


def blocked(status: int, words: frozenset[str], message: str) -> bool:
    """Whether a safety system refused this prompt; ``words`` are the body's own, lower case."""
    if status >= 500 or status in (401, 407, 429):
        return any(map(_BLOCKED_CODE.search, words))
    if any(map(_BLOCKED_CODE.search, words)):
        return True
    if _OF_ACCOUNT.search(message):
        return False
    if "invalid_prompt" in words:
        return _BLOCKED.search(message) is not None
    # A request that is wrong in itself may speak of flagged things too.
    words_of_403 = status == 403 and _FLAGGED.search(message)
    return bool(words_of_403) or (400 <= status < 404 and bool(_BLOCKED_OUTRIGHT.search(message)))


def wrong_key(message: str) -> bool:
    """Whether a message says that the key is missing or wrong, and does not only quote that."""
    return _WRONG_KEY.search(_QUOTED.sub("''", message)) is not None


def wrong_place(message: str) -> bool:
    """Whether a message says that the provider does not serve the place of the user."""
    of_one = _OF_ONE_FEATURE.search(message)
    return of_one is None and _WRONG_PLACE.search(message) is not None


def beyond_limit(message: str) -> bool:
    """Whether a rate limit's message says that one request is larger than all of it."""
    found = _LIMIT.search(message)
    if _LARGE.search(message) is None:
        return False
    limit, asked = (int(each.replace(",", "")) for each in found.groups()) if found else (0, 1)
    return asked > limit
