import APNsRules
import Foundation

@testable import MynahCore

/// One case of `fixtures/screen`: an app, a device, what happens, and what the user sees then.
///
/// `steps` happen in order, each `at` a time after the beginning, 2026-11-21T09:30:00Z: a `push` (the payload, with
/// `topic` and `collapseId`; pushes are numbered from 1), the user's `do` (an action `on` a number, with `text`), an
/// app's `remove` of a number or its `badge` by topic, `clear` of a topic or of what parameters choose, `set` (a registration's members) and `device` (the device's). The
/// app of `com.example.app` is `app`. Absent members of `expect` are not compared; `at` is the time of the comparison,
/// by default that of the last step. Of each notification the named members are compared.
struct ScreenCase: CustomStringConvertible {
    struct Step {
        enum Event {
            case push(payload: JSONValue?, topic: String, collapseID: String?)
            case perform(action: String, sequence: UInt64, text: String?)
            case remove(UInt64)
            case clear(ScreenFilter)
            case badge([JSONMember])
            case set(JSONValue)
            case device(JSONValue)
        }

        let at: Instant
        let event: Event
    }

    static let begin = Instant(milliseconds: 1_795_253_400_000)
    static let topic = "com.example.app"

    let file: String
    let name: String
    let apps: [String: AppPresentation]
    let surroundings: Surroundings
    let steps: [Step]
    let expected: [JSONMember]
    let endsAt: Instant

    var description: String { "\(file): \(name)" }

    /// What is wrong with a fixture.
    struct Unreadable: Error, CustomStringConvertible {
        let description: String
    }

    /// All cases in the order of their names; throws if there are none.
    static func all() throws -> [ScreenCase] {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let folder = root.appending(path: "fixtures/screen")
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".json") }
        guard !files.isEmpty else { throw Unreadable(description: "\(folder.path) has no cases") }
        return try files.sorted().map { file in
            let bytes = Array(try Data(contentsOf: folder.appending(path: file)))
            do {
                return try ScreenCase(file: file, json: JSONValue(parsing: bytes))
            } catch {
                throw Unreadable(description: "\(file): \(error)")
            }
        }
    }

    init(file: String, json: JSONValue) throws {
        try ScreenCase.allow(json, ["name", "source", "app", "apps", "device", "steps", "expect"])
        guard let name = json["name"]?.string, json["source"]?.string?.hasPrefix("DeviceBehaviour#") == true else {
            throw Unreadable(description: "name and source were expected")
        }
        self.file = file
        self.name = name
        var apps: [String: AppPresentation] = [:]
        if let app = json["app"] { apps[ScreenCase.topic] = try AppPresentation(json: app) }
        for member in json["apps"]?.object ?? [] { apps[member.name] = try AppPresentation(json: member.value) }
        self.apps = apps
        self.surroundings = try ScreenCase.surroundings(json["device"] ?? [:], Surroundings())
        self.steps = try (json["steps"]?.array ?? []).map { try ScreenCase.step($0) }
        let expect = json["expect"] ?? .null
        self.expected = (expect.object ?? []).filter { $0.name != "at" }
        guard let last = steps.last, !expected.isEmpty else {
            throw Unreadable(description: "steps and something to expect were expected")
        }
        self.endsAt = try ScreenCase.instant(expect["at"]) ?? last.at
    }

    static func allow(_ json: JSONValue, _ names: [String]) throws {
        for member in json.object ?? [] where !names.contains(member.name) {
            throw Unreadable(description: "\(member.name) is none of \(names)")
        }
    }

    static func instant(_ json: JSONValue?) throws -> Instant? {
        guard let json else { return nil }
        guard let duration = json.string.flatMap({ DurationText.parse($0) }) else {
            throw Unreadable(description: "\(json) is no duration")
        }
        return begin.advanced(by: duration)
    }

    /// The state that decides how the device shows a notification.
    struct Surroundings {
        var locale = "en-GB"
        var platform = Platform.iOS
        var settings = ScreenSettings()
    }

    static func surroundings(_ json: JSONValue, _ before: Surroundings) throws -> Surroundings {
        var after = before
        after.locale = json["locale"]?.string ?? before.locale
        if let platform = json["platform"] {
            guard let known = platform.string.flatMap({ Platform(rawValue: $0) }) else {
                throw Unreadable(description: "\(platform.encodedText) is no platform")
            }
            after.platform = known
        }
        let settings = JSONValue.object((json.object ?? []).filter { !["locale", "platform"].contains($0.name) })
        try after.settings.apply(settings)
        return after
    }

    private static func step(_ json: JSONValue) throws -> Step {
        let at = try instant(json["at"]) ?? begin
        func number(_ name: String) -> UInt64? { json[name]?.integer.flatMap { UInt64(exactly: $0) } }
        if let payload = json["push"] {
            try allow(json, ["push", "topic", "collapseId", "at"])
            let event = Step.Event.push(
                payload: payload == .null ? JSONValue?.none : payload, topic: json["topic"]?.string ?? topic,
                collapseID: json["collapseId"]?.string)
            return Step(at: at, event: event)
        }
        try allow(json, ["do", "on", "text", "remove", "clear", "badge", "set", "device", "at"])
        if let action = json["do"]?.string, let sequence = number("on") {
            return Step(at: at, event: .perform(action: action, sequence: sequence, text: json["text"]?.string))
        }
        if let sequence = number("remove") { return Step(at: at, event: .remove(sequence)) }
        if let clear = json["clear"] {
            let parameters =
                clear.string.map { [("topic", $0)] } ?? (clear.object ?? []).map { ($0.name, $0.value.string ?? "") }
            return Step(at: at, event: .clear(try ScreenFilter(parameters: parameters)))
        }
        if let badges = json["badge"]?.object { return Step(at: at, event: .badge(badges)) }
        if let app = json["set"] { return Step(at: at, event: .set(app)) }
        if let device = json["device"] { return Step(at: at, event: .device(device)) }
        throw Unreadable(description: "\(json.encodedText) is no step")
    }
}

