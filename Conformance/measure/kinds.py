"""The kinds of requests of the soak: each with its fault, and what a client must see of it."""

import asyncio
import base64
import hashlib
import json
import time

from backend import BUCKET
from wire import Wire

SMALL = bytes(number * 7 % 256 for number in range(1000))
LARGE = bytes(range(256)) * 4096
FEW = 8


class Mismatch(Exception):
    """A client saw something else than the fault says."""


def want(condition, what):
    if not condition:
        raise Mismatch(what)


def get(name, query="?alt=media", fields=""):
    path = name.replace("/", "%2F")
    return f"GET /v0/b/{BUCKET}/o/{path}{query} HTTP/1.1\r\nHost: h\r\n{fields}\r\n".encode()


def post(query, body, fields=""):
    head = f"POST /v0/b/{BUCKET}/o{query} HTTP/1.1\r\nHost: h\r\nContent-Length: {len(body)}\r\n"
    return f"{head}{fields}\r\n".encode() + body


class Kind:
    """A request for an object of its own, `k/NAME`, on which its own fault lies."""

    def __init__(self, name, action=None, match="download", at="", content=SMALL, check=None):
        self.name = name
        self.path = f"k/{name}"
        self.content = content
        self.check = check or whole
        place = f" @ {at}" if at else ""
        self.fault = f"{match} path={self.path}{place}: {action}" if action else None

    async def run(self, wire, random):
        began = time.monotonic()
        await wire.send(get(self.path))
        answer = await wire.answer()
        self.check(answer, self.content, time.monotonic() - began)


class Metadata(Kind):
    async def run(self, wire, random):
        await wire.send(get(self.path, ""))
        answer = await wire.answer()
        if self.fault:
            return self.check(answer, self.content, 0)
        want(json.loads(answer.body)["name"] == self.path, answer)


class Ranged(Kind):
    async def run(self, wire, random):
        await wire.send(get(self.path, fields="Range: bytes=100-199\r\n"))
        answer = await wire.answer()
        if self.fault:
            return self.check(answer, self.content, 0)
        want(answer.status == 206 and answer.body == self.content[100:200], answer)


class Silent(Kind):
    async def run(self, wire, random):
        await wire.send(get(self.path))
        got = await wire.more(0.03)
        want(got == "silent", f"{got!r} instead of silence")


class Raw(Kind):
    async def run(self, wire, random):
        await wire.send(get(self.path))
        got, ending = await wire.to_end()
        want(got == b"garbage" and ending == "closed", f"{got!r}, {ending}")


class Pipelined(Kind):
    async def run(self, wire, random):
        await wire.send(get(self.path) + get(self.path, ""))
        whole(await wire.answer(), self.content, 0)
        want((await wire.answer()).status == 200, "no second answer")


class SlowHead(Kind):
    async def run(self, wire, random):
        request = get(self.path)
        for start in range(0, len(request), 30):
            await wire.send(request[start:start + 30])
            await asyncio.sleep(0.001)
        whole(await wire.answer(), self.content, 0)


class Leaving(Kind):
    """The client leaves inside a download: by FIN or RST."""

    async def run(self, wire, random):
        await wire.send(get(self.path))
        want(not isinstance(await wire.more(), str), "no answer")
        wire.close(abruptly=random.random() < 0.5)


class Upload(Kind):
    """A simple upload; names repeat, so that what is stored does not grow."""

    async def run(self, wire, random):
        body = random.randbytes(random.randrange(1, 8192))
        name = f"{self.path}{random.randrange(FEW) if not self.fault else ''}"
        await wire.send(post(f"?name={name}", body))
        answer = await wire.answer()
        if self.fault:
            return self.check(answer, body, 0)
        want(answer.status == 200, answer)
        wanted = base64.b64encode(hashlib.md5(body).digest()).decode()
        want(json.loads(answer.body)["md5Hash"] == wanted, "another md5Hash than that of the bytes")


class LeavingUpload(Kind):
    async def run(self, wire, random):
        request = post(f"?name={self.path}", bytes(20000))
        await wire.send(request[:random.randrange(50, len(request) - 1)])
        wire.close(abruptly=random.random() < 0.5)


class Session(Kind):
    """A resumable upload in one body; where a fault cuts it, the session is asked and finished."""

    async def run(self, wire, random):
        name = f"{self.path}{random.randrange(FEW) if not self.fault else ''}"
        start = "X-Goog-Upload-Protocol: resumable\r\nX-Goog-Upload-Command: start\r\n"
        await wire.send(post(f"?name={name}", b"", start))
        answer = await wire.answer()
        want(answer.status == 200, answer)
        url = answer.fields["x-goog-upload-url"]
        target = url[url.index("/v0/"):].replace(f"/v0/b/{BUCKET}/o", "", 1)
        body = random.randbytes(3000)
        last = "X-Goog-Upload-Command: upload, finalize\r\nX-Goog-Upload-Offset: 0\r\n"
        await wire.send(post(target, body, last))
        answer = await wire.answer()
        if self.fault:
            self.check(answer, body, 0)
            query = post(target, b"", "X-Goog-Upload-Command: query\r\n")
            answer = await alone(wire.port, query)
            want(answer.fields.get("x-goog-upload-size-received") == "0", answer)
            cancel = post(target, b"", "X-Goog-Upload-Command: cancel\r\n")
            want((await alone(wire.port, cancel)).status == 200, "the session was not cancelled")
            return
        want(answer.status == 200, answer)
        want(answer.fields.get("x-goog-upload-status") == "final", answer.fields)


