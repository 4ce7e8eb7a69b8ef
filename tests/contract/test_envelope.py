"""ENV and EDN-2: envelopes, headers, conditional requests, forms, and answers that can be had again."""

from __future__ import annotations

import csv
import gzip
import io
import json
import socket
from datetime import date
from decimal import Decimal

import pyarrow as pa
import pytest

from contract.keyed import addresses, furnish, key
from sankofa.ask.endpoint import LICENSE
from sankofa.surfaces.rest import ENDPOINTS
from support.filings import Filer
from support.waiting import until

ARROW = "application/vnd.apache.arrow.stream"


@pytest.fixture(scope="module")
def api(module_service):
    return furnish(module_service)


@pytest.fixture
def facts(api):
    return f"/v1/fundamentals/{api.large}"


@pytest.fixture(params=[*(each.name for each in ENDPOINTS), "macro as series", "shared_facts of a country"])
def any_name(request):
    return request.param


@pytest.fixture
def any_path(api, any_name):
    """An address of each endpoint that answers with rows."""
    return addresses(api)[any_name]


@pytest.fixture
def any_endpoint(any_name):
    return next(endpoint for endpoint in ENDPOINTS if endpoint.name == any_name.partition(" ")[0])


@pytest.mark.proves("ENV-1", "ENV-2", "ENV-3")
def test_every_answer_has_the_same_envelope(api, any_endpoint, any_path):
    body = api.get(any_path).exact
    rows = "observations" if any_path.startswith("/v1/signals/") else "data"
    common = [rows, "count", "truncated", "next_cursor", "edition", "as_of"]
    assert list(body) == [*common, *any_endpoint.always, "_license"]
    assert body["count"] == len(body[rows])
    assert body["count"] or any_endpoint.name.startswith(
        "export"
    )  # files are listed from the next edition on
    assert body["edition"] == 1
    assert body["_license"] == LICENSE
    assert "natural-person" in LICENSE
    assert "icence-clean" in LICENSE


@pytest.mark.proves("ENV-2")
def test_as_of_used_is_repeated_and_null_where_none_applies(api, facts):
    assert api.get(facts, as_of="2010-06-30").exact["as_of"] == "2010-06-30"
    ((day,),) = api.rows("SELECT published_at::date FROM serving.edition WHERE edition = 1")
    assert api.get(facts).exact["as_of"] == day.isoformat()
    assert api.get("/v1/editions").exact["as_of"] is None


@pytest.mark.proves("ENV-2", "SHF-3")
def test_as_of_is_repeated_only_where_it_gives_the_same_rows_again(api, any_endpoint, any_path):
    if "as_of" not in any_endpoint.params.__struct_fields__:
        return
    first = api.get(any_path).exact
    if first["as_of"] is None:
        assert any_endpoint.name == "macro"  # by year; a date means the other mode
    else:
        again = api.get(any_path, as_of=first["as_of"]).exact
        rows = any_endpoint.rows_key
        assert (again[rows], again["as_of"]) == (first[rows], first["as_of"])


@pytest.mark.proves("ENV-2", "SHF-3")
@pytest.mark.parametrize("asked", ["entity_id=KEN", "country=KEN&dataset=AF-MACRO", "entity_id=KEN&limit=1"])
def test_annual_values_among_shared_facts_are_cut_at_the_date_too(api, asked):
    path = f"/v1/shared/facts?{asked}"
    whole = api.get(path).exact
    assert whole["data"]
    assert api.get(path, as_of=whole["as_of"]).exact["data"] == whole["data"]
    dated = api.get(path, as_of="2024-06-30").exact
    assert dated["as_of"] == "2024-06-30"
    assert all(row["available_at"] <= "2024-06-30" for row in dated["data"])


@pytest.mark.proves("ENV-7", "ENV-8")
@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/health", 200),
        ("GET", "/v1/status", 200),
        ("GET", "/openapi.json", 200),
        ("GET", "/nowhere", 404),
        ("POST", "/v1/editions", 405),
        ("OPTIONS", "/v1/editions", 204),
        ("GET", "/v1/editions", 401),
        ("GET", "/v1/editions?edition=x", 401),
    ],
)
def test_every_kind_of_response_names_its_version_and_request(api, method, path, status):
    response = api.client.request(method, path)
    assert response.status_code == status
    assert response.headers["x-service-api-version"] == "1.0.0"
    assert len(response.headers["x-request-id"]) >= 16


