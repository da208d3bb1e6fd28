"""Checkers of the document classes: they parse the rendered text, sentence by sentence."""

import re
from dataclasses import dataclass, field
from datetime import datetime
from fractions import Fraction

from tests.problems.checkers.registry import Checker, Data, rows


@dataclass(slots=True)
class _Incident:
    opened: datetime
    team: str
    severity: int
    closed: datetime | None = None
    is_open: bool = True
    void: bool = False
    at_close: tuple[str, int] = field(default=("", 0))


def _incidents(log: str) -> dict[str, _Incident]:
    """Play the log back, line by line."""
    found: dict[str, _Incident] = {}
    before: datetime | None = None
    for line in rows(log):
        match = re.fullmatch(r"(\S+) (\S+) ([A-Z]+) (INC-\d{4})(?: (.*))?", line)
        assert match, line
        moment, event, number = datetime.fromisoformat(match[1]), match[3], match[4]
        assert before is None or before < moment, "the log is not in the true order"
        before = moment
        fields = dict(re.findall(r"(sev|team)=(\S+)", match[5] or ""))
        if event == "OPEN":
            assert number not in found
            found[number] = _Incident(moment, fields["team"], int(fields["sev"]))
            continue
        incident = found[number]
        match event:
            case "TRANSFER":
                incident.team = fields["team"]
            case "RERATE":
                incident.severity = int(fields["sev"])
            case "CLOSE":
                assert incident.is_open
                incident.closed, incident.is_open = moment, False
                incident.at_close = (incident.team, incident.severity)
            case "REOPEN":
                assert not incident.is_open
                incident.is_open = True
            case "VOID":
                incident.void = True
            case other:
                assert other == "NOTE", other
    return found


def incident_log(data: Data) -> str:
    """Return the longest incident that fits, which must be the only one of its length."""
    lengths = {
        number: int((incident.closed - incident.opened).total_seconds())
        for number, incident in _incidents(data["log"]).items()
        if incident.closed is not None
        and not incident.is_open
        and not incident.void
        and incident.at_close[0] == data["team"]
        and incident.at_close[1] <= 2
    }
    longest = max(lengths.values())
    (number,) = (name for name, length in lengths.items() if length == longest)
    return f"{number}/{longest}"


MOTION = re.compile(
    r"Motion (\d+) \((\w+)\), moved by (\w+): to (.+)\. "
    r"The vote was (\d+) for and (\d+) against; the others abstained\."
    r"(?: The chair gave the casting vote (for|against) the motion\.)?"
)


def _is_carried(kind: str, present: int, votes: tuple[int, int], casting: str | None) -> bool:
    in_favour, against = votes
    assert in_favour + against <= present
    if kind == "ordinary":
        assert (casting is not None) == (in_favour == against)
        return in_favour > against or casting == "for"
    assert casting is None
    if kind == "financial":
        return Fraction(in_favour, present) > Fraction(1, 2)
    assert kind == "charter"
    assert in_favour + against > 0, "two thirds of nobody"
    return Fraction(in_favour, in_favour + against) >= Fraction(2, 3)


def council_minutes(data: Data) -> str:
    """Keep the set of those in the room and the set of motions in force."""
    first, *lines = rows(data["minutes"])
    opening = re.fullmatch(r".* Councillor (\w+) in the chair\. Also present: (.+)\.", first)
    assert opening
    room = {opening[1], *opening[2].split(", ")}
    in_force: set[int] = set()
    for line in lines:
        if move := re.fullmatch(r"At \d\d:\d\d (.+) (left the room|joined the meeting)\.", line):
            people = set(move[1].split(" and "))
            if move[2].startswith("left"):
                assert people <= room
                room -= people
            else:
                assert not people & room
                room |= people
        elif motion := MOTION.fullmatch(line):
            kind, mover, purpose = motion[2], motion[3], motion[4]
            assert mover in room
            votes = (int(motion[5]), int(motion[6]))
            if len(room) < int(data["quorum"]):
                assert sum(votes) <= len(room)
                continue
            if not _is_carried(kind, len(room), votes, motion[7]):
                continue
            if rescinded := re.fullmatch(r"rescind Motion (\d+)", purpose):
                in_force.discard(int(rescinded[1]))
            else:
                in_force.add(int(motion[1]))
        else:
            assert line.startswith("The meeting closed"), line
    return ",".join(map(str, sorted(in_force)))


LISTED = re.compile(r"crate (\d+) with (\d+) kilograms of (\w+) for the house of (\w+)")
SENTENCES: dict[str, re.Pattern[str]] = {
    "goods": re.compile(r"crate (\d+) turns out to hold (\w+) and not (\w+)"),
    "weight": re.compile(r"the weight of crate (\d+) is (\d+) kilograms"),
    "house": re.compile(r"crate (\d+) has been sold on to the house of (\w+)"),
    "lost": re.compile(r"crate (\d+) was lost overboard"),
    "swap": re.compile(
        r"the labels of crate (\d+) and crate (\d+) were exchanged, so that each of the two "
        r"houses gets the crate that was meant for the other"
    ),
    "split": re.compile(
        r"(\d+) kilograms were taken out of crate (\d+) and packed as crate (\d+) "
        r"for the house of (\w+)"
    ),
}


@dataclass(slots=True)
class _Crate:
    weight: int
    goods: str
    house: str


def _correct(crates: dict[str, _Crate], sentence: str) -> None:
    """Carry out one correction; a sentence that no pattern fits is a failure."""
    kind, match = next(
        (kind, match)
        for kind, pattern in SENTENCES.items()
        if (match := pattern.fullmatch(sentence))
    )
    match kind:
        case "goods":
            assert crates[match[1]].goods == match[3]
            crates[match[1]].goods = match[2]
        case "weight":
            crates[match[1]].weight = int(match[2])
        case "house":
            crates[match[1]].house = match[2]
        case "lost":
            del crates[match[1]]
        case "swap":
            one, two = crates[match[1]], crates[match[2]]
            one.house, two.house = two.house, one.house
        case _:
            part, old = int(match[1]), crates[match[2]]
            assert match[3] not in crates
            assert old.weight > part
            old.weight -= part
            crates[match[3]] = _Crate(part, old.goods, match[4])


def harbour_letters(data: Data) -> str:
    """Read the list of the first letter, then every correction in order."""
    crates: dict[str, _Crate] = {}
    for paragraph in rows(data["letters"]):
        for number, weight, goods, house in LISTED.findall(paragraph):
            assert number not in crates
            crates[number] = _Crate(int(weight), goods, house)
        for sentence in re.findall(
            r"(?:Firstly|Secondly|Thirdly|Further|Lastly), ([^.]+)\.", paragraph
        ):
            _correct(crates, sentence)
    totals: dict[str, int] = {}
    for crate in crates.values():
        if crate.goods == data["goods"]:
            totals[crate.house] = totals.get(crate.house, 0) + crate.weight
    most = max(totals.values())
    (winner,) = (house for house, weight in totals.items() if weight == most)
    return f"{winner}/{most}"


CHECKERS: dict[str, Checker] = {
    "information-extraction/incident-log": incident_log,
    "information-extraction/council-minutes": council_minutes,
    "information-extraction/harbour-letters": harbour_letters,
}
