import FaultEngine
import HTTPEngine
import StorageModel

/// What a fault makes of an answer that is ready.
enum ResponseEdit {
    case headers(HeaderEdit)
    case json(JSONEdit)
    case hash(HashFault)
    case chunked
    case longer(by: Int64)

    /// Edited bodies are read into memory: those beyond this size are left as they are.
    private static let editableSize: Int64 = 16 << 20

    func apply(to response: inout HTTPResponse, _ form: inout AnswerForm) {
        switch self {
        case .headers(let edit):
            edit.changeLength(of: &response, &form)
            edit.apply(to: &response.headers)
        case .json(let edit):
            guard response.body.count <= Self.editableSize else { return }
            response.body = ByteArraySource(edit.applied(to: response.body.allBytes))
        case .hash(let fault): Self.apply(fault, to: &response)
        case .chunked: response.isChunked = true
        case .longer(let extra): response.body = LongerSource(base: response.body, extra: extra)
        }
    }

    /// All bits set: no content's CRC-32C that is likely to be met, and a valid Base64 text.
    private static let wrongSums = (crc32c: "/////w==", md5: "/////////////////////w==")

    private static func apply(_ fault: HashFault, to response: inout HTTPResponse) {
        let name = "X-Goog-Hash"
        switch fault {
        case .missing: response.headers.remove(name)
        case .wrong:
            if response.headers[name] != nil {
                response.headers[name] = "crc32c=\(wrongSums.crc32c),md5=\(wrongSums.md5)"
            }
        }
        var edit = JSONEdit()
        for (path, sum) in [("md5Hash", wrongSums.md5), ("crc32c", wrongSums.crc32c)] {
            switch fault {
            case .missing: edit.remove.append(path)
            case .wrong: edit.set.append(JSONEdit.Assignment(path: path, value: .string(sum)))
            }
        }
        let isJSON = response.headers["Content-Type"]?.hasPrefix("application/json") ?? false
        guard isJSON, response.body.count <= editableSize else { return }
        let bytes = response.body.allBytes
        guard case .object(let members)? = JSONValue(parsing: bytes),
            members.contains(where: { $0.name == "md5Hash" || $0.name == "crc32c" })
        else { return }
        response.body = ByteArraySource(edit.applied(to: bytes))
    }
}

extension HeaderEdit {
    /// The length is written with the head, so that it is no field before: what is done to it is noted.
    func changeLength(of response: inout HTTPResponse, _ form: inout AnswerForm) {
        guard response.headers["Content-Length"] == nil, !response.isChunked else { return }
        func isLength(_ name: String) -> Bool { name.lowercased() == "content-length" }
        form.lengthFields += duplicate.filter(isLength).count
        if remove.contains(where: isLength) { form.lengthFields = 0 }
        for renaming in rename where isLength(renaming.from) {
            form.lengthFields = 0
            response.headers.add(renaming.to, "\(response.body.count)")
        }
    }

    func apply(to headers: inout HTTPHeaders) {
        for field in set { headers[field.name] = field.text }
        for name in remove { headers.remove(name) }
        for renaming in rename { headers.rename(renaming.from, to: renaming.to) }
        for name in duplicate {
            if let value = headers[name] { headers.add(name, value) }
        }
    }
}

extension JSONEdit {
    /// The text of an answer with the changes made; a body that is no JSON takes `truncate` and
    /// `replace` alone.
    func applied(to bytes: [UInt8]) -> [UInt8] {
        var out = bytes
        if !set.isEmpty || !fill.isEmpty || !remove.isEmpty, var value = JSONValue(parsing: bytes) {
            for assignment in set {
                value.set(Self.names(assignment.path), to: assignment.value)
            }
            for filling in fill {
                let text = String(repeating: "x", count: Int(clamping: filling.size))
                value.set(Self.names(filling.path), to: .string(text))
            }
            for path in remove { value.set(Self.names(path), to: nil) }
            out = Array(value.text.utf8)
        }
        if let replace { out = Array(replace.utf8) }
        if let truncate { out = Array(out.prefix(Int(clamping: truncate))) }
        return out
    }

    private static func names(_ path: String) -> ArraySlice<String> {
        path.split(separator: ".").map(String.init)[...]
    }
}

extension JSONValue {
    /// Sets or, with nil, removes the member at a path; objects on the way are made.
    fileprivate mutating func set(_ path: ArraySlice<String>, to value: JSONValue?) {
        guard let name = path.first else { return }
        guard case .object(var members) = self else { return }
        let index = members.firstIndex { $0.name == name }
        if path.count == 1 {
            switch (index, value) {
            case (let index?, let value?): members[index].value = value
            case (let index?, nil): members.remove(at: index)
            case (nil, let value?): members.append(Member(name: name, value: value))
            case (nil, nil): break
            }
        } else if let index {
            members[index].value.set(path.dropFirst(), to: value)
        } else if value != nil {
            var inner = JSONValue.object([])
            inner.set(path.dropFirst(), to: value)
            members.append(Member(name: name, value: inner))
        }
        self = .object(members)
    }
}
