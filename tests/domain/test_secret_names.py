"""Which names of settings stand for a secret, and which only look like it."""

from __future__ import annotations

import pytest

from relaybench.domain.secret_names import is_secret_name
from relaybench.providers import (
    anthropic_settings,
    chat_settings,
    google_settings,
    responses_settings,
    simulated_settings,
)

SECRET = (
    *("api_key", "api-key", "apiKey", "APIKey", "x-api-key", "X-Goog-Api-Key", "apikey", "key"),
    *(
        "token",
        "access_token",
        "hf-token",
        "authToken",
        "auth",
        "x-auth",
        "auth_tokens",
        "api_keys",
    ),
    *("Authorization", "Proxy-Authorization", "password", "client_secret", "aws_secret_access_key"),
    *("credentials", "cookie", "Set-Cookie", "Ocp-Apim-Subscription-Key", "private_key", "Bearer"),
    *("api_key_id", "session_token", "passphrase"),
)
#: What the providers' APIs and servers of open models take, none of it secret.
HARMLESS = (
    *("max_tokens", "max_output_tokens", "max_completion_tokens", "token_budget", "budget_tokens"),
    *("prompt_cache_key", "promptCacheKey", "safety_identifier", "cache_key", "tokens", "keys"),
    *("stop_token_ids", "min_tokens", "eos_token", "pad_token", "tokenizer", "skip_special_tokens"),
    *("thinking_budget", "prompt_cache_retention", "logit_bias", "keep_alive", "author", "keyword"),
    *("monkey", "max_tokens_field", "truncate_prompt_tokens", "continuationToken", "metadata"),
    *("stream", "temperature", "top_p", "seed", "user", "include_reasoning", "secretary", ""),
    *("cost_per_token", "return_tokens_as_token_ids", "reasoning_tokens", "chat_template_kwargs"),
)


@pytest.mark.parametrize("name", SECRET)
def test_names_of_secrets(name: str) -> None:
    assert is_secret_name(name)
    assert is_secret_name(name.lower())


@pytest.mark.parametrize("name", HARMLESS)
def test_names_that_only_look_like_it(name: str) -> None:
    assert not is_secret_name(name)


def test_no_option_of_an_adapter_is_taken_for_a_secret() -> None:
    modules = (
        anthropic_settings,
        chat_settings,
        google_settings,
        responses_settings,
        simulated_settings,
    )
    names = {name for module in modules for name in module.OPTIONS}
    assert len(names) > 25
    # A switch, which reading lets pass whatever it is called: whether the key goes out once more.
    assert {name for name in names if is_secret_name(name)} == {"api_key_header"}
