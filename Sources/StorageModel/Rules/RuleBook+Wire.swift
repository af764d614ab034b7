/// What the wire protocol asks of a client: uploads, answers, rights, bodies, metadata, connections.
extension RuleBook {
    static let wireRules: [(sentence: String, source: String)] = [
        (
            """
            A request names its object as one segment of the path or as a value of the query, \
            percent-encoded, so that a slash in a name is sent as %2F.
            """,
            """
            RFC 3986, sections 2.1 and 3.3; firebase-ios-sdk, \
            FirebaseStorage/Sources/Internal/StorageUtils.swift
            """
        ),
        (
            """
            An upload session is opened by a POST that says the protocol resumable and the \
            command start, and names the object and, where known, its type and size.
            """,
            "firebase-js-sdk, packages/storage/src/implementation/requests.ts"
        ),
        (
            """
            Every further request of an upload goes, unchanged, to the upload URL that the answer \
            to start gave; without such a URL the upload fails.
            """,
            """
            gtm-session-fetcher, Sources/Core/GTMSessionUploadFetcher.m; firebase-js-sdk, \
            packages/storage/src/implementation/requests.ts
            """
        ),
        (
            """
            A request with object bytes says at which byte of the object they begin, and that is \
            the number of bytes which the server holds.
            """,
            """
            gtm-session-fetcher, Sources/Core/GTMSessionUploadFetcher.m; firebase-js-sdk, \
            packages/storage/src/implementation/requests.ts
            """
        ),
        (
            """
            A body that is not the upload's last has a length that is a multiple of the \
            granularity which the server announced.
            """,
            "gtm-session-fetcher, Sources/Core/GTMSessionUploadFetcher.m"
        ),
        (
            """
            Who cannot know what the server holds, after a break, a pause, a restart or a lost \
            answer, asks it with a query before sending on.
            """,
            """
            gtm-session-fetcher, Sources/Core/GTMSessionUploadFetcher.m; firebase-js-sdk, \
            packages/storage/src/task.ts
            """
        ),
        (
            """
            An upload goes on at the byte that the answer to a query names: nothing before it is \
            sent again, and nothing after it is left out.
            """,
            """
            gtm-session-fetcher, Sources/Core/GTMSessionUploadFetcher.m; firebase-tools, \
            scripts/storage-emulator-integration/conformance/firebase.endpoints.test.ts
            """
        ),
        (
            """
            The request that ends an upload says finalize, alone or together with the last bytes; \
            an empty object is finished by finalize alone.
            """,
            """
            firebase-js-sdk, packages/storage/src/implementation/requests.ts; \
            firebase-android-sdk, \
            firebase-storage/src/main/java/com/google/firebase/storage/network/ResumableUploadByteRequest.java
            """
        ),
        (
            """
            An upload has succeeded only when an answer says the upload status final and success; \
            active means that bytes or the end are still owed.
            """,
            """
            gtm-session-fetcher, Sources/Core/GTMSessionUploadFetcher.m; firebase-js-sdk, \
            packages/storage/src/implementation/requests.ts
            """
        ),
        (
            """
            When the answer to a query says final, the object is stored: the upload succeeds, and \
            no byte is sent again.
            """,
            """
            gtm-session-fetcher, Sources/Core/GTMSessionUploadFetcher.m; firebase-js-sdk, \
            packages/storage/src/task.ts
            """
        ),
        (
            """
            Who gives up an upload whose session is open ends it with the command cancel, once \
            and without a body.
            """,
            """
            gtm-session-fetcher, Sources/Core/GTMSessionUploadFetcher.m; firebase-tools, \
            scripts/storage-emulator-integration/conformance/firebase.endpoints.test.ts
            """
        ),
        (
            """
            A session that is gone, final or cancelled takes no more bytes: the client begins a \
            new one or fails.
            """,
            """
            firebase-tools, \
            scripts/storage-emulator-integration/conformance/firebase.endpoints.test.ts
            """
        ),
        (
            """
            Of one upload session a client has one request with object bytes under way at a time.
            """,
            "gtm-session-fetcher, Sources/Core/GTMSessionUploadFetcher.m"
        ),
        (
            "An upload sends as many bytes as its start request announced, and not one more.",
            """
            gtm-session-fetcher, Sources/Core/GTMSessionUploadFetcher.m; firebase-tools, \
            src/emulator/storage/apis/firebase.ts
            """
        ),
        (
            """
            An upload in one request is multipart/related with two parts, the metadata as JSON \
            and then the bytes, and a closing boundary that occurs in neither.
            """,
            """
            RFC 2387; RFC 2046, section 5.1.1; firebase-js-sdk, \
            packages/storage/src/implementation/requests.ts
            """
        ),
        (
            """
            What an answer means is told by the class of its status: only 2xx is success, and an \
            unknown status counts as the x00 of its class.
            """,
            "RFC 9110, section 15"
        ),
        (
            """
            A refusal that asking again cannot change (400, 401, 402, 403, 404, 409, 410, 412) \
            ends the operation at once and is not tried again as it was.
            """,
            "RFC 9110, section 15.5; firebase-ios-sdk, FirebaseStorage/Sources/StorageError.swift"
        ),
        (
            """
            A passing failure (408, 423, 429, 5xx, or a connection that broke) is tried again as long \
            as the retry time allows.
            """,
            """
            firebase-js-sdk, packages/storage/src/implementation/request.ts; gtm-session-fetcher, \
            Sources/Core/GTMSessionFetcher.m
            """
        ),
        (
            "An answer that says Retry-After is not asked again before that time is over.",
            "RFC 9110, section 10.2.3"
        ),
        (
            """
            An error that carries the upload status active leaves the session open: the client \
            asks by a query and goes on, or fails, but does not guess.
            """,
            "gtm-session-fetcher, Sources/Core/GTMSessionUploadFetcher.m"
        ),
        (
            """
            A request that needs rights carries the token that is in force when it is sent, in \
            the Authorization field; without a user it carries none.
            """,
            """
            RFC 9110, section 11.6.2; firebase-ios-sdk, \
            FirebaseStorage/Sources/Internal/StorageTokenAuthorizer.swift
            """
        ),
        (
            """
            A token goes to the storage host alone: never to another host that a redirect names, \
            and over plain HTTP to this machine only.
            """,
            """
            RFC 9110, section 15.4; firebase-ios-sdk, \
            FirebaseStorage/Sources/Internal/StorageTokenAuthorizer.swift
            """
        ),
        (
            "Redirects are followed a limited number of times, and a circle of them is an error.",
            "RFC 9110, section 15.4"
        ),
        (
            """
            An answer whose body ends before its declared length, or before the last chunk, is \
            incomplete, and its bytes are no success.
            """,
            "RFC 9112, section 8"
        ),
        (
            """
            An answer that breaks the syntax of HTTP is an error; no byte behind the end of a \
            body is taken for part of it.
            """,
            "RFC 9112, sections 6.3 and 7.1"
        ),
        (
            """
            Names of header fields are read in any case, unknown fields are ignored, and a head \
            of unreasonable size is an error.
            """,
            "RFC 9110, sections 5.1 and 5.4"
        ),
        (
            """
            Who holds the first n bytes asks for the rest as a range that begins at n, and takes \
            an answer as the rest only when it is a 206 whose Content-Range begins there; a 200 \
            is the whole object.
            """,
            "RFC 9110, sections 14.2, 14.4 and 15.3.7"
        ),
        (
            """
            Parts of a download are joined only when they are of one generation of the object, \
            which its ETag or generation tells.
            """,
            "RFC 9110, sections 13.1.5 and 15.3.7.3"
        ),
        (
            """
            A 416 says that no byte of the wanted range exists; it is neither the end of a whole \
            download nor part of the object.
            """,
            "RFC 9110, section 15.5.17"
        ),
        (
            """
            Where the server tells a hash of an object and the client knows all its bytes, they \
            are compared, and a difference is an error.
            """,
            """
            googleapis/google-resumable-media-python, google/resumable_media/_upload.py; Cloud \
            Storage documentation, "Hashes and ETags"
            """
        ),
        (
            """
            Bytes that come with a Content-Encoding are decoded before they count as the \
            object's, or handed on as they are stored, and only what was asked for is accepted.
            """,
            """
            RFC 9110, sections 8.4 and 12.5.3; Cloud Storage documentation, "Transcoding of \
            gzip-compressed files"
            """
        ),
        (
            """
            A metadata answer is a JSON object whose numbers are strings; unknown fields are \
            ignored, and a body that is no such object is an error.
            """,
            """
            RFC 8259; firebase-ios-sdk, FirebaseStorage/Sources/StorageMetadata.swift; \
            firebase-tools, src/emulator/storage/metadata.ts
            """
        ),
        (
            """
            A change of metadata sends only the fields that change, and null for those that are \
            to be cleared; what it leaves out stays as it is.
            """,
            """
            firebase-tools, src/emulator/storage/metadata.ts; firebase-ios-sdk, \
            FirebaseStorage/Sources/StorageMetadata.swift
            """
        ),
        (
            """
            A deletion is over with any success status, 204 without a body among them, and a \
            missing object is told as such.
            """,
            """
            RFC 9110, section 15.3.5; firebase-js-sdk, \
            packages/storage/src/implementation/requests.ts
            """
        ),
        (
            """
            A list is asked with a prefix that is empty or ends with a slash, and goes on with \
            the page token that the server gave, unchanged, until none comes.
            """,
            """
            firebase-tools, src/emulator/storage/apis/firebase.ts; firebase-ios-sdk, \
            FirebaseStorage/Sources/Internal/StorageListTask.swift
            """
        ),
        (
            """
            A download URL is made of the object's address and one of the tokens in its metadata; \
            who fetches it needs no other right.
            """,
            """
            firebase-ios-sdk, FirebaseStorage/Sources/Internal/StorageGetDownloadURLTask.swift; \
            firebase-tools, src/emulator/storage/files.ts
            """
        ),
        (
            """
            A precondition is sent with the request that it guards, and a 412 means that the \
            object was left as it is.
            """,
            """
            RFC 9110, sections 13.1 and 15.5.13; Cloud Storage documentation, "Request \
            preconditions"
            """
        ),
        (
            """
            A kept connection may be closed by the server at any time: that alone fails no \
            operation, and a server that says close gets no further request on it.
            """,
            "RFC 9112, sections 9.3.1, 9.5 and 9.6"
        ),
        (
            """
            A request whose answer is lost is sent again by itself only where doing it twice is \
            the same as once; for all else the client first finds out what became of it.
            """,
            "RFC 9110, section 9.2.2"
        ),
        (
            """
            Interim answers (1xx) are read and passed over, and a body that waits for 100 \
            Continue does not wait for ever.
            """,
            "RFC 9110, sections 10.1.1 and 15.2"
        ),
        (
            "A client that sends a body heeds an answer which comes before the body's end.",
            "RFC 9112, section 9.5"
        ),
        (
            """
            A server whose certificate is not valid, not trusted or for another name is not \
            talked to.
            """,
            "RFC 9110, section 4.3.4; RFC 9525"
        ),
    ]
}
