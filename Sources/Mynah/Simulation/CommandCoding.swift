internal import APNsRules
internal import MynahCore

/// Commands as bytes: their documents, as JSON.
enum CommandCoding {
    /// How deeply a command's document may be nested: some levels more than the document of a call, which is a part of
    /// it.
    static let depthMax = JSONValue.depthMax + 16

    /// - Throws: ``InputError`` for a command that could not be read again, because a value that was made in Swift is
    ///   nested too deeply or has encoded JSON in it.
    static func encode(_ command: some Command) throws(InputError) -> [UInt8] {
        let document = DocumentEncoder.document(of: command)
        try check(document, depth: 0)
        return document.encoded
    }

    /// - Throws: ``InputError`` for a document that no command of the type wrote.
    static func decode<C: Command>(_ type: C.Type, _ document: Span<UInt8>) throws(InputError) -> C {
        let json: JSONValue
        do throws(JSONError) {
            json = try JSONValue(parsing: document, depthMax: depthMax)
        } catch {
            throw InputError(at: "", "the document of a command of kind \(C.kind.rawValue) is \(error)")
        }
        return try DocumentDecoder.read(type, from: json)
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

// MARK: - Parts of commands

extension APNsEnvironment: Codable {}
extension EnvironmentScope: DocumentValue, Codable {}
extension ResetPart: DocumentValue, Codable {}
extension Event.Change: DocumentValue, Codable {}
extension FaultEvent: DocumentValue, Codable {}

extension JSONValue: CommandPart {}
extension Instant: CommandPart {}
extension ChannelID: CommandPart {}
extension ClockState.Change: CommandPart {}
extension DeviceSpecification: CommandPart {}
extension ChannelSpecification: CommandPart {}
extension FaultDraft: CommandPart {}
extension Scenario: CommandPart {}

extension RegistrationSpecification: CommandPart {
    package init(kept json: JSONValue, at place: String) throws(InputError) {
        try self.init(json: json, at: place, tokenByteCounts: DeviceToken.anyByteCounts)
    }
}

/// A part of a command that is kept as the document of a call has it.
protocol CallDocument: CommandPart {
    init(json: JSONValue, at place: String) throws(InputError)
}

extension CallDocument {
    package init(kept json: JSONValue, at place: String) throws(InputError) { try self.init(json: json, at: place) }
}

extension ActivityPatch: CallDocument {}
extension ActivitySpecification: CallDocument {}
extension ClockState: CallDocument {}
extension ParameterFilter: CallDocument {}
extension Patch: CallDocument {}
extension ScreenPatch: CallDocument {}
extension SubscriptionSpecification: CallDocument {}
