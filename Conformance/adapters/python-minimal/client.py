"""A tiny storage client and its adapter for Squall: the template to copy. See README.md."""
import json, mimetypes, socket, struct, sys, threading
from base64 import b64encode
from contextlib import suppress
from hashlib import md5
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from urllib.parse import quote, urlsplit

HELLO = {"name": "python-minimal", "version": "1.1", "protocol": 1, "capabilities": [
    "upload.data", "upload.file", "download.memory", "download.file", "pause", "resume", "cancel",
    "limits", "chunk-size", "no-resend"]}
CODES = {401: "unauthenticated", 402: "quotaExceeded", 403: "unauthorized", 404: "objectNotFound"}
config, tasks = None, {}  # what "configure" said; tasks by name
output = threading.Lock()  # guards standard output and `config`


class Task:
    """A transfer. `upload` and `download` go on where it stands, and give a result at its end."""
    wish, done, total, session, connection = "resume", 0, None, None, None

    def __init__(self, command):
        self.command, self.config, self.step = command, config, getattr(self, command["do"])
        self.path = Path(command.get("data") or command.get("file") or command["memory"]["into"])
        self.most = command.get("memory", {}).get("maxSize", sys.maxsize)
        self.url = "http://{host}:{port}/v0/b/{bucket}/o/".format(**config)
        self.url += quote(command["object"], safe="")
        self.changed, self.is_idle = threading.Event(), threading.Event()
        threading.Thread(target=self.run, daemon=True).start()

    def want(self, wish):
        """Pause, resume or cancel; a request that is under way is broken off."""
        if wish != self.wish and self.wish not in ("cancel", "over"):
            self.wish = wish
            self.changed.set()
            if wish != "resume" and self.connection:
                with suppress(OSError):
                    self.connection.shutdown(socket.SHUT_RDWR)
                self.is_idle.wait(0.5)

    def report(self, event, content=None, **more):
        with output:
            if config is not self.config:
                sys.exit()  # the scenario is over, and so is this thread
            name, state = self.command["task"], {"completed": self.done, "total": self.total}
            print(json.dumps({"event": event, "task": name, **state, **more}), flush=True)
            if event in ("success", "failure"):
                self.wish = "over"
                print(json.dumps({"completion": name, "content": content, **more}), flush=True)

    def fail(self, code, **more):
        self.report("failure", error={"code": code, "name": code, "message": code, **more})
        if code == "cancelled" and self.session:
            self.exchange("POST", self.session, {"X-Goog-Upload-Command": "cancel"})
        sys.exit()

    def run(self):
        limit = self.config[f"max{self.command['do'].title()}RetryMs"] / 1000
        said, best, wait, left = None, 0, self.config["timeScale"], limit
        if self.command["do"] == "upload" and not self.command["object"]:
            self.fail("invalidArgument")
        while True:
            self.changed.clear()
            try:
                if self.wish == "cancel":
                    self.fail("cancelled")
                if self.wish != said:
                    self.report(said := self.wish)
                if self.wish == "pause":
                    self.changed.wait()
                else:
                    self.is_idle.clear()
                    if result := self.step():
                        return self.report("success", **result)
            except (OSError, HTTPException, ValueError) as problem:
                if self.done > best:
                    best, wait, left = self.done, self.config["timeScale"], limit
                if self.wish == "resume" and left <= 0:
                    self.fail("retryLimitExceeded", body=repr(problem))
                asked = getattr(problem, "seconds", 0) * self.config["timeScale"]
                if self.wish == "resume":
                    self.changed.wait(max(asked, min(wait, left)))
                wait, left = wait * 2, left - wait
            finally:
                self.is_idle.set()

    def exchange(self, method, url, headers, body=b""):
        place = urlsplit(url)
        http = HTTPConnection(place.netloc, timeout=self.config["idleMs"] / 1000)
        try:
            http.connect()
            # What was not sent yet is thrown away at the close, so that the server knows at once.
            http.sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self.connection = http.sock
            if self.wish in ("pause", "cancel"):
                raise ConnectionAbortedError
            http.request(method, f"{place.path}?{place.query}", body, headers)
            reply = http.getresponse()
        except Exception:
            http.close()
            raise
        status = reply.status
        if status >= 500 or status in (408, 423, 429):
            problem = ConnectionError(f"HTTP {status}")
            problem.seconds = int(reply.headers.get("Retry-After", 0))
            raise problem
        if not 200 <= status < 300:
            self.fail(CODES.get(status, "unknown"), status=status)
        return reply

    def upload(self):
        data, is_final = self.path.read_bytes(), False
        command, chunk, self.total = "query" if self.session else "start", b"", len(data)
        kind = mimetypes.guess_type(self.path)[0] if "file" in self.command else None
        while self.wish == "resume" and not is_final:
            with self.exchange("POST", self.session or self.url, {
                    "X-Goog-Upload-Protocol": "resumable", "X-Goog-Upload-Command": command,
                    "X-Goog-Upload-Header-Content-Type": kind or "application/octet-stream",
                    "X-Goog-Upload-Offset": self.done}, chunk) as reply:
                before, text = self.done, reply.read()
            self.session = self.session or reply.headers["X-Goog-Upload-URL"]
            if not self.session:
                self.fail("unknown")
            self.done = int(reply.headers.get("X-Goog-Upload-Size-Received", before + len(chunk)))
            is_final = reply.headers["X-Goog-Upload-Status"] == "final"
            if self.done > before or is_final:
                self.report("progress")
            elif command.startswith("upload"):
                raise ConnectionError("the server kept nothing")
            chunk = data[self.done:][:self.config.get("chunkSize")]
            command = "upload" if self.done + len(chunk) < self.total else "upload, finalize"
        return {"metadata": json.loads(text)} if is_final else None

    def download(self):
        wanted = {"Range": f"bytes={self.done}-"} if self.done else {}
        with self.exchange("GET", self.url + "?alt=media", wanted) as reply:
            if reply.status != 206:
                self.done, self.bytes = 0, bytearray()
                sums = ",".join(reply.headers.get_all("X-Goog-Hash", []))
                self.md5 = sums.partition("md5=")[2][:24]
            self.total = None if reply.length is None else self.done + reply.length
            while self.done != self.total and self.wish == "resume":
                self.bytes += reply.read1(65536)
                if max(self.total or 0, len(self.bytes)) > self.most:
                    self.fail("downloadSizeExceeded")
                if len(self.bytes) == self.done:
                    if not reply.chunked:
                        raise ConnectionError("the answer was cut")
                    self.total = self.done
                self.done = len(self.bytes)
                self.report("progress")
        if self.done == self.total:
            if self.md5 not in ("", b64encode(md5(self.bytes).digest()).decode()):
                self.fail("nonMatchingChecksum")
            self.path.write_bytes(self.bytes)
            return {"content": str(self.path)}


for message in map(json.loads, sys.stdin):
    verb, task, answer = message["do"], message.get("task"), {"answer": message["id"]}
    if verb in ("pause", "resume", "cancel"):
        tasks[task].want(verb)
    with output:
        if verb == "hello":
            answer["hello"] = HELLO
        elif verb in ("configure", "end"):
            config = message
        elif verb in ("upload", "download"):
            tasks[task] = Task(message)
        elif verb not in ("pause", "resume", "cancel", "sync"):
            answer["unsupported"] = verb
        print(json.dumps(answer), flush=True)
