"""Honest answers: files with ETag, Last-Modified and ranges, pages without any of them."""

from __future__ import annotations

import hashlib
import re
from email.utils import formatdate, parsedate_to_datetime

from support.answering import Answer

_RANGE = re.compile(r"bytes=(\d+)-(\d*)")


def page(content):
    """Return the answer to a request for a page, which is sent whole every time."""
    return _sized(content, 200, {})


def file(content, changed_at, asked):
    """Return the answer to a request for a file that changed at a moment: 200, 206, 304 or 416."""
    tag = f'"{hashlib.sha256(content).hexdigest()[:16]}"'
    versions = {"ETag": tag, "Last-Modified": formatdate(changed_at, usegmt=True), "Accept-Ranges": "bytes"}
    if _is_unchanged(asked.headers, tag, int(changed_at)):
        return _sized(b"", 304, versions)
    wanted = _RANGE.fullmatch(asked.headers.get("Range", ""))
    if wanted is None or asked.headers.get("If-Range", tag) not in {tag, versions["Last-Modified"]}:
        return _sized(content, 200, versions)
    start, end = int(wanted[1]), min(int(wanted[2] or len(content) - 1), len(content) - 1)
    if start > end:
        return _sized(b"", 416, versions | {"Content-Range": f"bytes */{len(content)}"})
    versions["Content-Range"] = f"bytes {start}-{end}/{len(content)}"
    return _sized(content[start : end + 1], 206, versions)


def _is_unchanged(headers, tag, changed_at):
    if "If-None-Match" in headers:  # by RFC 9110 the date counts only without it
        return tag in headers["If-None-Match"] or headers["If-None-Match"] == "*"
    since = headers.get("If-Modified-Since")
    return since is not None and parsedate_to_datetime(since).timestamp() >= changed_at


def _sized(body, status, headers):
    return Answer(body, status, headers | {"Content-Length": str(len(body))}, sized=False)
