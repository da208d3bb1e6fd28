"""The whole body that a response stands for, streamed or not: what earlier turns are replayed from.

Pure.
"""

from __future__ import annotations

from relaybench.providers.pieces import Json
from relaybench.providers.reading_anthropic_stream import assemble_message
from relaybench.providers.reading_chat_merge import merge_chat_chunks
from relaybench.providers.reading_google_chunks import merge_chunks
from relaybench.providers.reading_responses_stream import assemble_response
from relaybench.providers.reading_shape import shape_of


def body_of(raw: bytes, content_type: str = "") -> Json:
    """The JSON object that a call without streaming would have returned.

    Of a stream that was cut or broke it is what came. Raises ProviderError for what holds no JSON.
    """
    shape = shape_of(raw, content_type)
    return assembled(shape.objects, shape.wire) if shape.streamed else shape.objects[0]


def assembled(pieces: list[Json], wire: str | None) -> Json:
    """The body that the events or chunks of one wire format stand for.

    Raises MalformedResponse that names the field.
    """
    match wire:
        case "anthropic":
            return assemble_message(pieces)
        case "google":
            return merge_chunks(pieces)
        case "responses":
            return assemble_response(pieces)
    return merge_chat_chunks(pieces)