/// The result of a case's steps.
struct ScreenRun {
    var centre = NotificationCentre()
    var apps: [String: AppPresentation]
    var surroundings: ScreenCase.Surroundings
    var presentation: Presentation?
    var onReceive: NotificationCentre.OnReceive?
    var onPerform: NotificationCentre.OnPerform?
    var failure: JSONValue?
    private var lastSequence: UInt64 = 0

    /// Takes the steps; `restarting` writes and reads everything after each of them.
    init(_ scene: ScreenCase, restarting: Bool) throws {
        self.apps = scene.apps
        self.surroundings = scene.surroundings
        for step in scene.steps {
            try take(step)
            if restarting { try restart() }
        }
    }

    private mutating func restart() throws {
        centre = try same(centre, centre.readAgain())
        apps = try apps.mapValues { try same($0, $0.rewritten()) }
        surroundings.settings = try same(surroundings.settings, surroundings.settings.readAgain())
        presentation = try presentation.map { try same($0, $0.readAgain()) }
    }

    private func same<Value: Equatable>(_ value: Value, _ other: Value) throws -> Value {
        guard value == other else { throw ScreenCase.Unreadable(description: "\(value) is read as \(other)") }
        return other
    }

    private mutating func take(_ step: ScreenCase.Step) throws {
        switch step.event {
        case .push(let payload, let topic, let collapseID):
            lastSequence += 1
            let push = DeliveredPush(
                sequence: lastSequence, notificationID: NotificationID(generated: UInt128(lastSequence)), topic: topic,
                collapseID: collapseID, deliveredAt: step.at)
            let presentation = Presentation(
                of: payload, push: push, app: apps[topic] ?? AppPresentation(), locale: surroundings.locale,
                platform: surroundings.platform, settings: surroundings.settings)
            onReceive = centre.receive(presentation, of: push)
            self.presentation = presentation
        case .perform(let action, let sequence, let text):
            do throws(InputError) {
                let performed = try centre.perform(
                    action, text: text, on: sequence, at: step.at, isLocked: surroundings.settings.isLocked)
                if performed == nil { failure = ["notOnScreen": .number(JSONNumber(sequence))] }
                onPerform = performed ?? onPerform
            } catch {
                failure = [
                    "field": .string(error.field), "problem": .string(error.problem),
                    "allowed": .array(error.allowed.map { .string($0) }),
                ]
            }
        case .remove(let sequence): _ = centre.remove(sequence, at: step.at)
        case .clear(let filter): _ = centre.remove(at: step.at, where: filter.holds)
        case .badge(let badges):
            for badge in badges { centre.setBadge(badge.value.integer ?? 0, of: badge.name, at: step.at) }
        case .set(let json): try apps[ScreenCase.topic, default: AppPresentation()].apply(json)
        case .device(let json): surroundings = try ScreenCase.surroundings(json, surroundings)
        }
    }

    /// What a member of `expect` is compared with; `nil` for a name that means nothing.
    func actual(_ name: String, at now: Instant) -> JSONValue? {
        switch name {
        case "shown": presentation.map { .bool($0.isShown) }
        case "reason": presentation.map { .string($0.reason) }
        case "warnings": presentation.map { .array($0.content.warnings.map { .string($0) }) }
        case "sound": presentation.map { $0.content.sound?.json ?? .null }
        case "reachesApp": presentation.map { .bool($0.reachesApp) }
        case "wakesApp": presentation.map { .bool($0.wakesApp) }
        case "badges", "groups": ScreenView(centre, at: now).json[name]
        case "notifications": ScreenView(centre, at: now, isLocked: surroundings.settings.isLocked).json[name]
        case "sounds": .array(centre.settled(at: now).sounds.map(\.json))
        case "responses": .array(centre.responses.map(\.json))
        case "summary": .array(centre.summary(at: now).map { .number(JSONNumber($0.push.sequence)) })
        case "held": .array(centre.held(at: now).map { .number(JSONNumber($0.push.sequence)) })
        case "due":
            centre.settled(at: now).nextDue.map { .string(DurationText.text($0.since(ScreenCase.begin))) } ?? .null
        case "opensApp": onPerform.map { .bool($0.opensApp) }
        case "replaces":
            if case .replaced(let sequence)? = onReceive { .number(JSONNumber(sequence)) } else { .null }
        case "refused": failure ?? .null
        default: nil
        }
    }
}

extension NotificationCentre {
    /// Removes a notification; returns whether it was there.
    mutating func remove(_ sequence: UInt64, at now: Instant) -> Bool {
        remove(at: now) { $0.push.sequence == sequence } == 1
    }
}

extension AppPresentation {
    /// An app as a registration describes it.
    init(json: JSONValue) throws {
        self.init()
        try apply(json)
    }

    var json: JSONValue { .object(AppPresentation.fields.members(of: self)) }
}
