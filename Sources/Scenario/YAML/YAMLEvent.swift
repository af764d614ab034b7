import CYAML
import StorageModel

/// A libyaml event with its texts copied.
enum YAMLEvent {
    struct Scalar {
        var text: String
        var style: YAMLNode.Style
        var isFolded: Bool
        var anchor: String?
        var isTagged: Bool
        var place: SourcePlace
    }

    struct Start {
        var anchor: String?
        var isTagged: Bool
        var place: SourcePlace
    }

    case documentStart(SourcePlace)
    case scalar(Scalar)
    case alias(String, SourcePlace)
    case sequenceStart(Start)
    case mappingStart(Start)
    /// Of a sequence, a mapping, a document or the stream, or the stream's start.
    case end

    /// Nil for an event that says nothing.
    init?(_ event: yaml_event_t, at place: SourcePlace) {
        switch event.type {
        case YAML_DOCUMENT_START_EVENT: self = .documentStart(place)
        case YAML_SCALAR_EVENT: self = .scalar(Self.scalar(event, place))
        case YAML_ALIAS_EVENT:
            self = .alias(Self.text(event.data.alias.anchor) ?? "", place)
        case YAML_SEQUENCE_START_EVENT:
            let start = event.data.sequence_start
            self = .sequenceStart(
                Start(
                    anchor: Self.text(start.anchor), isTagged: start.tag != nil, place: place))
        case YAML_MAPPING_START_EVENT:
            let start = event.data.mapping_start
            self = .mappingStart(
                Start(
                    anchor: Self.text(start.anchor), isTagged: start.tag != nil, place: place))
        case YAML_NO_EVENT: return nil
        default: self = .end
        }
    }

    var anchor: String? {
        switch self {
        case .scalar(let scalar): scalar.anchor
        case .sequenceStart(let start), .mappingStart(let start): start.anchor
        case .documentStart, .alias, .end: nil
        }
    }

    /// The place of a value with a tag.
    var tag: SourcePlace? {
        switch self {
        case .scalar(let scalar): scalar.isTagged ? scalar.place : nil
        case .sequenceStart(let start), .mappingStart(let start):
            start.isTagged ? start.place : nil
        case .documentStart, .alias, .end: nil
        }
    }

    private static func scalar(_ event: yaml_event_t, _ place: SourcePlace) -> Scalar {
        let scalar = event.data.scalar
        let bytes = UnsafeBufferPointer(start: scalar.value, count: scalar.length)
        return Scalar(
            text: String(decoding: bytes, as: UTF8.self), style: style(scalar.style),
            isFolded: scalar.style == YAML_FOLDED_SCALAR_STYLE, anchor: text(scalar.anchor),
            isTagged: scalar.tag != nil, place: place)
    }

    private static func style(_ style: yaml_scalar_style_t) -> YAMLNode.Style {
        switch style {
        case YAML_SINGLE_QUOTED_SCALAR_STYLE: .singleQuoted
        case YAML_DOUBLE_QUOTED_SCALAR_STYLE: .doubleQuoted
        case YAML_LITERAL_SCALAR_STYLE, YAML_FOLDED_SCALAR_STYLE: .block
        default: .plain
        }
    }

    private static func text(_ characters: UnsafeMutablePointer<yaml_char_t>?) -> String? {
        characters.map { String(cString: $0) }
    }
}
