"""From the token counts that providers state to disjoint buckets that add up."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from relaybench.domain.completion import Usage
from relaybench.domain.tool_fees import SERVICE_TIERS
from relaybench.providers.pieces import Json, count, first_count, listing, mapping, string

#: Where usage states billed uses of server tools, and the name of the fee.
_FEES: Final = (
    ("server_tool_use_details", "web_search_requests", "web_search"),
    ("server_tool_use", "web_search_requests", "web_search"),
    ("server_tool_use", "web_fetch_requests", "web_fetch"),
    ("", "num_search_queries", "web_search"),  # Perplexity
    ("", "num_sources_used", "search_source"),  # xAI bills each source
)


def disjoint(
    *,
    prompt: int | None,
    cached: int | None,
    write: int | None,
    output: int | None,
    reasoning: int | None,
    total: int | None,
) -> Usage:
    """Split a prompt count that includes its cached and cache-written tokens.

    The three input buckets always sum to the stated prompt: cached tokens beyond it are cut
    (some gateways report more), and where reads and writes overlap the reads come first.
    Whatever the stated total holds beyond prompt and output is ``unattributed``.
    """
    fresh = prompt
    if prompt is not None:
        read = min(cached or 0, prompt)
        written = min(write or 0, prompt)
        fresh = prompt - min(prompt, read + written)
        if read + written > prompt:
            fresh = prompt - max(read, written)
        cached = None if cached is None else read
        write = None if write is None else prompt - fresh - read
    beyond = 0
    if total is not None and prompt is not None and output is not None:
        beyond = total - prompt - output
    return Usage(
        input=fresh,
        cached_input=cached,
        cache_write=write,
        output=output,
        reasoning=reasoning,
        unattributed=beyond if beyond > 0 else None,
    )


def usage_of(stated: Json) -> Usage:
    """Read a usage object of a chat completion or of a Responses body."""
    into = mapping(stated.get("prompt_tokens_details") or stated.get("input_tokens_details"))
    out = mapping(stated.get("completion_tokens_details") or stated.get("output_tokens_details"))
    return disjoint(
        prompt=first_count(stated.get("prompt_tokens"), stated.get("input_tokens")),
        cached=first_count(
            into.get("cached_tokens"),
            stated.get("cached_tokens"),
            stated.get("prompt_cache_hit_tokens"),
        ),
        write=first_count(into.get("cache_write_tokens"), into.get("cache_creation_tokens")),
        output=first_count(stated.get("completion_tokens"), stated.get("output_tokens")),
        reasoning=first_count(out.get("reasoning_tokens"), stated.get("reasoning_tokens")),
        total=count(stated.get("total_tokens")),
    )


def fees_of(stated: Json) -> Mapping[str, int]:
    """Uses of server tools that usage states as billed; fees for them come on top of tokens."""
    fees: dict[str, int] = {}
    for place, field, name in _FEES:
        uses = count((mapping(stated.get(place)) if place else stated).get(field))
        if uses and name not in fees:
            fees[name] = uses
    return fees


def surcharges_of(stated: Json, body: Json) -> Mapping[str, int]:
    """What a response states of itself that list prices do not hold for, as uses that cost extra.

    No price list has a fee of these names, so that the cost is unknown rather than wrong; whose
    own prices hold for a tier or region all the same gives the name a fee of 0.
    """
    found: dict[str, int] = {}
    tier = string(stated.get("service_tier")) or string(body.get("service_tier")) or ""
    if tier.lower() in SERVICE_TIERS:
        found[f"service_tier_{tier.lower()}"] = 1
    if (string(stated.get("inference_geo")) or "").lower() == "us":
        found["inference_geo_us"] = 1
    pieces = [mapping(each) for each in listing(stated.get("iterations"))]
    others = sum(string(each.get("type")) not in (None, "message") for each in pieces)
    if others:
        found["tokens_of_another_model"] = others
    return found
