"""A server under measurement: started, watched through /proc, asked, stopped."""

import http.client
import os
import pathlib
import re
import signal
import socket
import subprocess
import time

HERE = pathlib.Path(__file__).resolve().parent
SQUALL = os.environ.get("SQUALL", str(HERE.parent.parent / ".build/release/squall"))
BUCKET = "demo.appspot.com"
TICK = os.sysconf("SC_CLK_TCK")


class Process:
    """A child process on a port of 127.0.0.1, for the length of a `with` block."""

    def __init__(self, command, port=None, cwd=None, env=None):
        self.command = [str(each) for each in command]
        self.port = port
        self.cwd = cwd
        self.env = env
        self.child = None
        self.began = 0.0

    def __enter__(self):
        self.began = time.perf_counter()
        with self.output() as output:
            self.child = subprocess.Popen(
                self.command, stdout=output, stderr=output, cwd=self.cwd, env=self.env,
                start_new_session=True)
        try:
            self.wait_until_ready()
        except BaseException:
            self.__exit__()
            raise
        return self

    def output(self):
        return open(os.devnull, "w", encoding="utf-8")

    def wait_until_ready(self):
        end = time.monotonic() + 60
        while time.monotonic() < end:
            if self.child.poll() is not None:
                raise RuntimeError(f"{self.command[0]} ended with {self.child.returncode}")
            try:
                socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
                return
            except OSError:
                time.sleep(0.001)
        raise RuntimeError(f"{self.command[0]} did not listen")

    def __exit__(self, *_):
        # The group is the child's own: it was started as a session of its own.
        for number in (signal.SIGTERM, signal.SIGKILL):
            try:
                os.killpg(self.child.pid, number)
            except ProcessLookupError:
                break
            try:
                self.child.wait(10)
                break
            except subprocess.TimeoutExpired:
                continue

    def pids(self):
        """The child and everything that it has started."""
        parents = {}
        for entry in os.listdir("/proc"):
            if entry.isdigit():
                try:
                    fields = pathlib.Path(f"/proc/{entry}/stat").read_text().rsplit(")", 1)[1]
                    parents[int(entry)] = int(fields.split()[1])
                except OSError:
                    continue
        found = [self.child.pid]
        for pid in found:
            found += [each for each, parent in parents.items() if parent == pid]
        return found

    def cpu(self):
        """Seconds of CPU used so far, of the system too."""
        ticks = 0
        for pid in self.pids():
            fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
            ticks += int(fields[11]) + int(fields[12])
        return ticks / TICK

    def status(self, field):
        """A number of /proc/PID/status, of all its processes together."""
        total = 0
        for pid in self.pids():
            text = pathlib.Path(f"/proc/{pid}/status").read_text(encoding="ascii")
            total += int(re.search(rf"^{field}:\s+(\d+)", text, re.MULTILINE).group(1))
        return total

    def mebibytes(self, field):
        return self.status(field) / 1024

    def ask(self, method="GET", target="/", body=None, headers=None):
        """Status, headers and body of one request on a connection of its own."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            connection.request(method, target, body, headers or {})
            answer = connection.getresponse()
            return answer.status, answer.headers, answer.read()
        finally:
            connection.close()


class Squall(Process):
    """`squall serve` on a free port; what it prints goes to a file that nobody reads."""

    def __init__(self, *options, work=None):
        super().__init__([SQUALL, "serve", "--port", "0", *options])
        self.path = pathlib.Path(work or "/tmp") / f"squall-{os.getpid()}-{id(self)}.log"

    def output(self):
        return open(self.path, "w", encoding="utf-8")

    def wait_until_ready(self):
        end = time.monotonic() + 20
        while time.monotonic() < end:
            found = re.search(r"https?://127\.0\.0\.1:(\d+)", self.path.read_text("utf-8"))
            if found:
                self.port = int(found.group(1))
                return
            if self.child.poll() is not None:
                break
            time.sleep(0.0005)
        raise RuntimeError(f"squall serve did not start: {self.path.read_text('utf-8')}")

    def __exit__(self, *_):
        super().__exit__()
        self.path.unlink(missing_ok=True)

    def target(self, name, query=""):
        return f"/v0/b/{BUCKET}/o/{name}{query}"

    def put(self, name, content, kind="application/octet-stream"):
        status, _, answer = self.ask(
            "POST", f"/v0/b/{BUCKET}/o?name={name}", content, {"Content-Type": kind})
        assert status == 200, (status, answer)
        return answer


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]
