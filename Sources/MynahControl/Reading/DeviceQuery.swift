internal import APNsRules
internal import MynahCore

/// What `GET /v1/devices` is asked for.
struct DeviceQuery: Sendable {
    /// The parameters beside the filters.
    static let parameters = ["limit", "cursor", "after"]

    let filter: DeviceFilter
    let limit: Int
    /// Only devices whose id comes after this one.
    let after: String?

    init(_ query: consuming QueryString) throws(Problem) {
        limit = Int(try query.takeInteger("limit", in: 1...ListPage.limitMax) ?? ListPage.limitDefault)
        let after = try query.take("after")
        if let text = try query.take("cursor") {
            guard let id = DeviceQuery.id(ofCursor: text) else {
                throw Problem(
                    .invalidParameter, "cursor is \(text); take it from nextCursor of the page before", field: "cursor")
            }
            self.after = max(id, after ?? id)
        } else {
            self.after = after
        }
        filter = try DeviceQuery.filter(query.rest, besides: DeviceQuery.parameters)
    }

    /// The filter of what is left of a URL's parameters.
    ///
    /// - Throws: ``Problem`` for what is no filter, so that one that is misspelt never widens a DELETE.
    static func filter(
        _ parameters: [QueryString.Parameter], besides: [String] = []
    ) throws(Problem) -> DeviceFilter {
        do {
            return try DeviceFilter(parameters: parameters.map { ($0.name, $0.value) }, besides: besides)
        } catch {
            throw Problem(error)
        }
    }

    /// Where the page behind a device begins.
    static func cursor(behind id: String) -> String { Base64.encode(Array(id.utf8), url: true) }

    private static func id(ofCursor text: String) -> String? {
        guard let bytes = Base64.decode(text.utf8)?.bytes, !bytes.isEmpty,
            let id = String(validating: bytes, as: UTF8.self), cursor(behind: id) == text
        else { return nil }
        return id
    }
}
