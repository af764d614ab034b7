import StorageModel

/// Writes kinds and shapes as JSON Schema.
enum SchemaWriter {
    /// In every place a scalar may be, or have in it, a value of the matrix.
    private static let dollar = #"\$\{"#

    static let matrixValue = object([
        ("type", .string("string")), ("pattern", .string(dollar)),
    ])

    /// An object with a key that comes from the matrix.
    private static let matrixKeys = object([
        ("type", .string("object")),
        (
            "not",
            object([
                ("propertyNames", object([("not", object([("pattern", .string(dollar))]))]))
            ])
        ),
    ])

    static func reference(_ kind: ValueKind) -> JSONValue {
        switch kind {
        case .shape(let shape): .string("#/$defs/\(shape.rawValue)")
        default: .string("#/$defs/faults")
        }
    }

    /// A step: the verb decides which keys stand beside it.
    static let step: JSONValue = {
        let verbs = StepVerb.Kind.allCases
        let branches = verbs.map { verb in
            object([
                ("if", object([("required", strings([verb.rawValue]))])),
                ("then", ref(Shape(verb).rawValue)),
            ])
        }
        let oneVerb = verbs.map { object([("required", strings([$0.rawValue]))]) }
        return object([
            ("type", strings(["object", "string"])), ("pattern", .string(dollar)),
            ("anyOf", .array(oneVerb + [matrixKeys])), ("allOf", .array(branches)),
        ])
    }()

    // MARK: Shapes

    static func schema(_ shape: Shape) -> JSONValue {
        var members = table(shape.table, extra: extra(shape))
        switch shape {
        case .expectation:
            members = members.filter { $0.name != "additionalProperties" }
            members.append(.init("additionalProperties", named))
        case .action, .backendAction:
            return object([("anyOf", .array([.object(members), matrixKeys]))])
        default: break
        }
        return .object(members)
    }

    /// What stands under the name of a task, an observer or a result.
    private static let named = object([
        (
            "anyOf",
            .array(([Shape.task] + Shape.results).map { ref($0.rawValue) })
        )
    ])

    /// - Parameter extra: what holds of an object beside what the table says.
    private static func table(
        _ table: KeyTable, extra: [JSONValue] = []
    ) -> [JSONValue.Member] {
        let properties = table.keys.map { key in
            JSONValue.Member(key.name, described(schema(key.kind), key.about))
        }
        let required = table.keys.filter(\.isRequired).map(\.name)
        var members: [JSONValue.Member] = [
            .init("type", strings(["object", "string"])), .init("pattern", .string(dollar)),
            .init("properties", .object(properties)),
        ]
        if !required.isEmpty { members.append(.init("required", strings(required))) }
        members.append(.init("additionalProperties", .bool(false)))
        if !table.together.isEmpty {
            members.append(.init("dependentRequired", dependencies(table.together)))
        }
        let groups = self.groups(table) + extra
        if !groups.isEmpty {
            members.append(.init("if", object([("type", .string("object"))])))
            members.append(.init("then", object([("allOf", .array(groups))])))
        }
        return members
    }

    private static func dependencies(_ pairs: [(String, with: String)]) -> JSONValue {
        .object(pairs.map { .init($0.0, strings([$0.with])) })
    }

    private static func groups(_ table: KeyTable) -> [JSONValue] {
        func each(_ names: [String]) -> JSONValue {
            .array(names.map { object([("required", strings([$0]))]) })
        }
        return table.oneOf.map { object([("oneOf", each($0))]) }
            + table.someOf.map { object([("anyOf", each($0))]) }
            + table.apart.map { one, other in
                object([("not", object([("required", strings([one, other]))]))])
            }
    }

    /// What hangs on a value and not on a key alone.
    private static func extra(_ shape: Shape) -> [JSONValue] {
        switch shape {
        case .scenario: [cites]
        case .content, .object, .stream, .answerBody: [isSeeded]
        case .downloadStep: [hasLimit, hasFile]
        default: []
        }
    }

