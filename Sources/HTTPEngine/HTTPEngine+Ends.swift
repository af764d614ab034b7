import CEpoll
import CMicroHTTPD
import EventLoop
import StorageModel

// The end of what a client sends, where libmicrohttpd would miss it or heed it too soon.
//
// It listens for edges, and takes a read that brings less than it asked for as the last one. An end
// that came together with the bytes before it has no edge of its own, so that it would never be seen:
// we watch for it, and make the edge. Source: its connection.c, `recv_param_adapter`.
extension HTTPEngine {
    /// While libmicrohttpd reads from the connection.
    func watchForEnd(_ link: Link) {
        loop.watch(link.descriptor, EventLoop.peerClosed) { [unowned self, link] _ in
            // It would be told again and again.
            loop.unwatch(link.descriptor)
            finishing.append(link)
            needsRun = true
        }
    }

    /// After libmicrohttpd has had its turn: where an end is all that is left, it has to be seen.
    func showEnds() {
        guard !finishing.isEmpty else { return }
        finishing.removeAll { link in
            if links[ObjectIdentifier(link)] == nil || link.isTaken || link.isDead { return true }
            // Whoever resumes it watches anew.
            if link.isSuspended { return true }
            guard link.awaitsBytes, cepoll_readable(link.descriptor) == 0 else { return false }
            var event = link.parserEvent
            epoll_ctl(parserEpoll, EPOLL_CTL_MOD, link.descriptor, &event)
            needsRun = true
            return true
        }
    }

    /// libmicrohttpd reads first when a connection is resumed, and an end makes it forget what it has
    /// read and not handed over: a client that sent its whole body and then FIN would lose its answer.
    /// Those with a time limit of their own are processed before anything is read. Source: its
    /// daemon.c, `MHD_epoll`.
    func processFirst(_ link: Link) {
        cmhd_set_timeout(link.handle, Self.longTime)
        hurried.append(link)
    }

    /// After libmicrohttpd has had its turn.
    func forgetHurry() {
        for link in hurried where links[ObjectIdentifier(link)] != nil {
            cmhd_set_timeout(link.handle, 0)
        }
        hurried.removeAll(keepingCapacity: true)
    }

    /// Seconds that do not pass within one turn.
    private static let longTime: UInt32 = 1_000_000
}

extension Link {
    /// Nothing but bytes of the client makes its request go on.
    fileprivate var awaitsBytes: Bool {
        guard let exchange else { return true }
        return exchange.stage == .requestBody && !exchange.isBodyWhole
    }

    /// As libmicrohttpd enters a connection in its epoll: EPOLLIN, EPOLLPRI, EPOLLOUT, EPOLLET.
    var parserEvent: epoll_event {
        var event = epoll_event()
        event.events = 0x8000_0007
        event.data.ptr = UnsafeMutableRawPointer(handle)
        return event
    }
}
