"""A forger at work: altered cursors by the hundred thousand, none of them taken (TEN-3)."""

from __future__ import annotations

import base64
import os
import string

from sankofa.ask.cursor import DETAIL, Cursor, CursorKeys, decode, encode
from sankofa.core.errors import BadParameter

COUNT = {"small": 50_000, "full": 1_000_000}[os.environ.get("AUDIT_SIZE", "full")]
ALPHABET = string.ascii_uppercase + string.ascii_lowercase + string.digits + "-_"  # in base64url's order
ANYTHING = ALPHABET + ".=+/ \t\n\0~%é\u0410\uff21\U0001d400"
OTHER_ENDPOINTS = ("macro", "tender", "tenders ", "")
KEY_IDS = ("k1", "k2", "k3")


def issued_cursors(rng, keys):
    """Cursors as they would be issued, payloads of every length modulo three."""
    for number in range(200):
        cursor = Cursor(
            edition=rng.randrange(1, 1_000),
            mark=f"{rng.getrandbits(64):x}",
            query={"country": rng.choice(("KEN", "GHA")), "q": "x" * (number % 7)},
            position=(f"2024-{rng.randrange(1, 13):02}-01", rng.randrange(10**9), None),
        )
        yield encode(keys, "tenders", cursor)


def flipped(rng, text, _other):
    place, octets = rng.randrange(len(text)), bytearray(text.encode())
    octets[place] ^= 1 << rng.randrange(8)
    return octets.decode("latin-1")


def bit_of_tag_or_payload_flipped(rng, text, _other):
    parts = text.split(".")
    part = rng.choice((2, 3))
    octets = bytearray(base64.urlsafe_b64decode(parts[part] + "=" * (-len(parts[part]) % 4)))
    octets[rng.randrange(len(octets))] ^= 1 << rng.randrange(8)
    parts[part] = base64.urlsafe_b64encode(octets).decode().rstrip("=")
    return ".".join(parts)


def replaced(rng, text, _other):
    place = rng.randrange(len(text))
    return text[:place] + rng.choice(ALPHABET) + text[place + 1 :]


def inserted(rng, text, _other):
    place = rng.randrange(len(text) + 1)
    return text[:place] + rng.choice(ANYTHING) * rng.randrange(1, 4) + text[place:]


def truncated(rng, text, _other):
    start = rng.randrange(4) if rng.random() < 0.5 else 0
    return text[start : rng.randrange(len(text))]


def deleted(rng, text, _other):
    place = rng.randrange(len(text))
    return text[:place] + text[place + rng.randrange(1, 4) :]


def parts_swapped(rng, text, other):
    parts, others = text.split("."), other.split(".")
    part = rng.randrange(4)
    parts[part] = others[rng.choice((part, rng.randrange(4)))]
    return ".".join(parts)


def parts_reordered(rng, text, _other):
    parts = text.split(".")
    rng.shuffle(parts)
    return ".".join(parts)


def spare_bits_set(rng, text, _other):
    """The last character of a part, with bits set that a lenient decoder throws away."""
    parts = text.split(".")
    part = rng.choice((2, 3))
    spare = {2: 16, 3: 4}.get(len(parts[part]) % 4, 1)
    last = ALPHABET.index(parts[part][-1]) ^ rng.randrange(spare)
    parts[part] = parts[part][:-1] + ALPHABET[last]
    return ".".join(parts)


def padded(rng, text, _other):
    parts = text.split(".")
    part = rng.choice((2, 3))
    parts[part] += "=" * rng.randrange(1, 4)
    return ".".join(parts)


def other_alphabet(_rng, text, _other):
    return text.replace("-", "+").replace("_", "/")


def other_case(rng, text, _other):
    return rng.choice((text.upper(), text.lower(), text.swapcase()))


def other_key_id(rng, text, _other):
    version, _, rest = text.split(".", 2)
    return ".".join((version, rng.choice((*KEY_IDS, "k9", "K1", "")), rest))


def other_version(rng, text, _other):
    return rng.choice(("v2", "v01", "V1", "v1 ", "")) + text[2:]


def left_alone(_rng, text, _other):
    """Only the endpoint differs."""
    return text


ALTERATIONS = (
    flipped,
    bit_of_tag_or_payload_flipped,
    replaced,
    inserted,
    truncated,
    deleted,
    parts_swapped,
    parts_reordered,
    spare_bits_set,
    padded,
    other_alphabet,
    other_case,
    other_key_id,
    other_version,
    left_alone,
)


def altered_cursor(rng, alteration, issued, genuine):
    """Return an altered cursor and the endpoint that gets it; what came out genuine is altered anew."""
    if alteration is left_alone:
        return rng.choice(issued), rng.choice(OTHER_ENDPOINTS)
    while (altered := alteration(rng, rng.choice(issued), rng.choice(issued))) in genuine:
        pass
    return altered, "tenders"


def is_refused(keys, endpoint, text):
    """Return whether the text got the one refusal that there is."""
    try:
        decode(keys, endpoint, text)
    except BadParameter as refusal:
        return (refusal.parameter, refusal.detail) == ("cursor", DETAIL)
    return False


def test_no_altered_cursor_is_taken(rng, seed):
    signers = [CursorKeys(current=(key_id, rng.randbytes(32))) for key_id in KEY_IDS]
    retired = dict(signer.current for signer in signers[:-1])
    keys = CursorKeys(current=signers[-1].current, retired=retired)
    issued = [text for signer in signers for text in issued_cursors(rng, signer)]
    genuine = frozenset(issued)
    for text in issued:
        decode(keys, "tenders", text)

    taken = []
    for number in range(COUNT):
        alteration = ALTERATIONS[number % len(ALTERATIONS)]
        altered, endpoint = altered_cursor(rng, alteration, issued, genuine)
        if not is_refused(keys, endpoint, altered):
            taken.append((alteration.__name__, endpoint, altered))
    print(f"{COUNT:,} altered cursors of {len(ALTERATIONS)} kinds, seed {seed}: {len(taken)} taken")
    assert taken == []
