import APNsRules

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
        let within = body["within"]?.string ?? "5s"
        let settle = body["settle"]?.string.map { ", and then \($0) of quiet" } ?? ""
        if let steps = body["inOrder"]?.array { return "\(steps.count) in order within \(within)" }
        let (least, most) = counts
        let count =
            switch (least, most) {
            case (_, 0?): "none"
            case (let least, let most?) where least == most: "exactly \(least)"
            case (0, let most?): "at most \(most)"
            case (let least, let most?): "\(least) to \(most)"
            case (let least, nil): "at least \(least)"
            }
        return (least == 0 ? count : "\(count) within \(within)") + settle
    }

    private var counts: (least: Int64, most: Int64?) {
        let count = body["count"]
        if let exactly = count?["exactly"]?.integer { return (exactly, exactly) }
        let most = count?["max"]?.integer
        return (count?["min"]?.integer ?? (most == nil ? 1 : 0), most)
    }
}
