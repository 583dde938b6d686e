internal import APNsRules

/// What the devices of a piece have in common, as the devices of a fleet do, so that it is written once.
final class SharedInDevices: SharedInReader {
    fileprivate let screens = SharedRead<ScreenSettings>()
    fileprivate let apps = SharedRead<AppSettings>()
    fileprivate let strings = SharedRead<StringsFile>()
}

extension ScreenSettings: SharedValue {
    package static func read(in shared: SharedInReader?) -> SharedRead<ScreenSettings> {
        shared.expected(SharedInDevices.self).screens
    }
}

extension AppSettings: SharedValue {
    package static func read(in shared: SharedInReader?) -> SharedRead<AppSettings> {
        shared.expected(SharedInDevices.self).apps
    }
}

extension StringsFile: SharedValue {
    static func read(in shared: SharedInReader?) -> SharedRead<StringsFile> {
        shared.expected(SharedInDevices.self).strings
    }
}

// MARK: - Devices

/// The first byte of a device.
private struct DeviceFlags: OptionSet {
    let rawValue: UInt8
    static let vacant = DeviceFlags(rawValue: 1 << 0)
    static let named = DeviceFlags(rawValue: 1 << 1)
    static let online = DeviceFlags(rawValue: 1 << 2)
    static let lowPower = DeviceFlags(rawValue: 1 << 3)
    static let asleep = DeviceFlags(rawValue: 1 << 4)
    static let inbox = DeviceFlags(rawValue: 1 << 5)
    static let detail = DeviceFlags(rawValue: 1 << 6)
}

extension Device {
    static func writeVacant(to writer: inout ByteWriter) { writer.write(DeviceFlags.vacant.rawValue) }

    /// Writes the device, without its registrations.
    func write(to writer: inout ByteWriter) {
        let detail = detail.value
        var flags: DeviceFlags = []
        if id != nil { flags.insert(.named) }
        if state.isOnline { flags.insert(.online) }
        switch state.power {
        case .normal: break
        case .low: flags.insert(.lowPower)
        case .asleep: flags.insert(.asleep)
        }
        if inbox.count > 0 { flags.insert(.inbox) }
        if detail != nil { flags.insert(.detail) }
        writer.write(flags.rawValue)
        if let id { writer.write(id) }
        writer.write(varint: UInt64(traits))
        writer.write(varint: UInt64(scope))
        if inbox.count > 0 { writer.write(inbox) }
        if let detail { writer.write(detail) }
    }

    /// Reads what ``write(to:)`` wrote; `nil` for a vacant place.
    static func read(
        from reader: inout ByteReader, in directory: inout DeviceDirectory
    ) throws(CodingProblem) -> Device? {
        let flags = DeviceFlags(rawValue: try reader.byte())
        if flags == .vacant { return nil }
        guard flags.isDisjoint(with: .vacant), flags.rawValue < 1 << 7, !flags.isSuperset(of: [.lowPower, .asleep])
        else { throw reader.problem("\(flags.rawValue) is not how a device begins") }
        let id = flags.contains(.named) ? try reader.read(String.self) : nil
        let (traits, scope) = try directory.readShared(from: &reader)
        var device = Device(id: id, traits: traits, scope: scope)
        device.state.isOnline = flags.contains(.online)
        device.state.power = flags.contains(.lowPower) ? .low : flags.contains(.asleep) ? .asleep : .normal
        if flags.contains(.inbox) { device.inbox = try reader.read() }
        if flags.contains(.detail) { device.detail = Boxed(try DeviceDetail(from: &reader)) }
        return device
    }
}

/// Written by hand, as the device itself: with a table of members a snapshot of a million devices takes 1.7 times as
/// long.
extension DeviceDetail: ByteCodable {
    func write(to writer: inout ByteWriter) {
        writer.write(Shared(settings))
        writer.write(screen)
        writer.write(clients)
        writer.write(activities)
        writer.write(activityBudgets)
    }

    init(from reader: inout ByteReader) throws(CodingProblem) {
        self.init(
            settings: try Shared(from: &reader).value, screen: try reader.read(), clients: try reader.read(),
            activities: try reader.read(), activityBudgets: try reader.read())
    }
}

// MARK: - Registrations

/// The byte after a registration's topic.
private struct RegistrationFlags: OptionSet {
    let rawValue: UInt8
    static let production = RegistrationFlags(rawValue: 1 << 0)
    static let detail = RegistrationFlags(rawValue: 1 << 1)
}

extension RegistrationState {
    fileprivate var number: UInt8 {
        switch self {
        case .active: 0
        case .unregistered: 1
        case .expired: 2
        case .notLaunched: 3
        case .waitingForNetwork: 4
        }
    }
}

extension Registration {
    /// Writes the registration and the number of its topic.
    func write(to writer: inout ByteWriter) {
        writer.write(varint: UInt64(topic))
        var flags: RegistrationFlags = []
        if environment == .production { flags.insert(.production) }
        if !detail.isAbsent { flags.insert(.detail) }
        writer.write(flags.rawValue, state.number)
        if !state.lacksToken { writer.write(token) }
        writer.write(since)
        if let detail = detail.value { writer.write(detail) }
    }

    /// Reads a registration, behind the number of its topic.
    init(from reader: inout ByteReader, topic: Int32, device: Int32) throws(CodingProblem) {
        let flags = RegistrationFlags(rawValue: try reader.byte())
        let number = try reader.byte()
        guard flags.isSubset(of: [.production, .detail]),
            let state = RegistrationState.allCases.first(where: { $0.number == number })
        else { throw reader.problem("\(flags.rawValue) and \(number) are not how a registration begins") }
        let token = state.lacksToken ? DeviceToken.placeholder : try reader.read()
        let since: Instant = try reader.read()
        let detail = flags.contains(.detail) ? Boxed(try RegistrationDetail(from: &reader)) : Boxed()
        // A web app had its device's environment in earlier versions.
        let isProduction = flags.contains(.production) || detail.value?.web != nil
        self.init(
            token: token, since: since, topic: topic, device: device, state: state,
            environment: isProduction ? .production : .sandbox)
        self.detail = detail
    }
}

extension RegistrationDetail: ByteRecord {
    static let members = ByteMembers({
        RegistrationDetail(
            waiting: $0, requests: $1, backgroundBudget: $2, unregistration: $3, app: $4.value, wakeList: $5, calls: $6,
            complications: $7, activity: $8, web: $10.value ?? nil, launchedAt: $9)
    }) {
        (
            $0.waiting, $0.requests, $0.backgroundBudget, $0.unregistration, Shared($0.app), $0.wakeList, $0.calls,
            $0.complications, $0.activity, $0.launchedAt, Since<2, WebApp?>($0.web)
        )
    }
}

extension AppSettings: ByteCodable {
    package func write(to writer: inout ByteWriter) { writer.write(backgroundRefresh, worker, presentation) }

    package init(from reader: inout ByteReader) throws(CodingProblem) {
        self.init()
        backgroundRefresh = try reader.read()
        worker = try reader.read(Since<2, ServiceWorker>.self).value ?? worker
        presentation = try reader.read()
    }
}
