"""Hostile text is harmless and literal in every format."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from relaybench.domain.literal import visible
from relaybench.reports.escaping import csv_text, defused, latex_text, markdown_text

ANY_TEXT = st.text(alphabet=st.characters(codec=None), max_size=40) | st.text(
    alphabet="=+-@;\t\r\n \"',|&%$#_{}~^\\<>`[]*!\x1b\x00\u202e\ud800\uff1d\u3000ax1.", max_size=12
)


@pytest.mark.parametrize(
    ("text", "safe"),
    [
        ("=1+1", "'=1+1"),
        ("+cmd", "'+cmd"),
        ("-2+3", "'-2+3"),
        ("@SUM(A1)", "'@SUM(A1)"),
        ("\tx", "'\tx"),
        ("\rx", "'\rx"),
        ("\nx", "'\nx"),
        ("  =1+1", "'  =1+1"),
        ("\uff1d1+1", "'\uff1d1+1"),
        ("\uff0bx", "'\uff0bx"),
        ("\uff0dx", "'\uff0dx"),
        ("\uff20x", "'\uff20x"),
        ("\u22122x", "'\u22122x"),
        ("\ufe66x", "'\ufe66x"),
        ('"=x"', '\'"=x"'),
        ("'=x", "''=x"),
        ("-", "'-"),
        # Cells of a spreadsheet that splits at ; or TAB, and rows of one that ignores our quotes.
        ("a;=x", "a;'=x"),
        ("a\t=x", "a\t'=x"),
        ("a\n=x", "a\n'=x"),
        ("a; @x", "a; '@x"),
        ("\n=x", "'\n'=x"),
        # Genuine numbers and harmless text stay as they are.
        ("-1", "-1"),
        ("+1.5", "+1.5"),
        ("-1e-5", "-1e-5"),
        ("a=b", "a=b"),
        ("", ""),
        ("x-y", "x-y"),
    ],
)
def test_formulas_are_defused(text: str, safe: str) -> None:
    assert defused(text) == safe


@given(ANY_TEXT)
def test_no_csv_cell_can_be_a_formula(text: str) -> None:
    cell = csv_text(text)
    try:
        float(cell)
    except ValueError:
        pieces = [cell]
        for separator in ";\t\r\n":
            pieces = [part for piece in pieces for part in piece.split(separator)]
        for piece in pieces:
            first = unicodedata.normalize("NFKC", piece.lstrip(' "')[:1])
            assert first not in ("=", "+", "-", "@", "\u2212")
    assert cell[:1] not in ("\t", "\r", "\n")
    # Without the apostrophes it is the text that anybody can see.
    assert cell.replace("'", "") == visible(text, "\t\r\n").replace("'", "")


@given(ANY_TEXT)
def test_visible_text_is_printable_and_encodable(text: str) -> None:
    shown = visible(text)
    assert shown.isprintable()
    shown.encode("utf-8")
    if text.isprintable():
        assert shown == text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[31m", "\\x1b[31m"),
        ("\x9b1m", "\\x9b1m"),
        ("\u202egnp", "\\u202egnp"),
        ("a\nb\rc\td", "a\\nb\\rc\\td"),
        ("\0", "\\x00"),
        ("\ud800", "\\ud800"),
        ("\u200b\xa0", "\\u200b\\xa0"),
        ("\U000e0041", "\\U000e0041"),
        ("名前 é", "名前 é"),
    ],
)
def test_what_cannot_be_seen_is_shown(text: str, shown: str) -> None:
    assert visible(text) == shown


def test_latex_specials() -> None:
    assert latex_text("50% & $_{^}~#\\") == (
        r"50\% \& \$\_\{\textasciicircum{}\}\textasciitilde{}\#\textbackslash{}"
    )
    assert latex_text("<b>|\"'`") == (
        r"\textless{}b\textgreater{}\textbar{}\symbol{34}\textquotesingle{}\textasciigrave{}"
    )
    assert latex_text("a-b--c,d,,e") == "a-b-{}-c,d,{},e"
    assert latex_text("[*]\x1b") == r"{[}{*}{]}\textbackslash{}x1b"


def test_markdown_specials() -> None:
    assert markdown_text("a|b\nc `x` [y](z) <i>&amp;") == (
        r"a\|b\\nc \`x\` \[y\](z) &lt;i&gt;&amp;amp;"
    )
