// Made by Sources/helpers/generate.py: change that, or what the program says.
public import APNsRules

extension ControlClient {
    /// What ``ControlClient/expectation(_:)`` returns.
    public struct ExpectationResult: ControlAnswer, AnswerObject {
        /// Whether the expectation is met.
        public let met: Bool
        /// How many match; items has the first 100 of them.
        public let matched: Int
        /// The pushes that match, oldest first.
        public let items: [Notification]
        /// The index from 0 of the first filter of inOrder that no push matches.
        public let failedAt: Int?
        /// The pushes with the fewest differences, newest first among equals; none of other scopes.
        public let nearest: [ExpectationResultNearest]
        /// The usual causes, if found: matched before after, evicted, token of another scope, refused with a reason,
        /// still pending, stored because its device is offline, delivered but not shown, too many.
        public let hints: [String]
        /// How many pushes were evicted since the start or a reset.
        public let evicted: Int
        /// The last sequence number that was given out.
        public let lastSequence: Int
        /// The whole document as the server wrote it.
        public let json: JSONValue

        /// Reads a document; throws ``ClientError`` for a wrong member, and ignores unknown ones.
        public init(json: JSONValue) throws(ClientError) {
            try self.init(AnswerReader(json, of: "ExpectationResult"))
        }

        init(_ answer: AnswerReader) throws(ClientError) {
            try answer.requireObject()
            met = try answer.member("met")
            matched = try answer.member("matched")
            items = try answer.member("items")
            failedAt = try answer.optional("failedAt")
            nearest = try answer.member("nearest")
            hints = try answer.member("hints")
            evicted = try answer.member("evicted")
            lastSequence = try answer.member("lastSequence")
            json = answer.json
        }
    }

    /// An element of ``ControlClient/ExpectationResult/nearest``.
    public struct ExpectationResultNearest: ControlAnswer, AnswerObject {
        /// The push's sequence number.
        public let sequence: Int
        /// Every field that differs from what was expected.
        public let differences: [ExpectationResultNearestDifferences]
        /// The push.
        public let push: Notification
        /// The whole document as the server wrote it.
        public let json: JSONValue

        /// Reads a document; throws ``ClientError`` for a wrong member, and ignores unknown ones.
        public init(json: JSONValue) throws(ClientError) {
            try self.init(AnswerReader(json, of: "ExpectationResultNearest"))
        }

        init(_ answer: AnswerReader) throws(ClientError) {
            try answer.requireObject()
            sequence = try answer.member("sequence")
            differences = try answer.member("differences")
            push = try answer.member("push")
            json = answer.json
        }
    }

    /// An element of ``ControlClient/ExpectationResultNearest/differences``.
    public struct ExpectationResultNearestDifferences: ControlAnswer, AnswerObject {
        /// A JSON pointer into the push; below /screen into what was shown of it, below /headers a name.
        public let field: String
        /// What was expected there.
        public let expected: JSONValue?
        /// What the push has there.
        public let actual: JSONValue?
        /// The whole document as the server wrote it.
        public let json: JSONValue

        /// Reads a document; throws ``ClientError`` for a wrong member, and ignores unknown ones.
        public init(json: JSONValue) throws(ClientError) {
            try self.init(AnswerReader(json, of: "ExpectationResultNearestDifferences"))
        }

        init(_ answer: AnswerReader) throws(ClientError) {
            try answer.requireObject()
            field = try answer.member("field")
            expected = try answer.optional("expected")
            actual = try answer.optional("actual")
            json = answer.json
        }
    }
}
