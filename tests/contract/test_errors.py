"""ERR: one shape for every error, strict parameters, and nothing that leaks."""

from __future__ import annotations

import re
from datetime import date, timedelta

import pytest

from contract.keyed import furnish, key, path_of
from sankofa.surfaces.rest import ENDPOINTS


@pytest.fixture(scope="module")
def api(module_service):
    return furnish(module_service)


@pytest.fixture
def facts(api):
    return f"/v1/fundamentals/{api.large}"


def parameter_of(response):
    assert response.status_code == 400, response.text
    return response.json()["parameter"]


@pytest.mark.proves("ERR-1")
def test_every_error_is_a_problem_document_with_a_stable_code(api, facts):
    for response, code in (
        (api.get(facts, as_of="x"), "invalid-parameter"),
        (api.client.get(facts), "invalid-key"),
        (api.get("/v1/editions", headers=key(api, "sample"), limit=26), "tier-limit"),
        (api.get("/v1/fundamentals/DC0"), "not-found"),
        (api.client.get("/nowhere"), "unknown-path"),
        (api.client.post(facts), "method-not-allowed"),
        (api.get(facts, headers={"Host": "evil.example"}), "unlisted-host"),
        (api.get(facts, headers={"Accept": "application/json;q=0"}), "not-acceptable"),
    ):
        assert response.headers["content-type"] == "application/problem+json"
        assert response.headers["cache-control"] == "no-store"
        body = response.json()
        assert {"type", "title", "status", "detail", "instance", "request_id", "code"} <= set(body)
        assert body["code"] == code
        assert body["status"] == response.status_code
        assert body["request_id"] == response.headers["x-request-id"]


@pytest.mark.proves("ERR-1")
def test_input_is_not_echoed_and_several_wrong_parameters_are_all_named(api, facts):
    response = api.get(facts, as_of="<script>1", period_type="<script>2", vintages="<script>3")
    body = response.json()
    assert set(body["parameters"]) == {"as_of", "period_type", "vintages"}
    assert "script" not in response.text


@pytest.mark.proves("ERR-2")
@pytest.mark.parametrize("name", ["as_of", "period_type", "vintages", "edition", "cursor"])
def test_an_empty_value_is_malformed(api, facts, name):
    assert parameter_of(api.client.get(f"{facts}?{name}=", headers=api.headers)) == name


@pytest.mark.proves("ERR-3")
def test_an_unknown_name_is_refused_with_the_nearest_known_one(api, facts):
    response = api.get(facts, asof="2020-01-01")
    assert parameter_of(response) == "asof"
    assert "as_of" in response.json()["detail"]
    assert (
        parameter_of(api.client.get(f"{facts}?as_of=2020-01-01&as_of=2020-01-01", headers=api.headers))
        == "as_of"
    )
    for endpoint in ENDPOINTS:
        asked = path_of(api, endpoint)
        assert parameter_of(api.get(asked, nonsense="1")) == "nonsense"
        for name in re.findall(r"{(\w+)}", endpoint.path):
            assert parameter_of(api.get(asked, **{name: "1"})) == name


@pytest.mark.proves("ERR-3")
def test_one_ampersand_may_end_a_query_and_nothing_else_may_be_empty(api, facts):
    plain = api.client.get(f"{facts}?as_of=2020-01-01", headers=api.headers)
    for query in ("as_of=2020-01-01&", "as_of=2020-01-01&vintages=latest&"):
        response = api.client.get(f"{facts}?{query}", headers=api.headers)
        assert (response.status_code, response.json()) == (200, plain.json())
    assert api.client.get(f"{facts}?&", headers=api.headers).status_code == 200
    for query in (
        "as_of=2020-01-01&&",
        "&as_of=2020-01-01",
        "as_of=2020-01-01&&vintages=latest",
        "&&",
        "as_of&",
    ):
        assert api.client.get(f"{facts}?{query}", headers=api.headers).status_code == 400, query


@pytest.mark.proves("ERR-4", "ERR-8")
@pytest.mark.parametrize("malformed", ["DC1%0A", "DC-1", "DC%C3%A9", "DC%001", "%20", "DC1;"])
def test_a_malformed_id_in_the_path_is_refused_by_name(api, malformed):
    assert parameter_of(api.client.get(f"/v1/fundamentals/{malformed}", headers=api.headers)) == "service_id"


