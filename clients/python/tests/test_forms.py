"""CSV answers and header fields that somebody fetched without the client."""

from __future__ import annotations

import csv
import io
from datetime import date

import httpx
import pytest

from sankofa_client import forms


def fetched(demo, path):
    return demo.get(path, headers={"Accept": "text/csv"})


@pytest.mark.parametrize(
    "path",
    [
        "/v1/fundamentals/{issuer}?as_of=2024-03-14",
        "/v1/crosswalk?id_type=ticker&id_value=XNAI:NYAL",
        "/v1/screen?metric=net_margin&absent=true",
        "/v1/tenders?country=KE&limit=3",
        "/v1/editions",
    ],
)
def test_header_fields_hold_the_envelope_of_json(demo, client, issuer, path):
    path = path.format(issuer=issuer)
    body = demo.get(path).exact
    response = fetched(demo, path)
    envelope = forms.envelope(response.headers)
    assert envelope == forms.envelope({name.title(): text for name, text in response.headers.items()})
    stated = {name: getattr(envelope, name) for name in forms.Envelope.__struct_fields__}
    stated["_license"] = stated.pop("license")
    stated["as_of"] = stated["as_of"] and stated["as_of"].isoformat()
    assert {name: stated[name] for name in body if name not in {"data", "observations"}} == {
        name: value for name, value in body.items() if name not in {"data", "observations"}
    }
    if envelope.next_cursor:
        following = client.tenders(country="KE", limit=3, cursor=envelope.next_cursor)
        assert following.count == 3


def test_a_date_is_a_date_and_a_response_of_httpx_can_be_passed(demo, issuer):
    response = fetched(demo, f"/v1/fundamentals/{issuer}?as_of=2024-03-14")
    assert forms.envelope(response.headers).as_of == date(2024, 3, 14)
    with pytest.raises(ValueError, match="X-Answer"):
        forms.envelope(httpx.Headers({"Content-Type": "application/json"}))


def written(value):
    if value is None:
        return None
    return str(value).lower() if isinstance(value, bool) else str(value)


def test_csv_rows_are_the_rows_of_json_as_text(demo, issuer):
    path = f"/v1/fundamentals/{issuer}?period_type=FY"
    rows = demo.get(path).exact["data"]
    expected = [{name: written(value) for name, value in row.items()} for row in rows]
    assert forms.csv_rows(fetched(demo, path).text) == expected


TEXTS = ["=1+1", "+1", "-1", "@a", "\ta", "\ra", "\na", "'a", "''a", "", 'a "b", c', "a\r\nb", "plain", "＝1"]  # noqa: RUF001


@pytest.mark.parametrize("text", TEXTS)
def test_a_text_that_was_guarded_comes_back(text):
    guarded = f"'{text}" if text[:1] in set("=+-@\t\r\n'＝") else text  # noqa: RUF001
    assert forms.original_text(guarded) == text
    written = io.StringIO()
    csv.writer(written, quoting=csv.QUOTE_ALL).writerows([["name", "value"], [guarded, "-5"]])
    assert forms.csv_rows(written.getvalue()) == [{"name": text, "value": "-5"}]


def test_null_and_the_empty_text_differ():
    assert forms.csv_rows('a,b,c\r\n,"",1\r\n') == [{"a": None, "b": "", "c": "1"}]


@pytest.mark.parametrize("text", ["a,b\r\n1", 'a,b\r\n"1,2\r\n', "a,b\r\n1\r\n", 'a\r\nx"y\r\n'])
def test_a_damaged_file_is_refused(text):
    with pytest.raises(ValueError, match=r"expected|zip"):
        forms.csv_rows(text)
