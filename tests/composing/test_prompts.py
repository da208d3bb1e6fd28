"""The exact prompt, and what freezing makes of it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from encoder import decode
from relaybench.composing.estimate import estimate_tokens
from relaybench.composing.freeze import freeze, freeze_single
from relaybench.composing.render import plain_prompt
from relaybench.composing.style import load_style, standard_style
from relaybench.domain.errors import ProblemError
from relaybench.domain.item import ItemKind
from relaybench.domain.problem import Bloat, Instance, Variant
from tests.composing.support import CLASSES, POWER, SPELL, TRIO

STYLE = standard_style()
GOLDEN = """\
Which sign?
Let C_STR be the resulting string. Example: "?"

What is 2 to the power of 3?
Rules for this answer: Give an integer.
Let A_STR be the resulting string. Example: "42"

Spell A_STR {literal} $x 100% \\n <b> {{nobody}}, not {{number}}.
Then change the answer as follows. Turn every letter into upper case. Of the characters keep only \
the last 7 (all of them if there are fewer).
Let B_STR be the resulting string. Example: "NTY ONE"

You may use every tool, search or code execution that is available to you.

Write your final answer in one fenced code block, in exactly this form:
```
C_STR-B_STR
```
Example: "?-NTY ONE"
The answer is compared character by character. Write C_STR and B_STR exactly as defined above, \
with nothing added and nothing left out, joined by - and with no spaces around it. Every symbol \
counts. Upper and lower case count in B_STR. There are no letters in C_STR. Rules given with one \
step hold for that step's answer only, and before any change that the step asks for. Do not write \
A_STR in the final answer. Do not include any other code block in your response.
"""
SINGLE = """\
What is 2 to the power of 3?
Rules for this answer: Give an integer.

You may use every tool, search or code execution that is available to you.

Write your final answer in one fenced code block, like this:
```
42
```

