/// What a log calls each command: a number is never given to another one, and a changed document gets a new number, or is
/// read in both forms.
struct CommandKind: Sendable {
    private static let commands: KeyValuePairs<UInt8, any Command.Type> = [
        1: Look.self,
        2: CreateDevices.self,
        3: LoadDevices.self,
        4: PutDevice.self,
        5: ChangeDevice.self,
        6: ChangeDevices.self,
        7: RemoveDevice.self,
        8: RemoveDevices.self,
        9: ConnectDevice.self,
        10: DisconnectDevice.self,
        11: RegisterApp.self,
        12: ChangeApp.self,
        13: UninstallApp.self,
        14: Act.self,
        15: RemoveFromScreen.self,
        16: ClearScreen.self,
        17: ChangeScreen.self,
        18: StartActivity.self,
        19: ChangeActivity.self,
        20: DismissActivity.self,
        21: Subscribe.self,
        22: Unsubscribe.self,
        23: StartActivities.self,
        24: DismissActivities.self,
        25: CreateChannel.self,
        26: LoadChannels.self,
        27: RemoveChannel.self,
        28: ForgetChannels.self,
        29: AddFaults.self,
        30: LoadFaults.self,
        31: PutFault.self,
        32: PatchFault.self,
        33: RemoveFault.self,
        34: RemoveFaults.self,
        35: RemoveFaultsOfScope.self,
        36: StartScenario.self,
        37: LoadScenario.self,
        38: RemoveScenario.self,
        39: RemoveScenarios.self,
        40: ChangeClock.self,
        41: ReplaceClock.self,
        42: SettleClock.self,
        43: AddKey.self,
        44: ReplaceKey.self,
        45: RevokeKey.self,
        46: ResetKeys.self,
        47: Reset.self,
        48: RemovePushes.self,
        49: StartKeys.self,
        50: LoadFixtures.self,
        51: NoteCertificate.self,
        52: ReplaceFixtures.self,
        60: NoteConnection.self,
        61: CountConnection.self,
        62: CountIdleClose.self,
        63: NoteCredential.self,
        64: EndConnections.self,
    ]

    let rawValue: UInt8
    /// The type of its commands.
    let command: any Command.Type
}

extension CommandKind: CaseIterable {
    static let allCases = commands.map { CommandKind(rawValue: $0.key, command: $0.value) }
    private static let byNumber = Dictionary(uniqueKeysWithValues: allCases.map { ($0.rawValue, $0) })
    private static let byType = Dictionary(uniqueKeysWithValues: allCases.map { (ObjectIdentifier($0.command), $0) })

    /// The kind with a number, or `nil` for that of a newer Mynah.
    init?(rawValue: UInt8) {
        guard let kind = CommandKind.byNumber[rawValue] else { return nil }
        self = kind
    }

    /// The kind of the commands of a type; a type without one is a mistake in ``commands``.
    init(of type: any Command.Type) {
        guard let kind = CommandKind.byType[ObjectIdentifier(type)] else {
            preconditionFailure("\(type) has no kind: CommandKind.commands lists the types")
        }
        self = kind
    }
}

extension CommandKind: Hashable {
    static func == (one: CommandKind, other: CommandKind) -> Bool { one.rawValue == other.rawValue }
    func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }
}

extension Command {
    static var kind: CommandKind { CommandKind(of: Self.self) }
}
