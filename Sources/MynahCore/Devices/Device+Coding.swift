internal import APNsRules

/// What the devices of a piece have in common, as the devices of a fleet do, so that it is written once.
enum SharedInDevices {
    struct Writing {
        var settings = SharedWriting<ScreenSettings>()
        var apps = SharedWriting<AppSettings>()
        var strings = SharedWriting<StringsFile>()
        /// What Live Activities show.
        var content = SharedWriting<JSONValue>()
    }

    struct Reading {
        /// Version 1 has no web apps.
        var hasWebApps = true
        var settings = SharedReading<ScreenSettings>()
        var apps = SharedReading<AppSettings>()
        var strings = SharedReading<StringsFile>()
        var content = SharedReading<JSONValue>()
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
    func write(to writer: inout ByteWriter, sharing shared: inout SharedInDevices.Writing) {
        let detail = detail.value
        var flags: DeviceFlags = []
        if id != nil { flags.insert(.named) }
        if isOnline { flags.insert(.online) }
        switch power {
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
        detail?.write(to: &writer, sharing: &shared)
    }

    /// Reads what ``write(to:sharing:)`` wrote; `nil` for a vacant place.
    static func read(
        from reader: inout ByteReader, sharing shared: inout SharedInDevices.Reading,
        in directory: inout DeviceDirectory
    ) throws(CodingProblem) -> Device? {
        let flags = DeviceFlags(rawValue: try reader.byte())
        if flags == .vacant { return nil }
        guard flags.isDisjoint(with: .vacant), flags.rawValue < 1 << 7, !flags.isSuperset(of: [.lowPower, .asleep])
        else { throw reader.problem("\(flags.rawValue) is not how a device begins") }
        let id = flags.contains(.named) ? try reader.read(String.self) : nil
        let (traits, scope) = try directory.readShared(from: &reader)
        var device = Device(id: id, traits: traits, scope: scope)
        device.isOnline = flags.contains(.online)
        device.power = flags.contains(.lowPower) ? .low : flags.contains(.asleep) ? .asleep : .normal
        if flags.contains(.inbox) { device.inbox = try reader.read() }
        if flags.contains(.detail) { device.detail = Boxed(try DeviceDetail(from: &reader, sharing: &shared)) }
        return device
    }
}

extension DeviceDetail {
    fileprivate func write(to writer: inout ByteWriter, sharing shared: inout SharedInDevices.Writing) {
        shared.settings.write(settings, to: &writer)
        writer.write(screen, clients)
        activities.write(to: &writer, sharing: &shared.content)
        writer.write(activityBudgets)
    }

    fileprivate init(
        from reader: inout ByteReader, sharing shared: inout SharedInDevices.Reading
    ) throws(CodingProblem) {
        settings = try shared.settings.read(from: &reader)
        screen = try reader.read()
        clients = try reader.read()
        activities = try LiveActivities(from: &reader, sharing: &shared.content)
        activityBudgets = try reader.read()
    }
}

// MARK: - Registrations

/// The first byte of a registration behind its topic.
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
    func write(to writer: inout ByteWriter, sharing shared: inout SharedInDevices.Writing) {
        writer.write(varint: UInt64(topic))
        var flags: RegistrationFlags = []
        if environment == .production { flags.insert(.production) }
        if !detail.isAbsent { flags.insert(.detail) }
        writer.write(flags.rawValue, state.number)
        if !state.lacksToken { writer.write(token) }
        writer.write(since)
        detail.value?.write(to: &writer, sharing: &shared)
    }

    /// Reads a registration, behind the number of its topic.
    init(
        from reader: inout ByteReader, sharing shared: inout SharedInDevices.Reading, topic: Int32, device: Int32
    ) throws(CodingProblem) {
        let flags = RegistrationFlags(rawValue: try reader.byte())
        let number = try reader.byte()
        guard flags.isSubset(of: [.production, .detail]),
            let state = RegistrationState.allCases.first(where: { $0.number == number })
        else { throw reader.problem("\(flags.rawValue) and \(number) are not how a registration begins") }
        let token = state.lacksToken ? DeviceToken.placeholder : try reader.read()
        let since: Instant = try reader.read()
        let detail =
            flags.contains(.detail) ? Boxed(try RegistrationDetail(from: &reader, sharing: &shared)) : Boxed()
        // A web app had its device's environment in earlier versions.
        let isProduction = flags.contains(.production) || detail.value?.web != nil
        self.init(
            token: token, since: since, topic: topic, device: device, state: state,
            environment: isProduction ? .production : .sandbox)
        self.detail = detail
    }
}

extension RegistrationDetail {
    fileprivate func write(to writer: inout ByteWriter, sharing shared: inout SharedInDevices.Writing) {
        writer.write(waiting, requests, backgroundBudget, unregistration)
        var own = ByteWriter()
        own.write(app.backgroundRefresh, app.worker)
        app.presentation.write(to: &own, sharing: &shared.strings)
        shared.apps.write(own, to: &writer)
        writer.write(wakeList, calls, complications, activity, launchedAt, web)
    }

    fileprivate init(
        from reader: inout ByteReader, sharing shared: inout SharedInDevices.Reading
    ) throws(CodingProblem) {
        waiting = try reader.read()
        requests = try reader.read()
        backgroundBudget = try reader.read()
        unregistration = try reader.read()
        app = try AppSettings(from: &reader, sharing: &shared)
        wakeList = try reader.read()
        calls = try reader.read()
        complications = try reader.read()
        activity = try reader.read()
        launchedAt = try reader.read()
        if shared.hasWebApps { web = try reader.read() }
    }
}

extension AppSettings {
    fileprivate init(
        from reader: inout ByteReader, sharing shared: inout SharedInDevices.Reading
    ) throws(CodingProblem) {
        let hasWebApps = shared.hasWebApps
        var strings = shared.strings
        self = try shared.apps.read(from: &reader) { reader throws(CodingProblem) in
            var settings = AppSettings()
            settings.backgroundRefresh = try reader.read()
            if hasWebApps { settings.worker = try reader.read() }
            settings.presentation = try AppPresentation(from: &reader, sharing: &strings)
            return settings
        }
        shared.strings = strings
    }
}
