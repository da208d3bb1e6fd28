"""Read a page by the standard parser and say what is wrong with its structure."""

from __future__ import annotations

import re
from collections import Counter
from html.parser import HTMLParser
from itertools import pairwise

VOID = frozenset({"meta", "img", "br", "path"})
#: All elements that our pages may hold; what foreign text might have become is not among them.
ALLOWED = frozenset(
    re.split(
        " ",
        "html head meta title style body a header nav main section footer div p strong h1 h2 h3 ul "
        "ol li dl dt dd table caption thead tbody tr th td span svg path figure img figcaption "
        "details summary pre code b bdi",
    )
)
#: Classes of the style sheet.
CLASSES = re.compile(
    r"skip|loud|sub|frame|lead|small|notes|words|scroll|tall|long|grid|legend|wide|ci|axis|dot|n|m|"
    r"[rpwuo]"
)
IDS = re.compile(r"content|contents-title|[a-z]+(-\d+)?(-title)?")


class PageReader(HTMLParser):
    """Collects what a page is made of, and complaints about it."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.complaints: list[str] = []
        self.ids: Counter[str] = Counter()
        self.headings: list[tuple[int, str]] = []
        self.tags: Counter[str] = Counter()
        self.sources: list[str] = []
        self.links: list[str] = []
        self.meta: list[dict[str, str | None]] = []
        self.tables: list[list[list[str]]] = []
        self.captions: list[str] = []
        self.text: list[str] = []
        self.title = ""
        self.language: str | None = None
        self._open: list[str] = []
        self._label_refs: list[str] = []
        self.feed(text)
        self.close()
        self._finish()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        self.tags[tag] += 1
        if tag not in ALLOWED:
            self.complaints.append(f"element {tag} {found}")
        if len(found) != len(attrs):
            self.complaints.append(f"double attribute in {tag}")
        for name, value in attrs:
            self._attribute(tag, name, value or "")
        if tag == "html":
            self.language = found.get("lang")
        if tag == "meta":
            self.meta.append(found)
        if tag == "img" and not (found.get("alt") or "").strip():
            self.complaints.append("img without alt")
        if tag == "table":
            self.tables.append([])
            if "scroll" not in self._scroll:
                self.complaints.append("a table outside of a scrolling region")
        if tag == "tr":
            self.tables[-1].append([])
        if tag in ("th", "td"):
            self.tables[-1][-1].append("")
        if tag == "th" and found.get("scope") not in ("col", "row"):
            self.complaints.append(f"th without scope {found}")
        if tag == "caption":
            if self._open[-1] != "table":
                self.complaints.append("a caption that is not first in its table")
            self.captions.append("")
        if re.fullmatch("h[1-6]", tag):
            self.headings.append((int(tag[1]), ""))
        if tag == "div":
            self._scroll = (found.get("class") or "").split()
            if "scroll" in self._scroll and not (
                found.get("role") == "region"
                and found.get("tabindex") == "0"
                and found.get("aria-label")
            ):
                self.complaints.append("a scrolling box that no keyboard reaches")
        if tag not in VOID:
            self._open.append(tag)

    _scroll: list[str] = []  # noqa: RUF012 - replaced, never changed

    def _attribute(self, tag: str, name: str, value: str) -> None:
        if name.startswith("on") or name in ("style", "srcset", "action", "formaction", "http"):
            self.complaints.append(f"attribute {name} of {tag}")
        if name == "id":
            self.ids[value] += 1
            if not IDS.fullmatch(value):
                self.complaints.append(f"id {value!r}")
        if name == "class" and not all(CLASSES.fullmatch(each) for each in value.split()):
            self.complaints.append(f"class {value!r}")
        if name in ("src", "xlink:href"):
            self.sources.append(value)
            if not value.startswith("data:image/svg+xml;base64,"):
                self.complaints.append(f"{name} {value[:60]!r}")
        if name == "href":
            self.links.append(value)
            if not value.startswith("#"):
                self.complaints.append(f"href {value[:60]!r}")
        if name == "aria-labelledby":
            self._label_refs.append(value)

    def handle_endtag(self, tag: str) -> None:
        if tag in VOID:
            return
        if not self._open or self._open.pop() != tag:
            self.complaints.append(f"</{tag}> closes something else")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)

    def handle_data(self, data: str) -> None:
        inside = self._open[-1] if self._open else ""
        if inside == "style":
            if re.search(r"url\(|@import|https?:", data):
                self.complaints.append("a style sheet that loads something")
            return
        self.text.append(data)
        if inside == "title":
            self.title += data
        for tag in reversed(self._open):
            if tag in ("th", "td"):
                self.tables[-1][-1][-1] += data
                break
            if tag == "caption":
                self.captions[-1] += data
                break
            if re.fullmatch("h[1-6]", tag):
                level, text = self.headings[-1]
                self.headings[-1] = (level, text + data)
                break

    def handle_comment(self, data: str) -> None:
        self.complaints.append(f"comment {data!r}")

    def _finish(self) -> None:
        if self._open:
            self.complaints.append(f"never closed: {self._open}")
        self.complaints += [f"id {each} twice" for each, n in self.ids.items() if n > 1]
        targets = [link[1:] for link in self.links] + self._label_refs
        self.complaints += [f"no id {each}" for each in targets if each not in self.ids]
        if len(self.captions) != len(self.tables) or not all(self.captions):
            self.complaints.append("a table without a caption")
        levels = [level for level, _ in self.headings]
        if levels and (levels.count(1) != 1 or any(b - a > 1 for a, b in pairwise(levels))):
            self.complaints.append(f"headings out of order: {levels}")
        self.complaints += [f"an empty h{level}" for level, text in self.headings if not text]
        for table in self.tables:
            if len({len(row) for row in table}) > 1:
                self.complaints.append("rows of different lengths")
            self.complaints += ["an empty head" for cell in table[0] if not cell.strip()]

    @property
    def words(self) -> str:
        """All text of the page."""
        return "".join(self.text)
