import APNsRules
import MynahCore

/// A naive implementation of devices: lists, searched from end to end, without an index, a heap or a shard.
struct NaiveDevices {
    struct Push {
        let number: UInt64
        let app: AppID
        let acceptedAt: Instant
        let expiresAt: Instant
        let isOnce: Bool
        let priority: Int
        let collapseID: String?
        let isBackground: Bool
        var outcome: Outcome
        var at: Instant
        var retryAt: Instant?
    }

    struct AppID: Hashable {
        let device: String
        let topic: String
    }

    enum Phase: Equatable {
        case absent, notLaunched, waitingForNetwork
        case registered(token: Int)
    }

    enum Gone: Equatable {
        case no
        case unregistered(noticed: Instant)
        case expired(noticed: Instant?)
    }

    struct App {
        var phase = Phase.absent
        var tokens: [Gone] = []
        var isForceQuit = false
        var refreshes = true
        var isDenied = false
        var hasBackgroundMode = true
        var wakes: [Instant] = []
        /// When pushes to each token were accepted.
        var requests: [Int: [Instant]] = [:]
    }

    struct Device {
        var isOnline = true
        var power = Power.normal
    }

    let settings: DeviceSettings
    var devices: [String: Device] = [:]
    var apps: [AppID: App] = [:]
    var pushes: [Push] = []
    var inboxes: [String: [UInt64]] = [:]

    var storedCount: Int { pushes.count { $0.outcome == .stored } }
    var deferredCount: Int { pushes.count { $0.outcome == .deferred } }

    init(settings: DeviceSettings) {
        self.settings = settings
    }

    private func device(_ app: AppID) -> Device { devices[app.device] ?? Device() }
    private func app(_ id: AppID) -> App { apps[id] ?? App() }

    // MARK: - Pushes

    /// The reason of a refusal, or `nil`.
    mutating func send(_ push: Push, token: Int, at now: Instant) -> String? {
        run(push.app.device, to: now)
        var push = push
        push.at = now
        switch app(push.app).tokens[token] {
        case .unregistered(let noticed) where noticed <= now: return "Unregistered"
        case .expired(let noticed?) where noticed <= now: return "ExpiredToken"
        case _ where isOneTooMany(push, token: token, at: now): return "TooManyRequests"
        case .no:
            pushes.append(push)
            enter(pushes.count - 1, at: now)
        default:
            push.outcome = .discarded
            pushes.append(push)
        }
        return nil
    }

    /// Whether the limit of the token is used up; notes the push if it isn't.
    private mutating func isOneTooMany(_ push: Push, token: Int, at now: Instant) -> Bool {
        guard let limit = settings.requestLimit else { return false }
        var current: [Instant] = []
        for request in app(push.app).requests[token, default: []] + [now] {
            if let first = current.first, request < first.advanced(by: limit.period) {
                current.append(request)
            } else {
                current = [request]
            }
        }
        guard current.count <= limit.count else { return true }
        apps[push.app]?.requests[token, default: []].append(now)
        return false
    }

    private mutating func enter(_ index: Int, at now: Instant) {
        let push = pushes[index]
        let device = device(push.app)
        let app = app(push.app)
        pushes[index].retryAt = nil
        if app.isDenied, !push.isBackground { return become(index, .discarded, now) }
        guard device.isOnline else {
            if push.isOnce { return become(index, .expired, now) }
            return hold(index, .stored, now)
        }
        if push.isBackground, app.isForceQuit || !app.refreshes || !app.hasBackgroundMode {
            return become(index, .discarded, now)
        }
        let limit = push.priority == 5 ? settings.deferralMax.map { push.acceptedAt.advanced(by: $0) } : nil
        let isHeld =
            switch device.power {
            case .normal: false
            case .low: push.priority < 10 || push.isBackground
            case .asleep: push.priority < 10
            }
        if isHeld, limit.map({ $0 > now }) ?? true {
            pushes[index].retryAt = limit
            return hold(index, .deferred, now)
        }
        if push.isBackground, let budget = settings.backgroundBudget {
            let hour: Duration = .seconds(3600)
            let recent = app.wakes.filter { $0.advanced(by: hour) > now }
            if recent.count >= budget {
                pushes[index].retryAt = recent.sorted().suffix(budget).first?.advanced(by: hour)
                return hold(index, .deferred, now)
            }
            apps[push.app]?.wakes.append(now)
        }
        become(index, .delivered, now)
        inboxes[push.app.device, default: []].append(push.number)
    }

    private mutating func become(_ index: Int, _ outcome: Outcome, _ now: Instant) {
        guard pushes[index].outcome != outcome else { return }
        pushes[index].outcome = outcome
        pushes[index].at = now
    }

    private mutating func hold(_ index: Int, _ outcome: Outcome, _ now: Instant) {
        let others = pushes.indices.filter { other in
            other != index && pushes[other].app == pushes[index].app && pushes[other].outcome == outcome
                && !isUnderWay.contains(other)
                && (outcome == .stored || pushes[other].isBackground == pushes[index].isBackground)
        }
        let isAlone = outcome == .stored || pushes[index].isBackground
        let collapseID = pushes[index].collapseID
        let rival = others.first { isAlone || collapseID != nil && pushes[$0].collapseID == collapseID }
        guard let rival = rival ?? (others.count >= 100 ? others.min { pushes[$0].number < pushes[$1].number } : nil)
        else { return become(index, outcome, now) }
        let (older, newer) = pushes[rival].number < pushes[index].number ? (rival, index) : (index, rival)
        let isSame = pushes[older].collapseID != nil && pushes[older].collapseID == pushes[newer].collapseID
        become(older, isSame ? .coalesced : .discarded, now)
        become(newer, outcome, now)
    }

