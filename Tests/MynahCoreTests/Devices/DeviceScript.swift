import APNsRules
import Foundation
import MynahCore

/// One case of `fixtures/devices`: devices, what happens to them in order, and what became of every push.
///
/// A file holds an array of cases. Members of a case: `name`, `source`, `settings`, `devices` (one phone with one app
/// where absent), `steps`, `expect`: for every push sent, its outcome, `at` which it is also checked where one is
/// given ("delivered at 1h"), and `activityChanges`: the states to which time alone has brought Live Activities
/// ("phone 1 stale at 1h"). A step has one verb and what belongs to it:
///
/// - `send`: a push's name; `device`, `topic`, `environment`, `token` (the n-th that the app got, from 1; the newest
///   where absent), `toTopic` (the app whose token it is, where that is another than `topic`), `priority`,
///   `expiration` (`0`, or a duration from now), `collapseId`, `pushType`, `payload` (a string is a body
///   that is no JSON), `background` (a silent push of priority 5). With `aps`, or with `activity`, the id of the Live
///   Activity whose token it is, it goes to the topic of Live Activities; dates of `aps` may be durations from now, and
///   `{"repeat": [text, count]}` is a long text. `expect`: its outcome, or status and reason; `detail`: a part of why.
/// - `start`: a Live Activity, as its app starts it; `device`; `expect`: `started`, or a kind of error.
/// - `activity`: a Live Activity's id, with `patch` (what its app changes) or `dismiss`; `device`; `expect`: `done`, or
///   a kind of error.
/// - `online`, `offline`: a device. `power`: a power; `device`. `change`: members of a device; `device`.
/// - `app`: members of a registration; `topic`, `device`.
/// - `register`: a registration; `device`; `expect`: `new`, `same`, or a kind of error.
/// - `uninstall`: a topic; `remove`: a device; `create`: a device.
/// - `after`: a duration passes, and no device is read. `advance`: the same, or `next`, and all devices are advanced.
/// - `check`: `inbox`, `stored`, `deferred`, `outcomes`, `registrations`, `tokens`, `activities` of a `device` (of each
///   the named members; dates are durations from the start).
struct DeviceScript: Sendable, CustomStringConvertible {
    let file: String
    let json: JSONValue

    var name: String { json["name"]?.string ?? "" }
    var description: String { "\(file): \(name)" }

    /// A script that can't be read or whose expectations fail.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// All cases, in the order of their files.
    static func all() throws -> [DeviceScript] {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appending(path: "fixtures/devices")
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".json") }
        return try files.sorted().flatMap { file in
            let bytes = Array(try Data(contentsOf: folder.appending(path: file)))
            guard let cases = try JSONValue(parsing: bytes).array, !cases.isEmpty else {
                throw Failure(description: "\(file) holds no array of cases")
            }
            return cases.map { DeviceScript(file: file, json: $0) }
        }
    }

    /// When the devices are read although nothing happens.
    enum Asking: CaseIterable {
        /// Only where the script does.
        case seldom
        /// Before every step, at each moment at which something falls due, and in between.
        case often
        /// Only where the script does; before every step the devices are written and read.
        case afterRestarts
    }

    /// Plays the script.
    ///
    /// - Throws: ``Failure`` with the step and what was expected.
    func play(asking: Asking) throws {
        var stage = try DeviceStage(self, asking: asking)
        for (index, step) in (json["steps"]?.array ?? []).enumerated() {
            do {
                try stage.play(step)
            } catch {
                throw Failure(description: "step \(index + 1), \(step.encodedText): \(error)")
            }
            let broken = stage.table.brokenInvariants()
            guard broken.isEmpty else {
                throw Failure(description: "step \(index + 1), \(step.encodedText): \(broken)")
            }
        }
        try stage.end(json["expect"] ?? .null, activityChanges: json["activityChanges"])
    }
}

/// Where a script is played: a table, a clock, and what became of the pushes.
struct DeviceStage {
    static let start = Instant(milliseconds: 1_795_253_400_000)

    private(set) var table: DeviceTable
    private let asking: DeviceScript.Asking
    private var now = DeviceStage.start
    private var numbers: [String: UInt64] = [:]
    private var outcomes: [UInt64: (outcome: Outcome, at: Instant)] = [:]
    private var tokens: [String: [DeviceToken]] = [:]
    private var lastSequence: UInt64 = 0
    private var activityChanges: [String] = []

