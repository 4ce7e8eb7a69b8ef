"""The pages on errors: one for each problem type, at the address that its `type` names.

What a problem is called and what its document says comes from the code; the advice comes from
`problem_advice.toml`.
"""

import json
import tomllib
from pathlib import Path

from dev.stack import ROOT
from sankofa.access.decision import BURST, Decision, LimitReached, Violation
from sankofa.access.tiers import Tiers
from sankofa.core.errors import BadParameter, PaymentRequired, ServiceError, StoreUnavailable, Unauthorised
from sankofa.surfaces.tool_calls import UNKNOWN_TOOL
from sankofa.web import problems
from sankofa.web.problems import PROBLEMS, Problem

ADVICE = tomllib.loads(Path(__file__).with_name("problem_advice.toml").read_text(encoding="utf-8"))
FOLDER = ROOT / "docs" / "problems"
_REQUEST = "3f8ddcf685a7d36a56f64f68"
_ORIGIN = "https://api.example"
_TIERS = Tiers()

_ERRORS: dict[str, ServiceError] = {
    "invalid-parameter": BadParameter("asof", "unknown parameter; did you mean as_of?"),
    "invalid-key": Unauthorised(),
    "tier-limit": PaymentRequired("limit", _TIERS.sample.rows),
    "limit-reached": LimitReached(Decision(), Violation(BURST, _TIERS.sample.per_minute, 12)),
    "unavailable": StoreUnavailable("keys"),
}

_PAGE = """\
# {title}

**{status}** · `{code}`

{happens}

{advice}

The problem document, as `application/problem+json`:

```
{example}
```

[All errors](index.md)
"""

_INDEX = """\
# Errors

An error is a problem document ([RFC 9457](https://www.rfc-editor.org/rfc/rfc9457)) in the media type
`application/problem+json`. Its `type` is the address of one of the pages below. `code` is stable and meant
for programs, `detail` explains what to do next, and an operator finds the request by its `request_id`.
A problem document never repeats what the caller sent.

| status | code | meaning |
|---|---|---|
{rows}

Checks run in this order: host, path and method, key, limits, parameters, tier, and then whether there is such
a record. An answer to a wrong key therefore never reveals whether the parameters were right. 2xx, 304, 400,
402 and 404 count against the limits of a key; 401, 429 and 503 do not.

These pages are made from `web/problems.py` by `.venv/bin/python -m dev problems`.
"""


def all_problems() -> list[Problem]:
    """Return every problem that a caller can be shown, by status."""
    named = [each for each in vars(problems).values() if isinstance(each, Problem)]
    return sorted([*PROBLEMS.values(), *named, UNKNOWN_TOOL], key=lambda each: (each.status, each.code))


def pages() -> dict[str, str]:
    """Return each page by its name within the folder."""
    found = all_problems()
    rows = "\n".join(f"| {each.status} | [`{each.code}`]({each.code}.md) | {each.title} |" for each in found)
    return {"index.md": _INDEX.format(rows=rows), **{f"{each.code}.md": _page(each) for each in found}}


def _page(problem: Problem) -> str:
    body = json.loads(problems.document(problem, _REQUEST, _ERRORS.get(problem.code), origin=_ORIGIN))
    return _PAGE.format(
        title=problem.title,
        status=problem.status,
        code=problem.code,
        **ADVICE[problem.code],
        example=json.dumps(body, indent=2, ensure_ascii=False),
    )
