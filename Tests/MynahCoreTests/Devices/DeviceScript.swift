import APNsRules
import Foundation
import MynahCore

/// One case of `fixtures/devices`: devices, what happens to them in order, and what became of every push.
///
/// A file holds an array of cases. Members of a case: `name`, `source`, `settings`, `devices` (one phone with one app
/// where absent), `steps`, `expect`: for every push sent, its outcome, `at` which it is also checked where one is
/// given ("delivered at 1h"). A step has one verb and what belongs to it:
///
/// - `send`: a push's name; `device`, `topic`, `environment`, `token` (the n-th that the app got, from 1; the newest
///   where absent), `toTopic` (the app whose token it is, where that is another than `topic`), `priority`,
///   `expiration` (`0`, or a duration from now), `collapseId`, `pushType`, `payload` (a string is a body
///   that is no JSON), `background` (a silent push of
///   priority 5); `expect`: its outcome, or status and reason.
/// - `online`, `offline`: a device. `power`: a power; `device`. `change`: members of a device; `device`.
/// - `app`: members of a registration; `topic`, `device`.
/// - `register`: a registration; `device`; `expect`: `new`, `same`, or a kind of error.
/// - `uninstall`: a topic; `remove`: a device; `create`: a device.
/// - `after`: a duration passes, and no device is read. `advance`: the same, or `next`, and all devices are advanced.
/// - `check`: `inbox`, `stored`, `deferred`, `outcomes`, `registrations`, `tokens` of a `device`.
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
        try stage.end(json["expect"] ?? .null)
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

    init(_ script: DeviceScript, asking: DeviceScript.Asking) throws {
        let known: Set<String> = ["name", "source", "settings", "devices", "steps", "expect"]
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
                settings.requestLimit = RequestLimit(count: count, period: period)
            default: throw DeviceScript.Failure(description: "there is no setting \(member.name)")
            }
        }
        return settings
    }

    // MARK: - Steps

    mutating func play(_ step: JSONValue) throws {
        if asking == .often { look() }
        guard let verb = step.object?.first else { throw DeviceScript.Failure(description: "a step is an object") }
        let device = step["device"]?.string ?? "phone"
        let text = verb.value.string ?? ""
        switch verb.name {
        case "send": try send(text, step, device)
        case "online", "offline":
            var patch = DevicePatch()
            patch.isOnline = verb.name == "online"
            try change(text, patch)
        case "power": try change(device, try DevicePatch(json: ["power": verb.value]))
        case "change": try change(device, try DevicePatch(json: verb.value))
        case "app":
            let patch = try AppPatch(json: verb.value)
            note(
                try table.change(
                    device, topic: step["topic"]?.string ?? "com.example.app", patch, at: now,
                    clock: DeviceStage.noScope))
        case "register": try register(verb.value, on: device, expect: step["expect"]?.string)
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
        let topic = step["topic"]?.string ?? "com.example.app"
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
        let payload = step["payload"] ?? (isBackground ? silent : ["aps": ["alert": "hi"]])
        let environment = step["environment"]?.string.flatMap { APNsEnvironment(rawValue: $0) } ?? .sandbox
        let token = try token(key, step["token"])
        let push = try DeviceStage.push(token, environment, fields, payload)
        try take(name, push, expect: step["expect"]?.string)
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

    private mutating func take(_ name: String, _ push: Push, expect: String?) throws {
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
            if expect == nil { throw DeviceScript.Failure(description: "\(name) was refused: \(refusal.detail)") }
        case .accepted(let decision):
            text = decision.outcome.rawValue
            numbers[name] = decision.sequence
            outcomes[decision.sequence] = (decision.outcome, decision.at)
            note(decision.effects)
        }
        if let expect { try DeviceStage.require(text, expect, name) }
    }

    private mutating func note(_ effects: Effects) {
        for change in effects.changes { outcomes[change.sequence] = (change.outcome, change.at) }
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

    /// Compares what became of every push.
    mutating func end(_ expected: JSONValue) throws {
        look()
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
