package import APNsRules
package import MynahCore

/// A case of `fixtures/provider-api`: a request, the state it meets, and what APNs answers.
///
/// The format is described beside the other reader, in `Tests/clients`; every field that is absent has the value
/// of a good push, so that a file states only its difference.
package struct FixtureCase: Sendable, CustomStringConvertible {
    /// A request, when it is sent, and what happens to the credentials before it.
    package struct Step: Sendable {
        package let at: Duration
        /// Keys that replace the keys with the same names.
        package let keys: [FixtureKey]
        /// Names of keys, or `certificate`, that are revoked.
        package let revoke: [String]
        package var request: FixtureRequest
        package let expect: Expected
    }

    /// What is answered.
    ///
    /// What is absent is not looked at.
    package struct Expected: Sendable {
        package let status: Int
        package let reason: String?
        package let timestamp: Int64?
        /// Each field with its value, a pattern, or absence.
        package let headers: [String: HeaderExpectation]
        package let warnings: [String]?
        /// What channel management answers.
        package let body: JSONValue?
    }

    /// What a reply's field must be.
    package enum HeaderExpectation: Sendable {
        case value(String)
        case pattern(String)
        case absent
    }

    /// A token known beforehand.
    package struct Device: Sendable {
        let token: String
        let topic: String
        let environment: String
        let unregisteredAt: Instant?
        let expiredAt: Instant?

        /// The device with the token, named by its number in the case.
        package func specification(_ number: Int) throws(InputError) -> DeviceSpecification {
            let endedAt = JSONValue.text((unregisteredAt ?? expiredAt)?.rfc3339)
            let state = unregisteredAt == nil ? RegistrationState.expired : .unregistered
            let app: JSONValue = [
                "topic": .string(topic), "token": .string(token), "environment": .string(environment),
                "state": endedAt == .null ? .null : .string(state.rawValue), "endedAt": endedAt,
                "unregisteredAt": endedAt,
            ]
            return try DeviceSpecification(
                json: ["id": .string("device-\(number)"), "registrations": [app]], tokenByteCounts: 1...100)
        }
    }

    /// A channel known beforehand, or several with generated ids.
    package struct Channel: Sendable {
        package let isDeleted: Bool
        package let count: Int
        /// The channel as a call describes it.
        package let specification: ChannelSpecification

        init(_ json: JSONValue, _ reader: FixtureReader) throws {
            try reader.allow(json, ["id", "bundleId", "environment", "policy", "deleted", "count"], "a channel")
            isDeleted = json["deleted"]?.bool ?? false
            count = json["count"]?.integer.map(Int.init) ?? 1
            specification = try ChannelSpecification(json: [
                "id": json["id"] ?? .null, "bundleId": json["bundleId"] ?? "com.example.app",
                "environment": json["environment"] ?? "sandbox", "messageStoragePolicy": json["policy"] ?? 0,
            ])
        }
    }

    /// The name of the case's file.
    package let file: String
    /// A sentence about the behaviour.
    package let name: String
    /// The section of the specification with its mark of evidence, as `ProviderAPI#Token-age (inferred)`.
    package let source: String
    package let rule: String
    /// Whether the case's requests go to channel management.
    package let isForChannels: Bool
    /// Whether the case's requests concern channels wherever they go.
    package var concernsChannels: Bool { step.request.isAboutChannels }
    /// Channels known beforehand.
    package let channels: [Channel]
    package let settings: [String: String]
    package let devices: [Device]
    /// Signing keys known beforehand, besides the one that good pushes are signed with.
    package let keys: [FixtureKey]
    /// The connection's client certificate.
    package let certificate: FixtureCertificate?
    /// Earlier requests on the same connection.
    package let before: [Step]
    /// The request that the case is about.
    package let step: Step

    package var description: String { "\(file): \(name)" }

    /// The cases that are part of the program, in the order of their file names.
    package static func all() throws -> [FixtureCase] {
        try lines.split(separator: "\n").map { line in
            // A file's name, a space, and its JSON on one line.
            let end = line.firstIndex(of: " ") ?? line.endIndex
            return try FixtureCase(file: String(line[..<end]), bytes: Array(line[end...].utf8))
        }
    }

    /// Reads a case from its JSON.
    init(file: String, bytes: [UInt8]) throws {
        let json: JSONValue
        do {
            json = try JSONValue(parsing: bytes)
        } catch {
            throw InputError(at: file, "\(error)")
        }
        let reader = FixtureReader(file: file)
        try reader.allow(
            json,
            [
                "name", "source", "rule", "service", "settings", "state", "certificate", "before", "at", "keys",
                "revoke",
                "request", "expect",
            ], "the case")
        try reader.allow(json["state"] ?? [:], ["devices", "keys", "channels"], "state")
        self.file = file
        self.name = try reader.string(json["name"], "name")
        self.source = try reader.string(json["source"], "source")
        self.rule = try reader.string(json["rule"], "rule")
        self.isForChannels = json["service"]?.string == "channels"
        self.channels = try (json["state"]?["channels"]?.array ?? []).map { try Channel($0, reader) }
        self.settings = Dictionary(
            uniqueKeysWithValues: (json["settings"]?.object ?? []).map { member in
                (member.name, member.value.string ?? member.value.encodedText)
            })
        self.devices = try (json["state"]?["devices"]?.array ?? []).map { try reader.device($0) }
        self.keys = try reader.keys(json["state"]?["keys"])
        self.certificate = try json["certificate"].map { try reader.certificate($0) }
        let credential: JSONValue = certificate == nil ? [:] : .null
        self.before = try (json["before"]?.array ?? []).map { step in
            try reader.allow(step, ["at", "keys", "revoke", "request", "expect"], "a step")
            return try reader.step(step, credential: credential)
        }
        self.step = try reader.step(json, credential: credential)
    }
}

