internal import APNsRules
internal import MynahCore
internal import MynahTrust

/// What a log calls each command: a number is never given to another one, and a changed document gets a new number.
enum CommandKind: UInt8, CaseIterable, Sendable {
    case look = 1
    case createDevices = 2
    case loadDevices = 3
    case putDevice = 4
    case changeDevice = 5
    case changeDevices = 6
    case removeDevice = 7
    case removeDevices = 8
    case connectDevice = 9
    case disconnectDevice = 10
    case registerApp = 11
    case changeApp = 12
    case uninstallApp = 13
    case act = 14
    case removeFromScreen = 15
    case clearScreen = 16
    case changeScreen = 17
    case startActivity = 18
    case changeActivity = 19
    case dismissActivity = 20
    case subscribe = 21
    case unsubscribe = 22
    case startActivities = 23
    case dismissActivities = 24
    case createChannel = 25
    case loadChannels = 26
    case removeChannel = 27
    case forgetChannels = 28
    case addFaults = 29
    case loadFaults = 30
    case putFault = 31
    case patchFault = 32
    case removeFault = 33
    case removeFaults = 34
    case removeFaultsOfScope = 35
    case startScenario = 36
    case loadScenario = 37
    case removeScenario = 38
    case removeScenarios = 39
    case changeClock = 40
    case replaceClock = 41
    case settleClock = 42
    case addKey = 43
    case replaceKey = 44
    case revokeKey = 45
    case resetKeys = 46
    case reset = 47
    case removePushes = 48
    case startKeys = 49
    case loadFixtures = 50
    case noteCertificate = 51
    case replaceFixtures = 52
    case noteConnection = 60
    case countConnection = 61
    case countIdleClose = 62
    case noteCredential = 63
    case endConnections = 64

    /// The type of its commands.
    var command: any Command.Type {
        switch self {
        case .look: Look.self
        case .createDevices: CreateDevices.self
        case .loadDevices: LoadDevices.self
        case .putDevice: PutDevice.self
        case .changeDevice: ChangeDevice.self
        case .changeDevices: ChangeDevices.self
        case .removeDevice: RemoveDevice.self
        case .removeDevices: RemoveDevices.self
        case .connectDevice: ConnectDevice.self
        case .disconnectDevice: DisconnectDevice.self
        case .registerApp: RegisterApp.self
        case .changeApp: ChangeApp.self
        case .uninstallApp: UninstallApp.self
        case .act: Act.self
        case .removeFromScreen: RemoveFromScreen.self
        case .clearScreen: ClearScreen.self
        case .changeScreen: ChangeScreen.self
        case .startActivity: StartActivity.self
        case .changeActivity: ChangeActivity.self
        case .dismissActivity: DismissActivity.self
        case .subscribe: Subscribe.self
        case .unsubscribe: Unsubscribe.self
        case .startActivities: StartActivities.self
        case .dismissActivities: DismissActivities.self
        case .createChannel: CreateChannel.self
        case .loadChannels: LoadChannels.self
        case .removeChannel: RemoveChannel.self
        case .forgetChannels: ForgetChannels.self
        case .addFaults: AddFaults.self
        case .loadFaults: LoadFaults.self
        case .putFault: PutFault.self
        case .patchFault: PatchFault.self
        case .removeFault: RemoveFault.self
        case .removeFaults: RemoveFaults.self
        case .removeFaultsOfScope: RemoveFaultsOfScope.self
        case .startScenario: StartScenario.self
        case .loadScenario: LoadScenario.self
        case .removeScenario: RemoveScenario.self
        case .removeScenarios: RemoveScenarios.self
        case .changeClock: ChangeClock.self
        case .replaceClock: ReplaceClock.self
        case .settleClock: SettleClock.self
        case .addKey: AddKey.self
        case .replaceKey: ReplaceKey.self
        case .revokeKey: RevokeKey.self
        case .resetKeys: ResetKeys.self
        case .reset: Reset.self
        case .removePushes: RemovePushes.self
        case .startKeys: StartKeys.self
        case .loadFixtures: LoadFixtures.self
        case .noteCertificate: NoteCertificate.self
        case .replaceFixtures: ReplaceFixtures.self
        case .noteConnection: NoteConnection.self
        case .countConnection: CountConnection.self
        case .countIdleClose: CountIdleClose.self
        case .noteCredential: NoteCredential.self
        case .endConnections: EndConnections.self
        }
    }
}

