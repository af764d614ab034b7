"""A tiny storage client and its adapter for Squall: the template to copy. See README.md."""
import http.client
import json
import mimetypes
import socket
import struct
import sys
import threading
import time
from contextlib import contextmanager
from urllib.parse import quote

HELLO = {"name": "python-minimal", "version": "1.0", "protocol": 1, "capabilities": [
    "upload.data", "upload.file", "download.memory", "download.file", "pause", "resume", "cancel",
    "limits", "chunk-size", "no-resend"]}
CODES = {401: "unauthenticated", 402: "quotaExceeded", 403: "unauthorized", 404: "objectNotFound"}
FAULTS = {ConnectionRefusedError: "refused", http.client.RemoteDisconnected: "closed",
          TimeoutError: "timed-out", http.client.IncompleteRead: "cut"}  # all others: reset
output = threading.RLock()  # guards standard output and `config`
config, tasks = None, {}  # what "configure" said, None between scenarios; tasks by name


def say(**message):
    print(json.dumps({k: v for k, v in message.items() if v is not None}), flush=True)


class Failure(Exception):
    def __init__(self, code, message, may_pass=False, after=0, **more):
        self.error = dict(code=code, name=code, message=message, **more)
        self.may_pass, self.after = may_pass, after  # seconds that the server asks to wait


