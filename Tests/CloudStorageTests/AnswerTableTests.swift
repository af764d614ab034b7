import Foundation
import StorageModel
import Testing

@testable import CloudStorage

@Suite("Answer table")
struct AnswerTableTests {
    typealias Place = AnswerTable.Place

    static let statuses = Array(300...599)
    static let words = ["", "active", "final", "cancelled"]

    private func meaning(_ status: Int, _ place: Place, _ word: String = "") -> AnswerClass {
        var reply = StorageReply(status: status)
        if !word.isEmpty { reply.headers["X-Goog-Upload-Status"] = word }
        return AnswerTable.documented.meaning(of: reply, at: place)
    }

    @Test("Of all statuses tries 408, 423, 429 and 5xx again, wherever and whatever is told")
    func retried() {
        for place in [Place.anywhere, .session, .range] {
            for word in Self.words {
                let retried = Self.statuses.filter { meaning($0, place, word) == .retried }
                #expect(retried == [408, 423, 429] + Array(500...599), "\(place) \(word)")
            }
        }
    }

    @Test("Asks for a new token for 401 alone, unless the upload is over")
    func refreshed() {
        for place in [Place.anywhere, .session, .range] {
            let fresh = Self.statuses.filter { meaning($0, place) == .refreshed }
            #expect(fresh == [401])
        }
        #expect(meaning(401, .session, "active") == .refreshed)
        #expect(meaning(401, .session, "final") == .refused(.unauthenticated))
    }

    @Test("Takes a session for gone by 404 and 410, and nothing else for a session")
    func gone() {
        for word in Self.words {
            let gone = Self.statuses.filter { meaning($0, .session, word) == .sessionGone }
            #expect(gone == [404, 410])
        }
        #expect(!Self.statuses.contains { meaning($0, .anywhere) == .sessionGone })
        #expect(meaning(404, .range) == .refused(.objectNotFound))
        #expect(meaning(410, .anywhere) == .refused(.unknown))
    }

    @Test("Asks an active session what it holds after any other 4xx, and no other one")
    func queried() {
        let others = Array(400...499).filter {
            ![401, 402, 403, 404, 408, 410, 423, 429].contains($0)
        }
        #expect(Self.statuses.filter { meaning($0, .session, "active") == .queried } == others)
        for word in ["", "final", "cancelled"] {
            #expect(!Self.statuses.contains { meaning($0, .session, word) == .queried })
        }
        #expect(!Self.statuses.contains { meaning($0, .anywhere, "active") == .queried })
    }

    @Test("Begins a download anew where its range is refused, and only there")
    func restarted() {
        #expect(Self.statuses.filter { meaning($0, .range) == .restarted } == [416])
        #expect(meaning(416, .anywhere) == .refused(.unknown))
        #expect(meaning(416, .session) == .refused(.unknown))
    }

    @Test("Has a code for 401 to 404, and calls every other refusal unknown")
    func codes() {
        let table = AnswerTable.documented
        let named = Self.statuses.filter { table.code(of: $0) != .unknown }
        #expect(named == [401, 402, 403, 404])
        #expect(
            named.map(table.code)
                == [.unauthenticated, .quotaExceeded, .unauthorized, .objectNotFound])
        #expect(meaning(402, .session, "active") == .refused(.quotaExceeded))
        #expect(meaning(403, .session, "active") == .refused(.unauthorized))
    }
}

@Suite("Transport table")
struct TransportTableTests {
    @Test("Has a row for every way to break, and tries again what trying again can help")
    func retried() {
        let final = TransportFault.allCases.filter {
            TransportTable.documented.rows[$0]?.isRetried != true
        }
        #expect(final == [.tls, .tooManyRedirects])
        #expect(TransportTable.documented.row(nil).isRetried)
    }

    static let codes: [(TransportFault, Int)] = [
        (.refused, -1004), (.resolve, -1003), (.reset, -1005), (.closed, -1005), (.cut, -1005),
        (.timedOut, -1001), (.offline, -1009), (.tls, -1200), (.malformed, -1017),
        (.oversizedHead, -1103), (.tooManyRedirects, -1007),
    ]

    @Test("Names each as a URL error underneath, and by its own name on the error")
    func named() throws {
        #expect(Self.codes.map(\.0) == TransportFault.allCases)
        for (fault, code) in Self.codes {
            let broken = TransportFailure(fault: fault, message: "what libcurl says")
            let failure = StorageFailure(broken, at: StoragePath(bucket: "b", object: "o"))
            let error = failure.nsError
            #expect(error.userInfo[StorageErrorKey.transportFault] as? String == fault.rawValue)
            let cause = try #require(error.userInfo[NSUnderlyingErrorKey] as? NSError)
            #expect(cause.domain == NSURLErrorDomain)
            #expect(cause.code == code)
            #expect(cause.userInfo[StorageErrorKey.transportFault] as? String == fault.rawValue)
            #expect(error.localizedDescription.contains("what libcurl says"))
            #expect(failure.code == .unknown)
            #expect(StorageFailure(error) == failure)
        }
    }

    @Test("Keeps what the system said below, also when the retry time is over")
    func system() throws {
        var broken = TransportFailure(fault: .reset, message: "gone")
        broken.systemError = 104
        let failure = StorageFailure(broken, at: StoragePath(bucket: "b")).asRetryLimit
        #expect(failure.code == .retryLimitExceeded)
        let cause = try #require(failure.nsError.userInfo[NSUnderlyingErrorKey] as? NSError)
        let system = try #require(cause.userInfo[NSUnderlyingErrorKey] as? NSError)
        #expect(system.domain == NSPOSIXErrorDomain)
        #expect(system.code == 104)
        #expect(StorageFailure(failure.nsError) == failure)
    }
}
