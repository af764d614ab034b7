import StorageModel

/// Who may use the control API: programs on this machine, with the token where there is one; never a
/// page in a browser.
struct ControlGuard {
    /// Nil: no token is asked for.
    let token: String?
    /// The port that the API listens on.
    let port: UInt16

    /// Why a request is refused before anything of it is looked at; nil: it is not.
    ///
    /// A page of another site can make a browser send requests to this port. It cannot choose `Host`,
    /// which is its own name even where that name leads to this machine, and its browser says `Origin`
    /// with everything that could change something. Source: RFC 6454 section 7.
    func refusal(of head: HTTPRequestHead) -> HTTPResponse? {
        guard head.target.hasPrefix("/") else {
            return ControlAnswer.error(400, "the request's target is a path: /v1/health")
        }
        let hosts = head.headers.values(of: "Host")
        guard hosts.count == 1, isOwn(hosts[0]) else {
            return ControlAnswer.error(
                403, "Host must be localhost, 127.0.0.1 or [::1] with the port \(port)")
        }
        if head.headers["Origin"] != nil {
            return ControlAnswer.error(403, "requests of pages are not taken: they have an Origin")
        }
        guard isAuthorized(head) else {
            var answer = ControlAnswer.error(
                401, "the control token is needed: Authorization: Bearer TOKEN")
            answer.headers["WWW-Authenticate"] = "Bearer realm=\"squall control\""
            return answer
        }
        return nil
    }

    private func isOwn(_ host: String) -> Bool {
        let host = host.lowercased()
        return ["localhost", "127.0.0.1", "[::1]"].contains { name in
            host == "\(name):\(port)" || port == 80 && host == name
        }
    }

    private func isAuthorized(_ head: HTTPRequestHead) -> Bool {
        guard let token else { return true }
        let given = head.headers.values(of: "Authorization")
        guard given.count == 1 else { return false }
        let parts = given[0].split(separator: " ", maxSplits: 1).map(String.init)
        guard parts.count == 2, parts[0].lowercased() == "bearer" else { return false }
        return Self.isSame(Array(parts[1].utf8), Array(token.utf8))
    }

    /// Takes as long for a token of which much is right as for one of which nothing is.
    static func isSame(_ given: [UInt8], _ wanted: [UInt8]) -> Bool {
        var difference = given.count ^ wanted.count
        for index in wanted.indices {
            let byte = index < given.count ? given[index] : 0
            difference |= Int(byte ^ wanted[index])
        }
        return difference == 0
    }
}