/// Reads the parts of a case; throws `InputError` whose field is the name of its file.
struct FixtureReader {
    let file: String

    func allow(_ json: JSONValue, _ names: [String], _ what: String) throws {
        for member in json.object ?? [] where !names.contains(member.name) {
            throw InputError(at: file, "\(what) has an unknown member \(member.name)")
        }
    }

    func string(_ json: JSONValue?, _ name: String) throws -> String {
        guard let text = json?.string else { throw InputError(at: file, "\(name) is missing") }
        return text
    }

    func seconds(_ text: String) throws -> Duration {
        guard text.hasSuffix("s"), let seconds = Double(text.dropLast()) else {
            throw InputError(at: file, "\(text) is no duration in seconds")
        }
        return .milliseconds(Int64(seconds * 1000))
    }

    /// Reads a step; `credential` is the default of a request that names none.
    func step(_ json: JSONValue, credential: JSONValue) throws -> FixtureCase.Step {
        FixtureCase.Step(
            at: try seconds(json["at"]?.string ?? "0s"),
            keys: try keys(json["keys"]),
            revoke: try (json["revoke"]?.array ?? []).map { try string($0, "revoke") },
            request: try FixtureRequest(json["request"] ?? [:], credential: credential, self),
            expect: try expected(json["expect"] ?? .null))
    }

    func device(_ json: JSONValue) throws -> FixtureCase.Device {
        try allow(json, ["token", "topic", "environment", "unregisteredAt", "expiredAt"], "a device")
        return FixtureCase.Device(
            token: try string(json["token"], "token"), topic: try string(json["topic"], "topic"),
            environment: json["environment"]?.string ?? "sandbox",
            unregisteredAt: json["unregisteredAt"]?.string.flatMap { Instant(rfc3339: $0) },
            expiredAt: json["expiredAt"]?.string.flatMap { Instant(rfc3339: $0) })
    }

    private func expected(_ json: JSONValue) throws -> FixtureCase.Expected {
        try allow(json, ["status", "reason", "timestamp", "headers", "warnings", "body"], "expect")
        guard let status = json["status"]?.integer else {
            throw InputError(at: file, "expect has no status")
        }
        var headers: [String: FixtureCase.HeaderExpectation] = [:]
        for member in json["headers"]?.object ?? [] {
            headers[member.name] =
                if let value = member.value.string {
                    .value(value)
                } else if let pattern = member.value["pattern"]?.string { .pattern(pattern) } else { .absent }
        }
        return FixtureCase.Expected(
            status: Int(status), reason: json["reason"]?.string, timestamp: json["timestamp"]?.integer,
            headers: headers, warnings: json["warnings"]?.array?.compactMap(\.string), body: json["body"])
    }
}
