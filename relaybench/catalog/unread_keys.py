"""Name every key of a catalog file that nothing reads: it would be dropped in silence."""

from __future__ import annotations

import difflib
import re
from typing import Final

from relaybench.domain.finding import Fault
from relaybench.toml_files.fields import Fields

#: How keys of well-known services begin.
KEY_FORM: Final = re.compile(
    r"(?:sk|pk|rk|xai|key|nvapi|pplx|fw|csk|tgp_v1)[-_]|(?:gsk|hf|r8|ghp)_|AIza|AKIA|Bearer",
    re.IGNORECASE,
)
#: Names of settings that hold a secret.
SECRET_NAME: Final = re.compile(
    r"(?:x[-_])?(?:api[-_]?)?key|(?:api|access|auth|bearer|secret)[-_]?(?:token|key)|token"
    r"|secret|password|authorization",
    re.IGNORECASE,
)


def no_unread(fields: Fields, what: str, mend: str) -> None:
    """Add a fault for each key that was not asked for; ``notes`` are the author's own."""
    for key in fields.table:
        if key in fields.known or key == "notes":
            continue
        if KEY_FORM.match(key):
            key_shown, path = "a key of this table", fields.path  # it may be a secret itself
        else:
            key_shown, path = key, (*fields.path, key)
        near = difflib.get_close_matches(key, fields.known, 1, 0.75)
        if SECRET_NAME.fullmatch(key):
            advice = 'name the variable that holds it: key_env = "…"; never put a key in this file'
        else:
            advice = f"did you mean {near[0]}?" if near else mend
        fields.faults.append(Fault(path, "unknown-key", f"{key_shown} is not {what}", advice))
