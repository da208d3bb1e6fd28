"""Headless Chromium for tests: pictures, paper and measurements of a page."""

from __future__ import annotations

import html
import json
import os
import re
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

BROWSER: Final = shutil.which("chromium") or shutil.which("chromium-browser")
_FLAGS: Final = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
    "--host-resolver-rules=MAP * ~NOTFOUND",  # no host has an address: nothing can be reached
)
_MEASURE: Final = """<script>addEventListener("load", () => {
  const boxes = [...document.querySelectorAll("iframe")];
  document.body.dataset.measured = JSON.stringify(boxes.map((each) => {
    const frame = each.contentWindow;
    const root = frame.document.documentElement;
    return {
      wide: root.scrollWidth, room: root.clientWidth,
      loaded: frame.performance.getEntriesByType("resource").map((entry) => entry.name),
      pictures: [...frame.document.images].map((image) => image.naturalWidth),
      places: [...frame.document.images].map((image) => image.getBoundingClientRect())
        .map((box) => [box.left, box.top, box.right, box.bottom].map(Math.round)),
      out: [...frame.document.querySelectorAll("main > section > *")]
        .filter((each) => each.getBoundingClientRect().right > root.clientWidth + 1).length,
    };
  }));
});</script>"""


def start(folder: Path, page: Path, *arguments: str) -> str:
    """Start the browser once on a page; returns what it printed.

    Its profile, and all that it and its libraries keep in a home, stay in the folder.
    """
    assert BROWSER is not None
    home = folder / "home"
    home.mkdir(exist_ok=True)
    places = {
        "HOME": home,
        "XDG_CONFIG_HOME": home / "config",
        "XDG_CACHE_HOME": home / "cache",
        "XDG_DATA_HOME": home / "data",
    }
    done = subprocess.run(
        [BROWSER, *_FLAGS, f"--user-data-dir={folder / 'profile'}", *arguments, page.as_uri()],
        env={**os.environ, **{name: str(place) for name, place in places.items()}},
        capture_output=True,
        timeout=60,
        check=True,
    )
    return done.stdout.decode("utf-8", "replace")


@dataclass(frozen=True)
class Measured:
    """How ``wide`` a page is in how much ``room`` (CSS pixels), and what it loaded.

    ``out`` counts parts of sections that stand out to the right, ``pictures`` are their widths,
    ``places`` where they stand on the page: left, top, right, bottom.
    """

    wide: int
    room: int
    out: int
    loaded: list[str]
    pictures: list[int]
    places: list[tuple[int, int, int, int]]


def measured(folder: Path, pages: Sequence[Path], widths: Sequence[int]) -> list[Measured]:
    """Measure every page in windows of all these widths, page by page, in one start.

    Of copies without the policy, in frames: a browser's own window is never as narrow as a phone.
    """
    texts = [re.sub(r"<meta http-equiv[^>]*>", "", page.read_text("utf-8")) for page in pages]
    frames = "".join(
        f'<iframe width="{width}" height="844" srcdoc="{html.escape(text)}"></iframe>'
        for text in texts
        for width in widths
    )
    host = folder / "host.html"
    host.write_text(f"<!DOCTYPE html><body>{frames}{_MEASURE}</body>", "utf-8")
    printed = start(folder, host, "--dump-dom")
    found = re.search(r'data-measured="([^"]*)"', printed)
    assert found, printed[-500:]
    return [Measured(**each) for each in json.loads(html.unescape(found[1]))]
