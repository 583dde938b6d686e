package import APNsRules

/// What one service did with a request, without what differs each time: texts to compare, each with a name.
package struct ComparedAnswer: Sendable, Equatable {
    /// A property of an answer.
    package struct Fact: Sendable, Equatable {
        package let name: String
        package let value: String

        package init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The contents of a GOAWAY frame.
    package struct GoAway: Sendable {
        /// The code by its name (RFC 9113 §7).
        let code: String
        let lastStreamID: Int32
        let debugData: [UInt8]

        package init(_ code: String, lastStreamID: Int32, debugData: [UInt8]) {
            self.code = code
            self.lastStreamID = lastStreamID
            self.debugData = debugData
        }
    }

    /// What a connection brought until it was quiet again.
    package struct Observation: Sendable {
        /// The answer's fields, pseudo-headers too; `nil` without an answer.
        package var fields: [HTTPField]?
        package var body: [UInt8] = []
        /// Why there is no answer, as a clause.
        package var failure: String?
        /// The stream of the request; `nil` for the opening of a connection.
        package var streamID: Int32?
        /// SETTINGS frames that came, each as numbers of identifiers and values.
        package var settings: [[(id: UInt16, value: UInt32)]] = []
        package var goAway: GoAway?
        /// Whether the connection can carry another request.
        package var isOpen = true

        package init() {}
    }

    /// In a fixed order; what the answer doesn't have is left out.
    package let facts: [Fact]

    /// Headers that providers or their operators can see a difference by (`ProviderAPI#Responses`).
    private static let headers = [
        "apns-id", "apns-unique-id", "apns-request-id", "apns-channel-id", "content-type", "content-length",
        "retry-after", "server", "date",
    ]
    /// Names of settings (RFC 9113 §6.5.2, RFC 8441 §3), by their numbers from 1.
    private static let settingNames = [
        "HEADER_TABLE_SIZE", "ENABLE_PUSH", "MAX_CONCURRENT_STREAMS", "INITIAL_WINDOW_SIZE", "MAX_FRAME_SIZE",
        "MAX_HEADER_LIST_SIZE", "7", "ENABLE_CONNECT_PROTOCOL",
    ]
    /// The most characters of a fact that are kept; APNs' refusals have a few dozen.
    private static let valueCountMax = 1024

    /// Reduces what was observed; `sentID` is the request's `apns-id` or `apns-request-id`, and `redaction` takes out what
    /// is the user's own.
    package init(_ observed: Observation, sentID: String? = nil, redaction: Redaction) {
        var facts: [Fact] = []
        if let fields = observed.fields {
            facts.append(Fact("status", fields.first { $0.name == ":status" }?.value ?? "none"))
            facts.append(Fact("body", ComparedAnswer.text(ofBody: observed.body)))
            for name in ComparedAnswer.headers {
                let values = fields.filter { $0.name == name }.map { ComparedAnswer.text(of: $0, sentID: sentID) }
                if !values.isEmpty { facts.append(Fact(name, values.joined(separator: ", "))) }
            }
        } else if observed.streamID != nil {
            facts.append(Fact("answer", "none: \(observed.failure ?? "no reason is known")"))
        }
        for settings in observed.settings { facts.append(Fact("SETTINGS", ComparedAnswer.text(of: settings))) }
        if let goAway = observed.goAway {
            facts.append(Fact("GOAWAY", ComparedAnswer.text(of: goAway, last: observed.streamID)))
        }
        facts.append(Fact("connection", observed.isOpen ? "goes on" : "has ended"))
        // A secret that was cut first would not be found.
        self.facts = facts.map {
            Fact($0.name, String(redaction.applied(to: $0.value).prefix(ComparedAnswer.valueCountMax)))
        }
    }

    /// The facts that only one of both has, or that differ; names in the order of this answer, then the other's.
    package func differences(from other: ComparedAnswer) -> [Difference] {
        var names: [String] = []
        for fact in facts + other.facts where !names.contains(fact.name) { names.append(fact.name) }
        return names.compactMap { name in
            let mine = self[name]
            let others = other[name]
            return mine == others ? nil : Difference(name: name, mynah: mine, other: others)
        }
    }

    /// The values of a name, of which there may be several.
    package subscript(_ name: String) -> String? {
        let values = facts.filter { $0.name == name }.map(\.value)
        return values.isEmpty ? nil : values.joined(separator: "; ")
    }

    private static func text(ofBody body: [UInt8]) -> String {
        guard !body.isEmpty else { return "none" }
        // A body that isn't JSON is compared byte by byte.
        if let json = try? JSONValue(parsing: body), let members = json.object, json["timestamp"]?.integer != nil {
            let timeless = members.map { $0.name == "timestamp" ? JSONMember($0.name, "(time)") : $0 }
            return JSONValue.object(timeless).encodedText
        }
        return String(decoding: body, as: UTF8.self)
    }

    private static func text(of field: HTTPField, sentID: String?) -> String {
        switch field.name {
        case "apns-id", "apns-request-id", "apns-unique-id":
            if let sentID, field.value == sentID { return "as sent" }
            let isUpper = field.value == field.value.uppercased()
            let isLower = field.value == field.value.lowercased()
            return "made, \(field.value.count) characters, \(isUpper ? "upper" : isLower ? "lower" : "mixed") case"
        case "apns-channel-id": return "(id)"
        case "date": return "(time)"
        default: return field.value
        }
    }

    private static func text(of settings: [(id: UInt16, value: UInt32)]) -> String {
        let texts = settings.map { setting in
            let index = Int(setting.id) - 1
            let name = settingNames.indices.contains(index) ? settingNames[index] : String(setting.id)
            return "\(name) \(setting.value)"
        }
        return texts.isEmpty ? "none" : texts.joined(separator: ", ")
    }

    private static func text(of goAway: GoAway, last stream: Int32?) -> String {
        let data = String(decoding: goAway.debugData, as: UTF8.self)
        let isDenied = goAway.lastStreamID < stream ?? 0
        let processed = goAway.lastStreamID == 0 ? "no stream" : isDenied ? "earlier streams" : "all"
        return "\(goAway.code), processed: \(processed)\(data.isEmpty ? "" : ", \(data)")"
    }
}

/// A property in which two answers differ; `nil` where an answer doesn't have it.
package struct Difference: Sendable, Equatable {
    package let name: String
    package let mynah: String?
    package let other: String?
}

/// Takes what is the user's own out of texts: topics, team, key id, device token, provider tokens.
package struct Redaction: Sendable {
    /// Shorter parts of a provider token are too common in other texts; its own have 48 and more.
    private static let tokenPartCountMin = 16

    private let replacements: [(secret: String, placeholder: String)]

    /// Longer texts are replaced first, empty ones not at all.
    package init(_ replacements: [(secret: String, placeholder: String)]) {
        self.replacements = replacements.filter { !$0.secret.isEmpty }.sorted { $0.secret.count > $1.secret.count }
    }

    /// Also redacts a provider token and its parts, for a service that sends back what it was sent.
    package func adding(authorization: String) -> Redaction {
        let token = authorization.split(separator: " ").last.map(String.init) ?? ""
        let parts = [token] + token.split(separator: ".").map(String.init)
        return Redaction(
            replacements
                + parts.filter { $0.count >= Redaction.tokenPartCountMin }.map { ($0, "(provider token)") })
    }

    package func applied(to text: String) -> String {
        replacements.reduce(text) { text, one in
            text.replacing(one.secret, with: one.placeholder)
        }
    }
}
