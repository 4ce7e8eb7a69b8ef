"""Attacks by somebody who holds the API's own login, or a key: nobody who is withheld comes to light."""

from __future__ import annotations

import statistics
import time

import psycopg
import pytest

from sankofa.storage.postgres import sql
from sankofa.storage.queries import named
from support.lei_documents import an_lei
from support.organisations import company, id_of_lei, list_shares, person, register
from support.waiting import until

ACCEPTS = ("application/json", "text/csv", "application/x-ndjson", "application/vnd.apache.arrow.stream")
FIRM, NEVER_SERVED, TURNED, TRADER = 1, 2, 3, 4
NAMES = {NEVER_SERVED: "Sipho Qhobela Mokoena", TURNED: "Qondisa Vhutshilo Trading Ltd"}
FORMER_NAME = "Zanele Ntombela"  # of a sole trader who became a company
NUMBERS = {NEVER_SERVED: "1999/000002/07", TURNED: "1999/000003/07"}
# Nothing of these may ever be read: their names, as written and as search has them, and their numbers.
CANARIES = (
    "qhobela",
    "qondisa",
    "ntombela",
    an_lei(NEVER_SERVED),
    an_lei(TURNED),
    *NUMBERS.values(),
    "199900000307",
)

REFUSALS = (
    psycopg.errors.InsufficientPrivilege,
    psycopg.errors.ReadOnlySqlTransaction,
    psycopg.errors.UndefinedTable,
    psycopg.errors.UndefinedFunction,
)
READABLE = """
SELECT
    quote_ident(n.nspname) || '.' || quote_ident(c.relname),
    array_agg(quote_ident(a.attname) ORDER BY a.attnum)
FROM pg_class AS c
JOIN pg_namespace AS n ON n.oid = c.relnamespace
JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f', 't', 'S') AND has_schema_privilege(n.oid, 'usage')
    AND has_column_privilege(c.oid, a.attnum, 'select')
GROUP BY 1
"""


@pytest.fixture(scope="module")
def attacked(module_service):
    """A service with firms, a person never served, and one who was served under two names for a while."""
    service = module_service
    earlier = "2023-05-04T00:30:00Z"
    register(
        service,
        person(TRADER, FORMER_NAME, updated=earlier),
        company(TURNED, "Qondisa Vhutshilo Brothers Ltd", updated=earlier),
    )
    register(
        service,
        company(FIRM, "Acme Holdings Ltd"),
        person(NEVER_SERVED, NAMES[NEVER_SERVED]),
        company(TURNED, NAMES[TURNED]),
        company(TRADER, "Umoya Holdings Ltd"),
    )
    list_shares(service, ("XJSE", "ACME", "Acme Holdings Ltd", "ZA"))
    service.publish()
    service.firm, service.never_served, service.turned = (
        id_of_lei(service, number) for number in (FIRM, NEVER_SERVED, TURNED)
    )
    (turned,) = service.get(f"/v1/entities/{service.turned}").exact["data"]
    assert [former["name"] for former in turned["former_names"]] == ["Qondisa Vhutshilo Brothers Ltd"]
    # Statistics that were gathered while the person was shown outlive the rows.
    with service.connect("admin") as admin:
        admin.execute("ANALYZE")
    register(service, person(TURNED, NAMES[TURNED], updated="2024-08-01T00:00:00Z"))
    service.await_edition(service.publish().edition)
    until(lambda: service.get(f"/v1/entities/{service.turned}").status_code == 404)
    assert service.rows("SELECT count(*) FROM ledger.organisation_record WHERE legal_name ~ 'Qhobela'") == [
        (1,)
    ]
    return service


@pytest.fixture
def reader(attacked):
    """A login of the API that tries to free itself of its own restraints."""
    with attacked.connect("read") as connection:
        connection.execute("SET default_transaction_read_only = off")
        yield connection


def refused(connection, statement):
    """Run a statement that must fail, and whose error must tell nothing."""
    with pytest.raises(REFUSALS) as told:
        connection.execute(statement)
    assert leaks(str(told.value)) == []


def leaks(text):
    return [canary for canary in CANARIES if canary.lower() in text.lower()]


def test_nothing_that_the_role_can_read_holds_a_withheld_name_or_number(reader):
    """Every column of every table, view, sequence and catalogue that the role may select, as text."""
    read = {}
    for relation, columns in reader.execute(READABLE).fetchall():
        shown = ", ".join(f"{column}::text" for column in columns)
        try:
            rows = reader.execute(f"SELECT concat_ws('|', {shown}) FROM {relation}").fetchall()
        except psycopg.errors.InsufficientPrivilege:
            continue
        read[relation] = "\n".join(row[0] or "" for row in rows)
    assert "Acme Holdings Ltd" in read["serving.organisation"], (
        "what is served must be read, or nothing is proven"
    )
    assert "Umoya Holdings Ltd" in read["serving.organisation_version"]
    assert {relation: leaks(text) for relation, text in read.items() if leaks(text)} == {}


