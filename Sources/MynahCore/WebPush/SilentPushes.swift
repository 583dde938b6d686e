/// How many pushes of an origin have shown nothing, which WebKit counts and never resets (`WebPush#Silent-pushes`).
package struct SilentPushes: Sendable, Hashable {
    /// After so many, all subscriptions of the origin are removed.
    package static let countMax = 3
    /// How long a worker may take to show a notification.
    package static let timeMax: Duration = .seconds(30)

    package private(set) var count = 0
    /// Whether the origin has lost its subscriptions.
    package var isExhausted: Bool { count >= SilentPushes.countMax }

    package init() {}

    /// Counts a push that showed nothing.
    package mutating func note() { count = min(count + 1, SilentPushes.countMax) }

    /// What a timeline says about the last one.
    package var remark: String {
        "the service worker showed no notification, \(count) of \(SilentPushes.countMax): then Safari removes the "
            + "subscriptions of the origin"
    }
}

extension SilentPushes: ByteCodable {
    package func write(to writer: inout ByteWriter) { writer.write(count) }

    package init(from reader: inout ByteReader) throws(CodingProblem) {
        count = try reader.read()
        guard (0...SilentPushes.countMax).contains(count) else {
            throw reader.problem("\(count) pushes have shown nothing")
        }
    }
}
