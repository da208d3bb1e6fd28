"""The command that prices an old run anew."""

from __future__ import annotations

from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING

import click

from relaybench.cli.output import columns, data, data_json, plural, say, usd

if TYPE_CHECKING:
    from relaybench.cli.main import Place
    from relaybench.domain.model import Prices
    from relaybench.workbench.results.repricing import RepriceReport


class Day(click.ParamType[date]):
    """A day: 2026-11-30, or today (UTC)."""

    name = "day"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> date:
        """Read a day."""
        if value == "today":
            return datetime.now(UTC).date()
        try:
            return date.fromisoformat(str(value))
        except ValueError:
            self.fail(f"{value!r} is no day; write 2026-11-30, or today", param, ctx)


@click.command()
@click.argument("run", required=False)
@click.option(
    "--prices",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Prices to use, a file like the catalog's prices.toml (default: the catalog's).",
)
@click.option(
    "--on",
    type=Day(),
    help="Take the prices of this day, or of today (default: of the day the run was made).",
)
@click.option("--dry-run", is_flag=True, help="Only print what would change.")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text")
@click.pass_obj
def reprice(
    place: Place, run: str | None, prices: Path | None, on: date | None, dry_run: bool, form: str
) -> None:
    """Compute all costs of RUN (default: the newest) anew from its stored token counts.

    Nothing is sent. The prices and the total that it had stay on record; a model without a price
    keeps the one it had.
    """
    from relaybench.workbench.results.repricing import reprice_run

    report = reprice_run(place.workspace, run, prices=prices, on=on, dry=dry_run)
    if form == "json":
        data_json(_json(report, dry_run))
        return
    rows = [["model", "old prices", "new prices", "old cost", "new cost", "change"]]
    for each in report.repriced:
        rows.append(
            [
                each.config.label,
                _day(each.old_prices),
                _day(each.new_prices),
                usd(each.old_cost),
                usd(each.new_cost),
                _change(each.old_cost, each.new_cost),
            ]
        )
    data(columns(rows, left=(1, 2)))
    for kept in report.kept:
        say(f"{kept.config.label} keeps its prices: {kept.why}.")
    of = f"run {report.run.name!r} by the prices of {report.source} as of {report.on}"
    if report.changed:
        attempts = sum(each.attempts for each in report.repriced)
        verb = "would be" if dry_run else "is now" if attempts == 1 else "are now"
        replaced = sum(each.replaced for each in report.repriced)
        say(
            f"{of}: {plural(attempts, 'attempt')} {verb} priced anew; the old prices of "
            f"{plural(replaced, 'model')} {'would stay' if dry_run else 'stay'} on record."
        )
    else:
        say(f"{of}: nothing changes.")


def _day(prices: Prices | None) -> str:
    if prices is None:
        return "none"
    return f"as of {prices.as_of}" if prices.as_of else "of an unknown day"


def _change(old: Decimal | None, new: Decimal | None) -> str:
    if old is None or new is None:
        return "unknown"
    sign = "-" if new < old else "+"
    return "none" if new == old else f"{sign}{usd(abs(new - old))}"


def _json(report: RepriceReport, dry_run: bool) -> dict[str, object]:
    return {
        "run": report.run.name,
        "dry_run": dry_run,
        "prices_of": report.source,
        "on": report.on.isoformat(),
        "models": [
            {
                "config": each.config.name,
                "model": each.config.label,
                "old_as_of": each.old_prices and each.old_prices.as_of,
                "new_as_of": each.new_prices.as_of,
                "old_usd": each.old_cost,
                "new_usd": each.new_cost,
                "prices_replaced": each.replaced,
                "attempts_changed": each.attempts,
            }
            for each in report.repriced
        ],
        "kept": [{"config": each.config.name, "why": each.why} for each in report.kept],
    }


COMMANDS = (reprice,)