    init(_ script: DeviceScript, asking: DeviceScript.Asking) throws {
        let known: Set<String> = ["name", "source", "settings", "devices", "steps", "expect", "activityChanges"]
        for member in script.json.object ?? [] where !known.contains(member.name) {
            throw DeviceScript.Failure(description: "a case has no \(member.name)")
        }
        guard script.json["source"]?.string != nil, !script.name.isEmpty else {
            throw DeviceScript.Failure(description: "a case has a name and a source")
        }
        self.asking = asking
        table = DeviceTable(settings: try DeviceStage.settings(script.json["settings"]))
        let phone: JSONValue = ["id": "phone", "registrations": [["topic": "com.example.app"]]]
        for device in script.json["devices"]?.array ?? [phone] { try create(device) }
    }

    private static func settings(_ json: JSONValue?) throws -> DeviceSettings {
        var settings = DeviceSettings()
        for member in json?.object ?? [] {
            switch (member.name, member.value) {
            case ("backgroundBudget", .number(let number)): settings.backgroundBudget = number.integer.map { Int($0) }
            case ("activityBudget", .number(let number)): settings.activityBudget = number.integer.map { Int($0) }
            case ("deferralMax", .string(let text)): settings.deferralMax = DurationText.parse(text)
            case ("inboxCountMax", .number(let number)): settings.inboxCountMax = Int(number.integer ?? 0)
            case ("unregisterDelay", .string(let text)):
                guard let delay = DurationText.parse(text) else { break }
                settings.unregisterDelay = delay...delay
            case ("devices", "strict"): settings.policy = .strict
            case ("requestLimit", .string(let text)):
                let parts = text.split(separator: "/")
                guard parts.count == 2, let count = Int(parts[0]), let period = DurationText.parse(parts[1]) else {
                    throw DeviceScript.Failure(description: "\(text) is no limit")
                }
                settings.requestLimit = RateLimit(count: count, period: period)
            default: throw DeviceScript.Failure(description: "there is no setting \(member.name)")
            }
        }
        return settings
    }

    // MARK: - Steps

    mutating func play(_ step: JSONValue) throws {
        switch asking {
        case .seldom: break
        case .often: look()
        case .afterRestarts: table = try table.rewritten()
        }
        guard let verb = step.object?.first else { throw DeviceScript.Failure(description: "a step is an object") }
        let device = step["device"]?.string ?? "phone"
        let text = verb.value.string ?? ""
        switch verb.name {
        case "send": try send(text, step, device)
        case "online", "offline":
            try change(text, .online(verb.name == "online"))
        case "power": try change(device, try DevicePatch(json: ["power": verb.value]))
        case "change": try change(device, try DevicePatch(json: verb.value))
        case "app":
            let patch = try AppPatch(json: verb.value)
            note(
                try table.change(
                    device, topic: step["topic"]?.string ?? "com.example.app", patch, at: now,
                    clock: DeviceStage.noScope))
        case "register": try register(verb.value, on: device, expect: step["expect"]?.string)
        case "start": try startActivity(verb.value, on: device, expect: step["expect"]?.string)
        case "activity": try changeActivity(text, step, on: device)
        case "uninstall": note(try table.uninstall(device, topic: text, at: now, clock: DeviceStage.noScope))
        case "remove":
            guard let removal = table.remove(text, at: now, clock: DeviceStage.noScope) else {
                throw DeviceScript.Failure(description: "there is no device \(text)")
            }
            note(removal.effects)
        case "create": try create(verb.value)
        case "after": try pass(text)
        case "advance":
            if text == "next" {
                guard let next = table.nextDue() else { throw DeviceScript.Failure(description: "nothing is due") }
                now = next
            } else {
                try pass(text)
            }
            look()
        case "check": try check(verb.value, device)
        default: throw DeviceScript.Failure(description: "there is no verb \(verb.name)")
        }
        learnTokens()
    }

    static let noScope: @Sendable (String) -> Instant = { _ in start }

    private mutating func pass(_ text: String) throws {
        guard let duration = DurationText.parse(text) else {
            throw DeviceScript.Failure(description: "\(text) is no duration")
        }
        let end = now.advanced(by: duration)
        if asking == .often {
            let middle = now.advanced(by: .milliseconds(duration.wholeMilliseconds / 3))
            note(table.advance(to: middle, clock: DeviceStage.noScope))
            while let next = table.nextDue(), next < end { note(table.advance(to: next, clock: DeviceStage.noScope)) }
        }
        now = end
    }

    private mutating func look() {
        note(table.advance(to: now, clock: DeviceStage.noScope))
    }

