import EventLoop
import Foundation
import StorageModel
import TestSupport
import Testing

@testable import CloudStorage

/// The numbers are those of the behaviours that the product's own public tests assert.
@Suite("Storage error")
struct StorageErrorTests {
    private func failure(_ code: StorageErrorCode) -> StorageFailure {
        var failure = StorageFailure(code, "in words")
        failure.bucket = "b"
        failure.object = "a/o"
        return failure
    }

    @Test("Is an NSError of the product's domain, whatever code it has (54, 66)")
    func nsError() {
        #expect(StorageErrorDomain == "FIRStorageErrorDomain")
        for code in StorageErrorCode.allCases {
            let error: any Error = failure(code).nsError
            let optional: (any Error)? = error
            #expect((optional as? NSError)?.code == code.rawValue)
            #expect((error as NSError).domain == StorageErrorDomain)
            #expect((error as? StorageError)?.errorCode == code)
            #expect(error.localizedDescription == "in words")
        }
    }

    @Test("Is caught by its code, and by no other")
    func patterns() {
        for code in StorageErrorCode.allCases {
            let error: any Error = failure(code).nsError
            for other in StorageErrorCode.allCases { #expect((other ~= error) == (other == code)) }
        }
        let foreign: any Error = NSError(domain: "other", code: StorageErrorCode.cancelled.rawValue)
        #expect(!(StorageErrorCode.cancelled ~= foreign))
        do { throw failure(.cancelled).nsError } catch StorageError.objectNotFound {
            Issue.record("caught as another")
        } catch StorageError.cancelled {
            // As it should be.
        } catch { Issue.record("not caught") }
    }

    @Test("Carries what is known of the object, the limit and the server's answer (63, 65)")
    func kinds() throws {
        var denied = failure(.unauthorized)
        denied.status = 403
        denied.body = "no"
        let error = try #require(denied.nsError as? StorageError)
        guard case .unauthorized("b", "a/o", let answer) = error.kind else {
            Issue.record("it is \(error.kind)")
            return
        }
        #expect(answer["ResponseErrorCode"] as? Int == 403)
        #expect(answer["ResponseErrorDomain"] as? String == "com.google.HTTPStatus")
        #expect(answer["ResponseBody"] as? String == "no")
        #expect(answer["bucket"] as? String == "b")
        #expect(answer["object"] as? String == "a/o")
        #expect((answer[NSUnderlyingErrorKey] as? NSError)?.code == 403)
        var large = StorageFailure(.downloadSizeExceeded, "too large")
        large.totalSize = 9
        large.maxAllowedSize = 4
        let second = try #require(large.nsError as? StorageError)
        guard case .downloadSizeExceeded(9, 4) = second.kind else {
            Issue.record("it is \(second.kind)")
            return
        }
    }

    @Test("Has no answer of a server where none was given")
    func noAnswer() throws {
        let error = try #require(failure(.objectNotFound).nsError as? StorageError)
        guard case .objectNotFound("a/o", let answer) = error.kind else {
            Issue.record("it is \(error.kind)")
            return
        }
        #expect(answer.isEmpty)
    }
}
