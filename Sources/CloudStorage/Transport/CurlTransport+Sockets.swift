internal import CCurl
internal import CEpoll
internal import EventLoop
internal import Glibc

extension CurlTransport {
    /// Tells the loop's clock about both ends of a connection's life. The connection may outlive the
    /// transfer that opened it, so the callbacks know the transport alone.
    func configureSockets(of easy: UnsafeMutableRawPointer) {
        let me = Unmanaged.passUnretained(self).toOpaque()
        _ = ccurl_set_open(easy) { user, _, address in
            guard let user, let address = address?.pointee else { return CURL_SOCKET_BAD }
            let fd = socket(
                address.family, address.socktype | Int32(SOCK_CLOEXEC.rawValue), address.protocol)
            let transport = Unmanaged<CurlTransport>.fromOpaque(user).takeUnretainedValue()
            if fd >= 0 { transport.loop.time?.clientOpened(fd) }
            return fd
        }
        _ = ccurl_set_pointer(easy, CURLOPT_OPENSOCKETDATA, me)
        _ = ccurl_set_close(easy) { user, fd in
            guard let user else { return close(fd) }
            let transport = Unmanaged<CurlTransport>.fromOpaque(user).takeUnretainedValue()
            if transport.isAborting {
                var linger = linger(l_onoff: 1, l_linger: 0)
                setsockopt(
                    fd, SOL_SOCKET, SO_LINGER, &linger,
                    socklen_t(MemoryLayout.size(ofValue: linger)))
            }
            transport.loop.time?.clientClosed(fd)
            return close(fd)
        }
        _ = ccurl_set_pointer(easy, CURLOPT_CLOSESOCKETDATA, me)
    }
}
