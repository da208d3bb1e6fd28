"""Files: the same bytes on every run, whatever the user's settings; hostile names are literal."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path

import matplotlib
import pytest
from matplotlib.text import Text

from relaybench.domain.errors import UsageError
from relaybench.reports.figures.drawing.lettering import (
    SUBSTITUTE,
    drawable,
    name_lines,
    short_names,
    shortened,
    width,
    wrapped,
)
from relaybench.reports.figures.figure import FigureKind
from relaybench.reports.figures.render import MARKER, Format, drawn, render
from relaybench.reports.figures.style import Style, parse_style
from tests.reports.figures import samples

ROOT = Path(__file__).resolve().parents[3]
HOSTILE = (
    "$\\frac{1}{$ ^_{}",
    "\x1b[31mred\x07\0 \ud800",
    "\u540d\u524d \U0001f984",
    "\u540d\u5b57 \U0001f985",
    "e" + "\u0301" * 40,
    "\u202eevil\u2066 \u05d0\u05d1",
    "<svg onload=alert(1)>&amp;",
    "W" * 500,
    "W" * 249 + "X" + "W" * 250,
)

_DIGESTS = """
import hashlib, sys, warnings
warnings.simplefilter("error")
from relaybench.reports.figures.figure import FigureKind
from relaybench.reports.figures.render import render
from relaybench.reports.figures.style import Style
from tests.reports.figures import samples
figures = samples.figures_of(samples.PAPER, simulated=True)
figures.append(samples.figure(FigureKind.GRAPH, samples.graph(13)))
for figure in figures:
    for form in ("svg", "png", "pdf"):
        if form == "svg" or figure.kind in (FigureKind.GRAPH, FigureKind.OUTCOMES):
            content = render(figure, form, Style(dpi=80))
            print(figure.name, form, hashlib.sha256(content).hexdigest())
