"""A network of its own where every address answers, so that a connection to any of them is heard.

Run as a program by `tests/slow/test_fetch_addresses.py`, in namespaces of its own: all of IPv4 and IPv6 is
local there, `/etc/hosts` is ours, and no packet leaves. It prints what was heard, as JSON.
"""

from __future__ import annotations

import json
import os
import socket
import ssl
import subprocess
import sys
import threading
import urllib.request
from contextlib import suppress
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from sankofa.core.errors import ServiceError
from sankofa.ingest.portals.fetch import documents
from sankofa.ingest.portals.portal import Portal
from sankofa.ingest.sources import source
from support.address_tricks import PORT, PRIVATE, PUBLIC, PUBLIC_SIX, TARGETS, addresses, locations
from support.portal_server import package, release
from support.waiting import until

TLS_PORT = 8443
LISTENED = (PORT, 80, 443)
PROBES = ("203.0.113.77", "2001:db8:77::1")  # the test's own connections, one for each family


class World:
    """The servers, what they heard, and how they answer."""

    def __init__(self, folder):
        self.heard, self.probed = [], []
        self.answers = {}  # by path
        self.hosts = folder / "hosts"
        self.names = {}
        self.call(["ip", "link", "set", "lo", "up"])
        self.call(["ip", "route", "add", "local", "0.0.0.0/0", "dev", "lo"])
        self.call(["ip", "-6", "route", "add", "local", "::/0", "dev", "lo"])
        self.hosts.touch()
        self.call(["mount", "--bind", str(self.hosts), "/etc/hosts"])
        world = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                world.answer(self)

            def log_message(self, *_):
                pass

        class Listener(ThreadingHTTPServer):
            daemon_threads = True
            request_queue_size = 128

            def get_request(self):
                connection, peer = super().get_request()
                here = connection.getsockname()[0]
                (world.probed if here in PROBES else world.heard).append(here)
                return connection, peer

        class SixListener(Listener):
            address_family = socket.AF_INET6

            def server_bind(self):
                self.socket.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
                super().server_bind()

        self.listener = Listener
        self.handler = Handler
        for kind, everywhere in ((Listener, "0.0.0.0"), (SixListener, "::")):
            for port in LISTENED:
                self.serve(kind((everywhere, port), Handler))

    def call(self, command):
        subprocess.run(command, check=True, capture_output=True)

    def serve(self, server):
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()

    def serve_tls(self, folder):
        certificate, key = folder / "certificate.pem", folder / "key.pem"
        made = "openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=portal.test"
        named = ["-addext", "subjectAltName=DNS:portal.test", "-keyout", str(key), "-out", str(certificate)]
        self.call([*made.split(), *named])
        os.environ["SSL_CERT_FILE"] = str(certificate)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key)
        server = self.listener(("0.0.0.0", TLS_PORT), self.handler)
        server.handle_error = lambda *_: None  # who does not trust the certificate hangs up
        server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
        self.serve(server)

    def name(self, name, *numbers):
        self.names[name] = numbers
        self.hosts.write_text("".join(f"{n} {name}\n" for name, ns in self.names.items() for n in ns))

    def answer(self, handler):
        path = handler.path.partition("?")[0]
        status, headers, body = self.answers.get(path, (200, {}, package([release(1)])))
        written = body if isinstance(body, bytes) else json.dumps(body).encode()
        with suppress(OSError):
            handler.send_response_only(status)
            for name, value in {**headers, "Content-Length": str(len(written))}.items():
                handler.send_header(name, value.encode().decode("latin-1"))
            handler.end_headers()
            handler.wfile.write(written)

    def fetch(self, address, **fields):
        """Fetch from a portal that a definition places there; return what became of it."""
        try:
            fields = {
                "pause_seconds": 0,
                "retry_seconds": 0,
                "attempts": 2,
                "connect_seconds": 0.5,
                "read_seconds": 2,
            } | fields
            origin = replace(source("tz-nest"), portal=Portal(address=address, **fields))
            return len(list(documents(origin, user_agent="sankofa/test (data@example.org)")))
        except (ServiceError, ValueError) as refused:
            return f"{type(refused).__name__}: {refused}"

    def took(self, act):
        """Return what was heard while something was done, and what it returned."""
        before = self.settled()
        outcome = act()
        return self.heard[before : self.settled()], outcome

    def settled(self):
        """Return how much was heard of all that was sent: who connects last is accepted last."""
        due = len(self.probed) + len(PROBES) * len(LISTENED)
        for number in PROBES:
            for port in LISTENED:
                socket.create_connection((number, port), 2).close()
        until(lambda: len(self.probed) >= due)
        return len(self.heard)


def naive(address):
    """Fetch as a program without care does, to prove that a trick is one."""
    direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with suppress(Exception), direct.open(address, timeout=0.5) as answer:
        answer.read()


def by_definition(world):
    for target in TARGETS:
        for address in addresses(target):
            yield f"definition {address!r}", lambda at=address: world.fetch(at), lambda at=address: naive(at)


def by_redirect(world):
    here = f"http://portal.test:{PORT}"
    for target in TARGETS:
        for number, location in enumerate(locations(target)):
            path = f"/redirect-{target}-{number}"
            world.answers[path] = (302, {"Location": location}, b"")
            yield (
                f"redirect {location!r}",
                lambda at=path: world.fetch(f"{here}{at}"),
                lambda at=path: naive(f"{here}{at}"),
            )


