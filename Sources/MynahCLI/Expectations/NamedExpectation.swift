import APNsRules
import MynahCore

/// An expectation with its name and its place.
struct NamedExpectation: Sendable, Equatable {
    /// Unique in the file.
    let name: String
    /// The body of `POST /v1/expectations`.
    let body: JSONValue
    /// The expectation's file; `nil` for one from flags.
    var file: String?
    /// The first line of the expectation in the file.
    var line: Int?

    /// A description: `at least 1 within 5s`.
    var wanted: String {
        let (least, most) = counts
        return FindingText.wanted(
            steps: body["inOrder"]?.array?.count, least: least, most: most, within: body["within"]?.string ?? "5s",
            settle: body["settle"]?.string)
    }

    private var counts: (least: Int64, most: Int64?) {
        let count = body["count"]
        if let exactly = count?["exactly"]?.integer { return (exactly, exactly) }
        let most = count?["max"]?.integer
        return (count?["min"]?.integer ?? (most == nil ? 1 : 0), most)
    }
}