assert "matplotlib.pyplot" not in sys.modules
"""


def test_two_processes_write_the_same_bytes_whatever_the_users_settings(tmp_path: Path) -> None:
    (tmp_path / "matplotlibrc").write_text(
        "font.size: 30\nsvg.fonttype: none\nsavefig.dpi: 30\naxes.facecolor: red\n"
        "text.usetex: True\nhatch.linewidth: 9\npath.sketch: 3, 100, 2\n",
        "utf-8",
    )
    plain = tmp_path / "elsewhere"
    plain.mkdir()
    started = [
        subprocess.Popen(
            [sys.executable, "-c", _DIGESTS],
            cwd=cwd,
            env={
                "PYTHONPATH": str(ROOT),
                "PYTHONHASHSEED": seed,
                "TZ": zone,
                "MPLCONFIGDIR": fonts,
                "PATH": "",
            },
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for cwd, seed, zone, fonts in (
            (tmp_path, "1", "Asia/Tokyo", str(tmp_path / "fresh")),
            (plain, "2", "UTC", os.environ["MPLCONFIGDIR"]),  # that of the other tests, in use
        )
    ]
    said = [process.communicate(timeout=240) for process in started]
    assert [err for _, err in said] == ["", ""]  # nor is the building of a font cache told
    assert said[0][0] == said[1][0]
    assert said[0][0].count("\n") == 7 + 2 * 2


def test_files_hold_no_version_date_or_maker_but_our_own() -> None:
    figure = samples.figure(FigureKind.GRAPH, samples.graph(2))
    for form in Format:
        content = render(figure, form)
        assert MARKER.encode() in content
        assert b"atplotlib" not in content.replace(b"https://matplotlib.org/", b"")
        assert matplotlib.__version__.encode() not in content
        assert b"CreationDate" not in content
        assert b"<dc:date>" not in content


def test_fonts_are_embedded_and_letters_of_svg_are_outlines() -> None:
    figure = samples.figures_of(samples.PAPER)[-1]
    pdf = render(figure, Format.PDF)
    assert b"/FontFile2" in pdf
    assert b"/Type3" not in pdf
    assert b"<text" not in render(figure, Format.SVG)


def test_a_figure_is_as_wide_as_asked() -> None:
    figure = samples.figures_of(samples.PAPER)[-1]
    png = render(figure, Format.PNG, Style(width=3.3, dpi=100))
    assert int.from_bytes(png[16:20]) == 330
    svg = render(figure, Format.SVG, Style(width=5))
    assert b'width="360pt"' in svg


def test_the_state_of_matplotlib_stays_as_it_was() -> None:
    before = dict(matplotlib.rcParams)
    render(samples.figures_of(samples.PAPER)[-1], Format.SVG)
    assert dict(matplotlib.rcParams) == before


def test_threads_may_draw_at_the_same_time() -> None:
    figure = samples.figures_of(samples.PAPER)[-1]
    alone = render(figure, Format.SVG)
    found: list[bytes] = []
    threads = [
        threading.Thread(target=lambda: found.append(render(figure, Format.SVG))) for _ in range(3)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [alone] * 3


def test_hostile_names_are_drawn_literally_and_stay_apart() -> None:
    models = [samples.model(name, 3 + i, 20, str(3 + i)) for i, name in enumerate(HOSTILE)]
    for figure in samples.figures_of(models):
        canvas = drawn(figure, Style(3.3, 8))
        texts = [each for each in canvas.findobj(Text) if isinstance(each, Text)]
        texts = [each for each in texts if each.get_text()]
        assert not any(each.get_parse_math() for each in texts)
        for each in texts:
            assert each.get_text().isprintable()
        if figure.kind is FigureKind.COST:
            render(figure, Format.SVG, Style(3.3, 8))
        assert any("$\\frac" in each.get_text() for each in texts)


def test_what_the_font_lacks_is_a_box_and_two_names_never_look_the_same() -> None:
    assert drawable("\u540d\U0001f984a") == f"{SUBSTITUTE}{SUBSTITUTE}a"
    assert drawable("\x1b[31m\0") == "\\x1b[31m\\x00"
    assert drawable("Gro\u00df \u03b1 \u2265") == "Gro\u00df \u03b1 \u2265"
    for room in (0.5, 1.2, 3.0):
        assert len(set(short_names(HOSTILE, room, 8))) == len(HOSTILE)
        assert len(set(name_lines(HOSTILE, room, 8, 2))) == len(HOSTILE)
    assert short_names(["x", "x"], 1.0, 8) == ["x", "x"]  # the same model twice is one name


def test_long_texts_lose_their_middle_and_lines_fit() -> None:
    short = shortened("Vendor model number one (high)", 1.0, 8)
    assert "\u2026" in short
    assert short.startswith("Ven")
    assert short.endswith("gh)")
    assert width(short, 8) <= 1.0
    lines = wrapped("a-set-with-quite a-long-name of_its/own", 0.8, 8, 4)
    assert "".join(lines).replace(" ", "") == "a-set-with-quitea-long-nameof_its/own"
    assert all(width(line, 8) <= 0.8 for line in lines)
    assert len(wrapped("W" * 400, 1.0, 8, 3)) <= 3


def test_style_is_read_in_any_way_of_writing_and_bounded() -> None:
    assert parse_style(["width=3.3 font=8"]) == Style(3.3, 8)
    assert parse_style(["width=3.3,dpi=300", "font=8"]) == Style(3.3, 8, 300)
    assert parse_style([]) == Style()
    for bad, said in (
        (",", "names no style"),
        ("width=3,width=4", "width stands twice"),
        ("width=2.5,font=20", "least width for them is 4 inches"),
    ):
        with pytest.raises(UsageError, match=said):
            parse_style([bad])
    assert parse_style(["width=4,font=20"]) == Style(4, 20)
    for bad in ("colour=red", "width", "width=", "width=nan", "width=0.1", "font=1e9", "dpi=-1"):
        with pytest.raises(UsageError, match=bad.partition("=")[0]):
            parse_style([bad])
