// Made by Sources/helpers/generate.py: change that, or what the program says.
public import APNsRules

extension ControlClient {
    /// What ``ControlClient/status()`` returns.
    public struct Status: ControlAnswer, AnswerObject {
        /// Always mynah.
        public let name: StatusName
        /// The version of the program.
        public let version: String
        /// When it started.
        public let startedAt: Instant
        /// The server's clock.
        public let now: Instant
        /// How it runs.
        public let clock: ClockMode
        /// The seed of all random choices.
        public let seed: UInt64
        /// The ports that are open.
        public let ports: StatusPorts
        /// The environment of APNs.
        public let environment: Environment
        /// What there is and was.
        public let counts: StatusCounts
        /// The size of the journal, and what was evicted from it.
        public let journal: [String: Int]
        /// The memory that the process uses.
        public let memory: StatusMemory
        /// The recorded run that mynah open shows, read-only; `nil` for a server that runs.
        public let recorded: RecordedRun?
        /// The whole document as the server wrote it.
        public let json: JSONValue

        /// Reads a document; throws ``ClientError`` for a wrong member, and ignores unknown ones.
        public init(json: JSONValue) throws(ClientError) {
            try self.init(AnswerReader(json, of: "Status"))
        }

        init(_ answer: AnswerReader) throws(ClientError) {
            try answer.requireObject()
            name = try answer.member("name")
            version = try answer.member("version")
            startedAt = try answer.member("startedAt")
            now = try answer.member("now")
            clock = try answer.member("clock")
            seed = try answer.member("seed")
            ports = try answer.member("ports")
            environment = try answer.member("environment")
            counts = try answer.member("counts")
            journal = try answer.member("journal")
            memory = try answer.member("memory")
            recorded = try answer.optional("recorded")
            json = answer.json
        }
    }

    /// The value of ``ControlClient/Status/name``.
    public struct StatusName: ControlWord, AnswerWord {
        /// The word `mynah`.
        public static let mynah = Self(rawValue: "mynah")

        /// The word as the API has it.
        public let rawValue: String
        /// A word, also one that this version doesn't know.
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// The value of ``ControlClient/Status/clock``.
    public struct ClockMode: ControlWord, AnswerWord {
        /// The word `real`.
        public static let real = Self(rawValue: "real")
        /// The word `offset`.
        public static let offset = Self(rawValue: "offset")
        /// The word `frozen`.
        public static let frozen = Self(rawValue: "frozen")

        /// The word as the API has it.
        public let rawValue: String
        /// A word, also one that this version doesn't know.
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// The value of ``ControlClient/Status/ports``.
    public struct StatusPorts: ControlAnswer, AnswerObject {
        /// The ports for providers.
        public let apns: [Int]
        /// The ports of channel management.
        public let channels: [Int]
        /// The port of web pushes; `nil` for none.
        public let webPush: Int?
        /// The port without TLS; `nil` for none.
        public let cleartext: Int?
        /// The port of the proxy; `nil` for none.
        public let proxy: Int?
        /// The port of this API; `nil` until it is bound.
        public let control: Int?
        /// The whole document as the server wrote it.
        public let json: JSONValue

        /// Reads a document; throws ``ClientError`` for a wrong member, and ignores unknown ones.
        public init(json: JSONValue) throws(ClientError) {
            try self.init(AnswerReader(json, of: "StatusPorts"))
        }

        init(_ answer: AnswerReader) throws(ClientError) {
            try answer.requireObject()
            apns = try answer.member("apns")
            channels = try answer.member("channels")
            webPush = try answer.optional("webPush")
            cleartext = try answer.optional("cleartext")
            proxy = try answer.optional("proxy")
            control = try answer.optional("control")
            json = answer.json
        }
    }

    /// The value of ``ControlClient/Status/environment``.
    public struct Environment: ControlWord, AnswerWord {
        /// The word `sandbox`.
        public static let sandbox = Self(rawValue: "sandbox")
        /// The word `production`.
        public static let production = Self(rawValue: "production")

        /// The word as the API has it.
        public let rawValue: String
        /// A word, also one that this version doesn't know.
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// The value of ``ControlClient/Status/counts``.
    public struct StatusCounts: ControlAnswer, AnswerObject {
        /// Since the start or the last reset of notifications; likewise the next two.
        public let received: Int
        /// Pushes answered with 200.
        public let accepted: Int
        /// Pushes answered otherwise.
        public let refused: Int
        /// Known device tokens.
        public let devices: Int
        /// Pushes stored for offline devices.
        public let stored: Int
        /// Pushes that a device's state or a budget holds back.
        public let deferred: Int
        /// Fault rules.
        public let faults: Int
        /// Since the start or the last reset of faults, including removed rules.
        public let faultsFired: Int
        /// Scopes that have devices or rules.
        public let scopes: Int
        /// Open connections.
        public let connections: Int
        /// TLS handshakes that failed since the start or the last reset of notifications; see /v1/failed-handshakes.
        public let handshakesFailed: Int
        /// Reset since the start because of --reconnect-limit.
        public let connectionsRefused: Int
        /// The whole document as the server wrote it.
        public let json: JSONValue