@pytest.mark.proves("ERR-5")
def test_a_date_after_the_edition_is_cut_to_its_day(api, facts):
    ((day,),) = api.rows("SELECT published_at::date FROM serving.edition WHERE edition = 1")
    paths = [
        facts,
        "/v1/tenders",
        "/v1/macro?series=FX.EUR.ZAR",
        "/v1/signals/tender-value",
        f"/v1/metrics/{api.large}",
        "/v1/screen?metric=gross_margin",
        f"/v1/shared/facts?entity_id={api.large}",
        "/v1/shared/facts?entity_id=KEN",
        f"/v1/diff/{api.large}?from_as_of=2004-06-30",
    ]
    for path in paths:
        name = "to_as_of" if "diff" in path else "as_of"
        expected = api.get(path, **{name: day.isoformat()}).exact
        assert expected["as_of"] == day.isoformat()
        for later in (day + timedelta(days=1), day + timedelta(days=400), date.max):
            assert api.get(path, **{name: later.isoformat()}).exact == expected
    assert api.get(f"/v1/diff/{api.large}?from_as_of=9999-12-30&to_as_of=9999-12-31").exact["data"] == []


@pytest.mark.proves("ERR-5")
def test_only_real_dates_in_one_spelling_are_accepted(api, facts):
    for text in (
        "10000-01-01",
        "2023-02-29",
        "2023-2-1",
        "20230201",
        "2023-W05-1",
        "2023-02-01T00:00:00",
        "1675209600",
        "\u0662\u0660\u0662\u0663-\u0660\u0662-\u0660\u0661",
        "2023-02-01\n",
        " 2023-02-01",
        "0000-01-01",
    ):
        assert parameter_of(api.get(facts, as_of=text)) == "as_of"


@pytest.mark.proves("ERR-6")
@pytest.mark.parametrize(
    "path", ["/v1", "/v1/", "/v1/editions/", "/v1/fundamentals/", "/v2/editions", "/../etc"]
)
def test_an_unknown_path_is_a_404_problem(api, path):
    response = api.client.get(path)
    assert (response.status_code, response.json()["code"]) == (404, "unknown-path")


@pytest.mark.proves("ERR-6")
def test_a_browser_gets_an_html_page_for_an_unknown_path_of_the_docs(api):
    for accept, media_type in (
        ("text/html,application/xhtml+xml,*/*;q=0.8", "text/html; charset=utf-8"),
        ("*/*", "application/problem+json"),
    ):
        response = api.client.get("/docs/nothing/", headers={"Accept": accept})
        assert (response.status_code, response.headers["content-type"]) == (404, media_type)


@pytest.mark.proves("ERR-6")
def test_an_encoded_slash_divides_no_path(api):
    for path in (
        f"/v1%2Ffundamentals/{api.large}",
        f"/v1/fundamentals%2f{api.large}",
        "/v1%2Feditions",
        "/%2Fv1/editions",
        "/v1/editions%2F",
        "/docs%2F",
    ):
        response = api.client.get(path, headers=api.headers)
        assert (response.status_code, response.json()["code"]) == (404, "unknown-path"), path


@pytest.mark.proves("ERR-9")
def test_closed_sets_refuse_an_unknown_value(api, facts):
    for name, value in (
        ("vintages", "newest"),
        ("vintages", "LATEST"),
        ("period_type", "Q5"),
        ("edition", "0"),
    ):
        assert parameter_of(api.get(facts, **{name: value})) == name


@pytest.mark.proves("TEN-3")
def test_a_cursor_that_is_altered_foreign_or_used_otherwise_gets_one_refusal(api, facts):
    headers = {**key(api, "starter"), "X-Request-Id": "one"}
    cursor = api.get(facts, headers=key(api, "sample")).exact["next_cursor"]
    other = f"/v1/fundamentals/{api.small}"
    bodies = set()
    for path, params in (
        (facts, {"cursor": cursor[:-1] + ("A" if cursor[-1] != "A" else "B")}),
        (facts, {"cursor": cursor[:-4]}),
        (facts, {"cursor": "v1.zz." + cursor.split(".", 2)[2]}),
        (facts, {"cursor": cursor, "vintages": "all"}),
        (facts, {"cursor": cursor, "as_of": "2010-01-01"}),
        (other, {"cursor": cursor}),
        ("/v1/editions", {"cursor": cursor}),
    ):
        response = api.get(path, headers=headers, **params)
        assert parameter_of(response) == "cursor"
        bodies.add(response.content)
    assert len(bodies) == 1
    assert api.get(facts, headers=headers, cursor=cursor, vintages="latest", edition=1).status_code == 200