    /// What must hold cites a published rule.
    private static let cites = object([
        (
            "anyOf",
            .array([
                object([
                    ("required", strings(["level"])),
                    (
                        "properties",
                        object([("level", object([("not", object([("const", .string("must"))]))]))])
                    ),
                ]),
                object([
                    ("required", strings(["source"])),
                    (
                        "properties",
                        object([
                            (
                                "source",
                                object([
                                    (
                                        "contains",
                                        object([("pattern", .string(#"^[DW][0-9]+$|\$\{"#))])
                                    )
                                ])
                            )
                        ])
                    ),
                ]),
            ])
        )
    ])

    /// Generated bytes have a seed, or are zeros, or are none.
    private static let isSeeded = object([
        (
            "anyOf",
            .array([
                object([("not", object([("required", strings(["size"]))]))]),
                object([("required", strings(["seed"]))]),
                object([("required", strings(["zeros"]))]),
                object([
                    (
                        "properties",
                        object([("size", object([("enum", .array([.number("0"), .string("0")]))]))])
                    )
                ]),
            ])
        )
    ])

    private static let hasLimit = goes(
        "memory", with: ["maxSize"], without: ["existing", "destination"])
    private static let hasFile = goes("file", with: [], without: ["maxSize"])

    /// What a download to a place needs, and what does not go with it.
    private static func goes(
        _ place: String, with keys: [String], without others: [String]
    ) -> JSONValue {
        let isIt = object([
            ("properties", object([("to", object([("const", .string(place))]))])),
            ("required", strings(["to"])),
        ])
        let absent = others.map { object([("not", object([("required", strings([$0]))]))]) }
        let parts = [object([("required", strings(keys))])] + absent
        return object([("if", isIt), ("then", object([("allOf", .array(parts))]))])
    }

    /// A block of `profiles`: as `expect`, where null takes away, two levels deep; or `skip`.
    static func profileBlock(_ shape: Shape) -> JSONValue {
        let skip = JSONValue.Member(
            "skip",
            described(schema(.any([.text, .null])), "why the scenario is left out"))
        let keys = shape.table.keys.map { key in
            JSONValue.Member(key.name, described(nullable(key.kind), key.about))
        }
        let named = ([Shape.task] + Shape.results).map { nullable(.shape($0)) }
        return object([
            ("type", strings(["object", "string"])), ("pattern", .string(dollar)),
            ("properties", .object([skip] + keys)),
            ("additionalProperties", object([("anyOf", .array(named))])),
        ])
    }

    private static func nullable(_ kind: ValueKind) -> JSONValue {
        let nothing = object([("type", .string("null"))])
        switch kind {
        case .shape(let shape):
            let properties = shape.table.keys.map { key in
                JSONValue.Member(
                    key.name, object([("anyOf", .array([schema(key.kind), nothing]))]))
            }
            let inside = object([
                ("type", strings(["object", "string", "null"])), ("pattern", .string(dollar)),
                ("properties", .object(properties)), ("additionalProperties", .bool(false)),
            ])
            return inside
        case .map(let value, let keys):
            return object([
                ("anyOf", .array([schema(.map(.any([value, .null]), keys: keys)), nothing]))
            ])
        default: return object([("anyOf", .array([schema(kind), nothing]))])
        }
    }

    // MARK: Small parts

    static func described(_ schema: JSONValue, _ about: String) -> JSONValue {
        guard case .object(let members) = schema else { return schema }
        return .object([.init("description", .string(about))] + members)
    }

    static func ref(_ name: String) -> JSONValue { object([("$ref", .string("#/$defs/\(name)"))]) }

    static func strings(_ texts: [String]) -> JSONValue { .array(texts.map { .string($0) }) }

    static func object(_ members: [(String, JSONValue)]) -> JSONValue {
        .object(members.map { .init($0.0, $0.1) })
    }
}
