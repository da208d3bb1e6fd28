"""The page around its sections: head, banner, contents, landmarks. Written piece by piece."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib import resources
from typing import Final

from relaybench.reports.escaping import html_attribute, html_text
from relaybench.reports.page.short_names import short_words

#: Stands in the head of every page of ours, and in no other: only such a file is overwritten.
MARKER: Final = '<meta name="generator" content="relaybench report">'
#: Nothing but inline style and pictures within the page: no script, no network, no form.
POLICY: Final = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; "
    "form-action 'none'"
)


@dataclass(frozen=True, slots=True)
class Section:
    """One part of the page under a heading: ``parts`` are pieces of HTML, read once.

    ``anchor`` is an id of ours, never made from foreign text; ``below`` are anchors and titles of
    its own parts, for the contents. ``wide`` ones are printed across the page.
    """

    anchor: str
    title: str
    parts: Iterable[str]
    below: Sequence[tuple[str, str]] = ()
    wide: bool = False


@dataclass(frozen=True, slots=True)
class Frame:
    """What stands around the sections; ``banners`` are loud sentences above everything else."""

    title: str
    subtitle: str
    banners: tuple[tuple[str, str], ...]
    footer: str


def style_sheet() -> str:
    """The page's style sheet."""
    return resources.files(__package__).joinpath("page.css").read_text("utf-8")


def framed(frame: Frame, sections: Sequence[Section]) -> Iterator[str]:
    """The whole page, piece by piece."""
    yield (
        f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n{MARKER}\n'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="referrer" content="no-referrer">\n<meta name="robots" content="noindex">\n'
        f"<title>{html_attribute(frame.title)}</title>\n<style>\n{style_sheet()}</style>\n"
        '</head>\n<body>\n<a class="skip" href="#content">Skip to the content</a>\n<header>\n'
    )
    for word, sentence in frame.banners:
        yield f'<p class="loud"><strong>{html_text(word)}</strong> {html_text(sentence)}</p>\n'
    yield (
        f'<h1>{html_text(frame.title)}</h1>\n<p class="sub">{html_text(frame.subtitle)}</p>\n'
        '</header>\n<div class="frame">\n'
    )
    yield _contents(sections)
    yield '<main id="content" tabindex="-1">\n'
    for section in sections:
        name = ' class="wide"' if section.wide else ""
        yield (
            f'<section id="{section.anchor}"{name} aria-labelledby="{section.anchor}-title">\n'
            f'<h2 id="{section.anchor}-title">{html_text(section.title)}</h2>\n'
        )
        yield from section.parts
        yield "</section>\n"
    yield (
        f"</main>\n</div>\n<footer>\n<p>{html_text(frame.footer)}</p>\n</footer>\n</body>\n</html>\n"
    )


def _contents(sections: Sequence[Section]) -> str:
    lines = ['<nav aria-labelledby="contents-title">\n<h2 id="contents-title">Contents</h2>\n<ol>']
    for section in sections:
        lines.append(f'<li><a href="#{section.anchor}">{html_text(section.title)}</a>')
        if section.below:
            lines.append("<ol>")
            lines += [
                f'<li><a href="#{anchor}">{html_text(title)}</a></li>'
                for anchor, title in section.below
            ]
            lines.append("</ol>")
        lines.append("</li>")
    lines.append("</ol>\n</nav>\n")
    return "\n".join(lines)


def paragraph(text: str, name: str = "") -> str:
    """A paragraph of literal text; ``name`` is a class of our style sheet."""
    shown = html_text(short_words(text))
    return f'<p class="{name}">{shown}</p>\n' if name else f"<p>{shown}</p>\n"


def definitions(pairs: Iterable[tuple[str, str]], name: str = "") -> str:
    """A list of terms and what they are, all literal text; nothing where there is no pair."""
    inner = "".join(f"<dt>{html_text(t)}</dt><dd>{html_text(d)}</dd>\n" for t, d in pairs)
    return (
        f"<dl{f' class={chr(34)}{name}{chr(34)}' if name else ''}>\n{inner}</dl>\n" if inner else ""
    )
