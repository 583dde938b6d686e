// Made by Sources/helpers/generate.py: change that, or what the program says.
public import APNsRules

extension ControlClient {
    /// What ``ControlClient/startActivities(_:_:)`` returns.
    public struct StartedActivities: ControlAnswer, AnswerObject {
        /// What was started.
        public let started: StartedActivitiesStarted
        /// Where it could not be started.
        public let refused: StartedActivitiesRefused
        /// The first devices by ID on which it can't be started, at most 10.
        public let refusals: [StartedActivitiesRefusals]
        /// The whole document as the server wrote it.
        public let json: JSONValue

        /// Reads a document; throws ``ClientError`` for a wrong member, and ignores unknown ones.
        public init(json: JSONValue) throws(ClientError) {
            try self.init(AnswerReader(json, of: "StartedActivities"))
        }

        init(_ answer: AnswerReader) throws(ClientError) {
            try answer.requireObject()
            started = try answer.member("started")
            refused = try answer.member("refused")
            refusals = try answer.member("refusals")
            json = answer.json
        }
    }

    /// The value of ``ControlClient/StartedActivities/started``.
    public struct StartedActivitiesStarted: ControlAnswer, AnswerObject {
        /// How many activities.
        public let activities: Int
        /// The whole document as the server wrote it.
        public let json: JSONValue

        /// Reads a document; throws ``ClientError`` for a wrong member, and ignores unknown ones.
        public init(json: JSONValue) throws(ClientError) {
            try self.init(AnswerReader(json, of: "StartedActivitiesStarted"))
        }

        init(_ answer: AnswerReader) throws(ClientError) {
            try answer.requireObject()
            activities = try answer.member("activities")
            json = answer.json
        }
    }

    /// The value of ``ControlClient/StartedActivities/refused``.
    public struct StartedActivitiesRefused: ControlAnswer, AnswerObject {
        /// How many devices.
        public let devices: Int
        /// The whole document as the server wrote it.
        public let json: JSONValue

        /// Reads a document; throws ``ClientError`` for a wrong member, and ignores unknown ones.
        public init(json: JSONValue) throws(ClientError) {
            try self.init(AnswerReader(json, of: "StartedActivitiesRefused"))
        }

        init(_ answer: AnswerReader) throws(ClientError) {
            try answer.requireObject()
            devices = try answer.member("devices")
            json = answer.json
        }
    }

    /// An element of ``ControlClient/StartedActivities/refusals``.
    public struct StartedActivitiesRefusals: ControlAnswer, AnswerObject {
        /// The device's ID.
        public let device: String
        /// Why it can't be started there.
        public let reason: String
        /// The whole document as the server wrote it.
        public let json: JSONValue

        /// Reads a document; throws ``ClientError`` for a wrong member, and ignores unknown ones.
        public init(json: JSONValue) throws(ClientError) {
            try self.init(AnswerReader(json, of: "StartedActivitiesRefusals"))
        }

        init(_ answer: AnswerReader) throws(ClientError) {
            try answer.requireObject()
            device = try answer.member("device")
            reason = try answer.member("reason")
            json = answer.json
        }
    }
}
