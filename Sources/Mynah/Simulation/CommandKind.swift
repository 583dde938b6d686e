/// What a log calls each command: a number is never given to another one, and a changed document gets a new number, or is
/// read in both forms.
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
    private static let byType = Dictionary(
        uniqueKeysWithValues: allCases.map { (ObjectIdentifier($0.command), $0) })

    /// The kind of the commands of a type; a type without one is a mistake in ``command``.
    init(of type: any Command.Type) {
        guard let kind = CommandKind.byType[ObjectIdentifier(type)] else {
            preconditionFailure("\(type) has no kind: CommandKind.command lists the types")
        }
        self = kind
    }
}

extension Command {
    static var kind: CommandKind { CommandKind(of: Self.self) }
}
