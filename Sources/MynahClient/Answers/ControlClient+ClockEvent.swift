// Made by Sources/helpers/generate.py: change that, or what the program says.
public import APNsRules

extension ControlClient {
    /// The data of an event `clock` (`Documents#Event-stream`).
    public struct ClockEvent: ControlAnswer, AnswerObject {
        /// How the clock runs: with the system's, ahead of it, or not at all.
        public let mode: ClockMode
        /// The clock's time.
        public let now: Instant
        /// The scope of the clock; `nil` for the server's clock.
        public let scope: String?
        /// The whole document as the server wrote it.
        public let json: JSONValue

        /// Reads a document; throws ``ClientError`` for a wrong member, and ignores unknown ones.
        public init(json: JSONValue) throws(ClientError) {
            try self.init(AnswerReader(json, of: "ClockEvent"))
        }

        init(_ answer: AnswerReader) throws(ClientError) {
            try answer.requireObject()
            mode = try answer.member("mode")
            now = try answer.member("now")
            scope = try answer.optional("scope")
            json = answer.json
        }
    }
}
