import APNsRules
import MynahCore

/// One expectation as a person knows it: its name, and where it is written.
struct NamedExpectation: Sendable, Equatable {
    /// Its name; unique in its file.
    let name: String
    /// The body of `POST /v1/expectations`.
    let body: JSONValue
    /// The file that has it; `nil` when it was put together from flags.
    var file: String?
    /// The line of that file on which it begins.
    var line: Int?

    /// What is expected, in words: `at least 1 within 5s`.
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
