import FaultEngine
import HTTPEngine
import StorageModel
import StorageWire

// Chains of redirects: how many are left is told in the URL, so that every hop of every client is known.
extension MockServer {
    /// The query item that says how many redirects are still to come.
    static let redirectKey = "squall-redirects"

    /// The answer that a redirect is.
    func answer(_ redirection: Redirection, to run: ExchangeRun) -> ForcedResponse {
        let location =
            switch redirection.destination {
            case .target(let url): url
            case .toItself: ownURL(of: run, target: Self.originForm(run.exchange.head.target))
            case .times(let count): hop(run, left: count - 1)
            }
        var answer = ForcedResponse(status: redirection.status)
        answer.headers = [HeaderValue("Location", .text(location))]
        return answer
    }

    /// The answer to a request in the middle of a chain; nil at its end, and for any other request.
    func nextHop(of run: ExchangeRun) -> ForcedResponse? {
        guard let left = Self.redirectsLeft(run), left > 0 else { return nil }
        for rule in injector.rules {
            for case .redirect(let redirection) in rule.actions {
                guard case .times(let count) = redirection.destination, left < count else {
                    continue
                }
                return answer(Redirection(.times(left), status: redirection.status), to: run)
            }
        }
        return nil
    }

    /// Nil for a request that no redirect has led here.
    static func redirectsLeft(_ run: ExchangeRun) -> Int? {
        run.wire.target.first(redirectKey).flatMap { Int($0) }
    }

    private func hop(_ run: ExchangeRun, left: Int) -> String {
        let target = Self.originForm(run.exchange.head.target)
        let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        var items =
            parts.count > 1
            ? parts[1].split(separator: "&").filter { !$0.hasPrefix("\(Self.redirectKey)=") } : []
        let last = "\(Self.redirectKey)=\(left)"
        items.append(last[...])
        return ownURL(of: run, target: "\(parts[0])?\(items.joined(separator: "&"))")
    }

    /// A URL of this server, as the client reached it.
    private func ownURL(of run: ExchangeRun, target: String) -> String {
        guard let host = run.exchange.head.headers["Host"] else { return target }
        return "\(dialect.scheme)://\(host)\(target)"
    }
}
