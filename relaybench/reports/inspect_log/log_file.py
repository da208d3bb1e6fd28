"""One ``.eval`` file: a ZIP archive of JSON, written in one go and in flat memory.

The same log gives the same bytes every time: no member carries a time of its own.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterable
from typing import BinaryIO, Final
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from relaybench.domain.results import Outcome
from relaybench.reports.inspect_log.header import VERSION, Span, header, plan_of, spec
from relaybench.reports.inspect_log.samples import SCORER, Document, SampleWriter
from relaybench.store.plans import StoredPlan
from relaybench.store.results import ConfigResult
from relaybench.store.transcripts import Transcript

HEADER_FILE: Final = "header.json"
#: The first day that an archive can name.
_NO_TIME: Final = (1980, 1, 1, 0, 0, 0)
#: Responses are long and many: the fastest compression is some five times faster than the usual.
_COMPRESSION: Final = 1
_SPOOLED: Final = 1 << 20
_UNIX: Final = 3


def write_log(
    stream: BinaryIO,
    plan: StoredPlan,
    result: ConfigResult,
    transcripts: Iterable[Transcript],
    writer: SampleWriter,
) -> None:
    """Write the log of one model config; ``transcripts`` are read once, one by one.

    Attempts that were begun and have neither an answer nor an error are left out.
    """
    first, last = "", ""
    right: dict[str, list[bool]] = {}
    with (
        ZipFile(stream, "w", ZIP_DEFLATED, compresslevel=_COMPRESSION) as archive,
        tempfile.SpooledTemporaryFile(_SPOOLED) as summaries,
    ):
        start = {
            "version": VERSION,
            "eval": spec(plan, result.config, writer.with_answers),
            "plan": plan_of(result.config),
        }
        _add(archive, "_journal/start.json", start)
        separator = b"["
        for transcript in transcripts:
            row = transcript.row
            if row.outcome is Outcome.PENDING:
                continue
            sample = writer.sample(transcript)
            _add(archive, f"samples/{sample['id']}_epoch_{sample['epoch']}.json", sample)
            summaries.write(separator + _json(writer.summary(sample)))
            separator = b","
            first = min(first or row.started_at, row.started_at)
            last = max(last, row.finished_at or "")
            if row.outcome.scored:
                right.setdefault(row.item_digest, []).append(row.outcome is Outcome.CORRECT)
        summaries.write(b"]" if separator == b"," else b"[]")
        summaries.seek(0)
        with archive.open(_member("summaries.json"), "w", force_zip64=True) as member:
            while block := summaries.read(_SPOOLED):
                member.write(block)
        _add(archive, "reductions.json", _reductions(writer, right))
        whole = header(
            plan,
            result,
            Span(first, last),
            scored_items=len(right),
            with_answers=writer.with_answers,
        )
        _add(archive, HEADER_FILE, whole)


def _reductions(writer: SampleWriter, right: dict[str, list[bool]]) -> list[Document]:
    """The mean score of every item over its scored repeats."""
    samples = [
        {"sample_id": writer.ids[item], "value": sum(scores) / len(scores)}
        for item, scores in right.items()
    ]
    return [{"scorer": SCORER, "reducer": "mean", "samples": samples}]


def _member(name: str) -> ZipInfo:
    member = ZipInfo(name, _NO_TIME)
    member.compress_type = ZIP_DEFLATED
    member.create_system = _UNIX
    member.external_attr = 0o644 << 16
    return member


def _add(archive: ZipFile, name: str, document: object) -> None:
    archive.writestr(_member(name), _json(document), compresslevel=_COMPRESSION)


def _json(document: object) -> bytes:
    # Inspect reads money as floats, so that nothing here needs the exact writer of our tables.
    return json.dumps(document, separators=(",", ":"), allow_nan=False).encode("ascii")
