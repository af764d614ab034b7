/// Times as the wire writes them, from milliseconds since 1970 (UTC).
package enum WireTime {
    private static let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    private struct Fields {
        var year: Int64
        var month: Int64
        var day: Int64
        var weekday: Int64
        var milliseconds: Int64

        init(_ time: Int64) {
            let day = time >= 0 ? time / 86_400_000 : (time - 86_399_999) / 86_400_000
            milliseconds = time - day * 86_400_000
            weekday = ((day % 7) + 11) % 7
            // Howard Hinnant, "chrono-compatible low-level date algorithms": civil_from_days.
            let shifted = day + 719_468
            let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
            let inEra = shifted - era * 146_097
            let yearOfEra = (inEra - inEra / 1460 + inEra / 36_524 - inEra / 146_096) / 365
            let dayOfYear = inEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
            let shiftedMonth = (5 * dayOfYear + 2) / 153
            self.day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
            month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
            year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        }

        var clock: String {
            let seconds = milliseconds / 1000
            return "\(two(seconds / 3600)):\(two(seconds / 60 % 60)):\(two(seconds % 60))"
        }
    }

    /// `2024-05-01T12:00:00.000Z`: exactly three digits. Source: RFC 3339.
    static func timestamp(_ time: Int64) -> String {
        let fields = Fields(time)
        let fraction = String(1000 + fields.milliseconds % 1000).dropFirst()
        let year = String(10_000 + fields.year).dropFirst()
        return "\(year)-\(two(fields.month))-\(two(fields.day))T\(fields.clock).\(fraction)Z"
    }

    /// `Wed, 01 May 2024 12:00:00 GMT`. Source: RFC 9110 section 5.6.7.
    package static func httpDate(_ time: Int64) -> String {
        let fields = Fields(time)
        let year = String(10_000 + fields.year).dropFirst()
        let day = "\(days[Int(fields.weekday)]), \(two(fields.day))"
        return "\(day) \(months[Int(fields.month) - 1]) \(year) \(fields.clock) GMT"
    }

    private static func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
