internal import APNsRules
internal import MynahCore

/// Reads what documents say about clocks (`Documents#Clock`).
enum ClockReading {
    /// How a clock is to run.
    ///
    /// - Throws: ``Problem`` that names the field.
    static func mode(_ value: JSONValue, at field: String) throws(Problem) -> ClockState.Mode {
        let allowed = ClockState.Mode.allCases.map(\.rawValue)
        guard let text = value.string, let mode = ClockState.Mode(rawValue: text) else {
            throw Problem(
                .invalidField,
                "mode is \(value.encodedText); it is one of \(allowed.joined(separator: ", "))"
                    + NearestName.suggestion(for: value.string ?? "", among: allowed),
                field: field, allowed: allowed)
        }
        return mode
    }

    /// A moment; `word` is what may stand there, too.
    ///
    /// - Throws: ``Problem`` that names the field.
    static func instant(_ value: JSONValue, at field: String, orWord word: String? = nil) throws(Problem) -> Instant {
        guard let text = value.string, let instant = Instant(rfc3339: text) else {
            let further = word.map { ", or \($0)" } ?? ""
            throw Problem(
                .invalidField,
                "\(name(field)) is \(value.encodedText); it is a time such as 2026-11-21T09:30:00Z\(further)",
                field: field)
        }
        return instant
    }

    /// How far a clock is moved.
    ///
    /// - Throws: ``Problem`` that names the field.
    static func duration(_ value: JSONValue, at field: String) throws(Problem) -> Duration {
        guard let text = value.string, let duration = DurationText.parse(text) else {
            throw Problem(
                .invalidField,
                "\(name(field)) is \(value.encodedText); it is a duration with a unit, such as 250ms, 5s or 1h30m",
                field: field)
        }
        return duration
    }

    private static func name(_ field: String) -> String { String(field.split(separator: "/").last ?? "") }
}
