/// The table of reason codes in the reference, made from the fixtures.
enum ReasonTable {
    static let markers = ("<!-- reasons:begin -->", "<!-- reasons:end -->")

    /// Conditions named per reason; the folder of fixtures has the rest.
    static let conditionsMax = 3

    /// The rule of the cases about the order of checks.
    static let orderRule = "order"

    /// The table as Markdown: a row per status and reason, by status and then by name.
    static func markdown(of cases: [FixtureCase]) -> String {
        let refused = cases.compactMap { fixture in fixture.reason.map { (reason: $0, fixture: fixture) } }
        let groups = Dictionary(grouping: refused) { Key(status: $0.fixture.status, reason: $0.reason) }
        let rows = groups.sorted { $0.key < $1.key }.map { key, group in
            row(key, group.map(\.fixture))
        }
        return (["| status | reason | when | source |", "| --- | --- | --- | --- |"] + rows).joined(separator: "\n")
    }

    /// The text with what stands between the markers replaced by a table; nil when there is no such pair of lines.
    static func replaced(in text: String, by table: String, between markers: (String, String)) -> String? {
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        guard let first = lines.firstIndex(of: markers.0), let last = lines.firstIndex(of: markers.1), first < last
        else { return nil }
        lines.replaceSubrange((first + 1)..<last, with: ["", table, ""])
        return lines.joined(separator: "\n")
    }

    private struct Key: Hashable, Comparable {
        let status: Int
        let reason: String

        static func < (left: Key, right: Key) -> Bool {
            (left.status, left.reason) < (right.status, right.reason)
        }
    }

    private static func row(_ key: Key, _ cases: [FixtureCase]) -> String {
        // One case of each rule first, so that what is named shows the different ways to a reason; which of two
        // reasons wins says least about either.
        var rules: Set<String> = []
        let ranked = cases.map { fixture in
            let isNewRule = rules.insert(fixture.rule).inserted
            return (rank: fixture.rule == orderRule ? 2 : isNewRule ? 0 : 1, fixture: fixture)
        }
        let named = (0...2).flatMap { rank in ranked.filter { $0.rank == rank }.map(\.fixture) }.prefix(conditionsMax)
        var conditions = named.map { cell($0.name) }.joined(separator: "; ")
        if cases.count > named.count {
            conditions += "; and \(cases.count - named.count) more"
        }
        let sources = Set(cases.map { link(of: $0.source) }).sorted().joined(separator: ", ")
        return "| \(key.status) | `\(key.reason)` | \(conditions) | \(sources) |"
    }

    /// A link to the section that a case cites; other sources as they are.
    private static func link(of source: String) -> String {
        guard let citation = source.firstMatch(of: /[A-Za-z]+#[A-Za-z0-9-]+/) else { return cell(source) }
        return "<doc:\(citation.0)>"
    }

    private static func cell(_ text: String) -> String {
        text.replacing("|", with: "\\|").replacing("\n", with: " ")
    }
}
