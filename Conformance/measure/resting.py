"""A server that has nothing to do: how fast it is there, and what it takes to be there."""

import resource
import socket
import statistics
import time

from backend import Squall


def starts(work, rounds=11):
    """Milliseconds from the start of the process to the first answer (median), and the private and
    the resident memory after it in MiB."""
    times, private, resident = [], [], []
    for _ in range(rounds):
        with Squall(work=work) as server:
            assert server.ask("GET", server.target("none"))[0] == 404
            times.append((time.perf_counter() - server.began) * 1000)
            private.append(server.mebibytes("RssAnon"))
            resident.append(server.mebibytes("VmRSS"))
    return statistics.median(times), statistics.median(private), statistics.median(resident)


def stalled(work, count):
    """MiB of resident memory and threads that so many connections take beyond an idle server: each
    waits for ever inside the body of its answer."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, max(soft, count + 200)), hard))
    sent = 512
    with Squall("--fault", f"download @ response-body {sent}: stall forever", work=work) as server:
        server.put("small.bin", bytes(1024))
        memory, threads = server.mebibytes("VmRSS"), server.status("Threads")
        target = server.target("small.bin", "?alt=media")
        request = f"GET {target} HTTP/1.1\r\nHost: h\r\n\r\n".encode()
        connections = []
        for _ in range(count):
            connections.append(socket.create_connection(("127.0.0.1", server.port), timeout=30))
            connections[-1].sendall(request)
        for connection in connections:
            received = b""
            while len(received.partition(b"\r\n\r\n")[2]) < sent:
                piece = connection.recv(65536)
                assert piece, "a stalled connection was ended"
                received += piece
        grown = server.mebibytes("VmRSS") - memory, server.status("Threads") - threads
        for connection in connections:
            connection.close()
    return grown
