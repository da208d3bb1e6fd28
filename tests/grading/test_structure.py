"""The fast parser finds what markdown-it-py's own rules find."""

from __future__ import annotations

from hypothesis import example, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from relaybench.grading.structure import MAX_LEVEL, STRICT, max_level

STOCK = MarkdownIt("commonmark", {"html": False, "maxNesting": 10_000})
STOCK.core.ruler.enableOnly(["block"])

PIECES = (
    *("```", "~~~", "````", "``` x", "> ", ">", "- ", "-", "* ", "+ ", "1. ", "10. ", "2) "),
    *("# ", "#", "#a", "[a]: b", "[a]:", "'t", "'t'", "===", "---", "***", "_ _ _"),
    *("    ", "  ", " ", "\t", "a", "b c", "<div>", "<!--", "`", "\\"),
    *("\n", "\n", "\n", "\n\n", "```\n"),
)


def _fences(tokens: list[Token]) -> list[tuple[list[int] | None, str]]:
    return [(token.map, token.content) for token in tokens if token.type == "fence"]


@example("a\n===\n2) ```\n   b\n   ```")  # a list may start with 2 after a heading alone
@example("a\n2) ```\n   b\n   ```")
@example("[a]: b\n2) ```\n   b\n   ```")
@example("# a\n2) ```\n   b\n   ```")
@settings(max_examples=400)
@given(st.lists(st.sampled_from(PIECES), max_size=40).map("".join))
def test_same_blocks_as_stock(text: str) -> None:
    """Same places, same content, whatever surrounds them."""
    text += "\n"
    assert _fences(STRICT.parse(text)) == _fences(STOCK.parse(text))


def test_max_level() -> None:
    """Full depth for ordinary texts, less for huge ones, never below the parser's own limit."""
    assert max_level(0) == max_level(10_000) == MAX_LEVEL
    assert max_level(50_000) == 40
    assert max_level(10_000_000) == 20