        /// Reads a document; throws ``ClientError`` for a wrong member, and ignores unknown ones.
        public init(json: JSONValue) throws(ClientError) {
            try self.init(AnswerReader(json, of: "StatusCounts"))
        }

        init(_ answer: AnswerReader) throws(ClientError) {
            try answer.requireObject()
            received = try answer.member("received")
            accepted = try answer.member("accepted")
            refused = try answer.member("refused")
            devices = try answer.member("devices")
            stored = try answer.member("stored")
            deferred = try answer.member("deferred")
            faults = try answer.member("faults")
            faultsFired = try answer.member("faultsFired")
            scopes = try answer.member("scopes")
            connections = try answer.member("connections")
            handshakesFailed = try answer.member("handshakesFailed")
            connectionsRefused = try answer.member("connectionsRefused")
            json = answer.json
        }
    }

    /// The value of ``ControlClient/Status/memory``.
    public struct StatusMemory: ControlAnswer, AnswerObject {
        /// Bytes.
        public let resident: Int?
        /// The whole document as the server wrote it.
        public let json: JSONValue

        /// Reads a document; throws ``ClientError`` for a wrong member, and ignores unknown ones.
        public init(json: JSONValue) throws(ClientError) {
            try self.init(AnswerReader(json, of: "StatusMemory"))
        }

        init(_ answer: AnswerReader) throws(ClientError) {
            try answer.requireObject()
            resident = try answer.optional("resident")
            json = answer.json
        }
    }

    /// The value of ``ControlClient/Status/recorded``.
    public struct RecordedRun: ControlAnswer, AnswerObject {
        /// The path of the run's file.
        public let file: String
        /// The number of the last batch of changes before the place that is shown.
        public let position: Int
        /// The last sequence number by then.
        public let sequence: Int
        /// The system's clock, which stands there.
        public let time: Instant
        /// The first place that can be shown.
        public let first: RecordedRunFirst
        /// The end of the run.
        public let last: RecordedRunFirst
        /// Why what is shown may differ from what the server had shown: the run was recorded by other rules.
        public let differs: RecordedRunDiffers?
        /// The whole document as the server wrote it.
        public let json: JSONValue

        /// Reads a document; throws ``ClientError`` for a wrong member, and ignores unknown ones.
        public init(json: JSONValue) throws(ClientError) {
            try self.init(AnswerReader(json, of: "RecordedRun"))
        }

        init(_ answer: AnswerReader) throws(ClientError) {
            try answer.requireObject()
            file = try answer.member("file")
            position = try answer.member("position")
            sequence = try answer.member("sequence")
            time = try answer.member("time")
            first = try answer.member("first")
            last = try answer.member("last")
            differs = try answer.optional("differs")
            json = answer.json
        }
    }

    /// The value of ``ControlClient/RecordedRun/first``.
    public struct RecordedRunFirst: ControlAnswer, AnswerObject {
        /// The last sequence number by then.
        public let sequence: Int
        /// The system's clock, which stands there.
        public let time: Instant
        /// The whole document as the server wrote it.
        public let json: JSONValue

        /// Reads a document; throws ``ClientError`` for a wrong member, and ignores unknown ones.
        public init(json: JSONValue) throws(ClientError) {
            try self.init(AnswerReader(json, of: "RecordedRunFirst"))
        }

        init(_ answer: AnswerReader) throws(ClientError) {
            try answer.requireObject()
            sequence = try answer.member("sequence")
            time = try answer.member("time")
            json = answer.json
        }
    }

    /// The value of ``ControlClient/RecordedRun/differs``.
    public struct RecordedRunDiffers: ControlAnswer, AnswerObject {
        /// The number of the first batch of changes that was recorded otherwise.
        public let position: Int
        /// What differs, and what to do.
        public let detail: String
        /// The whole document as the server wrote it.
        public let json: JSONValue

        /// Reads a document; throws ``ClientError`` for a wrong member, and ignores unknown ones.
        public init(json: JSONValue) throws(ClientError) {
            try self.init(AnswerReader(json, of: "RecordedRunDiffers"))
        }

        init(_ answer: AnswerReader) throws(ClientError) {
            try answer.requireObject()
            position = try answer.member("position")
            detail = try answer.member("detail")
            json = answer.json
        }
    }
}
