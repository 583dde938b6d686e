internal import APNsRules

/// A device, in few bytes because there may be millions.
struct Device: SlabElement {
    /// `nil` for a device that was made by a push to an unknown token; its id is the token's digits.
    let id: String?
    var inbox = Inbox()
    var detail = Boxed<DeviceDetail>()
    /// When something is due on the device, or ``never``.
    fileprivate(set) var dueAt = Device.never
    /// The number of the device's description in the directory.
    fileprivate(set) var traits: Int32
    /// The number of the device's scope in the directory; 0 for no scope.
    let scope: Int32
    /// The place of the device's oldest registration, or -1.
    var firstRegistration: Int32 = -1
    var state = DeviceState()
    static let never = Instant(milliseconds: .max)
    static var vacant: Device { Device(id: nil, traits: -1, scope: 0) }
    fileprivate var isVacant: Bool { traits < 0 }
    var screen: NotificationCentre? { detail.value?.screen }
    var screenSettings: ScreenSettings { detail.value?.settings ?? ScreenSettings() }
    /// When the next service extension ends.
    var screenDue: Instant? { screen?.nextDue }
    /// When the state of a Live Activity changes by itself.
    var activitiesDue: Instant? { detail.value?.activities.nextDue }
}

/// The state that only few devices have.
struct DeviceDetail: Sendable, DefaultInitializable {
    var settings = ScreenSettings()
    /// `nil` while the payloads alone decide what is on the screen, and no call has changed it.
    var screen: NotificationCentre?
    /// The live clients that keep it online (`?connect=true`), by number.
    var clients: Set<UInt64> = []
    var activities = LiveActivities()
    /// The pushes of each topic's activities, where their number is limited.
    var activityBudgets: [String: HourlyBudget] = [:]
    var isEmpty: Bool {
        clients.isEmpty && settings == ScreenSettings() && screen == nil && activities.isEmpty
    }
}

/// The devices of one shard by place and by id, with the descriptions and scopes that they share, and when something
/// is due on each.
struct DeviceDirectory: Sendable {
    private var devices = Slab<Device>()
    private var byID = HashIndex(capacity: 16, usedQuartersMax: 3)
    private var due = DueDevices()
    /// Number 0 is the default description.
    private(set) var traits = SharedValues(constant: DeviceTraits())
    /// Number 0 is no scope.
    private(set) var scopes = SharedValues(constant: "")
    var count: Int { devices.count }

    /// FNV-1a, mixed, so that the low bits choose a shard and the high bits a position in an index.
    static func hash(_ text: String) -> UInt64 {
        var value = FNV1a.hash(of: text.utf8)
        value = (value ^ value >> 33) &* 0xff51_afd7_ed55_8ccd
        return value ^ value >> 29
    }

    @inline(__always)
    subscript(device: Int32) -> Device {
        _read { yield devices[device] }
        _modify { yield &devices[device] }
    }

    var places: [Int32] { devices.places }

    func find(id: String) -> Int32? {
        byID.find(HashIndex.tag(Self.hash(id))) { devices[Int32($0)].id == id }.map(Int32.init)
    }

    mutating func insert(id: String?, traits: DeviceTraits, scope: String?) -> Int32 {
        insert(id: id, traits: self.traits.retain(traits), scope: scopes.retain(scope ?? ""))
    }

    mutating func insertUnnamed(_ environment: APNsEnvironment) -> Int32 {
        let number =
            environment == .sandbox ? traits.retain(number: 0) : traits.retain(DeviceTraits(environment: environment))
        return insert(id: nil, traits: number, scope: scopes.retain(number: 0))
    }

    private mutating func insert(id: String?, traits: Int32, scope: Int32) -> Int32 {
        let device = devices.insert(Device(id: id, traits: traits, scope: scope))
        if let id { byID.insert(HashIndex.tag(Self.hash(id)), UInt32(device)) }
        return device
    }

