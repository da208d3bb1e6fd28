"""Every recorded response of OpenAI's Responses API gives the reading that is expected of it."""

from __future__ import annotations

import pytest

from tests.providers.support import expected, needs_wire
from tests.providers.wire_checks import check

FILES = expected("openai/")
#: What the batch APIs give is no response; its tests are those of the parse command.
RESPONSES = [name for name, entry in FILES.items() if not entry["kind"].startswith("batch_")]

pytestmark = needs_wire


@pytest.mark.parametrize("name", RESPONSES)
def test_a_recording_gives_the_expected_reading(name: str) -> None:
    check(name, FILES[name])


def test_the_recordings_are_all_here() -> None:
    assert len(FILES) == 34
