"""The page on limits, made from the numbers that the service applies."""

from dev.stack import ROOT
from sankofa.access.tiers import TIER_NAMES, Tiers
from sankofa.ask.question import PAGE_BYTES
from sankofa.surfaces.mcp_door import DEEPEST
from sankofa.surfaces.settings import Settings
from sankofa.surfaces.tool_calls import DEFAULT_ROWS
from sankofa.tenders.routes import TENDERS
from sankofa.web.body import BODY_SECONDS, LARGEST_BODY
from sankofa.web.edge import LARGEST_HEADERS, LONGEST_URL

PAGE = ROOT / "docs" / "reference" / "limits.md"

_PAGE = """\
# Limits

Each key has a tier. These are the numbers that the service is shipped with; an operator can change them by
`SANKOFA_TIERS`, and `/openapi.json` shows those of the service that you ask.

| tier | rows a page | requests a minute | requests a month | rows a minute | requests at once |
|---|---|---|---|---|---|
{tiers}

- **A page.** `limit` sets its rows, up to the number above. Left out, a paid key gets {paid} rows and a
  sample key its {sample}. `truncated` is true if more matched, and `next_cursor` continues. Fundamentals take
  no `limit`: a paid key gets all rows, a sample key the first {sample}.
- **A minute** is any 60 seconds, not a minute of the clock. **A month** is a calendar month in UTC.
- **Rows a minute** are those of all answers together. A release of `/v1/tenders` takes longer to make and
  counts as {release} rows, so a page holds at most {releases:,} of them. For whole datasets there are
  [files](../export.md), which have no such limit.
- **At once**: more requests than that wait for their turn. If too many of yours wait, the answer is 429 with
  the policy `at-once`.
- **Above a limit** the answer is [429](../problems/limit-reached.md) with `Retry-After`. It is not counted,
  and neither is 401. A 503 is counted in the minute, but not in the month.
- **Keys that are refused** count by client address. Above {refused:,} a minute the answer to them is 429 too,
  and comes late. Valid keys from the same address are not affected.
- **Over MCP** each message is one request, whatever its method.
- **Before a limit** the header `RateLimit` of each answer has the remaining number, and the
  seconds until it increases.
- **A `limit` above the tier** is [402](../problems/tier-limit.md) for a sample key, and
  [400](../problems/invalid-parameter.md) for a paid one.
- **The public sandbox key** is a sample key shared by all visitors. Its limits count by client address, under
  a common ceiling of {ceiling:,} requests a minute.

| size | at most | above it |
|---|---|---|
| a page | {page} MiB, then `next_cursor` goes on | no error |
| an address | {url} KiB | [414](../problems/url-too-long.md) |
| all headers | {headers} KiB | [431](../problems/headers-too-large.md) |
| a message to `/mcp` | {message} KiB | [413](../problems/body-too-large.md) |
| the time for such a message | {body_seconds} s after its head | [408](../problems/body-too-slow.md) |
| nesting of such a message | {deepest} levels | [400](../problems/unreadable-message.md) |
| rows of a tool's answer without `limit` | {tool_rows}, and 8 KB | `next_cursor` goes on |

This page is made by `.venv/bin/python -m dev limits`.
"""


def limits_page() -> str:
    """Return the page that lists every limit a caller can meet."""
    tiers = Tiers()
    rows = [tiers.named(name) for name in TIER_NAMES]
    return _PAGE.format(
        tiers="\n".join(
            f"| {tier.name} | {tier.rows:,} | {tier.per_minute:,} | {tier.per_month:,}"
            f" | {tier.rows_per_minute:,} | {tier.at_once} |"
            for tier in rows
        ),
        release=TENDERS.weight,
        releases=TENDERS.largest_page,
        paid=tiers.professional.page(None),
        sample=tiers.sample.rows,
        ceiling=Settings.model_fields["public_ceiling"].default,
        refused=Settings.model_fields["refused_keys"].default,
        body_seconds=BODY_SECONDS,
        page=PAGE_BYTES >> 20,
        url=LONGEST_URL >> 10,
        headers=LARGEST_HEADERS >> 10,
        message=LARGEST_BODY >> 10,
        deepest=DEEPEST,
        tool_rows=DEFAULT_ROWS,
    )