    private mutating func create(_ json: JSONValue) throws {
        let device = try DeviceSpecification(json: json)
        for id in device.ids { note(try table.create(device, id: id, at: now, clock: DeviceStage.noScope)) }
        learnTokens()
    }

    private mutating func change(_ device: String, _ patch: DevicePatch) throws {
        note(try table.change(device, patch, at: now, clock: DeviceStage.noScope))
    }

    private mutating func register(_ json: JSONValue, on device: String, expect: String?) throws {
        var answer: String
        do throws(InputError) {
            let registered = try table.register(
                try RegistrationSpecification(json: json), on: device, at: now, clock: DeviceStage.noScope)
            note(registered.effects)
            answer = registered.isNew ? "new" : "same"
        } catch {
            answer = "\(error.kind)"
        }
        try DeviceStage.require(answer, expect ?? "new", "registering")
    }

    private mutating func send(_ name: String, _ step: JSONValue, _ device: String) throws {
        let isOfActivity = step["activity"] != nil || step["aps"] != nil
        let topic = step["topic"]?.string ?? (isOfActivity ? DeviceStage.activityTopic : "com.example.app")
        let key = "\(device) \(step["toTopic"]?.string ?? topic)"
        let isBackground = step["background"]?.bool ?? false
        var fields: [(String, String)] = [(":method", "POST"), ("apns-topic", topic)]
        if let priority = step["priority"]?.integer ?? (isBackground ? 5 : nil) {
            fields.append(("apns-priority", String(priority)))
        }
        if let pushType = step["pushType"]?.string ?? (isBackground ? "background" : nil) {
            fields.append(("apns-push-type", pushType))
        }
        if let id = step["collapseId"]?.string { fields.append(("apns-collapse-id", id)) }
        switch step["expiration"] {
        case .number: fields.append(("apns-expiration", "0"))
        case .string(let text) where text.hasPrefix("-"):
            let before = DurationText.parse(text.dropFirst())?.components.seconds ?? 0
            fields.append(("apns-expiration", String(now.milliseconds / 1000 - before)))
        case .string(let text):
            let after = DurationText.parse(text)?.components.seconds ?? 0
            fields.append(("apns-expiration", String(now.milliseconds / 1000 + after)))
        default: break
        }
        let silent: JSONValue = ["aps": ["content-available": 1]]
        let payload =
            step["payload"] ?? step["aps"].map { ["aps": dated($0)] }
            ?? (isBackground ? silent : ["aps": ["alert": "hi"]])
        let environment = step["environment"]?.string.flatMap { APNsEnvironment(rawValue: $0) } ?? .sandbox
        let token = try step["activity"]?.string.map { try activityToken($0, of: device) } ?? token(key, step["token"])
        let push = try DeviceStage.push(token, environment, fields, payload)
        try take(name, push, expect: step["expect"]?.string, detail: step["detail"]?.string)
    }

    // MARK: - Live Activities

    static let activityTopic = "com.example.app.push-type.liveactivity"

    // A document in which `{"repeat": [text, count]}` stands for a long text.
    private func expanded(_ json: JSONValue) -> JSONValue {
        if let parts = json["repeat"]?.array, parts.count == 2, let text = parts[0].string, let count = parts[1].integer
        {
            return .string(String(repeating: text, count: Int(count)))
        }
        return json.object.map { .object($0.map { JSONMember($0.name, expanded($0.value)) }) } ?? json
    }

    // `aps` with the dates that are durations from now as Unix seconds.
    private func dated(_ aps: JSONValue) -> JSONValue {
        .object(
            (expanded(aps).object ?? []).map { member in
                guard ["timestamp", "stale-date", "dismissal-date"].contains(member.name),
                    let offset = DeviceStage.offset(member.value)
                else { return member }
                return JSONMember(
                    member.name, .number(JSONNumber(now.milliseconds / 1000 + offset.components.seconds)))
            })
    }

    // A duration before now or after.
    private static func offset(_ json: JSONValue) -> Duration? {
        guard let text = json.string else { return nil }
        return text.hasPrefix("-") ? DurationText.parse(text.dropFirst()).map { .zero - $0 } : DurationText.parse(text)
    }

    // The activity's token, while it has not been forgotten.
    private func activityToken(_ id: String, of device: String) throws -> DeviceToken {
        var copy = table
        let found = try copy.activities(of: device, at: now, clock: DeviceStage.noScope).value.first { $0.id == id }
        guard let token = found?.token else { throw DeviceScript.Failure(description: "activity \(id) has no token") }
        return token
    }