@pytest.mark.parametrize("schema", ["ledger", "ops"])
def test_tables_of_the_write_side_are_refused_however_they_are_named(attacked, reader, schema):
    tables = attacked.rows(
        "SELECT relname FROM pg_class WHERE relnamespace = %s::regnamespace AND relkind IN ('r', 'S')", schema
    )
    assert len(tables) > 3
    for (table,) in tables:
        refused(reader, f"SELECT * FROM {schema}.{table}")
        refused(reader, f"SELECT count(*) FROM ONLY {schema}.{table}")
        refused(reader, f"TABLE {schema}.{table}")


@pytest.mark.parametrize(
    "statement",
    [
        "SELECT NULL::ledger.organisation_record",
        "SELECT legal_name::integer FROM ledger.organisation_record",
        "SELECT 1 / (length(legal_name) - length(legal_name)) FROM ledger.organisation_record",
        "SELECT xmin, ctid FROM ledger.organisation_record",
        "EXPLAIN ANALYZE SELECT * FROM ledger.organisation_record",
        "EXPLAIN SELECT * FROM ledger.organisation_record WHERE legal_name LIKE 'Sipho%'",
        "PREPARE peek AS SELECT legal_name FROM ledger.organisation_record",
        "DECLARE peek CURSOR WITH HOLD FOR SELECT * FROM ledger.organisation_record",
        "SELECT query_to_xml('SELECT * FROM ledger.organisation_record', true, true, '')",
        "SELECT table_to_xml('ledger.organisation_record', true, true, '')",
        "SELECT database_to_xml(true, true, '') FROM ledger.subject",
    ],
)
def test_casts_errors_plans_and_xml_of_the_ledger_are_refused(reader, statement):
    refused(reader, statement)


@pytest.mark.parametrize("column", ["row_id", "decision_id", "reason", "is_established"])
def test_columns_that_tell_of_judgements_are_not_readable(reader, column):
    refused(reader, f"SELECT {column} FROM serving.organisation")
    refused(reader, "SELECT organisation FROM serving.organisation")


def test_sequences_and_gaps_tell_of_nobody(attacked, reader):
    sequences = attacked.rows("SELECT oid::regclass::text FROM pg_class WHERE relkind = 'S'")
    for (sequence,) in sequences:
        refused(reader, f"SELECT last_value FROM {sequence}")
        with pytest.raises(REFUSALS):
            reader.execute("SELECT nextval(%s)", [sequence])
    # A person who never was served never took a number: those of edition 1 are without a gap, but for the
    # person who was taken down, as /v1/editions says.
    ((first, last, count),) = attacked.rows(
        "SELECT min(row_id), max(row_id), count(*) FROM serving.identifier WHERE published_in = 1"
    )
    ((gone,),) = attacked.rows(
        "SELECT count(*) FROM ops.tombstone WHERE dataset = 'identifier' AND published_in = 1"
    )
    assert last - first + 1 - count in range(gone + 1)


def test_statistics_of_the_planner_hold_no_name(reader):
    refused(reader, "SELECT * FROM pg_statistic")
    refused(reader, "SELECT * FROM pg_statistic_ext_data")
    rows = reader.execute("SELECT pg_stats::text FROM pg_stats").fetchall()
    assert rows
    assert leaks("\n".join(row[0] for row in rows)) == []


def test_estimates_do_not_tell_a_withheld_name_from_one_that_nobody_has(reader):
    for column, names in {
        "legal_name": (*NAMES.values(), "Nobody Of That Name Ltd"),
        "search_name": ("qondisa trading vhutshilo", "mokoena qhobela sipho", "nobody"),
        "lei": (an_lei(TURNED), an_lei(NEVER_SERVED), an_lei(999)),
    }.items():
        plans = {
            str(
                reader.execute(
                    sql.SQL(
                        "EXPLAIN (FORMAT JSON) SELECT service_id FROM serving.organisation WHERE {} = {}"
                    ).format(sql.Identifier(column), sql.Literal(name))
                ).fetchall()
            ).replace(name, "")
            for name in names
        }
        assert len(plans) == 1


