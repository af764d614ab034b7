/// Times as the wire writes them, without a calendar library. Times are milliseconds since 1970, UTC.
enum InternetTime {
    /// `2026-01-31T12:34:56.789Z`, with any number of fraction digits, and `Z` or an offset.
    ///
    /// Source: RFC 3339 section 5.6.
    static func milliseconds(rfc3339 text: String) -> Int64? {
        let bytes = Array(text.utf8)
        guard bytes.count >= 20, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"),
            bytes[10] | 0x20 == UInt8(ascii: "t"), bytes[13] == UInt8(ascii: ":"),
            bytes[16] == UInt8(ascii: ":"),
            let year = number(bytes[0..<4]), let month = number(bytes[5..<7]),
            let day = number(bytes[8..<10]), let hour = number(bytes[11..<13]),
            let minute = number(bytes[14..<16]), let second = number(bytes[17..<19]),
            (1...12).contains(month), (1...31).contains(day), hour < 24, minute < 60, second < 61
        else { return nil }
        var rest = bytes[19...]
        var fraction: Int64 = 0
        if rest.first == UInt8(ascii: ".") {
            let digits = rest.dropFirst().prefix { (0x30...0x39).contains($0) }
            guard !digits.isEmpty else { return nil }
            fraction = number((Array(digits.prefix(3)) + [0x30, 0x30])[0..<3]) ?? 0
            rest = rest.dropFirst(digits.count + 1)
        }
        guard let zone = zoneMinutes(Array(rest)) else { return nil }
        let days = daysSinceEpoch(year, month, day)
        return ((days * 24 + hour) * 60 + minute - zone) * 60_000 + second * 1000 + fraction
    }

    /// The same with exactly three fraction digits and `Z`.
    static func text(_ milliseconds: Int64) -> String {
        let day = milliseconds.flooredQuotient(by: 86_400_000)
        let time = milliseconds - day * 86_400_000
        let (year, month, date) = civil(day)
        let clock = [time / 3_600_000, time / 60_000 % 60, time / 1000 % 60].map { padded($0, 2) }
        return "\(padded(year, 4))-\(padded(month, 2))-\(padded(date, 2))T"
            + clock.joined(separator: ":") + ".\(padded(time % 1000, 3))Z"
    }

    /// `Sun, 06 Nov 1994 08:49:37 GMT`, or one of the two older forms: `Sunday, 06-Nov-94 08:49:37 GMT`
    /// and `Sun Nov  6 08:49:37 1994`. Source: RFC 9110 section 5.6.7.
    static func milliseconds(httpDate text: String) -> Int64? {
        let parts = text.split(separator: " ").map(String.init)
        switch parts.count {
        case 6 where parts[5] == "GMT":
            return milliseconds(day: parts[1], parts[2], year: parts[3], clock: parts[4])
        case 4 where parts[3] == "GMT":
            let date = parts[1].split(separator: "-").map(String.init)
            guard date.count == 3, let year = Int64(date[2]), date[2].utf8.count == 2 else {
                return nil
            }
            // Two digits, of the years around now.
            let whole = String(year + (year < 70 ? 2000 : 1900))
            return milliseconds(day: date[0], date[1], year: whole, clock: parts[2])
        case 5: return milliseconds(day: parts[2], parts[1], year: parts[4], clock: parts[3])
        default: return nil
        }
    }

    private static func milliseconds(
        day: String, _ name: String, year: String, clock: String
    ) -> Int64? {
        let months = [
            "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
        ]
        let time = clock.split(separator: ":").compactMap { Int64($0) }
        guard let day = Int64(day), (1...31).contains(day), let month = months.firstIndex(of: name),
            let year = Int64(year), (0...9999).contains(year), time.count == 3,
            (0..<24).contains(time[0]), (0..<60).contains(time[1]), (0...60).contains(time[2])
        else { return nil }
        let days = daysSinceEpoch(year, Int64(month) + 1, day)
        return ((days * 24 + time[0]) * 60 + time[1]) * 60_000 + time[2] * 1000
    }

    private static func zoneMinutes(_ bytes: [UInt8]) -> Int64? {
        guard let sign = bytes.first else { return nil }
        if bytes.count == 1, sign | 0x20 == UInt8(ascii: "z") { return 0 }
        let digits = bytes.dropFirst().filter { $0 != UInt8(ascii: ":") }
        guard digits.count == 4, let hours = number(digits[0..<2]),
            let minutes = number(digits[2..<4])
        else { return nil }
        switch sign {
        case UInt8(ascii: "+"): return hours * 60 + minutes
        case UInt8(ascii: "-"): return -(hours * 60 + minutes)
        default: return nil
        }
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int64? {
        guard !digits.isEmpty, digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return digits.reduce(0) { $0 * 10 + Int64($1 - 0x30) }
    }

    private static func padded(_ number: Int64, _ width: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, width - text.utf8.count)) + text
    }

    /// Source: H. Hinnant, "chrono-Compatible Low-Level Date Algorithms", days_from_civil.
    private static func daysSinceEpoch(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let shifted = month <= 2 ? year - 1 : year
        let era = shifted.flooredQuotient(by: 400)
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    private static func civil(_ days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let shifted = days + 719_468
        let era = shifted.flooredQuotient(by: 146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra =
            (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth + (shiftedMonth < 10 ? 3 : -9)
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
    }
}

extension Int64 {
    fileprivate func flooredQuotient(by divisor: Int64) -> Int64 {
        self >= 0 ? self / divisor : -((-self + divisor - 1) / divisor)
    }
}