    private mutating func startActivity(_ json: JSONValue, on device: String, expect: String?) throws {
        var answer = "started"
        do throws(InputError) {
            note(
                try table.startActivity(
                    try ActivitySpecification(json: dates(in: json)), on: device, at: now, clock: DeviceStage.noScope
                ).effects)
        } catch {
            answer = "\(error.kind)"
        }
        try DeviceStage.require(answer, expect ?? "started", "starting an activity")
    }

    private mutating func changeActivity(_ id: String, _ step: JSONValue, on device: String) throws {
        var answer = "done"
        let number = Int32(id) ?? 0
        do throws(InputError) {
            if let patch = step["patch"] {
                note(
                    try table.changeActivity(
                        number, of: device, try ActivityPatch(json: dates(in: patch)), at: now,
                        clock: DeviceStage.noScope
                    ).effects)
            } else {
                note(try table.dismissActivity(number, of: device, at: now, clock: DeviceStage.noScope))
            }
        } catch {
            answer = "\(error.kind)"
        }
        try DeviceStage.require(answer, step["expect"]?.string ?? "done", "changing activity \(id)")
    }

    // A document with the dates that are durations from now as times.
    private func dates(in json: JSONValue) -> JSONValue {
        .object(
            (expanded(json).object ?? []).map { member in
                guard ["staleDate", "dismissalDate"].contains(member.name),
                    let offset = DeviceStage.offset(member.value)
                else { return member }
                return JSONMember(member.name, .string(now.advanced(by: offset).rfc3339))
            })
    }

    // Compares the named members of a device's activities, the dates as durations from the start.
    private func checkActivities(_ actual: [LiveActivity], _ expected: JSONValue) throws {
        let actual = actual.map(\.json)
        guard let expected = expected.array, expected.count == actual.count else {
            throw DeviceScript.Failure(
                description: "there are \(actual.count) activities: \(actual.map(\.encodedText))")
        }
        for (actual, expected) in zip(actual, expected) {
            for member in expected.object ?? [] {
                var value = actual[member.name]
                if member.name == "history" {
                    let states = (value?.array ?? []).map { $0["contentState"] ?? .null }
                    value = .array(states)
                } else if let date = value?.string.flatMap({ Instant(rfc3339: $0) }) {
                    value = .string(DurationText.text(date.since(DeviceStage.start)))
                } else if member.name == "token" {
                    value = .bool(value?.string != nil)
                }
                try DeviceStage.require(value ?? "missing", member.value, member.name)
            }
        }
    }

    private func token(_ key: String, _ json: JSONValue?) throws -> DeviceToken {
        if let text = json?.string {
            guard let token = DeviceToken(text) else { throw DeviceScript.Failure(description: "\(text) is no token") }
            return token
        }
        let issued = tokens[key] ?? []
        let number = json?.integer.map { Int($0) } ?? issued.count
        guard number > 0, issued.count >= number else {
            throw DeviceScript.Failure(description: "\(key) has had \(issued.count) tokens")
        }
        return issued[number - 1]
    }

    static func push(
        _ token: DeviceToken, _ environment: APNsEnvironment, _ fields: [(String, String)], _ payload: JSONValue
    ) throws -> Push {
        var block = HeaderBlock()
        for (name, value) in fields { block.append(name, value) }
        let bytes = block.bytes + (payload.string.map { Array($0.utf8) } ?? payload.encoded)
        guard fields.contains(where: { $0.0 == "apns-topic" }) else {
            throw DeviceScript.Failure(description: "a push has a topic")
        }
        return Push(
            token: token, environment: environment, id: NotificationID(generated: 1), bytes: bytes,
            headerByteCount: block.bytes.count)
    }

    private mutating func take(_ name: String, _ push: Push, expect: String?, detail: String? = nil) throws {
        var sequence = lastSequence
        let answer = table.accept(push, at: now, clock: DeviceStage.noScope) {
            sequence += 1
            return sequence
        }
        lastSequence = sequence
        var text: String
        switch answer {
        case .elsewhere(let shard): text = "shard \(shard)"
        case .refused(let refusal):
            text = "\(refusal.reason.status) \(refusal.reason.rawValue)"
            if let timestamp = refusal.timestamp {
                text += " since \(DurationText.text(timestamp.since(DeviceStage.start)))"
            }
            if let detail, !refusal.detail.contains(detail) {
                throw DeviceScript.Failure(description: "\(name): expected \(detail), got \(refusal.detail)")
            }
            if expect == nil { throw DeviceScript.Failure(description: "\(name) was refused: \(refusal.detail)") }
        case .accepted(let decision):
            text = decision.outcome.rawValue
            numbers[name] = decision.sequence
            outcomes[decision.sequence] = (decision.outcome, decision.at)
            note(decision.effects)
            let why = decision.detail ?? decision.shown?.reason ?? ""
            if let detail, !why.contains(detail) {
                throw DeviceScript.Failure(description: "\(name): expected \(detail), got \(why)")
            }
        }
        if let expect { try DeviceStage.require(text, expect, name) }
    }