def test_dead_rows_stay_dead(reader):
    for table in ("organisation", "identifier"):
        for column in ("ctid", "xmin", "xmax", "cmin", "tableoid"):
            refused(reader, f"SELECT {column} FROM serving.{table}")
        refused(reader, f"SELECT service_id FROM serving.{table} WHERE ctid = '(0,1)'")
    for statement in (
        "CREATE EXTENSION pageinspect SCHEMA serving",
        "SELECT get_raw_page('serving.organisation', 0)",
        "SELECT * FROM heap_page_items(get_raw_page('serving.organisation', 0))",
        "SELECT pg_read_file('PG_VERSION')",
        "SELECT pg_read_binary_file('base')",
        "SELECT pg_ls_dir('.')",
        "SELECT * FROM pg_ls_waldir()",
        "SELECT * FROM pg_get_wal_records_info('0/1', '0/2')",
        "SELECT pg_create_logical_replication_slot('peek', 'test_decoding')",
    ):
        refused(reader, statement)


def test_what_others_run_is_hidden(attacked, reader):
    with attacked.connect("publish") as other, other.transaction():
        other.execute(sql.SQL("SELECT {}::text").format(sql.Literal(NAMES[NEVER_SERVED])))
        activity = reader.execute("SELECT usename, query FROM pg_stat_activity").fetchall()
        mine = [query for user, query in activity if user == "sankofa_publish"]
        assert mine
        assert leaks(str(mine)) == []
        refused(reader, "SELECT * FROM pg_stat_statements")


@pytest.mark.parametrize(
    "statement",
    [
        "COPY ledger.organisation_record TO STDOUT",
        "COPY (SELECT * FROM ledger.organisation_record) TO STDOUT",
        "COPY (SELECT decision_id FROM serving.organisation) TO STDOUT",
        "COPY serving.organisation TO STDOUT",
        "COPY (SELECT 1) TO '/tmp/out'",
        "COPY (SELECT 1) TO PROGRAM 'cat'",
    ],
)
def test_copies_are_no_way_out(reader, statement):
    with pytest.raises(REFUSALS) as told, reader.cursor() as cursor, cursor.copy(statement) as copy:
        b"".join(copy)
    assert leaks(str(told.value)) == []


def test_large_objects_are_no_way_out(reader):
    refused(reader, "SELECT * FROM pg_largeobject")
    refused(reader, "SELECT lo_import('/etc/hostname')")
    refused(reader, "SELECT lo_export(1, '/tmp/out')")
    assert reader.execute("SELECT count(*) FROM pg_largeobject_metadata").fetchall() == [(0,)]


def test_functions_run_with_the_caller_s_own_rights(attacked, reader):
    definers = attacked.rows(
        "SELECT p.oid::regprocedure::text FROM pg_proc AS p JOIN pg_namespace AS n ON n.oid = p.pronamespace"
        " WHERE p.prosecdef AND has_function_privilege('sankofa_api', p.oid, 'execute')"
    )
    assert definers == [("serving.proof_of(text,bigint)",)]  # of two tables that the login may read
    refused(reader, "SELECT serving.proof_of('organisation_name', 1)")
    for statement in (
        "CREATE TEMPORARY TABLE peek (a text)",
        "CREATE FUNCTION pg_temp.peek() RETURNS text LANGUAGE sql AS 'SELECT 1'",
        "CREATE VIEW public.peek AS SELECT 1",
        "DO $$ BEGIN PERFORM legal_name FROM ledger.organisation_record; END $$",
        "SET ROLE sankofa_publish",
        "SET SESSION AUTHORIZATION sankofa_publish",
        "ALTER ROLE sankofa_api SUPERUSER",
        "GRANT SELECT ON ledger.organisation_record TO sankofa_api",
    ):
        refused(reader, statement)


def test_comments_and_the_information_schema_name_nobody(reader):
    for view in ("columns", "tables", "views", "routines", "triggers", "check_constraints"):
        rows = reader.execute(f"SELECT {view}::text FROM information_schema.{view}").fetchall()
        assert leaks(str(rows)) == []
    assert leaks(str(reader.execute("SELECT description FROM pg_description").fetchall())) == []


@pytest.mark.parametrize("path", ["/v1/entities/", "/v1/crosswalk/", "/v1/fundamentals/"])
def test_over_http_withheld_gone_and_never_issued_are_the_same_bytes(attacked, path):
    seen = set()
    for asked in (attacked.never_served, attacked.turned, "DC0000000000000", "DC00000000000ZZ"):
        for edition in ({}, {"edition": 1}):
            for accept in ACCEPTS:
                headers = {"X-Request-Id": "one", "Accept": accept}
                response = attacked.get(path + asked, headers, **edition)
                kept = {
                    name: value
                    for name, value in response.headers.items()
                    if name not in ("date", "ratelimit", "server")
                }
                seen.add((response.status_code, response.content, tuple(sorted(kept.items()))))
    assert len(seen) == 1
    assert next(iter(seen))[0] == 404


