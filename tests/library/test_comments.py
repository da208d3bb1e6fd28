"""Comments go with the step that they are about, whatever becomes of it; all else stays."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from relaybench.domain.problem import Composite, InstanceRef, Step
from relaybench.library.reading import read_composite
from relaybench.library.save import composite_data, preview
from relaybench.toml_files.blocks import rows_of
from relaybench.toml_files.source import SourceFile, parse_source

HEAD = "# head\nid = 'c' # c\ntitle = '''\n# no comment\n'''\n# head, too\n\n"
TAIL = "\n# about bloat\n[bloat]\ncharacters = 5\n# the end\n"


@dataclass(frozen=True)
class Form:
    """How a step is written: which comments it has, and where."""

    above: int
    inside: bool
    ending: bool
    table: bool
    beside: bool
    gap: int
    floating: bool

    def text(self, label: str) -> str:
        above = "".join(f"# above {label} {number}\n" for number in range(self.above))
        beside = f"  # beside {label}" if self.beside else ""
        inside = f"# in {label}\n" if self.inside else ""
        table = f'[steps.inputs] # of {label}\nn = "A"{beside}\n' if self.table else ""
        ends = self.ending and not self.table  # one in a table goes with that
        ending = f"# ends {label}\n\n" if ends else ""
        floating = "\n# part\n\n" if self.floating else ""
        return (
            f'{above}[[steps]]{beside}\nlabel = "{label}"\n{inside}use = "math/{label.lower()}:i"\n'
            f"{table}{ending}{floating}" + "\n" * self.gap
        )


FORMS = st.builds(
    Form,
    st.integers(0, 2),
    st.booleans(),
    st.booleans(),
    st.booleans(),
    st.booleans(),
    st.integers(0, 2),
    st.booleans(),
)
#: What is done: to which step, and what.
DEEDS = st.lists(
    st.tuples(st.integers(0, 9), st.sampled_from(["up", "down", "first", "last", "remove", "add",
                                                  "relabel", "augment", "bind", "unbind"])),
    max_size=8,
)  # fmt: skip


def source_of(text: str) -> SourceFile:
    source = parse_source(Path("sets/s/c.toml"), "c.toml", text)
    assert isinstance(source, SourceFile), source
    return source


def pieces(text: str) -> list[str]:
    """Each step with its comments."""
    lines = text.split("\n")
    return ["\n".join(lines[row.top : row.end]) for row in rows_of(text, "steps") or ()]


def done(composite: Composite, number: int, deed: str, fresh: str) -> Composite:
    steps = list(composite.steps)
    if deed == "add":
        steps.insert(
            number % (len(steps) + 1), Step(fresh, InstanceRef("math", fresh.lower(), "i"))
        )
    elif steps:
        at = number % len(steps)
        step = steps.pop(at)
        places = {"up": max(at - 1, 0), "down": at + 1, "first": 0, "last": len(steps)}
        match deed:
            case "relabel":
                step = replace(step, label=fresh)
            case "augment":
                step = replace(step, augment=(*step.augment, "reverse"))
            case "bind":
                step = replace(step, inputs={"m": "Q", **step.inputs})
            case "unbind":
                step = replace(step, inputs={})
        if deed != "remove":
            steps.insert(places.get(deed, at), step)
    return replace(composite, steps=tuple(steps))


@given(
    st.lists(FORMS, min_size=1, max_size=5), DEEDS, st.booleans(), st.sampled_from(["\n", "\r\n"])
)
def test_comments_go_with_their_step(
    forms: list[Form], deeds: list[tuple[int, str]], tail: bool, newline: str
) -> None:
    body = "".join(form.text("ABCDE"[number]) for number, form in enumerate(forms))
    text = (HEAD + body + (TAIL if tail else "")).replace("\n", newline)
    first = dict(zip((str(s.use) for s in read(text).steps), pieces(text), strict=True))
    untouched = set(first)
    for turn, (number, deed) in enumerate(deeds):
        before = read(text)
        after = done(before, number, deed, f"Z{turn}")
        text = preview(source_of(text), composite_data(after))
        assert read(text) == after
        untouched -= {str(s.use) for s in before.steps if s not in after.steps}
    composite = read(text)
    for step, piece in zip(composite.steps, pieces(text), strict=True):
        use, label = str(step.use), step.use.class_id.upper()
        if use in untouched:
            assert piece == first[use]
        told = [line.strip() for line in piece.split("\n") if line.startswith("#")]
        wanted = [line.strip() for line in first.get(use, "").split("\n") if line.startswith("#")]
        assert told == wanted
        assert all(f" {label}" in line for line in told)
    head = HEAD.replace("\n", newline)
    assert text.startswith(head) or not composite.steps or "A" not in str(composite.steps)
    assert not tail or text.endswith(TAIL.replace("\n", newline))
    assert text.count("# part") == sum(form.floating for form in forms)
    assert newline == "\n" or "\n" not in text.replace("\r\n", "")


def read(text: str) -> Composite:
    return read_composite(source_of(text), "s")[0]
