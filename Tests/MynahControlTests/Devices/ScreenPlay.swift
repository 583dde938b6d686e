import APNsRules
import Foundation
import Testing

@testable import MynahCore

/// A case of `fixtures/screen`, played by a provider, a user and an app with a server in the test's process.
///
/// The format is described beside the other reader, in `Tests/MynahCoreTests/Screen/ScreenCase.swift`.
struct ScreenPlay {
    static let topic = "com.example.app"
    /// What the control API tells in no place.
    static let untold = ["at", "reachesApp", "replaces", "due"]
    // When the cases begin, and when they do here: a scope's clock doesn't go back to the past.
    private static let begin = "2126-11-21T09:30:00Z"
    private static let tableYear = "2026-"
    private static let year = "2126-"

    /// What is wrong with a case, or with an answer to it.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    let box: Box
    let file: String
    let scene: JSONValue
    private let scope: String
    private let path: String
    private var tokens: [String: String] = [:]
    private var elapsed: Duration = .zero
    private var sequences: [Int64] = []
    // The number of the push of the last action, and how that was answered.
    private var acted: (number: Int64, answer: HTTPCaller.Answer)?

    /// All cases, in the order of their files.
    static func all() throws -> [(file: String, scene: JSONValue)] {
        let root = (1...4).reduce(URL(filePath: #filePath)) { url, _ in url.deletingLastPathComponent() }
        let folder = root.appending(path: "fixtures/screen")
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".json") }
        return try files.sorted().map { file in
            (file, try JSONValue(parsing: Array(try Data(contentsOf: folder.appending(path: file)))))
        }
    }

    /// Makes the device of a case, in a scope of its own whose clock stands still between the steps.
    init(_ scene: JSONValue, file: String, in box: Box) async throws {
        self.box = box
        self.file = file
        self.scene = scene
        scope = String(file.prefix { $0 != "." })
        path = "/v1/devices/\(scope)"
        let clock: JSONValue = ["scope": .string(scope), "mode": "frozen", "now": .string(Self.begin)]
        try await Self.call(box, "PUT", "/v1/clock", clock)
        let registrations = Self.apps(of: scene).map { topic, app in
            JSONValue.object([JSONMember("topic", .string(topic))] + (app.object ?? []))
        }
        let settings = scene["device"]?.object ?? []
        let locale = settings.contains { $0.name == "locale" } ? [] : [JSONMember("locale", "en-GB")]
        let device = JSONValue.object(
            [
                JSONMember("id", .string(scope)), JSONMember("scope", .string(scope)),
                JSONMember("registrations", .array(registrations)),
            ] + locale + settings)
        let made = try await Self.call(box, "POST", "/v1/devices", device, status: 201)
        for app in made["registrations"]?.array ?? [] { tokens[app["topic"]?.string ?? ""] = app["token"]?.string }
    }

    // The apps by topic, also those of which the case only has pushes and names.
    private static func apps(of scene: JSONValue) -> [(String, JSONValue)] {
        var apps: [(String, JSONValue)] = [(topic, scene["app"] ?? [:])]
        for app in scene["apps"]?.object ?? [] { apps.append((app.name, app.value)) }
        for step in scene["steps"]?.array ?? [] {
            let clear = step["clear"]
            let named = [step["topic"]?.string, clear?.string ?? clear?["topic"]?.string].compactMap(\.self)
            let badges = (step["badge"]?.object ?? []).map(\.name)
            for topic in named + badges where !apps.contains(where: { $0.0 == topic }) { apps.append((topic, [:])) }
        }
        return apps
    }

    @discardableResult
    private static func call(
        _ box: Box, _ method: String, _ target: String, _ body: JSONValue? = nil, status: Int = 200
    ) async throws -> JSONValue {
        let answer = try await box.http.call(method, target, body?.encodedText)
        guard answer.status == status else {
            throw Failure(description: "\(method) \(target) answers \(answer.status): \(answer.text)")
        }
        return answer.text.isEmpty ? .null : try answer.json()
    }

    // MARK: - Steps

    /// Takes all steps, and moves on to the time of the comparison.
    mutating func play() async throws {
        for step in scene["steps"]?.array ?? [] {
            try await move(to: step["at"])
            try await take(step)
        }
        try await move(to: scene["expect"]?["at"])
    }

    private mutating func move(to offset: JSONValue?) async throws {
        guard let offset else { return }
        guard let time = offset.string.flatMap({ DurationText.parse($0) }) else {
            throw Failure(description: "\(offset.encodedText) is no duration")
        }
        guard time > elapsed else { return }
        try await Self.call(
            box, "POST", "/v1/clock/advance", ["scope": .string(scope), "by": .duration(time - elapsed)])
        elapsed = time
    }

