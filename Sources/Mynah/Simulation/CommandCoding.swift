internal import APNsRules
internal import MynahCore
internal import MynahTrust

/// Commands as bytes: their documents, as JSON.
enum CommandCoding {
    /// How deeply a command's document may be nested: that of a call may be, and is some levels down in it.
    static let depthMax = JSONValue.depthMax + 16

    /// - Throws: ``InputError`` for a command that could not be read again, because a value that was made in Swift is
    ///   nested too deeply or has encoded JSON in it.
    static func encode(_ command: some Command) throws(InputError) -> [UInt8] {
        let document = DocumentEncoder.document(of: command)
        try check(document, depth: 0)
        return document.encoded
    }

    /// - Throws: ``InputError`` for a command that this version of Mynah doesn't know, and for a document that none
    ///   wrote.
    static func decode(kind: UInt8, _ document: Span<UInt8>) throws(InputError) -> any Command {
        guard let known = CommandKind(rawValue: kind) else {
            throw InputError(
                at: "", "a command of kind \(kind) was written by a newer Mynah: expected it to be read by that one")
        }
        let json: JSONValue
        do throws(JSONError) {
            json = try JSONValue(parsing: document, depthMax: depthMax)
        } catch {
            throw InputError(at: "", "the document of a command of kind \(kind) is \(error)")
        }
        return try DocumentDecoder.read(known.command, from: json)
    }

    private static func check(_ value: JSONValue, depth: Int) throws(InputError) {
        guard depth <= depthMax else {
            throw InputError(at: "", "a value is nested deeper than \(depthMax) levels: expected fewer")
        }
        switch value {
        case .raw: throw InputError(at: "", "a value has encoded JSON in it: expected it as a value of its own kind")
        case .array(let elements): for element in elements { try check(element, depth: depth + 1) }
        case .object(let members): for member in members { try check(member.value, depth: depth + 1) }
        case .null, .bool, .number, .string: break
        }
    }
}

// MARK: - Values

/// A part of a command that has a form of its own in JSON.
///
/// A command is its members by their names, which the compiler writes and reads.
protocol CommandValue: Codable {
    /// - Throws: ``InputError`` of a place in the document.
    init(value: JSONValue, at place: String) throws(InputError)
    /// Whatever the value is, reading this gives an equal one.
    var json: JSONValue { get }
}

extension JSONValue: CommandPart {
    init(value: JSONValue, at place: String) { self = value }
    var json: JSONValue { self }
}

extension String: CommandValue {
    init(value: JSONValue, at place: String) throws(InputError) {
        try Form.anyText.check(value, at: place)
        self = value.string ?? ""
    }

    var json: JSONValue { .string(self) }
}

extension Bool: CommandValue {
    init(value: JSONValue, at place: String) throws(InputError) {
        try Form.bool.check(value, at: place)
        self = value == true
    }

    var json: JSONValue { .bool(self) }
}

extension CommandValue where Self: FixedWidthInteger {
    init(value: JSONValue, at place: String) throws(InputError) {
        guard case .number(let number) = value, let whole = Self(number.text) else {
            throw .mismatch(value, at: place, expected: "a whole number from \(Self.min) to \(Self.max)")
        }
        self = whole
    }

    var json: JSONValue { .whole(self) }
}

extension Int: CommandValue {}
extension Int32: CommandValue {}
extension Int64: CommandValue {}
extension UInt64: CommandValue {}

extension CommandValue where Self: DocumentValue & RawRepresentable<String> {
    init(value: JSONValue, at place: String) throws(InputError) { try self.init(json: value, at: place) }
}

extension APNsEnvironment: CommandValue {}
extension EnvironmentScope: DocumentValue, CommandValue {}
extension ClockState.Mode: DocumentValue, CommandValue {}
extension ResetPart: DocumentValue, CommandValue {}
extension Event.Change: DocumentValue, CommandValue {}
extension FaultEvent: DocumentValue, CommandValue {}

extension Optional: CommandValue where Wrapped: CommandValue {
    init(value: JSONValue, at place: String) throws(InputError) {
        self = value == .null ? nil : try Wrapped(value: value, at: place)
    }

    var json: JSONValue { self?.json ?? .null }
}

extension Array: CommandValue where Element: CommandValue {
    init(value: JSONValue, at place: String) throws(InputError) {
        guard let elements = value.array else { throw .mismatch(value, at: place, expected: "an array") }
        self = []
        reserveCapacity(elements.count)
        for (index, element) in elements.enumerated() { append(try Element(value: element, at: "\(place)/\(index)")) }
    }

    var json: JSONValue { .array(map(\.json)) }
}

/// In the order of the cases.
extension Set: CommandValue where Element: CommandValue & CaseIterable {
    init(value: JSONValue, at place: String) throws(InputError) { self.init(try [Element](value: value, at: place)) }
    var json: JSONValue { Element.allCases.filter(contains).json }
}

extension Instant: CommandPart {
    init(value: JSONValue, at place: String) throws(InputError) {
        self.init(milliseconds: try Int64(value: value, at: place))
    }

    var json: JSONValue { .whole(milliseconds) }
}

/// In seconds and attoseconds, since a duration of a document is in whole milliseconds.
extension Duration: CommandValue {
    init(value: JSONValue, at place: String) throws(InputError) {
        let parts = try [Int64](value: value, at: place)
        guard parts.count == 2 else { throw .mismatch(value, at: place, expected: "seconds and attoseconds") }
        self.init(secondsComponent: parts[0], attosecondsComponent: parts[1])
    }