    // Pushes that are taken out to be delivered again; until then they replace no other push.
    private var isUnderWay: Set<Int> = []

    private mutating func reenter(_ which: (Push) -> Bool, at now: Instant) {
        let waiting = pushes.indices.filter { isWaiting($0) && which(pushes[$0]) }
            .sorted { pushes[$0].number < pushes[$1].number }
        isUnderWay = Set(waiting)
        for index in waiting {
            isUnderWay.remove(index)
            enter(index, at: now)
        }
    }

    private func isWaiting(_ index: Int) -> Bool {
        pushes[index].outcome == .stored || pushes[index].outcome == .deferred
    }

    /// Lets time pass on a device.
    mutating func run(_ device: String, to now: Instant) {
        while true {
            let due = pushes.indices.filter { isWaiting($0) && pushes[$0].app.device == device }
                .map { ($0, min(pushes[$0].expiresAt, pushes[$0].retryAt ?? pushes[$0].expiresAt)) }
                .filter { $0.1 <= now }
                .min { ($0.1, pushes[$0.0].number) < ($1.1, pushes[$1.0].number) }
            guard let (index, at) = due else { return }
            if at == pushes[index].expiresAt {
                become(index, .expired, at)
            } else {
                enter(index, at: at)
            }
        }
    }

    mutating func runAll(to now: Instant) {
        for device in devices.keys { run(device, to: now) }
    }

    // MARK: - Devices and apps

    mutating func change(_ id: String, online: Bool? = nil, power: Power? = nil, at now: Instant) {
        run(id, to: now)
        let before = devices[id] ?? Device()
        devices[id] = Device(isOnline: online ?? before.isOnline, power: power ?? before.power)
        guard let after = devices[id], after.isOnline else { return }
        if !before.isOnline {
            for (app, state) in apps where app.device == id && state.phase == .waitingForNetwork {
                giveToken(app, at: now)
            }
        }
        if !before.isOnline || before.power != after.power { reenter({ $0.app.device == id }, at: now) }
    }

    mutating func change(_ id: AppID, at now: Instant, _ change: (inout App) -> Void) {
        run(id.device, to: now)
        change(&apps[id, default: App()])
        if device(id).isOnline { reenter({ $0.app == id }, at: now) }
    }

    mutating func register(_ id: AppID, _ rotation: Rotation?, at now: Instant) {
        run(id.device, to: now)
        switch rotation {
        case nil:
            switch app(id).phase {
            case .absent:
                apps[id, default: App()] = App(tokens: app(id).tokens, requests: app(id).requests)
                ask(id, at: now)
            case .notLaunched: ask(id, at: now)
            case .waitingForNetwork, .registered: break
            }
        case .reinstall:
            end(id, at: now, .unregistered(noticed: noticed(now)))
            if case .registered = app(id).phase {} else { noticeOlder(id, at: now) }
            apps[id] = App(tokens: app(id).tokens, requests: app(id).requests)
            ask(id, at: now)
        case .restore: restore(id, at: now)
        case .osReinstall:
            for (other, state) in apps where other.device == id.device && state.phase != .absent {
                restore(other, at: now)
            }
            ask(id, at: now)
        }
    }

    mutating func uninstall(_ id: AppID, at now: Instant) {
        run(id.device, to: now)
        end(id, at: now, .unregistered(noticed: noticed(now)))
        if case .registered = app(id).phase {} else { noticeOlder(id, at: now) }
        apps[id] = App(tokens: app(id).tokens, requests: app(id).requests)
    }

    private mutating func restore(_ id: AppID, at now: Instant) {
        end(id, at: now, .expired(noticed: nil))
        apps[id]?.phase = .notLaunched
        apps[id]?.wakes = []
    }

    private mutating func end(_ id: AppID, at now: Instant, _ gone: Gone) {
        for index in pushes.indices where isWaiting(index) && pushes[index].app == id {
            become(index, .discarded, now)
        }
        if case .registered(let token) = app(id).phase { apps[id]?.tokens[token] = gone }
    }

    private mutating func ask(_ id: AppID, at now: Instant) {
        apps[id]?.phase = .waitingForNetwork
        if device(id).isOnline { giveToken(id, at: now) }
    }

    private mutating func giveToken(_ id: AppID, at now: Instant) {
        noticeOlder(id, at: now)
        apps[id]?.tokens.append(.no)
        let newest = app(id).tokens.count - 1
        apps[id]?.phase = .registered(token: newest)
    }

    private mutating func noticeOlder(_ id: AppID, at now: Instant) {
        let known = noticed(now)
        let tokens = app(id).tokens.map { $0 == .expired(noticed: nil) ? .expired(noticed: known) : $0 }
        apps[id]?.tokens = tokens
    }

    private func noticed(_ now: Instant) -> Instant { now.advanced(by: settings.unregisterDelay.lowerBound) }
}
