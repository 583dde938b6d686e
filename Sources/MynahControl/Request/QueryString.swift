internal import APNsRules
internal import MynahCore

/// The parameters of a URL, in their order; each is taken once, and what nobody takes is an error.
///
/// Strict where a lenient reader would guess: a misspelt filter must never widen a DELETE.
struct QueryString: Sendable {
    /// A name and its value, decoded.
    struct Parameter: Equatable, Sendable {
        let name: String
        let value: String
    }

    /// What was not taken yet.
    private(set) var rest: [Parameter]

    /// Reads `name=value&…`; `+` is a space, as forms send it.
    ///
    /// - Throws: ``Problem`` where percent-encoding or UTF-8 is broken, or a name is empty.
    init(_ text: String) throws(Problem) {
        rest = []
        for part in text.split(separator: "&", omittingEmptySubsequences: true) {
            let halves = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = try QueryString.decoded(halves[0])
            guard !name.isEmpty else {
                throw Problem(.invalidParameter, "\(part) has no name before the =", field: "")
            }
            guard halves.count == 2 else {
                throw Problem(.invalidParameter, "\(name) has no value: write \(name)=VALUE", field: name)
            }
            rest.append(Parameter(name: name, value: try QueryString.decoded(halves[1])))
        }
    }

    /// Takes a parameter that may be there once.
    mutating func take(_ name: String) throws(Problem) -> String? {
        let found = rest.filter { $0.name == name }
        guard found.count <= 1 else {
            throw Problem(.invalidParameter, "\(name) is there \(found.count) times; give it once", field: name)
        }
        rest.removeAll { $0.name == name }
        return found.first?.value
    }

    /// Takes a parameter that may be there several times.
    mutating func takeAll(_ name: String) -> [String] {
        let found = rest.filter { $0.name == name }
        rest.removeAll { $0.name == name }
        return found.map(\.value)
    }

    /// Takes a whole number.
    mutating func takeInteger(_ name: String, in range: ClosedRange<Int64>) throws(Problem) -> Int64? {
        guard let text = try take(name) else { return nil }
        guard let value = Int64(text), range.contains(value) else {
            let most = range.upperBound == .max ? "or more" : "to \(range.upperBound)"
            throw Problem(
                .invalidParameter, "\(name) is \(text); it is a whole number, \(range.lowerBound) \(most)", field: name)
        }
        return value
    }

    /// Takes a duration.
    mutating func takeDuration(_ name: String, max: Duration) throws(Problem) -> Duration? {
        guard let text = try take(name) else { return nil }
        guard let value = DurationText.parse(text) else {
            throw Problem(
                .invalidParameter, "\(name) is \(text); it is a duration with a unit, such as 250ms, 5s or 1m30s",
                field: name)
        }
        guard value <= max else {
            throw Problem(.invalidParameter, "\(name) is \(text); at most \(max.components.seconds)s", field: name)
        }
        return value
    }

    /// Takes one of a few words.
    mutating func takeWord(_ name: String, _ allowed: [String]) throws(Problem) -> String? {
        guard let text = try take(name) else { return nil }
        guard allowed.contains(text) else {
            throw Problem(
                .invalidParameter, "\(name) is \(text); it is \(allowed.joined(separator: " or "))", field: name,
                allowed: allowed)
        }
        return text
    }

    /// Refuses everything that was not taken.
    func finish(known: [String]) throws(Problem) {
        guard let unknown = rest.first else { return }
        throw Problem(
            .unknownParameter,
            known.isEmpty
                ? "\(unknown.name) is no parameter of this call; it has none"
                : "\(unknown.name) is no parameter of this call"
                    + NearestName.suggestion(for: unknown.name, among: known),
            field: unknown.name, allowed: known)
    }

    private static func decoded(_ text: Substring) throws(Problem) -> String {
        // A plus is a space in a form's query, and itself everywhere else.
        try PathText.decoded(String(text.map { $0 == "+" ? " " : $0 }), field: nil)
    }
}
