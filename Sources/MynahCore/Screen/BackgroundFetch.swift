internal import APNsRules

/// What an app declares under `UIBackgroundModes` in its Info.plist.
enum BackgroundMode: String, CaseIterable, Sendable {
    /// `content-available` wakes the app; without it, the app gets such a push only in the foreground.
    case remoteNotification = "remote-notification"
}

/// What a simulated app does when a background push wakes it (`DeviceBehaviour#Pushes-that-are-not-alerts`).
struct BackgroundFetch: Sendable, Hashable {
    var result = WakeResult.newData
    /// How long the app runs, by the clock; after ``Wake/runningTimeMax`` it is stopped without an answer.
    var takes = Duration.zero
}

extension BackgroundFetch: DescribedValue {
    static let formName = "BackgroundFetch"

    static let fields: Fields<BackgroundFetch> = [
        Field("result", \.result, "What it answers.", default: .newData),
        Field(
            "takes", \.takes, "How long it runs, by the device's clock.", default: .zero, isDefaultSaid: false),
    ]
}

extension WakeResult: DocumentValue {}

/// What an app answers when it has fetched in the background.
package enum WakeResult: String, CaseIterable, Sendable {
    case newData
    case noData
    case failed
}

/// A wake of an app by a background push.
struct Wake: Sendable, Hashable {
    /// How long the app may run (documented).
    private static let runningTimeMax: Duration = .seconds(30)
    let sequence: UInt64
    let at: Instant
    let fetch: BackgroundFetch

    /// When the app ended, and its answer, unless it took longer than ``runningTimeMax`` and was stopped (inferred:
    /// exactly as long is in time); `nil` while it runs.
    func end(by now: Instant) -> (at: Instant, result: WakeResult?)? {
        let end = at.advanced(by: min(fetch.takes, Wake.runningTimeMax))
        return now < end ? nil : (end, fetch.takes > Wake.runningTimeMax ? nil : fetch.result)
    }
}

/// The newest wakes of one app.
struct WakeList: Sendable, Hashable {
    static let wakesMax = 500

    /// Oldest first.
    private(set) var wakes: [Wake] = []
    /// How many were dropped for newer ones.
    private(set) var evicted: UInt64 = 0

    /// Records a wake that budget and power allowed; one while the app still runs counts, too (inferred).
    mutating func add(_ wake: Wake) {
        wakes.append(wake)
        if wakes.count > WakeList.wakesMax {
            wakes.removeFirst()
            evicted += 1
        }
    }
}

extension WakeResult: ByteCodable {}

extension BackgroundFetch: ByteRecord {
    static let members = ByteMembers(BackgroundFetch.init) { ($0.result, $0.takes) }
}

extension Wake: ByteRecord {
    static let members = ByteMembers(Wake.init) { ($0.sequence, $0.at, $0.fetch) }
}

extension WakeList: ByteRecord {
    static let members = ByteMembers(WakeList.init) { ($0.wakes, $0.evicted) }
}
