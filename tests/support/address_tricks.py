"""Every trick that may lead a fetch to a private address, and the spellings they are made of."""

from __future__ import annotations

PUBLIC = "93.184.216.34"  # in the network of the test, every address answers
PUBLIC_SIX = "2606:2800:220:1::34"
PORT = 8080
# One of each range that is not the open Internet.
PRIVATE = [
    *(
        "127.0.0.1",
        "127.8.9.10",
        "10.0.0.5",
        "172.16.3.4",
        "172.31.255.254",
        "192.168.1.1",
        "169.254.169.254",
    ),
    *(
        "100.64.0.1",
        "0.0.0.0",
        "0.1.2.3",
        "192.0.0.8",
        "192.88.99.1",
        "192.0.2.1",
        "198.18.0.1",
        "198.51.100.1",
        "203.0.113.1",
    ),
    *("224.0.0.1", "239.255.255.250", "240.0.0.1", "255.255.255.254"),
    *("::1", "::", "fc00::5", "fd12:3456::1", "fe80::1", "febf::1", "fec0::1", "ff02::1", "100::1"),
    *("::ffff:10.0.0.5", "::ffff:127.0.0.1", "::ffff:93.184.216.34", "::10.0.0.5", "::ffff:0:10.0.0.5"),
    *("64:ff9b::10.0.0.5", "64:ff9b:1::10.0.0.5", "2002:a00:5::1", "2001::1", "2001:db8::1", "2001:10::1"),
]
TARGETS = ["127.0.0.1", "10.0.0.5", "172.16.3.4", "192.168.1.1", "169.254.169.254", "100.64.0.1"]


def spellings(target: str) -> list[str]:
    """Return the ways in which some program or other reads an IPv4 address, the usual one left out."""
    a, b, c, d = (int(part) for part in target.split("."))
    number = a << 24 | b << 16 | c << 8 | d
    wide = "".join(chr(ord(sign) + 0xFEE0) if sign.isdigit() else sign for sign in target)
    circled = "".join(chr(ord(sign) + 0x242F) if sign in "123456789" else sign for sign in target)
    spelt = [
        *(str(number), hex(number), f"0{number:o}", str(number + (1 << 32)), f"0X{number:X}"),
        *(f"0{a:o}.0{b:o}.0{c:o}.0{d:o}", f"{a:#x}.{b:#x}.{c:#x}.{d:#x}", f"{a}.{b:#x}.0{c:o}.{d}"),
        *(f"{a:03}.{b:03}.{c:03}.{d:03}", f"{a}.{number & 0xFFFFFF}", f"{a}.{b}.{number & 0xFFFF}"),
        *(f"{target}.", f"0{target}", f"[::ffff:{target}]", f"[0:0:0:0:0:ffff:{target}]", f"[::{target}]"),
        *(f"[64:ff9b::{target}]", f"[{target}]", f"[::ffff:{target}%25lo]", wide, circled),
        *(target.replace(".", "。"), target.replace(".", "%2e"), f"%{ord(target[0]):x}{target[1:]}"),
    ]
    return [spelling for spelling in spelt if spelling != target]


def addresses(target: str) -> list[str]:
    """Return addresses that lead to a private server, or look to some as if they did not."""
    there = f"{target}:{PORT}"
    here = f"portal.test:{PORT}"
    return [
        *(f"http://{spelling}:{PORT}/" for spelling in spellings(target)),
        *(f"http://{here}@{there}/", f"http://portal.test@{there}/", f"http://user:word@{there}/"),
        *(f"http://{there}\\@{here}/", f"http://{here}\\@{there}/", f"http://{there}#@{here}/"),
        *(
            f"http://{here}#@{there}/",
            f"http://{there}?@{here}/",
            f"http:\\\\{there}\\",
            f"http://\t{there}/",
        ),
        *(f"http://{target}\r\n:{PORT}/", f"http://{target}%00:{PORT}/", f"http://{target}%23:{PORT}/"),
        *(
            f"http:///{there}/",
            f"http:/{there}/",
            f"http:{there}/",
            f"HTTP://{there}@{there}/",
            f"ftp://{there}/",
        ),
        *(f"file://{target}/etc/passwd", f"gopher://{there}/_GET", f"http://{here} @{there}/"),
        *(f"http://{target}:{PORT + 65_536}/", f"http://{target}:0{PORT}@{there}/", f"http://[::1]@{there}/"),
    ]


def locations(target: str) -> list[str]:
    """Return redirects to a private server: all of the above, the plain way, and what has no scheme."""
    there = f"{target}:{PORT}"
    return [
        *addresses(target),
        *(
            f"http://{there}/",
            f"https://{there}/",
            f"//{there}/",
            f"///{there}/",
            f"/\\{there}/",
            f"\\\\{there}/",
        ),
        *(
            f"//portal.test:{PORT}@{there}/",
            f"http://[::ffff:{target}]:{PORT}/",
            f"//{target}",
            f"\t//{there}/",
        ),
    ]
