"""Prompts, keys and extracted answers, item by item: only where they were asked for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from relaybench.domain.model import ModelConfig
from relaybench.reports.escaping import html_attribute, html_text
from relaybench.reports.page.frame import paragraph
from relaybench.reports.page.run_report import RunReport
from relaybench.reports.page.short_names import short_name
from relaybench.store.item_answers import GivenAnswer, ItemAnswers

_KEPT: Final = "\n\t"


def answer_parts(report: RunReport) -> Iterator[str]:
    """Every item under a fold of its own, written one by one."""
    yield paragraph(
        "Prompts as they were sent, keys, and the answers that were extracted; the full responses "
        "stay in the results file. Characters that do not print stand as escapes such as \\x1b."
    )
    for each in report.answers or ():
        yield from _item(report, each)


def _item(report: RunReport, answers: ItemAnswers) -> Iterator[str]:
    item = report.grid.items[answers.item]
    scored = [given for given in answers.given if given.outcome.scored]
    right = sum(given.outcome.value == "correct" for given in scored)
    name = html_text(short_name(item.ref))
    yield f"<details><summary>{name}: {right:,} of {len(scored):,} right</summary>\n"
    keys = ", ".join(f"<code>{html_text(key)}</code>" for key in answers.keys)
    yield f"<p>{'Key' if len(answers.keys) == 1 else 'Keys, graded against each'}: {keys}</p>\n"
    if item.imported and not answers.prompt:
        yield paragraph("The prompt is not known: imported.")
    else:
        # The first line break inside <pre> is not part of the text.
        yield f"<pre>\n{html_text(answers.prompt, _KEPT)}</pre>\n"
    yield (
        '<div class="scroll" role="region" tabindex="0" aria-label="Answers to '
        f'{html_attribute(short_name(item.ref))}"><table>'
        f"<caption><span>Answers to {name}</span></caption>\n"
        '<thead><tr><th scope="col">Model</th><th scope="col" class=n>Repeat</th>'
        '<th scope="col">Outcome</th><th scope="col">Answer</th></tr></thead>\n<tbody>\n'
    )
    for given in answers.given:
        yield _row(report.grid.configs[given.config], given)
    yield "</tbody></table></div>\n</details>\n"


def _row(config: ModelConfig, given: GivenAnswer) -> str:
    marks = [given.outcome.value]
    marks += ["repaired"] if given.repaired else []
    marks += ["near miss"] if given.near_miss else []
    answer = (
        "<td class=m>none</td>"
        if given.answer is None
        else f"<td><code>{html_text(given.answer)}</code></td>"
    )
    return (
        f'<tr><th scope="row">{html_text(short_name(config.label))}</th>'
        f"<td class=n>{given.repeat + 1}</td>"
        f"<td>{', '.join(marks)}</td>{answer}</tr>\n"
    )