@pytest.mark.proves("ENV-7", "ENV-8")
def test_keyed_responses_of_every_status_name_them_too(api, facts):
    etag = api.get(facts).headers["etag"]
    for path, headers, status in (
        (facts, {}, 200),
        (facts, {"If-None-Match": etag}, 304),
        (facts + "?asof=2020-01-01", {}, 400),
        ("/v1/fundamentals/DC0", {}, 404),
    ):
        response = api.get(path, headers={**headers, "X-Request-Id": "mine-1.a_B"})
        assert (response.status_code, response.headers["x-request-id"]) == (status, "mine-1.a_B")
        assert response.headers["x-service-api-version"] == "1.0.0"


def raw_answer(api, message):
    """Send bytes and return the status line, the fields and the body until the server closes, or answers."""
    with socket.create_connection((api.client.base_url.host, api.client.base_url.port), timeout=10) as peer:
        peer.sendall(message)
        head, _, body = b"".join(iter(lambda: peer.recv(65_536), b"")).partition(b"\r\n\r\n")
    status, *fields = head.decode().split("\r\n")
    return status.split(" ")[1], {field.partition(":")[0].lower() for field in fields}, body


@pytest.mark.proves("ENV-7", "ENV-8")
def test_only_what_never_becomes_a_request_is_answered_without_version_and_id(api):
    def get(fields):
        named = b"".join(b"X-%d: x\r\n" % number for number in range(fields - 2))
        return b"GET /v1/editions HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n" + named + b"\r\n"

    ours = {"x-service-api-version", "x-request-id"}
    for message, status in ((get(100), "401"), (get(3).replace(b"x\r", b"x" * 17_000 + b"\r"), "431")):
        got, fields, body = raw_answer(api, message)
        assert (got, ours <= fields) == (status, True)
        assert b"request_id" in body
    for message, status in (
        (get(101), "431"),
        (b"NONSENSE\r\n\r\n", "400"),
        (b"GET /v1/editions HTTP/1.1\r\nBad Field: x\r\n\r\n", "400"),
    ):
        got, fields, body = raw_answer(api, message)
        assert (got, body) == (status, b"")
        assert fields == {"connection", "content-length", "date"}


@pytest.mark.proves("ENV-8")
@pytest.mark.parametrize("sent", ["", "a b", "x" * 65, "é", "a/b"])
def test_a_request_id_in_another_form_is_replaced(api, sent):
    headers = {"X-Request-Id": sent.encode()}
    got = api.client.get("/health", headers=headers).headers["x-request-id"]
    assert got != sent
    assert got.isalnum()


@pytest.mark.proves("ENV-9", "EDN-2")
def test_content_location_gives_the_same_body_again(api, any_endpoint, any_path):
    names = any_endpoint.params.__struct_fields__
    sent = {name: text for name, text in (("as_of", "2015-06-30"), ("limit", 1)) if name in names}
    for params in ({}, sent):
        response = api.get(any_path, **params)
        address = response.headers["content-location"]
        assert address.startswith(any_path)
        assert ("&as_of=" in address.replace("?", "&")) == ("as_of" in params)
        assert response.headers["x-data-edition"] == "1"
        again = api.get(address)
        assert again.content == response.content
        assert again.headers["content-location"] == address


@pytest.mark.proves("EDN-2")
def test_an_edition_answers_byte_for_byte_whatever_is_published_since(make_service):
    service = make_service()
    filer = Filer(1).says(100, filed="2024-02-01")
    service.ingest(filer.document())
    service.publish()
    service_id = service.id_of(filer.identifier)
    recorded = {}
    for accept in ("application/json", "text/csv", "application/x-ndjson", ARROW):
        headers = {"Accept": accept, "Accept-Encoding": "identity"}
        recorded[accept] = service.get(f"/v1/fundamentals/{service_id}", headers=headers, edition=1).content
    for number in range(3):
        service.ingest(filer.says(90 - number, filed=f"2024-0{6 + number}-01").document())
        service.await_edition(service.publish().edition)
    for accept, content in recorded.items():
        headers = {"Accept": accept, "Accept-Encoding": "identity"}
        again = service.get(f"/v1/fundamentals/{service_id}", headers=headers, edition=1)
        assert again.content == content
    response = service.get(f"/v1/fundamentals/{service_id}", edition=5)
    assert (response.status_code, response.exact["parameter"]) == (400, "edition")


