"""KEY-5: a key has a fixed prefix, high entropy and a checksum, and is kept only as a keyed hash."""

from __future__ import annotations

import binascii
import hashlib
import hmac
import re
import string

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from sankofa.access import keys
from sankofa.access.caller import client_prefix
from sankofa.access.keys import KeyHash
from sankofa.core.errors import Refused

BASE62 = string.digits + string.ascii_uppercase + string.ascii_lowercase
PEPPER = b"sixteen bytes or more"
SCANNER = re.compile(r"\bsnk_[0-9A-Za-z]{36}\b")


def key_with(body):
    """Build a key independently: CRC-32 of prefix and body, in six base62 digits."""
    number = binascii.crc32(f"snk_{body}".encode())
    digits = [BASE62[number // 62**place % 62] for place in range(5, -1, -1)]
    return f"snk_{body}{''.join(digits)}"


well_formed = st.text(BASE62, min_size=30, max_size=30).map(key_with)


def test_generated_keys_are_found_by_scanners_and_well_formed():
    made = {keys.generate() for _ in range(1_000)}
    assert len(made) == 1_000
    for key in made:
        assert SCANNER.findall(f"leaked: key={key};") == [key]
        assert keys.is_well_formed(key)
        assert key == key_with(key[4:34])
    assert set("".join(key[4:34] for key in made)) == set(BASE62)


@given(well_formed)
def test_the_form_is_prefix_body_and_checksum(key):
    assert keys.is_well_formed(key)


@given(well_formed, st.integers(0, 39), st.sampled_from(BASE62 + "_- é\n\0"))
def test_one_wrong_character_is_refused(key, place, character):
    typo = key[:place] + character + key[place + 1 :]
    assert keys.is_well_formed(typo) == (typo == key)


@given(well_formed, st.integers(0, 32))
def test_two_swapped_characters_are_refused(key, place):
    swapped = key[:place] + key[place + 1] + key[place] + key[place + 2 :]
    assert keys.is_well_formed(swapped) == (swapped == key)


@given(st.text())
@example("")
@example("snk_")
@example("snk_" + "0" * 36)
@example("snk_" + "\N{ARABIC-INDIC DIGIT ZERO}" * 36)
def test_other_texts_are_refused(text):
    assert not keys.is_well_formed(text)


@pytest.mark.parametrize("around", ["{} ", " {}", "{}\n", "{}\0", "{}x", "Bearer {}", "{0}{0}"])
def test_nothing_may_stand_around_a_key(around):
    assert not keys.is_well_formed(around.format(key_with("0" * 30)))


@given(well_formed)
def test_the_hash_is_keyed_and_the_id_is_its_start(key):
    hashed = KeyHash(PEPPER).of(key)
    assert hashed == hmac.new(PEPPER, key.encode(), hashlib.sha256).hexdigest()
    assert hashed != KeyHash(PEPPER + b"!").of(key)
    assert keys.key_id(hashed) == hashed[:12]


@given(well_formed)
def test_retired_peppers_recognise_keys_and_the_current_one_makes_new_hashes(key):
    before, after = KeyHash(PEPPER), KeyHash(b"another pepper of 16 bytes", [PEPPER])
    assert after.of(key) != before.of(key)
    assert after.each(key) == (after.of(key), before.of(key))


def test_a_pepper_has_a_name_that_is_no_hash_of_a_key():
    ids = KeyHash(PEPPER, [b"another pepper of 16 bytes"]).pepper_ids
    assert ids == (*KeyHash(PEPPER).pepper_ids, *KeyHash(b"another pepper of 16 bytes").pepper_ids)
    assert len(set(ids)) == 2
    assert all(re.fullmatch("[0-9a-f]{8}", name) for name in ids)
    assert not keys.is_well_formed("pepper id")  # what the name is the hash of


@pytest.mark.parametrize("peppers", [(b"short",), (PEPPER, [b"short"]), (b"", [PEPPER])])
def test_a_short_pepper_is_refused(peppers):
    with pytest.raises(Refused):
        KeyHash(*peppers)


@pytest.mark.parametrize(
    ("address", "prefix"),
    [
        ("203.0.113.7", "203.0.113.7"),
        ("203.0.113.8", "203.0.113.8"),
        ("::ffff:203.0.113.7", "203.0.113.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2:ffff::1", "2001:db8:1:2::/64"),
        ("2001:db8:1:3::1", "2001:db8:1:3::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("", "unknown"),
        ("unix:", "unknown"),
        ("203.0.113.7, 198.51.100.1", "unknown"),
    ],
)
def test_a_client_is_an_ipv4_address_or_an_ipv6_network(address, prefix):
    assert client_prefix(address) == prefix