/// Commands as bytes: their documents, as JSON.
enum CommandCoding {
    /// How deeply a command's document may be nested: that of a call may be, and is some levels down in it.
    static let depthMax = JSONValue.depthMax + 16

    /// - Throws: ``InputError`` for a command that could not be read again, because a value that was made in Swift is
    ///   nested too deeply or has encoded JSON in it.
    static func encode(_ command: some Command) throws(InputError) -> [UInt8] {
        let document = command.document
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
        return try known.command.init(document: json)
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

/// A part of a command, as JSON.
protocol CommandValue {
    /// - Throws: ``InputError`` of a place in the document.
    init(value: JSONValue, at place: String) throws(InputError)
    /// Whatever the value is, reading this gives an equal one.
    var json: JSONValue { get }
}

extension JSONValue {
    static func members(_ members: KeyValuePairs<String, any CommandValue>) -> JSONValue {
        .object(members.map { JSONMember($0.key, $0.value.json) })
    }

    /// Reads a member; an absent one is `null`.
    func read<Value: CommandValue>(_ name: String, _: Value.Type = Value.self) throws(InputError) -> Value {
        try Value(value: self[name] ?? .null, at: JSONPointer.below("", name))
    }
}

extension JSONValue: CommandValue {
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

extension Instant: CommandValue {
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

extension ChannelID: CommandValue {
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
protocol CallDocument: CommandValue {
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

/// A value that calls have in their documents, too.
protocol CallValue: CommandValue {
    init(json: JSONValue, at place: String) throws(InputError)
}

extension CallValue {
    init(value: JSONValue, at place: String) throws(InputError) { try self.init(json: value, at: place) }
}

extension Patch: CallValue {}
extension FaultDraft: CallValue {}
extension Scenario: CallValue {}

extension ChannelSpecification: CommandValue {
    init(value: JSONValue, at place: String) throws(InputError) { try self.init(json: value, at: place) }
}

extension DeviceSpecification: CommandValue {
    init(value: JSONValue, at place: String) throws(InputError) {
        try self.init(json: value, at: place, tokenByteCounts: DeviceToken.anyByteCounts)
    }
}

extension RegistrationSpecification: CommandValue {
    init(value: JSONValue, at place: String) throws(InputError) {
        try self.init(json: value, at: place, tokenByteCounts: DeviceToken.anyByteCounts)
    }
}

extension ClockState.Change: CommandValue {
    init(value: JSONValue, at place: String) throws(InputError) {
        self = try reading(at: place) { () throws(InputError) in
            let reader = try ObjectReader(value, ["advance": .any(), "mode": .any(), "now": .any(), "reach": .any()])
            if reader.has("advance") {
                return .advance(by: try value.read("advance"))
            } else if reader.has("reach") {
                return .reach(try value.read("reach"))
            }
            return .set(try value.read("mode"), now: try value.read("now"))
        }
    }

    var json: JSONValue {
        switch self {
        case .advance(let duration): .members(["advance": duration])
        case .set(let mode, let now): .members(["mode": mode, "now": now])
        case .reach(let moment): .members(["reach": moment])
        }
    }
}

/// The public half of a key.
extension SigningKey: CommandValue {
    init(value: JSONValue, at place: String) throws(InputError) {
        self = try reading(at: place) { () throws(InputError) in
            let (keyID, team): (String, String) = try (value.read("keyId"), value.read("team"))
            let (point, topics): (String, [String]?) = try (value.read("publicKey"), value.read("topics"))
            let scope = try KeyScope(
                environment: value.read("environment"), topics: topics.map { Set($0) },
                relatedKeyID: value.read("related"))
            let revokedAt: Instant? = try value.read("revokedAt")
            do throws(TrustError) {
                let publicKey = try P256PublicKey(point: Base64.decode(Array(point.utf8))?.bytes ?? [])
                return try SigningKey(
                    keyID: keyID, team: team, publicKey: publicKey, scope: scope, revokedAt: revokedAt)
            } catch {
                throw InputError(at: "", "a key can't be read: \(error.problem)")
            }
        }
    }

    var json: JSONValue {
        .members([
            "keyId": keyID, "team": team, "publicKey": Base64.encode(publicKey.point),
            "environment": scope.environment, "topics": scope.topics?.sorted(), "related": scope.relatedKeyID,
            "revokedAt": revokedAt,
        ])
    }
}
