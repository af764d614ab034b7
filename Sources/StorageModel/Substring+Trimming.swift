extension Substring {
    /// Without spaces and tabs at both ends: the optional whitespace around the values of header fields.
    ///
    /// Source: RFC 9110 section 5.6.3.
    package var trimmingSpaces: Substring {
        var rest = self
        while let first = rest.first, first == " " || first == "\t" { rest.removeFirst() }
        while let last = rest.last, last == " " || last == "\t" { rest.removeLast() }
        return rest
    }
}
