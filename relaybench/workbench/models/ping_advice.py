"""What became of a ping, and what to do about an error, each in a sentence. Pure."""

from __future__ import annotations

from relaybench.domain.completion import Completion, StopReason
from relaybench.domain.errors import (
    AuthenticationFailed,
    BackgroundLost,
    CallTimedOut,
    ConnectionFailed,
    MalformedResponse,
    ModelNotFound,
    ProviderError,
    QuotaExhausted,
    RateLimited,
    RequestRejected,
    ServerFault,
    SettingRejected,
)
from relaybench.domain.model import ANTHROPIC, ModelConfig
from relaybench.grading.extraction import Extraction, extract


def answered(completion: Completion, word: str) -> str:
    """What a model that was asked for one word did."""
    match completion.stop_reason:
        case StopReason.REFUSAL | StopReason.BLOCKED:
            return f"refused ({completion.refusal or completion.raw_stop_reason})"
        case StopReason.MAX_TOKENS:
            return "begun, and cut off at the ping's own limit"
        case StopReason.PAUSE | StopReason.LIMIT:
            return "begun, and paused"
        case StopReason.END | StopReason.STOP_SEQUENCE:
            found = extract(completion.final_text, truncated=False)
            right = isinstance(found, Extraction) and found.answer == word
            return word if right else "another text than was asked for"
    return (
        f"ended with {completion.raw_stop_reason!r}, which is not known here: answers that end so "
        "are kept but not scored"
    )


def advice(error: ProviderError, config: ModelConfig) -> str:
    """What the user can do about an error of this config."""
    words = _advice(error, config)
    if error.handle is not None:
        words += "; the work goes on at the provider and may be billed"
    return words


def _advice(error: ProviderError, config: ModelConfig) -> str:
    where = config.base_url or "the provider's address"
    match error:
        case AuthenticationFailed() if config.provider == ANTHROPIC and config.base_url:
            key = f"the key in {config.key_env}" if config.key_env else "the key"
            return (
                f"set {key} to one that may use this model; where {where} takes keys in the header "
                "x-api-key, set options.api_key_header = true"
            )
        case AuthenticationFailed():
            key = f"the key in {config.key_env}" if config.key_env else "the key"
            return f"set {key} to one that may use this model, and name its variable in key_env"
        case QuotaExhausted():
            return "top up the account, or raise its spending limit, at the provider"
        case ModelNotFound():
            return (
                f"check that {config.model!r} is the provider's id of the model, that the key may "
                "use it, and that base_url is right"
            )
        case SettingRejected():
            return f"change the setting in models.toml, under [models.{config.name}]"
        case RequestRejected() if 300 <= (error.http_status or 0) < 400:
            return "set base_url to the final address: redirects are not followed"
        case RequestRejected() if error.http_status == 413:
            return "the prompt is too large for this address: send a shorter one"
        case RequestRejected():
            return (
                "the provider does not take a setting that relaybench let pass: change what it "
                f"names under [models.{config.name}]"
            )
        case RateLimited():
            wait = error.retry_after_s
            return f"wait {wait:g} s, then ping again" if wait else "wait a while, then ping again"
        case ServerFault() | BackgroundLost():
            return "the provider is at fault: ping again later"
        case ConnectionFailed():
            return f"check the network, the proxy, and that a server answers at {where}"
        case CallTimedOut():
            return "ping again, or give it longer with --timeout"
        case MalformedResponse():
            return f"check that {where} speaks the wire format of provider {config.provider!r}"
    return "ping again; if it stays so, report it"


def internal_fault(error: Exception) -> ProviderError:
    """A fault of ours as a result: it must not hide what the other pings, paid for, brought."""
    return ProviderError(f"internal error of relaybench: {type(error).__name__}; please report it")