def by_name(world):
    for place, number in enumerate(PRIVATE):
        for kind, numbers in (("only", [number]), ("after", [PUBLIC, number]), ("before", [number, PUBLIC])):
            world.name(f"{kind}-{place}.test", *numbers)
            address = f"http://{kind}-{place}.test:{PORT}/"
            yield f"name {kind} {number}", lambda at=address: world.fetch(at), lambda at=address: naive(at)
    world.name("localhost", "127.0.0.1")
    for name in ("localhost", "localhost.", "LOCALHOST", "portal.test.localhost"):
        address = f"http://{name}:{PORT}/"
        yield f"name {name}", lambda at=address: world.fetch(at), lambda at=address: naive(at)


def by_rebinding(world):
    """A name that is public when it is looked up, and private from then on or every other moment."""
    for place, number in enumerate(TARGETS):
        name, address = f"rebind-{place}.test", f"http://rebind-{place}.test:{PORT}/{{page}}"
        for page in (1, 2):
            world.answers[f"/{page}"] = (200, {}, package([release(page)]))
        world.answers["/3"] = (200, {}, package([]))

        def turning(name=name, address=address, number=number):
            world.name(name, PUBLIC)
            portal = Portal(address=address, pause_seconds=0)
            pages = documents(replace(source("tz-nest"), portal=portal), user_agent="sankofa/test (x)")
            next(pages)
            world.name(name, number)
            return len(list(pages))

        def twice(name=name, address=address, number=number):
            world.name(name, PUBLIC)
            naive(address.format(page=1))
            world.name(name, number)
            naive(address.format(page=2))

        yield f"rebinding to {number}", turning, twice
    for attempt in range(60):
        name = f"flutter-{attempt}.test"

        def fluttering(name=name):
            stop = threading.Event()

            def flutter():
                while not stop.is_set():
                    for numbers in ([PUBLIC], ["10.0.0.5"], [PUBLIC, "10.0.0.5"]):
                        world.name(name, *numbers)

            world.name(name, PUBLIC)
            other = threading.Thread(target=flutter)
            other.start()
            try:
                return world.fetch(f"http://{name}:{PORT}/")
            finally:
                stop.set()
                other.join()

        yield f"flutter {attempt}", fluttering, None


def by_what_is_said(world):
    """Addresses in headers and data, none of which is anything to us."""
    inner = f"http://10.0.0.5:{PORT}/"
    said = {
        "links": (200, {}, package([release(1)], links={"next": f"{inner}?cursor=a"})),
        "package": (
            200,
            {},
            package([{**release(1), "url": inner}, {"url": inner}], extensions=[inner], uri=inner),
        ),
        "record": (200, {}, {"packages": [inner], "records": [{"ocid": "a", "releases": [{"url": inner}]}]}),
        "refresh": (200, {"Refresh": f"0; url={inner}"}, package([release(1)])),
        "link": (200, {"Link": f'<{inner}>; rel="next"'}, package([release(1)])),
        "location": (200, {"Location": inner, "Content-Location": inner}, package([release(1)])),
        "service": (200, {"Alt-Svc": 'http/1.1="10.0.0.5:8080"'}, package([release(1)])),
        "html": (200, {}, f'<meta http-equiv="refresh" content="0; url={inner}">'.encode()),
        "busy": (503, {"Location": inner, "Retry-After": "0"}, b""),
        "created": (201, {"Location": inner}, b""),
        "choices": (300, {"Location": inner}, b""),
        "proxy": (305, {"Location": inner}, b""),
    }
    for name, answer in said.items():
        world.answers[f"/{name}"] = answer
        for carried in ((), ("cursor",)):
            address = f"http://portal.test:{PORT}/{name}"
            yield f"{name} {carried}", lambda at=address, named=carried: world.fetch(at, carried=named), None


def controls(world):
    """What must be heard, so that silence means something."""

    def knock():
        for number in PRIVATE:
            with suppress(OSError):
                socket.create_connection((number, PORT), 2).close()

    private, _ = world.took(knock)
    public, public_outcome = world.took(lambda: world.fetch(f"http://portal.test:{PORT}/"))
    six, six_outcome = world.took(lambda: world.fetch(f"http://six.test:{PORT}/"))
    tls, tls_outcome = world.took(lambda: world.fetch(f"https://portal.test:{TLS_PORT}/"))
    _, other_outcome = world.took(lambda: world.fetch(f"https://other.test:{TLS_PORT}/"))
    return {
        "private": private,
        "public": [public, public_outcome],
        "six": [six, six_outcome],
        "tls": [tls, tls_outcome],
        "other": other_outcome,
    }


def main(folder):
    world = World(folder)
    world.serve_tls(folder)
    world.name("portal.test", PUBLIC)
    world.name("other.test", PUBLIC)
    world.name("six.test", PUBLIC_SIX)
    # A program that trusts its environment would ask this proxy.
    os.environ["http_proxy"] = os.environ["HTTP_PROXY"] = os.environ["ALL_PROXY"] = f"http://10.0.0.5:{PORT}"
    found = {"controls": controls(world), "tricks": []}
    for group in (by_definition, by_redirect, by_name, by_rebinding, by_what_is_said):
        for trick, ours, careless in group(world):
            heard, outcome = world.took(ours)
            fooled, _ = world.took(careless) if careless else ([], None)
            found["tricks"].append({"trick": trick, "heard": heard, "outcome": outcome, "careless": fooled})
    json.dump(found, sys.stdout)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