    private mutating func take(_ step: JSONValue) async throws {
        if let payload = step["push"] {
            try await push(payload, step)
        } else if let action = step["do"], let number = step["on"]?.integer {
            var body = [JSONMember("action", action)]
            if let text = step["text"] { body.append(JSONMember("text", text)) }
            let target = "\(path)/screen/\(sequence(number))/actions"
            acted = (number, try await box.http.call("POST", target, JSONValue.object(body).encodedText))
        } else if let number = step["remove"]?.integer {
            try await Self.call(box, "DELETE", "\(path)/screen/\(sequence(number))")
        } else if let clear = step["clear"] {
            let members = clear.string.map { [JSONMember("topic", .string($0))] } ?? clear.object ?? []
            let query = members.map { "\($0.name)=\($0.value.string ?? "")" }.joined(separator: "&")
            try await Self.call(box, "DELETE", "\(path)/screen?\(query)")
        } else if let badges = step["badge"] {
            try await Self.call(box, "PATCH", "\(path)/screen", ["badges": badges])
        } else if let app = step["set"] {
            try await Self.call(box, "PATCH", "\(path)/registrations/\(Self.topic)", app)
        } else if let device = step["device"] {
            try await Self.call(box, "PATCH", path, device)
        } else {
            throw Failure(description: "a step has no verb: \(step.encodedText)")
        }
    }

    // The `apns-id` is the push's number.
    private mutating func push(_ payload: JSONValue, _ step: JSONValue) async throws {
        let topic = step["topic"]?.string ?? Self.topic
        guard let token = tokens[topic] else { throw Failure(description: "\(topic) has no token") }
        let id = NotificationID(generated: UInt128(sequences.count + 1))
        let collapseID = step["collapseId"]?.string.map { [("apns-collapse-id", $0)] } ?? []
        let status = try await box.send(
            to: token, topic: topic, payload == .null ? "no JSON" : payload.encodedText,
            headers: [("apns-push-type", "alert"), ("apns-id", id.text)] + collapseID)
        guard status == 200 else { throw Failure(description: "push \(sequences.count + 1) answers \(status)") }
        sequences.append(try await lastPush()["sequence"]?.integer ?? 0)
    }

    // MARK: - What is compared

    private func lastPush() async throws -> JSONValue {
        let pushes = try await Self.call(box, "GET", "/v1/notifications?scope=\(scope)&order=desc&limit=1")
        guard let push = pushes["items"]?.array?.first else { throw Failure(description: "no push is in the journal") }
        return push
    }

    /// What a member of `expect` is compared with.
    func actual(_ name: String) async throws -> JSONValue {
        let screen = inTermsOfTheCase(try await Self.call(box, "GET", "\(path)/screen"))
        let push = try await lastPush()
        let number = JSONValue.number(JSONNumber(Int64(sequences.count)))
        switch name {
        case "badges", "notifications", "responses", "sounds", "groups", "summary": return screen[name] ?? .null
        case "held": return .array(screen["held"]?.array?.compactMap { $0["sequence"] } ?? [])
        case "shown": return .bool(push["shown"] == true || screen["held"] != [])
        case "warnings": return push["warnings"] ?? .null
        case "reason":
            let told = push["timeline"]?.array?.last {
                ["shown", "notShown", "discarded"].contains($0["event"]?.string ?? "")
            }
            return .string((told?["event"] == "discarded" ? "not shown: " : "") + (told?["detail"]?.string ?? ""))
        case "refused": return try refusal()
        case "sound": return screen["sounds"]?.array?.last { $0["sequence"] == number }?["sound"] ?? .null
        case "wakesApp": return .bool(screen["wakes"]?.array?.contains { $0["sequence"] == number } == true)
        case "opensApp":
            let device = try await Self.call(box, "GET", path)
            return .bool(device["registrations"]?.array?.first?["appState"] == "foreground")
        default: throw Failure(description: "\(name) is nothing that can be compared")
        }
    }

    private func refusal() throws -> JSONValue {
        guard let (number, answer) = acted, [400, 404, 409].contains(answer.status) else {
            throw Failure(description: "no action was refused")
        }
        let problem = try answer.json()
        return answer.status == 404
            ? ["notOnScreen": .number(JSONNumber(number))]
            : [
                "field": problem["field"] ?? .null, "problem": problem["detail"] ?? .null,
                "allowed": .array(problem["allowed"]?.array ?? []),
            ]
    }

    // The sequence number of a push of the case; that of no push for a number that it doesn't have.
    private func sequence(_ number: Int64) -> Int64 {
        sequences.indices.contains(Int(number) - 1) ? sequences[Int(number) - 1] : Int64(1) << 52 + number
    }

    // What was answered, with the numbers and times of the case.
    private func inTermsOfTheCase(_ value: JSONValue, _ name: String = "") -> JSONValue {
        switch value {
        case .object(let members):
            return .object(members.map { JSONMember($0.name, inTermsOfTheCase($0.value, $0.name)) })
        case .array(let elements): return .array(elements.map { inTermsOfTheCase($0, name) })
        case .string(let text) where text.hasPrefix(Self.year): return .string(Self.tableYear + text.dropFirst(5))
        case .number:
            guard ["sequence", "sequences", "summary", "held"].contains(name),
                let index = value.integer.flatMap(sequences.firstIndex(of:))
            else { return value }
            return .number(JSONNumber(Int64(index + 1)))
        default: return value
        }
    }
}