async def alone(port, request):
    """The answer on a connection of its own; one that is reset as it comes is not the only one."""
    for _ in range(2):
        wire = await Wire(port).open()
        await wire.send(request)
        answer = await wire.answer()
        wire.close()
        if answer.status is not None:
            break
    return answer


def whole(answer, content, _):
    want(answer.status == 200 and answer.ending == "whole", answer)
    want(answer.body == content, "other bytes than were stored")


def status(code):
    def check(answer, *_):
        want(answer.status == code and answer.ending == "whole", answer)
    return check


def broken(count, ending):
    """So many bytes of the body came, then the end."""
    def check(answer, content, _):
        want(answer.ending == ending, answer)
        want(answer.body == content[:count], f"{len(answer.body)} bytes instead of {count}")
    return check


def no_answer(*endings):
    def check(answer, *_):
        want(answer.status is None and answer.body == b"" and answer.ending in endings, answer)
    return check


def late(seconds):
    def check(answer, content, took):
        whole(answer, content, took)
        want(took >= seconds, f"after {took:.3f} s already")
    return check


def flipped(place):
    def check(answer, content, _):
        want(answer.ending == "whole" and len(answer.body) == len(content), answer)
        wrong = [index for index in range(len(content)) if answer.body[index] != content[index]]
        want(wrong == [place], f"other bytes at {wrong}")
    return check


def fields(present=None, absent=None):
    def check(answer, content, took):
        whole(answer, content, took)
        want(present is None or present in answer.fields, answer.fields)
        want(absent is None or absent not in answer.fields, answer.fields)
    return check


def length(count):
    def check(answer, *_):
        want(answer.status == 200 and len(answer.body) == count, answer)
    return check


CONNECTIONS = "connect#every 101: disconnect reset"

KINDS = [
    Kind("plain"), Kind("large", content=LARGE), Metadata("resource"), Ranged("range"),
    Pipelined("pipelined"), SlowHead("slow-head"), Leaving("leaving", content=LARGE),
    Upload("upload"), LeavingUpload("leaving-upload"), Session("session"),
    Kind("respond", "respond 503", check=status(503)),
    Kind("early-reset", "disconnect reset", at="request-head", check=no_answer("reset")),
    Kind("early-close", "disconnect close", at="request-head", check=no_answer("closed")),
    Kind("lost", "drop answer", check=no_answer("closed")),
    Kind("body-reset", "disconnect reset", at="response-body 700", check=broken(700, "reset")),
    Kind("body-close", "disconnect close", at="response-body 700", check=broken(700, "closed")),
    Kind("body-half", "disconnect half", at="response-body 1", check=broken(1, "closed")),
    Kind("far-reset", "disconnect reset", at="response-body 500001", content=LARGE,
         check=broken(500_001, "reset")),
    Kind("end-close", "disconnect close", at="response-end", check=whole),
    Kind("stall", "stall 30ms", at="response-body 500", check=late(0.025)),
    Kind("delay", "delay 20ms", check=late(0.015)),
    Kind("delay-normal", "delay {uniform: [1ms, 5ms]}"),
    Kind("throttle", "throttle 8KiB/s", check=late(0.05)),
    Kind("slice", "slice {size: 100, gap: 1ms}", check=late(0.005)),
    Silent("silence", "silence", at="request-head"),
    Kind("flip", "corrupt {flip: 1}", at="response-body 10", check=flipped(10)),
    Kind("headers", "headers {remove: [ETag], set: {X-Soak: here}}",
         check=fields(present="x-soak", absent="etag")),
    Kind("hash-missing", "hash missing", check=fields(absent="x-goog-hash")),
    Kind("chunked", "length none", check=fields(absent="content-length")),
    Metadata("truncated", "json {truncate: 20}", match="metadata.get", check=length(20)),
    Raw("raw", 'raw {text: "garbage"}, disconnect close'),
    Ranged("range-ignored", "range ignore"),
    Ranged("range-refused", "range refuse", check=status(416)),
    Upload("up-respond", "respond 403", match="upload.media", check=status(403)),
    Upload("up-reset", "disconnect reset", match="upload.media", at="request-body 0",
           check=no_answer("reset")),
    Upload("up-lost", "drop answer", match="upload.media", check=no_answer("closed", "reset")),
    Session("session-cut", "disconnect reset", match="upload.body", at="request-body 1000",
            check=no_answer("reset")),
]
