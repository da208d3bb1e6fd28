"""A table for LaTeX with booktabs, ready to be put into a paper."""

from __future__ import annotations

from collections.abc import Iterable

from relaybench.reports.display import display
from relaybench.reports.escaping import latex_text
from relaybench.reports.tables import PAGE, Table


def _line(cells: Iterable[str]) -> str:
    return " & ".join(latex_text(cell) for cell in cells) + r" \\"


def latex_table(table: Table, level: int = PAGE) -> str:
    """A floating table with its title as caption and its notes below; columns that fit a page.

    Needs ``\\usepackage{booktabs}``. Letters outside of ASCII stay as they are (UTF-8).
    """
    view = display(table, level)
    lines = [
        r"% Needs \usepackage{booktabs}; for names beyond Latin script XeLaTeX or LuaLaTeX.",
        r"\begin{table}",
        r"\centering\small",
        rf"\caption{{{latex_text(table.title)}}}",
        rf"\begin{{tabular}}{{{''.join('r' if right else 'l' for right in view.numeric)}}}",
        r"\toprule",
        _line(view.headings),
        r"\midrule",
        *(_line(row) for row in view.rows),
        r"\bottomrule",
        r"\end{tabular}",
    ]
    if table.notes:
        lines += [r"\par\medskip", r"\begin{minipage}{\linewidth}\footnotesize"]
        lines += [rf"{latex_text(note)}\par" for note in table.notes]
        lines.append(r"\end{minipage}")
    lines.append(r"\end{table}")
    return "\n".join(lines) + "\n"