The answer is compared character by character: every symbol counts, and so does upper and lower \
case. Do not include any other code block in your response.
"""


def test_the_prompt_to_the_last_byte() -> None:
    assert plain_prompt(TRIO, CLASSES, STYLE) == GOLDEN


@pytest.mark.parametrize(
    ("separator", "part"),
    [
        ("", "one directly after the other, with nothing between them"),
        (" ", "joined by one space"),
        ("::", "joined by ::"),
    ],
)
def test_separators_in_words(separator: str, part: str) -> None:
    composite = replace(TRIO, separator=separator)
    assert part in plain_prompt(composite, CLASSES, STYLE)
    assert freeze(composite, CLASSES, STYLE).key == f"!{separator}IGHT NO"


def test_variants_share_one_key_and_undo_one_another() -> None:
    items = {variant: freeze(TRIO, CLASSES, STYLE, variant) for variant in Variant}
    assert {item.key for item in items.values()} == {"!-IGHT NO"}
    plain, written, encoded = (
        items[each] for each in (Variant.PLAIN, Variant.AS_WRITTEN, Variant.ENCODED)
    )
    assert plain.prompt == GOLDEN
    assert (plain.encoded, plain.bloat_characters, plain.substitutions) == (False, 0, 0)
    assert written.prompt == encoded.prompt
    assert (written.encoded, written.encoding_seed, written.bloat_characters) == (True, 7, 100)
    assert written.prompt[100:102] == "\n\n"
    assert decode(written.prompt[102:]) == GOLDEN
    assert "8" not in plain.key
    assert written.substitutions > written.dictionary_size > 0
    assert [step.label for step in written.steps] == ["C", "B", "A"]
    assert written.answer_labels == ("C", "B")
    assert written.answer_parts == ("!", "IGHT NO")
    assert written.domains == ("coding", "math")
    assert (written.kind, written.ref) == (ItemKind.COMPOSITE, "first/trio")


def test_bloated_has_the_files_bloat_and_no_code() -> None:
    bloated = freeze(TRIO, CLASSES, STYLE, Variant.BLOATED)
    written = freeze(TRIO, CLASSES, STYLE, Variant.AS_WRITTEN)
    assert bloated.prompt == f"{written.prompt[:100]}\n\n{GOLDEN}"
    assert (bloated.encoded, bloated.encoding_seed, bloated.bloat_characters) == (False, None, 100)
    assert (bloated.substitutions, bloated.dictionary_size) == (0, 0)
    assert bloated.estimated_tokens == estimate_tokens(bloated.prompt)
    bare = replace(TRIO, bloat=None)
    plain = freeze(bare, CLASSES, STYLE, Variant.PLAIN)
    assert freeze(bare, CLASSES, STYLE, Variant.BLOATED).digest == plain.digest


def test_steps_keep_their_wiring_and_augmentations() -> None:
    for variant in Variant:
        steps = freeze(TRIO, CLASSES, STYLE, variant).steps
        assert [(step.label, step.inputs, step.augment) for step in steps] == [
            ("C", (), ()),
            ("B", (("number", "A"),), ("upper", "last:7")),
            ("A", (), ()),
        ]
    assert freeze_single(POWER, POWER.instances[0], STYLE).steps[0].inputs == ()


def test_encoding_what_the_file_leaves_plain() -> None:
    bare = replace(TRIO, encoding=None, bloat=None)
    assert freeze(bare, CLASSES, STYLE).prompt == GOLDEN
    encoded = freeze(bare, CLASSES, STYLE, Variant.ENCODED)
    assert decode(encoded.prompt) == GOLDEN
    assert encoded.prompt == freeze(bare, CLASSES, STYLE, Variant.ENCODED).prompt
    assert encoded.encoding_seed == 3494866175
    other = freeze(replace(bare, id="other"), CLASSES, STYLE, Variant.ENCODED)
    assert other.encoding_seed != encoded.encoding_seed


@given(st.integers(1, 3000), st.integers(0, 99))
def test_bloat_is_exactly_as_long_as_asked_and_stands_before(size: int, seed: int) -> None:
    bloated = freeze(replace(TRIO, encoding=None, bloat=Bloat(size, seed)), CLASSES, STYLE)
    assert bloated.prompt[size:] == f"\n\n{GOLDEN}"
    assert bloated.bloat_characters == size


def test_same_input_same_bytes_and_digests_change_with_their_parts() -> None:
    base = freeze(TRIO, CLASSES, STYLE)
    assert base == freeze(TRIO, CLASSES, STYLE)
    same = freeze(replace(TRIO, title="new"), CLASSES, STYLE)
    assert same.digest == base.digest
    corrected = {
        **CLASSES,
        "coding/spell": replace(
            SPELL, instances=(Instance("eight", SPELL.instances[0].data, "eight yo"),)
        ),
    }
    changed = [
        freeze(replace(TRIO, id="x"), CLASSES, STYLE),
        freeze(replace(TRIO, set_name="x"), CLASSES, STYLE),
        freeze(replace(TRIO, bloat=Bloat(100, 2)), CLASSES, STYLE),
        freeze(TRIO, corrected, STYLE),
    ]
    assert len({each.digest for each in [base, *changed]}) == 5
    assert changed[-1].prompt_sha256 == base.prompt_sha256
    assert changed[-1].key == "!-IGHT YO"


def test_one_subproblem_on_its_own() -> None:
    item = freeze_single(POWER, POWER.instances[0], STYLE)
    assert item.prompt == SINGLE
    assert (item.key, item.ref, item.kind) == ("8", "library/math/power:two", ItemKind.SINGLE)


def test_estimates() -> None:
    assert estimate_tokens("") == 0
    assert estimate_tokens("Hello, world 1234") == 1 + 1 + 1 + 2
    assert estimate_tokens("<AvY>") == 4


def write(folder: Path, name: str, text: str | bytes) -> None:
    folder.mkdir(exist_ok=True)
    (folder / f"{name}.toml").write_bytes(text.encode() if isinstance(text, str) else text)


def test_a_workspace_overrides_the_wording(tmp_path: Path) -> None:
    folder = tmp_path / "styles"
    write(folder, "standard", '[composite]\ntools = "Use $anything% {x}."\n')
    write(folder, "terse", "[step]\nlet = '''\n{{label}}_STR := that\n'''\n")
    own = plain_prompt(TRIO, CLASSES, load_style("standard", folder))
    assert own == GOLDEN.replace(STYLE.texts["composite.tools"], "Use $anything% {x}.")
    terse = plain_prompt(TRIO, CLASSES, load_style("terse", folder))
    assert "\nA_STR := that\n\n" in terse
    assert load_style("standard", tmp_path) == STYLE


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("[step", "not valid TOML"),
        ("[step]\nlet = 'x'\nlet = 'y'", "not valid TOML"),
        (b"\xff", "cannot be read"),
        ("x = " + "9" * 5000, "not valid TOML"),
        ("x = " + "[" * 5000 + "]" * 5000, "nested too deeply"),
        ("let = 'x'", "let is not a section; write [let]"),
        ("[step]\nlet = 3", "step.let is not text"),
        ("[step]\nlett = 'x'", "step.lett is not a text of a style; there are: augment.caesar"),
        ("[step]\nlet = '{{lable}} {{label}}'", "the slot {{lable}}, which is not filled here"),
        ("[step]\nlet = 'Go on.'", "step.let lacks the slot {{label}}"),
        ("[augment]\ncaesar = 'Shift.'", "augment.caesar lacks the slot {{n}}"),
        ("[composite]\nformat = 'Answer.'", "composite.format lacks the slot {{form}}"),
        ("[encoding]\nafter = '''a\nb'''", "must be one line"),
        ("[encoding]\nbefore = '''a\n```\nb'''", "three backticks"),
    ],
)
def test_a_broken_style(tmp_path: Path, text: str | bytes, part: str) -> None:
    write(tmp_path, "mine", text)
    with pytest.raises(ProblemError) as caught:
        load_style("mine", tmp_path)
    assert part in str(caught.value)
    assert "mine.toml" in str(caught.value)


@pytest.mark.parametrize("name", ["none", "", "../x", "Bad Name", "a/b"])
def test_a_style_that_does_not_exist(tmp_path: Path, name: str) -> None:
    with pytest.raises(ProblemError, match="there is no style"):
        load_style(name, tmp_path)
    with pytest.raises(ProblemError, match="there is no style"):
        load_style(name)