@pytest.mark.parametrize("path", ["/v1/entities/", "/v1/crosswalk/"])
def test_over_http_they_take_the_same_time(attacked, path):
    """Taking turns, so that whatever else the machine does falls on all alike."""
    asked = {"withheld": attacked.never_served, "gone": attacked.turned, "nobody": "DC0000000000000"}
    times = {kind: [] for kind in asked}
    for _ in range(200):
        for kind, service_id in asked.items():
            headers = attacked.headers
            started = time.perf_counter()
            attacked.client.get(path + service_id, headers=headers)
            times[kind].append(time.perf_counter() - started)
    low, median, high = statistics.quantiles(times["nobody"], n=4)
    print({kind: f"{statistics.median(spent) * 1000:.2f} ms" for kind, spent in times.items()})
    for kind in ("withheld", "gone"):
        assert abs(statistics.median(times[kind]) - median) < high - low


@pytest.mark.parametrize("number", [NEVER_SERVED, TURNED])
@pytest.mark.parametrize("accept", ACCEPTS)
def test_no_identifier_of_theirs_finds_them_in_any_form(attacked, number, accept):
    for id_type, id_value in (("lei", an_lei(number)), ("registry", NUMBERS[number])):
        for edition in ({}, {"edition": 1}):
            asked = {"id_type": id_type, "id_value": id_value}
            nobody = {"id_type": id_type, "id_value": "nobody's"}
            headers = {"Accept": accept, "Accept-Encoding": "identity"}
            found, none = (
                attacked.get("/v1/crosswalk", headers, **sent, **edition) for sent in (asked, nobody)
            )
            assert (found.status_code, found.content) == (200, none.content)


@pytest.mark.parametrize("accept", ACCEPTS)
def test_no_form_of_any_other_answer_names_them(attacked, accept):
    for path in ("/v1/editions", f"/v1/entities/{attacked.firm}", f"/v1/crosswalk/{attacked.firm}"):
        for edition in ({}, {"edition": 1}):
            content = attacked.get(path, {"Accept": accept}, **edition).content
            assert leaks(content.decode("utf-8", "replace")) == []


ORGANISATION = """
INSERT INTO serving.organisation (
    published_in, decision_id, provenance_id, reason, service_id, legal_name, search_name, status,
    established_by, rule_version, location, name_provenance_id, name_location, is_issuer
)
SELECT
    99, {decision}, md5('x')::uuid, 'added', {service_id}, 'Planted', 'planted', 'active',
    '{{lei}}', '1', 'x', md5('x')::uuid, 'x', FALSE
"""


@pytest.mark.parametrize("whose", ["nobody", "another party", "a withheld party", "said to be withheld"])
def test_the_database_refuses_a_row_without_a_judgement_of_this_very_party(attacked, whose):
    ((of_firm,),) = attacked.rows(
        "SELECT max(decision_id) FROM ops.organisation_decision WHERE service_id = %s AND is_established",
        attacked.firm,
    )
    ((of_person,),) = attacked.rows(
        "SELECT max(decision_id) FROM ops.organisation_decision WHERE service_id = %s AND NOT is_established",
        attacked.never_served,
    )
    decision, service_id = {
        "nobody": (0, attacked.never_served),
        "another party": (of_firm, attacked.never_served),
        "a withheld party": (of_person, attacked.never_served),
        "said to be withheld": (of_person, attacked.never_served),
    }[whose]
    statement = sql.SQL(ORGANISATION).format(
        decision=sql.Literal(decision), service_id=sql.Literal(service_id)
    )
    if whose == "said to be withheld":
        honest = ORGANISATION.replace("published_in,", "published_in, is_established,").replace(
            "99,", "99, FALSE,"
        )
        statement = sql.SQL(honest).format(decision=sql.Literal(decision), service_id=sql.Literal(service_id))
    with attacked.connect("publish") as publisher:
        with pytest.raises(psycopg.errors.IntegrityError):
            publisher.execute(statement)
        with pytest.raises(psycopg.errors.IntegrityError):
            publisher.execute(
                sql.SQL(ORGANISATION).format(decision=sql.SQL("NULL"), service_id=sql.Literal("x"))
            )
        with publisher.transaction(force_rollback=True):
            allowed = {"decision": sql.Literal(of_firm), "service_id": sql.Literal(attacked.firm)}
            assert publisher.execute(sql.SQL(ORGANISATION).format(**allowed)).rowcount == 1


def test_no_statement_of_the_api_names_a_table_outside_serving():
    for package, file in (
        ("sankofa.entities", "queries.sql"),
        ("sankofa.entities", "search.sql"),
        ("sankofa.fundamentals", "queries.sql"),
        ("sankofa.editions", "queries.sql"),
    ):
        for statement in named(package, file).values():
            assert "ledger." not in statement
            assert "ops." not in statement