    private mutating func note(_ effects: Effects) {
        for change in effects.changes { outcomes[change.sequence] = (change.outcome, change.at) }
        activityChanges += effects.activityChanges.map { change in
            let activity = change.activity
            let time = DurationText.text(change.at.since(DeviceStage.start))
            return "\(change.device) \(activity.id) \(activity.state.rawValue) at \(time)"
        }
    }

    /// Gives every token a number in the order in which its app got it.
    private mutating func learnTokens() {
        // Of a copy, because listing processes what is due.
        var copy = table
        for device in copy.list(limit: .max, at: now, clock: DeviceStage.noScope).value.devices {
            for app in device.registrations {
                let key = "\(device.id) \(app.topic)"
                guard let token = app.token, tokens[key]?.contains(token) != true else { continue }
                tokens[key, default: []].append(token)
            }
        }
    }

    // MARK: - Results

    private mutating func check(_ json: JSONValue, _ device: String) throws {
        let view = try table.view(of: device, at: now, clock: DeviceStage.noScope)
        note(view.effects)
        for member in json.object ?? [] {
            switch member.name {
            case "inbox":
                let inbox = try table.inbox(of: device, at: now, clock: DeviceStage.noScope).value
                let names = inbox.items.map { item in numbers.first { $0.value == item.sequence }?.key ?? "?" }
                try DeviceStage.require(JSONValue.array(names.map { .string($0) }), member.value, "the inbox")
            case "dropped":
                try DeviceStage.require(.number(JSONNumber(view.value.inboxDropped)), member.value, "dropped")
            case "stored": try DeviceStage.require(.number(JSONNumber(view.value.storedCount)), member.value, "stored")
            case "deferred":
                try DeviceStage.require(.number(JSONNumber(view.value.deferredCount)), member.value, "deferred")
            case "outcomes":
                for expected in member.value.object ?? [] { try checkOutcome(expected.name, expected.value) }
            case "registrations":
                let states = view.value.registrations.map { JSONValue.string($0.state.rawValue) }
                try DeviceStage.require(.array(states), member.value, "the registrations")
            case "activities":
                let activities = try table.activities(of: device, at: now, clock: DeviceStage.noScope).value
                try checkActivities(activities, member.value)
            case "tokens":
                let different = Set(view.value.registrations.compactMap(\.token)).count
                try DeviceStage.require(.number(JSONNumber(different)), member.value, "tokens")
            default:
                guard let value = view.value.json[member.name] else {
                    throw DeviceScript.Failure(description: "there is no \(member.name) to check")
                }
                try DeviceStage.require(value, member.value, member.name)
            }
        }
    }

    /// Compares what became of every push, and what time has done to Live Activities.
    mutating func end(_ expected: JSONValue, activityChanges changes: JSONValue?) throws {
        look()
        if let changes { try DeviceStage.require(.texts(activityChanges), changes, "the activities that time changed") }
        let members = expected.object ?? []
        try DeviceStage.require(members.map(\.name).sorted(), numbers.keys.sorted(), "the pushes that were accepted")
        for member in members { try checkOutcome(member.name, member.value) }
    }

    private func checkOutcome(_ name: String, _ expected: JSONValue) throws {
        guard let number = numbers[name], let (outcome, at) = outcomes[number], let text = expected.string else {
            throw DeviceScript.Failure(description: "\(name) was not accepted")
        }
        let time = DurationText.text(at.since(DeviceStage.start))
        try DeviceStage.require(
            text.contains(" at ") ? "\(outcome.rawValue) at \(time)" : outcome.rawValue, text, name)
    }

    private static func require<Value: Equatable>(_ actual: Value, _ expected: Value, _ what: String) throws {
        guard actual == expected else {
            throw DeviceScript.Failure(description: "\(what): expected \(expected), got \(actual)")
        }
    }

    private static func require(_ actual: JSONValue, _ expected: JSONValue, _ what: String) throws {
        guard actual == expected else {
            throw DeviceScript.Failure(
                description: "\(what): expected \(expected.encodedText), got \(actual.encodedText)")
        }
    }
}
