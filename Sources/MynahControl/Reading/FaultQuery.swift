internal import APNsRules
internal import MynahCore

/// What `GET /v1/faults` is asked for.
struct FaultQuery: Sendable {
    /// The parameters beside the filters.
    private static let parameters = ["limit", "cursor"]

    let filter: FaultFilter
    let limit: Int
    /// Only rules that are asked after this one.
    let after: String?

    init(_ query: consuming QueryString) throws(Problem) {
        limit = Int(try query.takeInteger("limit", in: 1...ListPage.limitMax) ?? ListPage.limitDefault)
        after = try query.take("cursor").map { text throws(Problem) in
            guard let id = FaultQuery.id(ofCursor: text) else {
                throw Problem(
                    .invalidParameter, "cursor is \(text); take it from nextCursor of the page before", field: "cursor")
            }
            return id
        }
        filter = try FaultQuery.filter(query.rest, besides: FaultQuery.parameters)
    }

    /// The filter of what is left of a URL's parameters.
    ///
    /// - Throws: ``Problem`` for what is no filter, so that one that is misspelt never widens a DELETE.
    static func filter(
        _ parameters: [QueryString.Parameter], besides: [String] = []
    ) throws(Problem) -> FaultFilter {
        do {
            return try FaultFilter(parameters: parameters.map { ($0.name, $0.value) }, besides: besides)
        } catch {
            let known = FaultFilter.Key.allCases.map(\.rawValue) + besides
            let name = error.field.hasPrefix("!") ? String(error.field.dropFirst()) : error.field
            throw Problem(error, known.contains(name) ? .invalidParameter : .unknownParameter)
        }
    }

    /// Where the page behind a rule begins.
    static func cursor(behind id: String) -> String { Base64.encode(Array(id.utf8), url: true) }

    private static func id(ofCursor text: String) -> String? {
        guard let bytes = Base64.decode(text.utf8)?.bytes, !bytes.isEmpty,
            let id = String(validating: bytes, as: UTF8.self), cursor(behind: id) == text
        else { return nil }
        return id
    }
}
