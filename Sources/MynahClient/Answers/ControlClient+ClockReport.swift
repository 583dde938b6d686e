// Made by Sources/helpers/generate.py: change that, or what the program says.
public import APNsRules

extension ControlClient {
    /// What ``ControlClient/setClock(_:)`` returns.
    public struct ClockReport: ControlAnswer, AnswerObject {
        /// How the clock runs: with the system's, ahead of it, or not at all.
        public let mode: ClockMode
        /// The clock's time.
        public let now: Instant
        /// The last sequence number that was given out.
        public let lastSequence: Int
        /// How many pushes were delivered because of it.
        public let delivered: Int
        /// How many pushes expired because of it.
        public let expired: Int
        /// How many stored pushes newer ones replaced meanwhile.
        public let coalesced: Int
        /// The whole document as the server wrote it.
        public let json: JSONValue

        /// Reads a document; throws ``ClientError`` for a wrong member, and ignores unknown ones.
        public init(json: JSONValue) throws(ClientError) {
            try self.init(AnswerReader(json, of: "ClockReport"))
        }

        init(_ answer: AnswerReader) throws(ClientError) {
            try answer.requireObject()
            mode = try answer.member("mode")
            now = try answer.member("now")
            lastSequence = try answer.member("lastSequence")
            delivered = try answer.member("delivered")
            expired = try answer.member("expired")
            coalesced = try answer.member("coalesced")
            json = answer.json
        }
    }
}