class Task(threading.Thread):
    """A transfer. `step` does a part of it, and returns a result when all is done."""
    wish = connection = session = total = None
    done, is_unsure = 0, False  # unsure: only the server knows how much of an upload it has

    def __init__(self, command):
        super().__init__(daemon=True)
        self.command, self.config, self.wish_came = command, config, threading.Event()
        self.step = self.upload if command["do"] == "upload" else self.download
        self.path = f"/v0/b/{command.get('bucket') or config['bucket']}/o"
        self.object = quote(command["object"], safe="")

    def tell(self, wish):
        self.wish = wish
        self.wish_came.set()
        if wish != "resume" and self.connection and self.connection.sock:
            self.connection.sock.shutdown(socket.SHUT_RD)  # whoever waits for an answer wakes up

    def obey(self):
        self.wish_came.clear()
        if self.wish == "pause":
            self.report("pause")
            while self.wish == "pause":
                self.wish_came.wait()
                self.wish_came.clear()
            if self.wish == "resume":
                self.report("resume")
        if self.wish == "cancel":
            raise Failure("cancelled", "the user cancelled")

    def report(self, event, is_end=False, content=None, **more):
        with output:
            if config is not self.config:
                sys.exit()  # the scenario is over, and so is this thread
            if self.command.get("recorder", True):
                say(event=event, task=self.command["task"], completed=self.done, total=self.total,
                    **more)
            if is_end and self.command.get("completion", True):
                say(completion=self.command["task"], content=content, **more)

    def run(self):
        is_upload, wait, outage, result = self.step == self.upload, 1, None, None
        limit = self.config["maxUploadRetryMs" if is_upload else "maxDownloadRetryMs"] / 1000
        try:
            if not self.object:
                raise Failure("invalidArgument", "the root of a bucket holds no bytes")
            if is_upload:
                with open(self.command.get("data") or self.command["file"], "rb") as file:
                    self.bytes = file.read()
                self.total = len(self.bytes)
                guess, _ = mimetypes.guess_type(self.command.get("file", ""))
                self.metadata = {"contentType": guess, **self.command.get("metadata", {})}
            self.report("resume")
            while result is None:
                self.obey()
                before = self.done
                try:
                    result = self.step()
                except Failure as failure:
                    if not failure.may_pass and not self.wish_came.is_set():
                        raise
                    outage = outage or time.monotonic()
                    left = outage + limit - time.monotonic()
                    delay = (failure.after or wait) * self.config["timeScale"]
                    if not self.wish_came.wait(max(0, min(delay, left))) and delay >= left:
                        failure.error["code"] = "retryLimitExceeded"
                        raise
                    wait *= 2
                if self.done > before:
                    wait, outage = 1, None
            self.report("success", True, **result)
        except Failure as failure:
            self.report("failure", True, error=failure.error)
            if self.wish == "cancel" and self.session:
                self.wish_came.clear()
                with self.exchange("POST", self.session, {"X-Goog-Upload-Command": "cancel"}):
                    pass
        except OSError as problem:  # of a local file
            self.report("failure", True, error=Failure("unknown", str(problem)).error)

    @contextmanager
    def exchange(self, method, url, headers, body=b""):
        """One request on a connection of its own; whatever goes wrong is a Failure."""
        self.connection = http.client.HTTPConnection(
            self.config["host"], self.config["port"], timeout=self.config["idleMs"] / 1000)
        try:
            self.connection.connect()
            self.connection.sock.setsockopt(  # close by RST: the server notices at once
                socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            if self.wish_came.is_set():
                raise ConnectionAbortedError
            self.connection.request(method, url, body, headers)
            reply = self.connection.getresponse()
            if self.wish_came.is_set():
                raise ConnectionAbortedError
            if reply.status >= 300:
                text = reply.read().decode(errors="replace")
                may_pass = reply.status in (408, 423, 429) or reply.status >= 500
                after = int(reply.headers.get("Retry-After", 0))
                raise Failure(CODES.get(reply.status, "unknown"), reply.reason, may_pass, after,
                              status=reply.status, body=text)
            yield reply
        except (OSError, http.client.HTTPException) as problem:
            fault = FAULTS.get(type(problem), "reset")
            raise Failure("unknown", str(problem), may_pass=True, transport=fault) from problem
        finally:
            self.connection.close()

    def upload(self):
        """Starts a session, or asks how much it has, or sends the next chunk."""
        url, command, before, end = self.session, "query", self.done, self.done
        if self.session is None:
            url, command = f"{self.path}?name={self.object}", "start"
        elif not self.is_unsure:
            end = min(self.done + self.config.get("chunkSize", self.total), self.total)
            command = "upload, finalize" if end == self.total else "upload"
        body = self.bytes[self.done:end] if self.session else json.dumps(self.metadata)
        self.is_unsure = True
        with self.exchange("POST", url, {
                "X-Goog-Upload-Protocol": "resumable", "X-Goog-Upload-Command": command,
                "X-Goog-Upload-Offset": self.done, "Content-Type": "application/json",
                "X-Goog-Upload-Header-Content-Length": self.total}, body) as reply:
            headers, text = reply.headers, reply.read()
        self.is_unsure = False
        self.session = self.session or headers["X-Goog-Upload-URL"]
        is_final = headers["X-Goog-Upload-Status"] == "final"
        received = headers.get("X-Goog-Upload-Size-Received", end)
        self.done = self.total if is_final else int(received)
        if self.done > before or is_final:
            self.report("progress")
        return {"metadata": json.loads(text)} if is_final else None

    def download(self):
        """Fetches what is missing, and writes the file when nothing is."""
        wanted = {"Range": f"bytes={self.done}-"} if self.done else {}
        with self.exchange("GET", f"{self.path}/{self.object}?alt=media", wanted) as reply:
            if reply.status != 206:
                self.done, self.bytes = 0, bytearray()
            self.total = self.done + int(reply.headers["Content-Length"])
            if self.total > self.command.get("memory", {}).get("maxSize", self.total):
                raise Failure("downloadSizeExceeded", f"{self.total} bytes are too many")
            while self.done < self.total:
                block = reply.read1(min(65536 - self.done % 65536, self.total - self.done))
                if not block or self.wish_came.is_set():
                    raise http.client.IncompleteRead(block)
                self.bytes += block
                self.done += len(block)
                if self.done % 65536 == 0 or self.done == self.total:
                    self.report("progress")
        path = self.command.get("file") or self.command["memory"]["into"]
        with open(path, "wb") as file:
            file.write(self.bytes)
        return {"content": path}


def main():
    global config
    for line in sys.stdin:
        message = json.loads(line)
        verb, task, answer = message["do"], message.get("task"), {"answer": message["id"]}
        with output:
            if verb == "hello":
                answer["hello"] = HELLO
            elif verb == "configure":
                config = message
            elif verb in ("upload", "download"):
                tasks[task] = Task(message)
            elif verb in ("pause", "resume", "cancel"):
                tasks[task].tell(verb)
            elif verb == "end":
                config = None
            elif verb != "sync":
                answer["unsupported"] = verb
            say(**answer)
        if verb in ("upload", "download"):
            tasks[task].start()


main()
