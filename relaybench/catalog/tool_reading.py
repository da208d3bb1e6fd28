"""Read which server tools a config has, and which hosts they keep away from."""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping, Sequence
from typing import Final

from relaybench.domain.finding import Fault
from relaybench.domain.model import COMPATIBLE, MANUAL, SIMULATED
from relaybench.domain.tools import all_tools, described, known_tools, tool_provider
from relaybench.toml_files.fields import Fields

#: A host name in ASCII with a dot in it, in small letters.
_HOST: Final = re.compile(
    r"(?=.{4,253}\Z)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])"
)
#: What a prompt calls the tools that visit web pages.
_WEB: Final = frozenset({"web search", "fetching web pages"})
#: What to do about a block list, for those whose searches are out of our hands.
_NO_BLOCK_LIST: Final = {
    COMPATIBLE: "take them out, or ask for it in options.extra_body where the server has a search",
    SIMULATED: "take them out, or set options.wire to anthropic, responses or google",
    MANUAL: "take them out: nothing is sent for a manual model; notes may say what the page does",
}


def read_tools(fields: Fields, provider: str, options: Mapping[str, object]) -> tuple[str, ...]:
    """The tools of a config: all of its provider's where the key is left out.

    Where the provider's tools are known each name must be one of them; what a compatible server
    calls its tools is its own affair.
    """
    whose = tool_provider(provider, options)
    tools = fields.texts("tools")
    if "tools" not in fields.table:
        return all_tools(whose)
    known = known_tools(whose)
    if not known and whose != SIMULATED:
        return tools
    for index, name in enumerate(tools):
        if name not in known:
            _fault(fields, "tools", index, "unknown-tool", *_stranger(name, whose, known))
        elif name in tools[:index]:
            _fault(fields, "tools", index, "twice", f"tools names {name!r} twice", "write it once")
    return tools


def _stranger(name: str, whose: str, known: Sequence[str]) -> tuple[str, str]:
    if not known:
        return (
            f"the simulator has no tool {name!r} in this wire format",
            "set tools = [], or options.wire to anthropic, responses or google",
        )
    near = difflib.get_close_matches(name.strip().lower(), known, 1, 0.6)
    mend = f"did you mean {near[0]}?" if near else f"there are: {', '.join(known)}"
    return f"{whose} has no tool {name!r}", mend


def read_blocked_domains(
    fields: Fields, provider: str, options: Mapping[str, object], tools: Sequence[str]
) -> tuple[str, ...]:
    """Hosts that a config's web tools keep away from; each is a plain host name.

    A block list without a tool that takes one is a fault: it would block nothing.
    """
    domains = fields.texts("blocked_domains")
    for index, name in enumerate(domains):
        if not _HOST.fullmatch(name):
            _fault(
                fields,
                "blocked_domains",
                index,
                "bad-domain",
                f"{name!r} is not a plain host name",
                "write it like example.com: small ASCII letters, no http://, path, port, space or "
                "*; its subdomains are blocked with it",
            )
        elif name in domains[:index]:
            _fault(
                fields, "blocked_domains", index, "twice", f"{name} is there twice", "once will do"
            )
    whose = tool_provider(provider, options)
    if domains and whose in _NO_BLOCK_LIST:
        fields.fault(
            "blocked_domains",
            "unread",
            "there is no search to keep away from blocked_domains: no server tool is known here",
            _NO_BLOCK_LIST[whose],
        )
    elif domains and known_tools(whose) and not _WEB & set(described(whose, tools)):
        fields.fault(
            "blocked_domains",
            "unread",
            "the config has no tool that visits web pages, so blocked_domains would block nothing",
            "take them out, or add such a tool to tools",
        )
    return domains


def _fault(fields: Fields, key: str, index: int, code: str, problem: str, mend: str) -> None:
    fields.faults.append(Fault((*fields.path, key, index), code, problem, mend))