@pytest.mark.proves("ENV-10", "ENV-13", "TEN-2", "VER-2")
@pytest.mark.parametrize("repeats", [True, False], ids=["filters-repeated", "cursor-alone"])
def test_walking_the_pages_gives_every_row_once(api, facts, any_endpoint, any_path, repeats):
    whole = api.get(any_path).exact[any_endpoint.rows_key]
    headers = {"X-API-Key": api.issue("sample" if any_path == facts else "starter").key}
    limit = {"limit": 1} if any_endpoint.takes_limit else {}
    rows, path, cursor, pages = [], any_path, {}, 0
    while True:
        response = api.get(path, headers=headers, **limit, **cursor)
        body = response.exact
        rows += body[any_endpoint.rows_key]
        pages += 1
        assert body["truncated"] == (body["next_cursor"] is not None)
        if not body["truncated"]:
            break
        cursor = {"cursor": body["next_cursor"]}
        path = any_path if repeats else any_path.partition("?")[0]
    assert rows == whole
    assert pages == (3 if any_path == facts else len(whole) if any_endpoint.takes_limit else 1)


@pytest.mark.proves("ENV-10")
def test_a_full_last_page_is_not_followed_by_an_empty_one(api):
    editions = api.get("/v1/editions").exact["count"]
    body = api.get("/v1/editions", limit=editions).exact
    assert (body["count"], body["truncated"], body["next_cursor"]) == (editions, False, None)


@pytest.mark.proves("ENV-13")
def test_every_endpoint_that_takes_a_limit_takes_a_cursor():
    for endpoint in ENDPOINTS:
        names = endpoint.params.__struct_fields__
        assert "cursor" in names or "limit" not in names


@pytest.mark.proves("ENV-11")
def test_the_etag_is_strong_and_gives_304_without_a_body(api, facts):
    first = api.get(facts)
    etag = first.headers["etag"]
    assert etag.startswith('"')
    assert first.headers["cache-control"] == "private, no-cache"
    assert first.headers["vary"] == "X-API-Key, Authorization, Accept, Accept-Encoding"
    for sent in (etag, f'"other", {etag}', f"W/{etag}"):
        response = api.get(facts, headers={"If-None-Match": sent})
        assert (response.status_code, response.content) == (304, b"")
        assert response.headers["etag"] == etag
        assert response.headers["cache-control"] == "private, no-cache"
    assert api.get(facts, headers={"If-None-Match": '"other"'}).status_code == 200
    assert api.get(facts, headers={"If-None-Match": "*"}).status_code == 304
    assert api.get("/v1/fundamentals/DC0", headers={"If-None-Match": "*"}).status_code == 404


@pytest.mark.proves("ENV-11")
def test_the_etag_depends_on_all_that_decides_the_body(api, facts):
    variants = [
        api.get(facts),
        api.get(facts, as_of="2015-06-30"),
        api.get(facts, period_type="FY"),
        api.get(facts, headers={"Accept": "text/csv"}),
        api.get(facts, headers={"Accept-Encoding": "identity"}),
        api.get(facts, headers=key(api, "sample")),
    ]
    assert len({response.headers["etag"] for response in variants}) == len(variants)
    same = [api.get(facts, period_type=spelled).headers["etag"] for spelled in ("fy", "FY")]
    assert same[0] == same[1]


@pytest.mark.proves("ENV-11")
def test_a_takedown_changes_every_etag(make_service):
    service = furnish(make_service())
    path = f"/v1/fundamentals/{service.large}"
    etag = service.get(path, edition=1).headers["etag"]
    service.take_down(service.small)
    until(lambda: service.get(path, headers={"If-None-Match": etag}, edition=1).status_code != 304)
    assert service.get(path, edition=1).headers["etag"] != etag


@pytest.mark.proves("ENV-11", "KEY-10")
def test_a_repeated_request_is_answered_for_its_own_tier_format_and_key(api, facts):
    first = api.get(facts)
    assert api.get(facts).content == first.content
    sample = api.get(facts, headers=key(api, "sample"))
    assert (sample.headers["etag"] != first.headers["etag"], len(sample.exact["data"])) == (True, 25)
    assert api.get(facts, headers={"Accept": "text/csv"}).text.startswith("service_id,")
    assert api.get(facts, headers={"Accept": "application/json;q=0, image/png"}).status_code == 406
    assert api.get(facts, headers={"X-API-Key": "malformed"}).status_code == 401


@pytest.mark.proves("ENV-12")
def test_gzip_above_a_kibibyte_and_head_wherever_get_works(api, facts):
    with_gzip = api.get(facts, headers={"Accept-Encoding": "gzip"})
    assert with_gzip.headers["content-encoding"] == "gzip"
    plain = api.get(facts, headers={"Accept-Encoding": "identity"})
    assert "content-encoding" not in plain.headers
    assert with_gzip.content == plain.content
    short = api.get(f"/v1/fundamentals/{api.small}", headers={"Accept-Encoding": "gzip"}, as_of="1999-01-01")
    assert len(short.content) < 1024
    assert "content-encoding" not in short.headers
    for path in (facts, "/v1/editions", "/health", "/v1/status", "/openapi.json"):
        head = api.client.head(path, headers=api.headers)
        assert (head.status_code, head.content) == (200, b"")