    mutating func remove(_ device: Int32) {
        setDue(device, at: Device.never)
        if let id = devices[device].id { byID.remove(HashIndex.tag(Self.hash(id)), UInt32(device)) }
        traits.release(devices[device].traits)
        scopes.release(devices[device].scope)
        devices.remove(device)
    }

    func traits(of device: Int32) -> DeviceTraits { traits[devices[device].traits] }

    func profile(of device: Int32) -> DeviceProfile {
        DeviceProfile(
            traits: traits(of: device), state: devices[device].state, screen: devices[device].screenSettings)
    }

    mutating func setProfile(_ profile: DeviceProfile, of device: Int32) {
        devices[device].state = profile.state
        if profile.traits != traits(of: device) {
            traits.release(devices[device].traits)
            devices[device].traits = traits.retain(profile.traits)
        }
        if profile.screen != devices[device].screenSettings {
            devices[device].detail.orDefault.settings = profile.screen
        }
    }

    func scope(of device: Int32) -> String? { scopeName(devices[device].scope) }
    func scopeName(_ number: Int32) -> String? { number == 0 ? nil : scopes[number] }

    mutating func setDue(_ device: Int32, at dueAt: Instant) {
        let before = devices[device].dueAt
        guard dueAt != before else { return }
        devices[device].dueAt = dueAt
        due.reschedule(device, dueBefore: before, in: devices)
    }

    var dueScopes: [Int32] { due.scopes }
    /// The first device of a scope that has something due by a time; the caller settles it.
    mutating func popDue(by time: Instant, on scope: Int32) -> Int32? { due.popDue(by: time, on: scope, in: devices) }
    mutating func nextDue(on scope: Int32) -> Instant? { due.next(on: scope, in: devices) }

    /// The broken invariants, a sentence each; for tests.
    func brokenInvariants() -> [String] {
        var broken = due.brokenInvariants(devices)
        let ids = places.count { devices[$0].id != nil }
        if byID.count != ids { broken.append("\(byID.count) ids are indexed, \(ids) are there") }
        return broken
    }
}

// The devices are written one by one, in the order of their places; what is due on them is noted afterwards.
extension DeviceDirectory {
    /// The highest place ever used, plus one.
    var end: Int32 { devices.end }
    func isVacant(_ place: Int32) -> Bool { devices[place].isVacant }

    /// What the devices share; they follow, `end` places with those that are vacant.
    struct Head: ByteRecord {
        let end: Int32
        let vacantPlaces: [Int32]
        fileprivate let traits: SharedValues<DeviceTraits>
        fileprivate let scopes: SharedValues<String>

        static let members = ByteMembers(Head.init) { ($0.end, $0.vacantPlaces, $0.traits, $0.scopes) }
    }

    var head: Head { Head(end: end, vacantPlaces: devices.vacantPlaces, traits: traits, scopes: scopes) }

    /// Begins with what the devices to come share.
    init(_ head: Head) throws(CodingProblem) {
        traits = try head.traits.checked(constant: DeviceTraits())
        scopes = try head.scopes.checked(constant: "")
    }

    /// Reads a new device's description and scope.
    mutating func readShared(from reader: inout ByteReader) throws(CodingProblem) -> (traits: Int32, scope: Int32) {
        (try traits.retain(from: &reader), try scopes.retain(from: &reader))
    }

    /// Adds a device that was read at the next place; `nil` for a vacant place.
    mutating func restore(_ device: consuming Device?, of reader: ByteReader) throws(CodingProblem) {
        if let id = device?.id {
            guard find(id: id) == nil else { throw reader.problem("the device \(id) is there twice") }
            byID.insert(HashIndex.tag(Self.hash(id)), UInt32(devices.end))
        }
        devices.restore(device)
    }

    /// Ends reading.
    mutating func endRestoring(vacantPlaces: [Int32]) throws(CodingProblem) {
        try devices.restore(vacantPlaces: vacantPlaces, where: \.isVacant)
        guard traits.areAllUsed, scopes.areAllUsed else {
            throw CodingProblem("a description or a scope belongs to no device")
        }
    }
}
