"""Named statements and the fragments they share."""

from __future__ import annotations

import pytest

from sankofa.storage.queries import named, positional

KNOWN = """
-- fragment: above(record, least)
-- A comment of the fragment's own.
SELECT record.height > least AND record.word <> 'least' FROM record CROSS JOIN least;
"""


@pytest.fixture
def load(tmp_path, monkeypatch):
    """Return a function that loads the statements of a text, as those of a new package."""
    monkeypatch.syspath_prepend(tmp_path)
    packages = []

    def load(text, *variants, shared=""):
        name = f"loaded_{tmp_path.name}_{len(packages)}"
        folder = tmp_path / name
        folder.mkdir()
        (folder / "__init__.py").touch()
        (folder / "queries.sql").write_text(text)
        if shared:
            (folder / "fragments.sql").write_text(shared)
        packages.append(name)
        return named(name, "queries.sql", *variants)

    return load


def test_a_call_becomes_the_text_of_the_fragment_in_brackets(load):
    statements = load(
        KNOWN + "\n-- name: tall\nSELECT one.id FROM one WHERE NOT fragment.above(one, %(least)s);\n"
    )
    assert statements == {
        "tall": "SELECT one.id FROM one WHERE NOT (one.height > %(least)s AND one.word <> 'least')"
    }


def test_columns_stand_in_a_select_list_without_brackets(load):
    statements = load(
        "-- columns: row(one)\nSELECT one.id, one.name AS label FROM one;\n"
        "-- name: all\nSELECT fragment.row(two), two.size FROM two;\n"
    )
    assert statements["all"] == "SELECT two.id, two.name AS label, two.size FROM two"


def test_files_of_a_package_share_its_fragments_and_those_of_all(load):
    statements = load(
        "-- name: held\nSELECT 1 FROM a WHERE fragment.held(a);\n",
        shared="-- fragment: held(one)\nSELECT fragment.in_edition(one, %(edition)s - 1) FROM one;\n",
    )
    assert statements["held"] == (
        "SELECT 1 FROM a WHERE ((a.published_in <= %(edition)s - 1 AND a.superseded_in > %(edition)s - 1))"
    )


def test_a_variant_replaces_the_fragment_of_the_same_name(load):
    text = (
        "-- fragment: near(a)\nSELECT a.place = %(place)s FROM a;\n"
        "-- fragment: near(a) if anywhere\nSELECT TRUE;\n"
        "-- name: found\nSELECT 1 FROM b WHERE fragment.near(b);\n"
    )
    assert load(text)["found"] == "SELECT 1 FROM b WHERE (b.place = %(place)s)"
    assert load(text, "anywhere")["found"] == "SELECT 1 FROM b WHERE (TRUE)"


@pytest.mark.parametrize(
    ("text", "variants", "error"),
    [
        ("-- name: a\nSELECT fragment.beyond(b) FROM b", (), "unknown fragment"),
        (KNOWN + "-- name: a\nSELECT fragment.above(b) FROM b", (), "expected the arguments record, least"),
        (KNOWN + "-- name: a\nSELECT fragment.above(b, max(c, d)) FROM b", (), "expected fragment.name"),
        (KNOWN + "-- name: a\nSELECT fragment.above FROM b", (), "expected fragment.name"),
        (KNOWN + "-- name: a\nSELECT 1", (), "no statement calls"),
        (KNOWN + KNOWN + "-- name: a\nSELECT fragment.above(b, 1) FROM b", (), "declared twice"),
        ("-- fragment: in_edition(a)\nSELECT a.b FROM a;\n-- name: a\nSELECT 1", (), "declared twice"),
        ("-- fragment: above\nSELECT 1;\n-- name: a\nSELECT 1", (), "expected a fragment as"),
        (KNOWN + "-- name: a\nSELECT fragment.above(b, 1) FROM b", ("anywhere",), "variants"),
        (
            "-- fragment: a(b) if c\nSELECT TRUE;\n-- name: a\nSELECT 1",
            ("c",),
            "no fragment has the parameters",
        ),
    ],
)
def test_what_cannot_be_expanded_is_refused_when_it_is_loaded(load, text, variants, error):
    with pytest.raises(ValueError, match=error):
        load(text, *variants)


def test_values_become_positions_one_for_each_name():
    statement = (
        "-- Rows of %(one)s.\nSELECT %(two)s, %(one)s, 5 %% 2\n    -- twice\nWHERE %(two)s::text IS NULL"
    )
    expected = "SELECT $1, $2, 5 % 2\nWHERE $1::text IS NULL"
    assert positional(statement) == (expected, ("two", "one"))
