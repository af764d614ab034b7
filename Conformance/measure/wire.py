"""A raw HTTP client on asyncio that tells how a connection ended: bytes, FIN, RST or silence."""

import asyncio
import socket
import struct


class Answer:
    def __init__(self, status, fields, body, ending):
        self.status = status
        self.fields = fields
        self.body = body
        #: `whole`, or how the connection ended before that: `closed`, `reset`, `silent`.
        self.ending = ending

    def __repr__(self):
        return f"status {self.status}, {len(self.body)} bytes, {self.ending}"


class Wire:
    """One connection."""

    def __init__(self, port):
        self.port = port
        self.socket = None
        self.rest = b""
        #: Bytes that came on this connection so far.
        self.received = 0
        self.loop = asyncio.get_running_loop()

    async def open(self):
        """A connection that is reset while it is made is made again."""
        self.received = 0
        self.rest = b""
        while True:
            self.socket = socket.socket()
            self.socket.setblocking(False)
            self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            try:
                await self.loop.sock_connect(self.socket, ("127.0.0.1", self.port))
                return self
            except ConnectionResetError:
                self.socket.close()

    def close(self, abruptly=False):
        if abruptly:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.socket.close()

    async def send(self, content):
        """False where the server has ended the connection meanwhile."""
        try:
            await self.loop.sock_sendall(self.socket, content)
            return True
        except (ConnectionResetError, BrokenPipeError):
            return False

    async def more(self, patience=None):
        """The next bytes; or `closed`, `reset`, `silent`."""
        try:
            receive = self.loop.sock_recv(self.socket, 1 << 18)
            got = await (asyncio.wait_for(receive, patience) if patience else receive)
            self.received += len(got)
            return got or "closed"
        except asyncio.TimeoutError:
            return "silent"
        except (ConnectionResetError, BrokenPipeError):
            return "reset"

    async def to_end(self, patience=None):
        """Everything that comes, and how it ended."""
        received = self.rest
        while True:
            got = await self.more(patience)
            if isinstance(got, str):
                return received, got
            received += got

    async def answer(self, patience=None):
        """The next answer, interim ones left out."""
        while True:
            received = self.rest
            while b"\r\n\r\n" not in received:
                got = await self.more(patience)
                if isinstance(got, str):
                    self.rest = b""
                    return Answer(None, {}, received, got)
                received += got
            head, _, self.rest = received.partition(b"\r\n\r\n")
            lines = head.decode("latin-1").split("\r\n")
            status = int(lines[0].split(" ")[1])
            if status >= 200:
                break
        fields = {}
        for line in lines[1:]:
            name, _, value = line.partition(":")
            fields[name.lower()] = value.strip()
        body, ending = await self.body(fields, patience)
        return Answer(status, fields, body, ending)

    async def body(self, fields, patience):
        if "content-length" not in fields:
            if fields.get("transfer-encoding") != "chunked":
                return await self.to_end(patience)
            return await self.chunks(patience)
        size = int(fields["content-length"])
        pieces, count = [self.rest], len(self.rest)
        while count < size:
            got = await self.more(patience)
            if isinstance(got, str):
                self.rest = b""
                return b"".join(pieces), got
            pieces.append(got)
            count += len(got)
        received = b"".join(pieces)
        self.rest = received[size:]
        return received[:size], "whole"

    async def chunks(self, patience):
        body = b""
        while True:
            while b"\r\n" not in self.rest:
                got = await self.more(patience)
                if isinstance(got, str):
                    return body, got
                self.rest += got
            line, _, self.rest = self.rest.partition(b"\r\n")
            size = int(line.split(b";")[0], 16)
            while len(self.rest) < size + 2:
                got = await self.more(patience)
                if isinstance(got, str):
                    return body + self.rest, got
                self.rest += got
            body += self.rest[:size]
            self.rest = self.rest[size + 2:]
            if size == 0:
                return body, "whole"
