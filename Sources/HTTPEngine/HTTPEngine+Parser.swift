import CMicroHTTPD
import EventLoop
import Glibc

extension HTTPEngine {
    /// Bytes of memory that libmicrohttpd has for a connection: its read buffer, and the head. It
    /// clears them after every request.
    private var poolSize: Int { max(32 << 10, limits.headSize * 2) }

    /// libmicrohttpd without a socket or thread of its own; false if it does not start.
    func startParser() -> Bool {
        _ = Self.panicIsReported
        let flags =
            MHD_USE_EPOLL.rawValue | MHD_USE_NO_LISTEN_SOCKET.rawValue
            | MHD_ALLOW_SUSPEND_RESUME.rawValue | MHD_USE_TURBO.rawValue
            | MHD_USE_ERROR_LOG.rawValue
        var options = parserOptions()
        let me = Unmanaged.passUnretained(self).toOpaque()
        daemon = options.withUnsafeMutableBufferPointer { buffer in
            guard let items = buffer.baseAddress else { return nil }
            return withVaList([
                Int32(bitPattern: MHD_OPTION.ARRAY.rawValue), OpaquePointer(items),
                Int32(bitPattern: MHD_OPTION.END.rawValue),
            ]) { MHD_start_daemon_va(flags, 0, nil, nil, requestContinues, me, $0) }
        }
        guard daemon != nil else { return false }
        parserEpoll = cmhd_epoll_fd(daemon)
        loop.watch(parserEpoll, EventLoop.readable) { [unowned self] _ in needsRun = true }
        needsRun = true
        return true
    }

    private func parserOptions() -> [MHD_OptionItem] {
        let me = Unmanaged.passUnretained(self).toOpaque()
        let escapes:
            @convention(c) (UnsafeMutableRawPointer?, OpaquePointer?, UnsafeMutablePointer<CChar>?)
                -> Int = keepEscapes
        let line:
            @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<CChar>?, OpaquePointer?) ->
                UnsafeMutableRawPointer? = requestBegan
        let done: MHD_RequestCompletedCallback = requestEnded
        let link: MHD_NotifyConnectionCallback = connectionChanged
        func call(_ option: MHD_OPTION, _ function: Int) -> MHD_OptionItem {
            MHD_OptionItem(option: option, value: function, ptr_value: me)
        }
        let log: MHD_LogCallback = parserLogs
        return [
            // First, so that nothing goes to standard error.
            call(.EXTERNAL_LOGGER, unsafeBitCast(log, to: Int.self)),
            call(.UNESCAPE_CALLBACK, unsafeBitCast(escapes, to: Int.self)),
            call(.URI_LOG_CALLBACK, unsafeBitCast(line, to: Int.self)),
            call(.NOTIFY_COMPLETED, unsafeBitCast(done, to: Int.self)),
            call(.NOTIFY_CONNECTION, unsafeBitCast(link, to: Int.self)),
            MHD_OptionItem(option: .CONNECTION_MEMORY_LIMIT, value: poolSize, ptr_value: nil),
            MHD_OptionItem(
                option: .CONNECTION_LIMIT, value: limits.connections + 16, ptr_value: nil),
            MHD_OptionItem(option: .END, value: 0, ptr_value: nil),
        ]
    }

    /// libmicrohttpd ends the process when it finds itself misused: say so first.
    private static let panicIsReported: Bool = {
        MHD_set_panic_func(
            { _, file, line, reason in
                let place = file.map { String(cString: $0) } ?? "?"
                let text = reason.map { String(cString: $0) } ?? ""
                let message = Array("libmicrohttpd \(place):\(line): \(text)\n".utf8)
                write(2, message, message.count)
                abort()
            }, nil)
        return true
    }()
}
