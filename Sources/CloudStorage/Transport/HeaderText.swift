/// Texts of the caller on their way into a header field.
enum HeaderText {
    /// Without line ends and other control characters, which would begin another field.
    static func clean(_ text: String) -> String {
        String(decoding: text.utf8.filter { $0 >= 0x20 && $0 != 0x7F }, as: UTF8.self)
    }
}
