"""A small workspace to break, file by file."""

from __future__ import annotations

from pathlib import Path

from relaybench.composing.lint import lint
from relaybench.composing.style import standard_style
from relaybench.domain.finding import Finding
from relaybench.library.load import Library, load_library

POWER = """\
id = "power"
domain = "math"
title = "Powers"
prompt = '''
What is {{base}} to the power of {{exponent}}?
'''
rules = ["Give an integer."]
example = "42"

[[instances]]
id = "two-cubed"
data = { base = "2", exponent = "3" }
answer = "8"
status = "approved"

[[instances]]
id = "three-squared"
data = { base = "3", exponent = "2" }
answer = "9"
status = "approved"
"""

SPELL = """\
id = "spell"
domain = "coding"
title = "Number words"
prompt = "Write the number {{number}} in English."
example = "twenty"

[[instances]]
id = "eight"
data = { number = "8" }
answer = "eight"

[[instances]]
id = "none"
data = { number = "0" }
answer = "zero"
"""

PAIR = """\
id = "pair"
[[steps]]
label = "A"
use = "math/power:two-cubed"
[[steps]]
label = "B"
use = "coding/spell:eight"
inputs = { number = "A" }
augment = ["upper"]
"""

POWER_FILE = "problems/library/math/power.toml"
SPELL_FILE = "problems/library/coding/spell.toml"
PAIR_FILE = "problems/sets/first/pair.toml"


class Bench:
    """A workspace with two classes and one composite, all sound until changed."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.write(POWER_FILE, POWER)
        self.write(SPELL_FILE, SPELL)
        self.write(PAIR_FILE, PAIR)

    def write(self, name: str, text: str | bytes) -> Path:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode("utf-8") if isinstance(text, str) else text)
        return path

    def edit(self, name: str, old: str, new: str) -> Path:
        """Replace ``old``, which must stand in the file exactly once."""
        text = (self.root / name).read_bytes().decode("utf-8")
        assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times in {name}"
        return self.write(name, text.replace(old, new))

    def library(self) -> Library:
        return load_library(self.root)

    def findings(self) -> list[Finding]:
        """What the files and the composites show to be wrong, placed and sorted."""
        library = self.library()
        found = list(library.findings)
        for loaded in library.composites.values():
            faults = lint(loaded.composite, library.problems(), standard_style())
            found += loaded.source.place(faults)
        return sorted(found)

    def only(self) -> Finding:
        """The one thing that is wrong."""
        found = self.findings()
        assert len(found) == 1, found
        return found[0]

    def line(self, name: str, part: str) -> int:
        """The line, from 1, on which a part of a file's text first stands."""
        lines = (self.root / name).read_text("utf-8").split("\n")
        return next(number for number, line in enumerate(lines, 1) if part in line)
