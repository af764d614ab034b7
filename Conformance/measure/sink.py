"""A server that takes uploads as fast as it can read them, keeps nothing and believes everything.

`sink.py PORT FILE`: speaks the resumable protocol, and answers a finished upload, or any other request,
with the resource that stands in FILE.
"""

import pathlib
import socket
import sys
import threading

UNIT = 262144


def serve(connection, resource):
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    room = memoryview(bytearray(1 << 20))
    kept = 0
    have = b""
    while True:
        while b"\r\n\r\n" not in have:
            more = connection.recv(65536)
            if not more:
                return
            have += more
        head, have = have.split(b"\r\n\r\n", 1)
        fields = {
            name.strip().lower(): value.strip() for name, _, value in
            (line.partition(":") for line in head.decode("latin-1").split("\r\n")[1:])}
        left = int(fields.get("content-length", 0))
        have, left, body = have[left:], max(0, left - len(have)), left
        while left:
            got = connection.recv_into(room, min(left, len(room)))
            if not got:
                return
            left -= got
        command = fields.get("x-goog-upload-command", "")
        extra, answer = b"", b""
        if command == "start":
            host = fields["host"]
            kept = 0
            extra = (f"X-Goog-Upload-URL: http://{host}/session\r\n"
                     f"X-Goog-Upload-Chunk-Granularity: {UNIT}\r\n").encode()
        else:
            kept += body
            extra = f"X-Goog-Upload-Size-Received: {kept}\r\n".encode()
        if "finalize" in command or not command:
            answer = resource
        status = b"final" if answer else b"active"
        connection.sendall(
            b"HTTP/1.1 200 OK\r\nX-Goog-Upload-Status: " + status + b"\r\n" + extra
            + b"Content-Length: " + str(len(answer)).encode() + b"\r\n\r\n" + answer)


def main():
    resource = pathlib.Path(sys.argv[2]).read_bytes()
    with socket.create_server(("127.0.0.1", int(sys.argv[1])), backlog=64) as listener:
        while True:
            connection, _ = listener.accept()
            threading.Thread(target=serve, args=(connection, resource), daemon=True).start()


main()