    var json: JSONValue { [.whole(components.seconds), .whole(components.attoseconds)] }
}

extension ChannelID: CommandPart {
    init(value: JSONValue, at place: String) throws(InputError) {
        guard let id = value.string.flatMap({ ChannelID($0) }) else {
            throw .mismatch(value, at: place, expected: "a channel's id")
        }
        self = id
    }

    var json: JSONValue { .string(text) }
}

/// The document of a call, which says what is at fault from its own beginning.
private func reading<Value>(
    at place: String, _ read: () throws(InputError) -> Value
) throws(InputError) -> Value {
    do throws(InputError) { return try read() } catch { throw error.within(place) }
}

/// A value that calls have as their document.
protocol CallDocument: CommandPart {
    init(json: JSONValue) throws(InputError)
}

extension CallDocument {
    init(value: JSONValue, at place: String) throws(InputError) {
        self = try reading(at: place) { () throws(InputError) in try Self(json: value) }
    }
}

extension ActivityPatch: CallDocument {}
extension ActivitySpecification: CallDocument {}
extension ClockState: CallDocument {}
extension ParameterFilter: CallDocument {}
extension ScreenPatch: CallDocument {}
extension SubscriptionSpecification: CallDocument {}

extension Patch: CommandPart {
    init(value: JSONValue, at place: String) throws(InputError) { try self.init(json: value, at: place) }
}

extension FaultDraft: CommandPart {
    init(value: JSONValue, at place: String) throws(InputError) { try self.init(kept: value, at: place) }
}

extension Scenario: CommandPart {
    init(value: JSONValue, at place: String) throws(InputError) { try self.init(kept: value, at: place) }
}

extension ChannelSpecification: CommandPart {
    init(value: JSONValue, at place: String) throws(InputError) { try self.init(json: value, at: place) }
}

extension DeviceSpecification: CommandPart {
    init(value: JSONValue, at place: String) throws(InputError) {
        try self.init(json: value, at: place, tokenByteCounts: DeviceToken.anyByteCounts)
    }
}

extension RegistrationSpecification: CommandPart {
    init(value: JSONValue, at place: String) throws(InputError) {
        try self.init(json: value, at: place, tokenByteCounts: DeviceToken.anyByteCounts)
    }
}

extension ClockState.Change: CommandPart {
    private struct Record: Codable {
        var advance: Duration?
        var reach: Instant?
        var mode: ClockState.Mode?
        var now: Instant?
    }

    init(value: JSONValue, at place: String) throws(InputError) {
        _ = try reading(at: place) { () throws(InputError) in
            try ObjectReader(value, ["advance": .any(), "mode": .any(), "now": .any(), "reach": .any()])
        }
        let record = try Record(record: value, at: place)
        if let duration = record.advance {
            self = .advance(by: duration)
        } else if let moment = record.reach {
            self = .reach(moment)
        } else {
            self = .set(record.mode, now: record.now)
        }
    }

    var json: JSONValue {
        let record =
            switch self {
            case .advance(let duration): Record(advance: duration)
            case .reach(let moment): Record(reach: moment)
            case .set(let mode, let now): Record(mode: mode, now: now)
            }
        return DocumentEncoder.document(of: record)
    }
}

/// The public half of a key.
extension SigningKey: CommandPart {
    private struct Record: Codable {
        let keyId: String
        let team: String
        let publicKey: String
        let environment: EnvironmentScope
        let topics: [String]?
        let related: String?
        let revokedAt: Instant?
    }

    init(value: JSONValue, at place: String) throws(InputError) {
        let record = try Record(record: value, at: place)
        do throws(TrustError) {
            self = try SigningKey(
                keyID: record.keyId, team: record.team,
                publicKey: P256PublicKey(point: Base64.decode(record.publicKey.utf8)?.bytes ?? []),
                scope: KeyScope(
                    environment: record.environment, topics: record.topics.map { Set($0) },
                    relatedKeyID: record.related),
                revokedAt: record.revokedAt)
        } catch {
            throw InputError(at: place, "a key can't be read: \(error.problem)")
        }
    }

    var json: JSONValue {
        DocumentEncoder.document(
            of: Record(
                keyId: keyID, team: team, publicKey: Base64.encode(publicKey.point), environment: scope.environment,
                topics: scope.topics?.sorted(), related: scope.relatedKeyID, revokedAt: revokedAt))
    }
}

extension Decodable {
    /// Reads what consists of members, at a place in a command.
    fileprivate init(record value: JSONValue, at place: String) throws(InputError) {
        self = try reading(at: place) { () throws(InputError) in try DocumentDecoder.read(Self.self, from: value) }
    }
}

// MARK: - Commands whose members are written in another way

extension NoteCertificate {
    private struct Record: Codable {
        let certificate: String
        let issuedAt: Instant
        let revokedAt: Instant?
    }

    init(from decoder: any Decoder) throws {
        let record = try Record(from: decoder)
        do throws(CertificateFault) {
            item = try CertificateLedger.Item(
                der: Base64.decode(record.certificate.utf8)?.bytes ?? [], issuedAt: record.issuedAt,
                revokedAt: record.revokedAt)
        } catch {
            throw InputError(at: "/certificate", "a certificate can't be read: \(error.problem)")
        }
    }

    func encode(to encoder: any Encoder) throws {
        try Record(certificate: Base64.encode(item.der), issuedAt: item.issuedAt, revokedAt: item.revokedAt)
            .encode(to: encoder)
    }
}