@pytest.mark.proves("ENV-12")
def test_options_needs_no_key_and_any_origin_may_read(api, facts):
    response = api.client.options(facts, headers={"Origin": "https://elsewhere.example"})
    assert (response.status_code, response.content) == (204, b"")
    assert response.headers["access-control-allow-origin"] == "*"
    assert "X-API-Key" in response.headers["access-control-allow-headers"]
    assert "access-control-allow-credentials" not in response.headers
    exposed = api.get(facts).headers["access-control-expose-headers"]
    for name in ("ETag", "X-Data-Edition", "Content-Location", "RateLimit", "X-Request-Id", "X-Upgrade-URL"):
        assert name in exposed


@pytest.mark.proves("ENV-12")
@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH"])
def test_other_methods_are_405_with_allow(api, facts, method):
    for path in (facts, "/v1/editions", "/health"):
        response = api.client.request(method, path)
        assert response.status_code == 405
        assert response.headers["allow"] == "GET, HEAD, OPTIONS"
        assert response.headers["content-type"] == "application/problem+json"


def written(value):
    """Return a value as a cell of CSV: as in JSON, but without quotes, and empty for null."""
    if value is None:
        return ""
    return str(value).lower() if isinstance(value, bool) else str(value)


@pytest.mark.proves("ENV-14")
def test_the_same_rows_come_as_csv_ndjson_and_arrow(api, facts):
    rows = api.get(facts).exact["data"]
    as_csv = api.get(facts, headers={"Accept": "text/csv"})
    assert as_csv.headers["content-type"].startswith("text/csv")
    read = list(csv.DictReader(io.StringIO(as_csv.text)))
    assert [{name: written(value) for name, value in row.items()} for row in rows] == read
    as_lines = api.client.get(
        facts, headers={**api.headers, "Accept": "application/x-ndjson"}
    ).text.splitlines()
    assert [json.loads(line, parse_float=Decimal) for line in as_lines] == rows
    stream = api.get(facts, headers={"Accept": ARROW})
    table = pa.ipc.open_stream(stream.content).read_all()
    assert table.column("value_reported").to_pylist() == [Decimal(row["value_reported"]) for row in rows]
    assert table.column("period_end").to_pylist() == [date.fromisoformat(row["period_end"]) for row in rows]
    assert table.schema.metadata[b"count"] == str(len(rows)).encode()
    for response in (as_csv, stream):
        assert response.headers["x-count"] == str(len(rows))
        assert response.headers["x-truncated"] == "false"
        assert 'rel="license"' in response.headers["link"]


@pytest.mark.proves("ENV-14")
def test_the_next_page_travels_in_a_link(api, facts):
    headers = {**key(api, "sample"), "Accept": "text/csv"}
    first = api.get(facts, headers=headers)
    assert first.headers["x-truncated"] == "true"
    (link,) = (part for part in first.headers["link"].split(", ") if 'rel="next"' in part)
    second = api.get(link[1 : link.index(">")], headers=headers)
    assert second.status_code == 200
    assert second.text.splitlines()[1] != first.text.splitlines()[1]


@pytest.mark.proves("ENV-14")
@pytest.mark.parametrize(
    ("accept", "status", "content_type"),
    [
        ("image/png", 200, "application/json"),
        ("application/json;q=0", 406, "application/problem+json"),
        ("text/csv;q=0.5, application/json;q=0.1", 200, "text/csv; charset=utf-8; header=present"),
        ("*/*", 200, "application/json"),
    ],
)
def test_nothing_acceptable_is_json_and_only_a_refused_json_is_406(api, facts, accept, status, content_type):
    response = api.get(facts, headers={"Accept": accept})
    assert (response.status_code, response.headers["content-type"]) == (status, content_type)


@pytest.mark.proves("ENV-14")
def test_errors_stay_problem_documents_in_every_form(api, facts):
    response = api.get(facts, headers={"Accept": "text/csv"}, asof="2020-01-01")
    assert response.headers["content-type"] == "application/problem+json"


def test_gzip_bodies_are_the_same_bytes_every_time(api, facts):
    with api.client.stream("GET", facts, headers={**api.headers, "Accept-Encoding": "gzip"}) as one:
        first = b"".join(one.iter_raw())
    assert gzip.decompress(first)
