import StorageModel

extension SchemaWriter {
    private static let matrix = #"\$\{"#

    static func schema(_ kind: ValueKind) -> JSONValue {
        switch kind {
        case .text: object([("type", strings(["string", "number", "boolean"]))])
        case .data: object([])
        case .null: object([("type", .string("null"))])
        case .boolean:
            patterned(["boolean"], "^(true|True|TRUE|false|False|FALSE)$")
        case .integer(let range): integer(range)
        case .size(let minimum): size(minimum)
        case .duration: duration(isPositive: false)
        case .someDuration: duration(isPositive: true)
        case .rate: patterned([], "^0*[1-9][0-9]*\(units)?/s$")
        case .percent: patterned([], "^\(percentage)$")
        case .decimal:
            patterned(["number"], #"^(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$"#, minimum: 0)
        case .name: patterned([], "^[a-z][a-z0-9-]*$")
        case .fileName: patterned(["number", "boolean"], "^[A-Za-z0-9][A-Za-z0-9._-]*$")
        case .bucket: patterned(["number", "boolean"], "^[^/ ]+$")
        case .words(let words): self.words(words)
        case .numberTest(let unit): numberTest(unit)
        case .statusTest: patterned(["integer"], "^(none|\(test(#"[0-9.]+"#)))$", minimum: 0)
        case .inner(let text): ref(text.rawValue)
        case .list(let element, let mayBeEmpty): list(element, mayBeEmpty)
        case .map(let value, let keys): map(value, keys)
        case .shape(let shape): ref(shape.rawValue)
        case .any(let kinds): any(kinds)
        }
    }

    // MARK: Scalars

    private static let units = "(KiB|MiB|GiB|TiB)"
    private static let decimals = #"[0-9]+(\.[0-9]{1,9})?"#
    private static let percentage = #"(0*100(\.0{1,9})?|0*[0-9]{1,2}(\.[0-9]{1,9})?)%"#

    /// A string of this form, or with a matrix value in it, or a value of another type.
    private static func patterned(
        _ types: [String], _ pattern: String, minimum: Int? = nil
    ) -> JSONValue {
        let type: JSONValue = types.isEmpty ? .string("string") : strings(types + ["string"])
        var members: [(String, JSONValue)] = [
            ("type", type), ("pattern", .string("\(pattern)|\(matrix)")),
        ]
        if let minimum { members.append(("minimum", .number(String(minimum)))) }
        return object(members)
    }

    private static func integer(_ range: ClosedRange<Int>) -> JSONValue {
        var members: [(String, JSONValue)] = [
            ("type", strings(["integer", "string"])),
            ("pattern", .string("^[0-9]+$|\(matrix)")),
            ("minimum", .number(String(range.lowerBound))),
        ]
        if range.upperBound < .max {
            members.append(("maximum", .number(String(range.upperBound))))
        }
        return object(members)
    }

    private static func size(_ minimum: Int) -> JSONValue {
        let digits = minimum > 0 ? "0*[1-9][0-9]*" : "[0-9]+"
        return patterned(["integer"], "^\(digits)\(units)?$", minimum: minimum)
    }

    private static func duration(isPositive: Bool) -> JSONValue {
        guard !isPositive else {
            return patterned([], "^(?=.*[1-9])\(decimals)(ms|s|m|h|d)$")
        }
        return object([
            ("type", strings(["integer", "string"])),
            ("pattern", .string("^(0|\(decimals)(ms|s|m|h|d))$|\(matrix)")),
            ("maximum", .number("0")), ("minimum", .number("0")),
        ])
    }

    /// Words that look like numbers or truth values may stand without quotes.
    private static func words(_ words: [String]) -> JSONValue {
        let plain = words.compactMap { word -> JSONValue? in
            if word == "true" { return .bool(true) }
            return Double(word) == nil ? nil : .number(word)
        }
        return any([
            object([("enum", .array(words.map { .string($0) } + plain))]), ref("matrix-value"),
        ])
    }

    private static func numberTest(_ unit: NumberTest.Unit) -> JSONValue {
        let percent = #"[0-9]+(\.[0-9]{1,9})?%?"#
        switch unit {
        case .count, .size:
            let bytes = "[0-9]+\(units)?"
            let dots = #" *\.\. *"#
            let pattern =
                "^ *((>=|<=|>|<) *)?(\(bytes)|\(percentage)) *$"
                + "|^ *(\(bytes))?\(dots)(\(bytes))? *$|^ *(\(percent))?\(dots)(\(percent)) *$"
            return patterned(["integer"], pattern, minimum: 0)
        case .duration:
            let time = "(0|\(decimals)(ms|s|m|h|d))"
            return object([
                ("type", strings(["integer", "string"])),
                ("pattern", .string("^(\(test(time)))$|\(matrix)")),
                ("maximum", .number("0")), ("minimum", .number("0")),
            ])
        case .plain: return patterned(["number"], "^(\(test("[0-9.]+")))$", minimum: 0)
        }
    }

    /// A comparison, a range with both bounds or one, or a value.
    private static func test(_ value: String) -> String {
        #" *((>=|<=|>|<) *)?VALUE *| *(VALUE)? *\.\. *(VALUE)? *"#
            .replacing("VALUE", with: value)
    }

    // MARK: Lists and mappings

    private static func list(_ element: ValueKind, _ mayBeEmpty: Bool) -> JSONValue {
        var members: [(String, JSONValue)] = [
            ("type", strings(["array", "string"])), ("pattern", .string(matrix)),
            ("items", self.element(element)),
        ]
        if !mayBeEmpty { members.append(("minItems", .number("1"))) }
        return object(members)
    }

    /// The steps have a definition of their own.
    private static func element(_ kind: ValueKind) -> JSONValue {
        if case .any(let kinds) = kind, case .shape(.uploadStep)? = kinds.first {
            return ref("step")
        }
        return schema(kind)
    }

    private static func map(_ value: ValueKind, _ keys: ValueKind.KeyForm) -> JSONValue {
        var members: [(String, JSONValue)] = [
            ("type", strings(["object", "string"])), ("pattern", .string(matrix)),
        ]
        if let names = self.names(keys) { members.append(("propertyNames", names)) }
        let schema = keys.isProfile ? ref("profile-block") : self.schema(value)
        members.append(("additionalProperties", schema))
        return object(members)
    }

    private static func names(_ keys: ValueKind.KeyForm) -> JSONValue? {
        switch keys {
        case .any: nil
        case .name: object([("pattern", .string("^[a-z][a-z0-9-]*$|\(matrix)"))])
        case .header:
            object([("pattern", .string("^[-0-9A-Za-z!#$%&'*+.^_`|~]+$|\(matrix)"))])
        case .moment:
            object([
                (
                    "pattern",
                    .string(
                        "^(\(moments))(#0*[1-9][0-9]*)?$|\(matrix)")
                )
            ])
        case .profile:
            object([
                ("pattern", .string("^[a-z][a-z0-9-]*$|\(matrix)")),
                ("not", object([("const", .string("documented"))])),
            ])
        }
    }

    private static let moments =
        (TransferEvent.Kind.allCases.map(\.rawValue) + ["end"]).joined(separator: "|")

    private static func any(_ kinds: [ValueKind]) -> JSONValue { any(kinds.map(schema)) }

    static func any(_ schemas: [JSONValue]) -> JSONValue {
        object([("anyOf", .array(schemas))])
    }

    // MARK: Texts with a grammar of their own

    static func schema(_ text: ValueKind.InnerText) -> JSONValue {
        let ordinal = #"(#(0*[1-9][0-9]*(\.\.(0*[1-9][0-9]*)?)?|last|every +0*[1-9][0-9]*))?"#
        let operation = "(" + OperationPattern.allNames.map(escaped).joined(separator: "|") + ")"
        let bytes = "[0-9]+\(units)?"
        switch text {
        case .match: return texts("^ *\(operation)\(ordinal) *$", "upload.body#2")
        case .phase:
            let plain = "connect|request-head|before-commit|after-commit|response-head|response-end"
            let places = "(\(bytes)|\(percentage)|end(-\(bytes))?|object +\(bytes))"
            return texts(
                "^ *(\(plain)|(request|response)-body +\(places)|(idle|elapsed|unread) +(0|\(decimals)(ms|s|m|h|d))) *$",
                "request-body 100KiB")
        case .commit:
            return patterned(
                ["integer"], #"^(none|all|twice|\+?\#(bytes)|\#(percentage))$"#, minimum: 0)
        case .trigger: return texts(#"^ *[a-z][^ ]* +\S.*$"#, "up progress >= 50%")
        case .faultLine: return texts(#"^.+:( .*)?$"#, "upload.body#2: respond 503")
        case .eventPattern:
            let events = TransferEvent.Kind.allCases.map(\.rawValue).joined(separator: "|")
            let code = ErrorCode.allCases.map(\.rawValue).joined(separator: "|")
            let codes = #"(\( *(CODE) *(\| *(CODE) *)*\))?"#.replacing("CODE", with: code)
            return texts(
                "^(\(events))(@[^()?*+]+?)?\(codes)( *[?*+]| +x[0-9.]+)? *$", "progress+")
        case .requestPattern: return texts("^ *\(operation)[?*+]?( .*)?$", "upload.chunk+")
        case .declaredLength:
            return patterned(["integer"], #"^(none|[+-]?\#(bytes))$"#)
        case .signedSize: return patterned(["integer"], "^-?\(bytes)$")
        case .suiteVersion: return patterned(["number"], #"^[0-9]+\.[0-9]+$"#)
        case .repetition:
            return patterned(["integer"], "^(\(test(bytes)))$", minimum: 0)
        case .base64: return patterned(["number", "boolean"], "^[A-Za-z0-9+/_=-]*$")
        case .address: return patterned(["number", "boolean"], "^(?!gs://(/|$))")
        case .task: return texts("^[a-z][a-z0-9-]*(#0*[1-9][0-9]*)?$", "up")
        }
    }

    private static func texts(_ pattern: String, _ example: String) -> JSONValue {
        guard case .object(let members) = patterned([], pattern) else { return .null }
        return .object(members + [.init("examples", strings([example]))])
    }

    private static func escaped(_ text: String) -> String {
        text.replacing(".", with: #"\."#).replacing("*", with: #"\*"#)
    }
}

extension ValueKind.KeyForm {
    var isProfile: Bool { if case .profile = self { true } else { false } }
}
