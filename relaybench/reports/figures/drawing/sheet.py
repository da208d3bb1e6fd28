"""The sheet that a figure is drawn on: inches from the top left, text, boxes, lines and marks.

There are no axes, ticks or layout of matplotlib's own: all is placed by our own measure, so that
nothing overlaps by surprise and every version draws the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from matplotlib.figure import Figure as Canvas
from matplotlib.lines import Line2D
from matplotlib.patches import FancyBboxPatch, PathPatch, Rectangle
from matplotlib.path import Path as Outline

from relaybench.reports.figures.drawing.lettering import font, line_height, width
from relaybench.reports.figures.style import Style

INK: Final = "#1a1a1a"
GREY: Final = "#595959"
PALE: Final = "#d0d0d0"
#: Room around everything, in inches.
MARGIN: Final = 0.08
#: Watermarks may lie under other texts.
WATERMARK: Final = "watermark"
SIMULATED_LINE: Final = "SIMULATED: made-up results, of no real model"


class Sheet:
    """A figure under construction; ``finish`` gives it its height."""

    def __init__(self, style: Style, *, simulated: bool = False) -> None:
        self.style = style
        self.width = style.width
        self.font = style.font
        self.small = max(style.font * 0.82, 4.5)
        self.top = MARGIN
        self.canvas = Canvas(figsize=(style.width, 1.0), facecolor="white")
        self._axes = self.canvas.add_axes((0.0, 0.0, 1.0, 1.0))
        self._axes.set_axis_off()
        self._axes.set_xlim(0.0, style.width)
        self._simulated = simulated
        if simulated:
            self._say_simulated()

    def _say_simulated(self) -> None:
        size = self.font
        while width(SIMULATED_LINE, size, bold=True) > self.width - 3 * MARGIN:
            size *= 0.95
        high = line_height(size) + 0.04
        self.box(MARGIN, self.top, self.width - 2 * MARGIN, high, edge=INK, line=0.8)
        self.text(self.width / 2, self.top + high / 2, SIMULATED_LINE, size, ha="center", bold=True)
        self.top += high + 0.08

    @property
    def line(self) -> float:
        """Height of a line in inches."""
        return line_height(self.font)

    @property
    def small_line(self) -> float:
        """Height of a small line in inches."""
        return line_height(self.small)

    def text(
        self,
        x: float,
        y: float,
        text: str,
        size: float | None = None,
        *,
        ha: str = "left",
        bold: bool = False,
        colour: str = INK,
        halo: bool = False,
        order: float = 5.0,
    ) -> None:
        """Write a line, its middle at ``y``; ``halo`` whitens what is behind it."""
        if not text:
            return
        self._axes.text(
            x,
            y,
            text,
            horizontalalignment=ha,
            verticalalignment="center",
            fontproperties=font(size or self.font, bold=bold),
            color=colour,
            parse_math=False,
            zorder=order,
            bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.8} if halo else None,
        )

    def lines(
        self,
        x: float,
        middle: float,
        lines: Sequence[str],
        size: float | None = None,
        *,
        ha: str = "left",
        colour: str = INK,
    ) -> None:
        """Write some lines, all of them together around ``middle``."""
        step = line_height(size or self.font)
        top = middle - step * len(lines) / 2
        for number, text in enumerate(lines):
            self.text(x, top + step * (number + 0.5), text, size, ha=ha, colour=colour)

    def box(
        self,
        x: float,
        y: float,
        wide: float,
        high: float,
        *,
        fill: str = "none",
        edge: str = "none",
        line: float = 0.6,
        hatch: str | None = None,
        dashed: bool = False,
        rounded: float = 0.0,
        order: float = 2.0,
    ) -> None:
        """Draw a box from its top left corner."""
        style = {
            "facecolor": fill,
            "edgecolor": edge,
            "linewidth": line,
            "linestyle": (0, (3, 2)) if dashed else "solid",
            "zorder": order,
        }
        if rounded:
            shape = f"round,pad=0,rounding_size={rounded}"
            self._axes.add_patch(FancyBboxPatch((x, y), wide, high, boxstyle=shape, **style))  # type: ignore[arg-type]
            return
        self._axes.add_patch(Rectangle((x, y), wide, high, hatch=hatch, **style))  # type: ignore[arg-type]

    def stroke(
        self,
        points: Sequence[tuple[float, float]],
        *,
        colour: str = INK,
        line: float = 0.8,
        dash: tuple[float, ...] = (),
        order: float = 3.0,
    ) -> None:
        """Draw a line through points."""
        xs, ys = [x for x, _ in points], [y for _, y in points]
        self._axes.add_line(
            Line2D(
                xs,
                ys,
                color=colour,
                linewidth=line,
                linestyle=(0, dash) if dash else "solid",
                solid_capstyle="butt",
                zorder=order,
            )
        )

    def curve(
        self,
        points: Sequence[tuple[float, float]],
        *,
        colour: str = INK,
        line: float = 0.9,
        order: float = 1.5,
    ) -> None:
        """Draw a smooth way down through points: upright at each of them."""
        outline, codes = [points[0]], [Outline.MOVETO]
        for (x0, y0), (x1, y1) in pairwise(points):
            if x0 == x1:
                outline.append((x1, y1))
                codes.append(Outline.LINETO)
                continue
            middle = (y0 + y1) / 2
            outline += [(x0, middle), (x1, middle), (x1, y1)]
            codes += [Outline.CURVE4] * 3
        self._axes.add_patch(
            PathPatch(
                Outline(outline, codes),
                facecolor="none",
                edgecolor=colour,
                linewidth=line,
                zorder=order,
            )
        )

    def head(self, x: float, y: float, *, right: bool = False, size: float = 0.06) -> None:
        """Draw an arrowhead whose point is at (x, y), downward or to the right."""
        half = size * 0.5
        back = [(x - size, y - half), (x - size, y + half)]
        if not right:
            back = [(x - half, y - size), (x + half, y - size)]
        outline = Outline(
            [(x, y), *back, (x, y)],
            [Outline.MOVETO, Outline.LINETO, Outline.LINETO, Outline.CLOSEPOLY],
        )
        self._axes.add_patch(PathPatch(outline, facecolor=INK, edgecolor="none", zorder=3.5))

    def mark(
        self, x: float, y: float, marker: str, *, fill: str, size: float, edge: str = INK
    ) -> None:
        """Draw a marker; ``size`` in points, a white ``fill`` is hollow."""
        self._axes.add_line(
            Line2D(
                [x],
                [y],
                linestyle="none",
                marker=marker,
                markersize=size,
                markerfacecolor=fill,
                markeredgecolor=edge,
                markeredgewidth=0.9 if fill == "white" else 0.6,
                zorder=4.0,
            )
        )

    def whisker(self, low: float, high: float, y: float, *, cap: float, colour: str = INK) -> None:
        """Draw an interval across, with an end of ``cap`` inches on both sides."""
        self.stroke([(low, y), (high, y)], colour=colour, line=1.0)
        for x in (low, high):
            self.stroke([(x, y - cap / 2), (x, y + cap / 2)], colour=colour, line=1.0)

    def dagger(self, x: float, y: float) -> None:
        """Draw a dagger of strokes: it marks what is incomplete."""
        self.stroke([(x, y - 0.045), (x, y + 0.05)], line=1.0)
        self.stroke([(x - 0.025, y - 0.015), (x + 0.025, y - 0.015)], line=1.0)

    def paragraph(self, lines: Sequence[str], *, size: float | None = None) -> None:
        """Write lines under what is there already, and move on."""
        for text in lines:
            self.text(MARGIN, self.top + self.small_line / 2, text, size or self.small, colour=GREY)
            self.top += self.small_line

    def watermark(self, left: float, top: float, wide: float, high: float) -> None:
        """Write SIMULATED large and pale behind what is drawn there, if it is made up."""
        if not self._simulated:
            return
        size = 40.0
        while width("SIMULATED", size, bold=True) > wide * 0.85 or size / 72 > high * 0.7:
            size *= 0.9
            if size < 5:
                return
        self._axes.text(
            left + wide / 2,
            top + high / 2,
            "SIMULATED",
            horizontalalignment="center",
            verticalalignment="center",
            fontproperties=font(size, bold=True),
            color="#e9e9e9",
            parse_math=False,
            zorder=0.2,
            gid=WATERMARK,
        )

    def finish(self) -> Canvas:
        """Cut the sheet to what is drawn, and return it."""
        height = self.top + MARGIN
        self.canvas.set_size_inches(self.width, height)
        self._axes.set_ylim(height, 0.0)
        return self.canvas
