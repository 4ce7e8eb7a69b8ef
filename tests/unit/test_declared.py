"""Sources as a worker sees them: files are read again only if one of them has changed."""

from __future__ import annotations

import pytest

from sankofa.core.errors import Refused
from sankofa.feeds.declared import Declared

SOURCE = 'publisher = "{publisher}"\nlicense_class = "operator"\nparser = "gleif"\n'


def put(folder, name, publisher):
    """Replace a file at once, as an editor does."""
    staged = folder / f"{name}.new"
    staged.write_text(SOURCE.format(publisher=publisher))
    staged.replace(folder / f"{name}.toml")


@pytest.fixture
def folder(tmp_path):
    put(tmp_path, "zz-one", "First")
    return tmp_path


def test_files_that_did_not_change_are_read_once(folder):
    declared = Declared(str(folder))
    assert declared() is declared()


def test_a_file_that_changed_came_or_went_is_noticed(folder):
    declared = Declared(str(folder))
    assert declared()["zz-one"].publisher == "First"
    put(folder, "zz-one", "Other")
    assert declared()["zz-one"].publisher == "Other"
    put(folder, "zz-two", "Third")
    assert "zz-two" in declared()
    (folder / "zz-two.toml").unlink()
    assert "zz-two" not in declared()


def test_a_mistake_is_told_until_it_is_mended(folder):
    declared = Declared(str(folder))
    (folder / "zz-one.toml").write_text("publisher = ")
    for _ in range(2):
        with pytest.raises(Refused, match=r"zz-one\.toml is not TOML"):
            declared()
    put(folder, "zz-one", "Mended")
    assert declared()["zz-one"].publisher == "Mended"


def test_a_folder_that_is_not_there_is_told(tmp_path):
    with pytest.raises(Refused, match="no folder"):
        Declared(str(tmp_path / "elsewhere"))()


def test_without_a_folder_there_are_the_sources_of_the_package():
    assert "ecb" in Declared("")()
