// Made by Sources/helpers/generate.py: change that, or what the program says.
public import APNsRules

extension ControlClient {
    /// One form of ``ControlClient/FaultActionLastStreamId``.
    public struct FaultActionLastStreamIdName: ControlWord, AnswerWord {
        /// The word `processed`.
        public static let processed = Self(rawValue: "processed")
        /// The word `lower`.
        public static let lower = Self(rawValue: "lower")

        /// The word as the API has it.
        public let rawValue: String
        /// A word, also one that this version doesn't know.
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// The value of ``ControlClient/FaultAction/close``.
    public struct FaultActionCloseName: ControlWord, AnswerWord {
        /// The word `afterStreams`.
        public static let afterStreams = Self(rawValue: "afterStreams")
        /// The word `now`.
        public static let now = Self(rawValue: "now")
        /// The word `never`.
        public static let never = Self(rawValue: "never")

        /// The word as the API has it.
        public let rawValue: String
        /// A word, also one that this version doesn't know.
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// The value of ``ControlClient/FaultAction/alert``.
    public struct FaultActionAlertName: ControlWord, AnswerWord {
        /// The word `close_notify`.
        public static let closeNotify = Self(rawValue: "close_notify")
        /// The word `unexpected_message`.
        public static let unexpectedMessage = Self(rawValue: "unexpected_message")
        /// The word `bad_record_mac`.
        public static let badRecordMac = Self(rawValue: "bad_record_mac")
        /// The word `record_overflow`.
        public static let recordOverflow = Self(rawValue: "record_overflow")
        /// The word `handshake_failure`.
        public static let handshakeFailure = Self(rawValue: "handshake_failure")
        /// The word `bad_certificate`.
        public static let badCertificate = Self(rawValue: "bad_certificate")
        /// The word `unsupported_certificate`.
        public static let unsupportedCertificate = Self(rawValue: "unsupported_certificate")
        /// The word `certificate_revoked`.
        public static let certificateRevoked = Self(rawValue: "certificate_revoked")
        /// The word `certificate_expired`.
        public static let certificateExpired = Self(rawValue: "certificate_expired")
        /// The word `certificate_unknown`.
        public static let certificateUnknown = Self(rawValue: "certificate_unknown")
        /// The word `illegal_parameter`.
        public static let illegalParameter = Self(rawValue: "illegal_parameter")
        /// The word `unknown_ca`.
        public static let unknownCa = Self(rawValue: "unknown_ca")
        /// The word `access_denied`.
        public static let accessDenied = Self(rawValue: "access_denied")
        /// The word `decode_error`.
        public static let decodeError = Self(rawValue: "decode_error")
        /// The word `decrypt_error`.
        public static let decryptError = Self(rawValue: "decrypt_error")
        /// The word `protocol_version`.
        public static let protocolVersion = Self(rawValue: "protocol_version")
        /// The word `insufficient_security`.
        public static let insufficientSecurity = Self(rawValue: "insufficient_security")
        /// The word `internal_error`.
        public static let internalError = Self(rawValue: "internal_error")
        /// The word `inappropriate_fallback`.
        public static let inappropriateFallback = Self(rawValue: "inappropriate_fallback")
        /// The word `user_canceled`.
        public static let userCanceled = Self(rawValue: "user_canceled")
        /// The word `missing_extension`.
        public static let missingExtension = Self(rawValue: "missing_extension")
        /// The word `unsupported_extension`.
        public static let unsupportedExtension = Self(rawValue: "unsupported_extension")
        /// The word `unrecognized_name`.
        public static let unrecognizedName = Self(rawValue: "unrecognized_name")
        /// The word `bad_certificate_status_response`.
        public static let badCertificateStatusResponse = Self(rawValue: "bad_certificate_status_response")
        /// The word `unknown_psk_identity`.
        public static let unknownPskIdentity = Self(rawValue: "unknown_psk_identity")
        /// The word `certificate_required`.
        public static let certificateRequired = Self(rawValue: "certificate_required")
        /// The word `no_application_protocol`.
        public static let noApplicationProtocol = Self(rawValue: "no_application_protocol")

        /// The word as the API has it.
        public let rawValue: String
        /// A word, also one that this version doesn't know.
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// The value of ``ControlClient/FaultAction/certificate``.
    public struct FaultActionCertificateName: ControlWord, AnswerWord {
        /// The word `expired`.
        public static let expired = Self(rawValue: "expired")
        /// The word `wrongHost`.
        public static let wrongHost = Self(rawValue: "wrongHost")
        /// The word `untrusted`.
        public static let untrusted = Self(rawValue: "untrusted")

        /// The word as the API has it.
        public let rawValue: String
        /// A word, also one that this version doesn't know.
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// The value of ``ControlClient/FaultAction/how``.
    public struct FaultActionHowName: ControlWord, AnswerWord {
        /// The word `fin`.
        public static let fin = Self(rawValue: "fin")
        /// The word `rst`.
        public static let rst = Self(rawValue: "rst")
        /// The word `halfOpen`.
        public static let halfOpen = Self(rawValue: "halfOpen")

        /// The word as the API has it.
        public let rawValue: String
        /// A word, also one that this version doesn't know.
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// The value of ``ControlClient/Fault/then``.
    public struct FaultThen: ControlWord, AnswerWord {
        /// The word `pass`.
        public static let pass = Self(rawValue: "pass")
        /// The word `repeat`.
        public static let `repeat` = Self(rawValue: "repeat")
        /// The word `last`.
        public static let last = Self(rawValue: "last")

        /// The word as the API has it.
        public let rawValue: String
        /// A word, also one that this version doesn't know.
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// The value of ``ControlClient/Fault/words``.
    public struct FaultWords: ControlAnswer, AnswerObject {
        /// What it does: of a list of actions each in turn, and what follows the last.
        public let does: [String]
        /// Which requests or connections it is for, a phrase for each condition.
        public let matches: [String]
        /// On which of these it acts, a phrase for each condition; empty: on all.
        public let fires: [String]
        /// The whole document as the server wrote it.
        public let json: JSONValue

        /// Reads a document; throws ``ClientError`` for a wrong member, and ignores unknown ones.
        public init(json: JSONValue) throws(ClientError) {
            try self.init(AnswerReader(json, of: "FaultWords"))
        }

        init(_ answer: AnswerReader) throws(ClientError) {
            try answer.requireObject()
            does = try answer.member("does")
            matches = try answer.member("matches")
            fires = try answer.member("fires")
            json = answer.json
        }
    }
}
