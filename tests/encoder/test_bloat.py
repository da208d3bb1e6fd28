"""The fabricated user context."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from hashlib import sha256
from importlib.resources import files
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from encoder import LONGEST, SettingError, bloat
from tests.encoder.texts import LAWS, seeds

THE_PAPERS = 7_813
FORBIDDEN = re.compile(
    r"\b(answer|repl(y|ies)|respon\w+|format\w*|bullet\w*|code\w*|language\w*|translat\w+|concise\w*"
    r"|markdown|json|output|tool\w*|search\w*|browse\w*|prompt\w*|instruct\w+|assistant|model"
    r"|chatbot|AI|LLM|you|your|please|must|always|never|ignore|english|french|german|spanish|verbose"
    r"|explain\w*|latex|block\w*|benchmark|puzzle\w*|solve\w*|respond)\b",
    re.IGNORECASE,
)


def material() -> dict[str, Any]:
    """Read the parts that sentences are made of."""
    return tomllib.loads(files("encoder").joinpath("bloat_parts.toml").read_text("ascii"))


def templates() -> list[str]:
    """List every template."""
    parts = material()
    found = list(parts["summary"])
    for topic in parts["topics"].values():
        found += topic
    for kind in (parts["changes"], parts["events"]):
        found += [*kind["lines"], *kind["follow"]]
    return found


def sentences(text: str) -> list[str]:
    """Take a text apart, without headings and dates."""
    undated = re.sub(r"^- \d+ [A-Z][a-z]+ \d{4}: ", "- ", text, flags=re.MULTILINE)
    return [
        sentence.removeprefix("- ")
        for line in undated.split("\n")
        if line.endswith(".")
        for sentence in re.split(r"(?<=\.) ", line)
    ]


def check_well_formed(text: str) -> None:
    """Check what every text of a sentence or more must be."""
    assert text.isascii()
    assert text.endswith(".")
    assert not re.search(r"[<>{}`]|  | \n|\.\.|,\.| \.", text)
    assert all(re.match(r"[A-Z]", sentence) for sentence in sentences(text))
    assert not FORBIDDEN.search(text)


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_every_length_up_to_1500_is_exact_and_whole(seed: int) -> None:
    """Lengths are exact, and no word is cut, around every threshold."""
    vocabulary = words_of_the_material()
    for characters in range(1500):
        text = bloat(characters, seed)
        assert len(text) == characters
        if characters >= 4:
            check_well_formed(text)
        if characters >= 9:
            assert set(re.findall(r"[A-Za-z]+", text)) <= vocabulary


def words_of_the_material() -> set[str]:
    """List the words that a text may be made of, so that a cut word is found out."""
    source = files("encoder").joinpath("bloat_parts.toml").read_text("ascii")
    weekdays = {f"{day}s" for day in material()["pools"]["day"]}
    return set(re.findall(r"[A-Za-z]+", source)) | weekdays


@LAWS
@given(st.integers(0, 12_000), seeds)
def test_any_length_is_exact_and_whole(characters: int, seed: int) -> None:
    """Lengths are exact and texts repeatable for any seed."""
    text = bloat(characters, seed)
    assert len(text) == characters
    assert text == bloat(characters, seed)
    if characters >= 4:
        check_well_formed(text)


@pytest.mark.parametrize("characters", [50_000, 199_999, 200_000, LONGEST])
def test_long_texts(characters: int) -> None:
    """The lengths that a workspace may ask for at most."""
    text = bloat(characters, 11)
    assert len(text) == characters
    check_well_formed(text)


def test_tiny_texts_are_words() -> None:
    """Below nine characters every length has its own fixed text."""
    assert [bloat(n, 3) for n in range(9)] == [
        *("", "I", "Me", "Tea", "Tea.", "Figs.", "Bread.", "Garden.", "Bicycle."),
    ]
    assert re.fullmatch(r"Buys [a-z]{3}\.", bloat(9, 3))


@pytest.mark.parametrize("seed", range(25))
def test_the_papers_length_does_not_repeat_itself(seed: int) -> None:
    """No sentence comes twice in a text of the paper's length."""
    said = Counter(sentences(bloat(THE_PAPERS, seed)))
    assert len(said) > 90
    assert said.most_common(1)[0][1] == 1


def test_two_seeds_differ_clearly() -> None:
    """Two texts share few sentences, whichever the seeds."""
    said = [set(sentences(bloat(THE_PAPERS, seed))) for seed in range(12)]
    for number, one in enumerate(said):
        for other in said[:number]:
            assert len(one & other) < 0.3 * len(one)


def test_long_texts_have_sections() -> None:
    """All three sections are there, with plenty of entries."""
    text = bloat(THE_PAPERS, 1)
    sections = material()["headings"]
    for kind in ("summary", "preferences", "changes"):
        assert any(f"\n{heading}\n" in text for heading in sections[kind])
    assert text.count("\n- ") > 60


def test_the_bytes_of_one_text_are_fixed() -> None:
    """If this fails, every bloat ever made changes: old seeds no longer mean the same."""
    assert sha256(bloat(THE_PAPERS, 20_240).encode()).hexdigest() == (
        "5aa119ec4012118f4c13f48bb3900f3aaf0d82726c580d7ff601b08aa19a83fc"
    )


@pytest.mark.parametrize("characters", [-1, LONGEST + 1])
def test_lengths_outside_the_range(characters: int) -> None:
    """The message gives the range and the length."""
    with pytest.raises(SettingError, match=r"from 0 to 1,000,000 characters, not"):
        bloat(characters, 1)


def test_there_is_enough_material() -> None:
    """Hundreds of templates, none of them twice."""
    assert len(templates()) >= 250
    assert len(set(templates())) == len(templates())


@pytest.mark.parametrize("template", templates())
def test_templates(template: str) -> None:
    """Each is one whole sentence with known slots and no wish about an answer."""
    parts = material()
    slots = re.findall(r"\{([^}]*)\}", template)
    people = {"friend", "neighbour", "colleague", "conductor"}
    known = {*parts["once"], *parts["pools"], *people}
    for number, slot in enumerate(slots):
        base = slot.removesuffix("_other")
        assert base in known
        assert slot == base or base in slots[:number]  # the first value comes first
        if slot == base and base in parts["pools"]:
            assert slots.count(slot) == 1  # else the two might be the same
    assert re.fullmatch(r"[A-Z{][^.<>`]*\.", template)
    assert not FORBIDDEN.search(re.sub(r"\{.*?\}", "", template))
    assert len(template) < 120


def test_articles_fit_every_value() -> None:
    """ "a" and "an" before a slot suit all that may fill it."""
    parts = material()
    for template in templates():
        for article, slot in re.findall(r"\b([Aa]n?) \{(\w+?)(?:_other)?\}", template):
            for value in parts["once"].get(slot) or parts["pools"][slot]:
                assert (value[0] in "aeiou") == article.lower().endswith("n"), (template, value)


def test_closing_lists_can_have_every_length() -> None:
    """Every length from the shortest to the longest thing can be had."""
    lengths = Counter(map(len, material()["pools"]["items"]))
    assert set(lengths) == set(range(3, 17))
    assert min(lengths.values()) >= 4
