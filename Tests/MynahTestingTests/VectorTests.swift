import APNsRules
import Foundation
import Mynah
import MynahClient
import MynahControl
import MynahTestSupport
import Testing

/// The vectors of `fixtures/helpers` (`Tests/languages/README.md`), played with `ControlClient`: the requests that it makes
/// and what it gives of their answers.
///
/// It takes documents and filters as the API has them, so a vector's request is what it is told. Steps that send nothing,
/// and results that a package for tests makes of an answer, belong to those packages alone.
@Suite struct VectorTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "fixtures/helpers")

    struct Vector: Sendable, CustomTestStringConvertible {
        let name: String
        let steps: [JSONValue]
        var testDescription: String { name }
    }

    private static func vectors() throws -> [Vector] {
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        return try files.filter { $0.pathExtension == "json" }.flatMap { file in
            let document = try JSONValue(parsing: Array(Data(contentsOf: file)))
            // Of connecting, which `ControlClient` doesn't: `ControlClientTests` has its errors.
            let playable = document.array?.filter { $0["server"] == nil && $0["answers"] == nil } ?? []
            return try playable.map { try Vector(name: $0.text("name"), steps: #require($0["steps"]?.array)) }
        }
    }

    /// In a text, what stands for a value of a result.
    private static var placeholder: Regex<(Substring, Substring)> { /\{([a-z]\w*(?:\/[\w.-]+)*)\}/ }

    /// Method and path of a request, with `{}` for what is an id.
    private static func operation(of request: String) -> String {
        let words = ["screen", "actions", "registrations", "activities", "subscriptions", "inbox", "stream", "advance"]
        let plain = request.replacing(placeholder, with: "x")
        let parts = plain.split(separator: "/", omittingEmptySubsequences: false)
        return parts.enumerated().map { index, part in
            index < 3 || words.contains(String(part)) ? String(part) : "{}"
        }.joined(separator: "/")
    }

    private static func requests(of step: JSONValue) -> [JSONValue] {
        step["requests"]?.array ?? step["request"].map { [$0] } ?? []
    }

    @Test func everyRequestOfAVectorIsACallOrHasNone() throws {
        let requests = try VectorTests.vectors().flatMap(\.steps).flatMap(VectorTests.requests)
        let wanted = Set(try requests.map { VectorTests.operation(of: try $0.text("to")) })
        let calls = Set(VectorOperations.calls.keys)
        #expect(calls.isDisjoint(with: VectorOperations.withoutCall))
        let others = VectorOperations.withoutCall.union(VectorOperations.texts).union(VectorTests.ofDevices)
        #expect(wanted.subtracting(calls).subtracting(others).isEmpty, "declare them, or give ControlClient calls")
        #expect(others.union(calls).subtracting(wanted).isEmpty, "no vector has them")
    }

    /// What a provider's connection or a device's own stream is needed for; `ControlClientTests` has the first.
    private static let ofDevices: Set<String> = [
        "GET /v1/devices/{}/stream", "GET /v1/connections", "GET /v1/connections/{}", "GET /v1/closed-connections",
        "GET /v1/failed-handshakes",
    ]

    @Test(.timeLimit(.minutes(Patience.minutes)), arguments: try VectorTests.vectors())
    func aVectorIsPlayed(_ vector: Vector) async throws {
        let server = try await MynahServer.start(control: .embedded)
        do {
            let port = try #require(server.control?.port)
            try await RequestRecorder.run(before: port) { recorder in
                var play = Play(recorder: recorder, client: ControlClient.patient(url: recorder.url))
                let credentials = try await ControlClient.patient(url: ControlURL(host: "127.0.0.1", port: port))
                    .credentials()
                let keyID: JSONValue = .string(try #require(credentials.keyID))
                play.saved["server"] = ["keyId": keyID, "teamId": .string(try #require(credentials.teamID))]
                for step in vector.steps { try await play.play(step) }
            }
        } catch {
            try? await server.stop()
            throw error
        }
        try await server.stop()
    }

    /// One vector's results, by their names.
    private struct Play {
        let recorder: RequestRecorder
        let client: ControlClient
        var saved: [String: JSONValue] = ["mynah": ["name": "vector"]]

        mutating func play(_ step: JSONValue) async throws {
            var requests = VectorTests.requests(of: step)
            let names = try requests.map { VectorTests.operation(of: try $0.text("to")) }
            // Those of a connection that such a step would have found.
            let isKnown = try requests.allSatisfy { request in
                try request.text("to").matches(of: VectorTests.placeholder).allSatisfy { match in
                    let name = match.1.prefix { $0 != "/" }
                    return saved[String(name)] != nil || step["as"]?.string == String(name)
                }
            }
            let isOther = names.contains { VectorOperations.texts.contains($0) || VectorTests.ofDevices.contains($0) }
            if step["call"]?.string == "tokenOf", step["error"] == nil { return try keepToken(step) }
            guard !requests.isEmpty, !isOther, isKnown, step["call"]?.string != "providerToken" else { return }
            var result = JSONValue.null
            for (index, name) in names.enumerated() {
                do {
                    requests[index] = try filled(request: requests[index])
                    result = try await make(name, requests[index])
                    // What a second request is about.
                    if let name = step["as"]?.string, saved[name] == nil { saved[name] = result }
                } catch let error as ClientError {
                    try compare(error, to: step["error"], step)
                    return try compareRequests(requests, step)
                }
            }
            try compareRequests(requests, step)
            // What is unmet is a result here.
            if let kind = step["error"]?["kind"]?.string {
                try #require(["ExpectationUnmet", "UnmetError"].contains(kind), "no error: \(step.encodedText)")
                return
            }
            if let name = step["as"]?.string { saved[name] = result }
            for member in step["values"]?.object ?? [] { try compare(member, step) }
        }

        private func make(_ name: String, _ request: JSONValue) async throws -> JSONValue {
            let path = String(try request.text("to").split(separator: " ", maxSplits: 1)[1])
            let encoded = path.split(separator: "/", omittingEmptySubsequences: false)
            let template = name.split(separator: " ")[1].split(separator: "/", omittingEmptySubsequences: false)
            let ids = zip(encoded, template).filter { $0.1 == "{}" }.map { RequestRecorder.Request.decoded($0.0) }
            let wanted = VectorOperations.Wanted(ids: ids, query: query(of: request), body: request["body"] ?? .null)
            return try await VectorOperations.perform(name, wanted, path: path, client)
        }

        private func query(of request: JSONValue) -> [QueryItem] {
            (request["query"]?.object ?? []).flatMap { member in
                (member.value.array ?? [member.value]).map { QueryItem(member.name, $0.string ?? $0.encodedText) }
            }
        }

        private func compareRequests(_ requests: [JSONValue], _ step: JSONValue) throws {
            let expected = try requests.map { request in
                let parts = try request.text("to").split(separator: " ", maxSplits: 1)
                return RequestRecorder.Request(
                    method: String(parts[0]), path: RequestRecorder.Request.decoded(parts[1]),
                    query: query(of: request).map { "\($0.name)=\($0.value)" }, body: request["body"])
            }
            let sent = try recorder.take()
            try #require(sent == expected, "\(step.encodedText): \(sent), expected \(expected)")
        }

        private func compare(_ error: ClientError, to expected: JSONValue?, _ step: JSONValue) throws {
            let expected = try #require(expected, "\(step.encodedText): \(error)")
            try #require(expected["kind"] == "ControlError" && error.code == .problem, "\(error)")
            if let status = expected["status"]?.integer { #expect(error.status.map(Int64.init) == status) }
            if let field = expected["field"]?.string { #expect(error.field == field) }
            for name in ["allowed", "type"] where expected[name] != nil {
                #expect(error.document?[name] == expected[name])
            }
        }

        private mutating func keepToken(_ step: JSONValue) throws {
            let device = try #require(saved[try step.text("on")])
            let topic = step["arguments"]?.array?.first
            let app = device["registrations"]?.array?.first { $0["topic"] == topic }
            saved[try step.text("as")] = try #require(app?["token"])
        }

        // MARK: Values

        private func compare(_ member: JSONMember, _ step: JSONValue) throws {
            let parts = member.name.split(separator: "/").map(String.init)
            // Of the package itself, and texts that it makes.
            guard parts[0] != "server", member.name == "mynah/name" || parts[0] != "mynah" else { return }
            if parts.last == "text", saved[parts[0]]?["met"] != nil { return }
            let found = value(at: parts) ?? .null
            let expected = filled(member.value)
            let place: Comment = "\(member.name) of \(step.encodedText): \(found.encodedText)"
            if let pattern = expected["matches"]?.string {
                let text = try #require(found.string, place)
                #expect(try Regex(pattern).firstMatch(in: text) != nil, place)
            } else if let wanted = expected["has"]?.array {
                for part in wanted.compactMap(\.string) {
                    let isThere = found.string?.contains(part) ?? found.array?.contains(.string(part))
                    #expect(isThere ?? (found[part] != nil), place)
                }
            } else if case .number = expected, let document = found.object {
                // A package gives the only number of `{"removed": {"devices": 3}}`.
                #expect(document.compactMap(\.value.object).joined().map(\.value).contains(expected), place)
            } else {
                #expect(found == expected, place)
            }
        }

        private func value(at parts: [String]) -> JSONValue? {
            var value = saved[parts[0]] ?? .null
            if parts.count == 1 {
                // What a call is named after: `lastSequence`, `now` and `mode` of an answer.
                let named = ["start": "lastSequence", "now": "now", "mode": "mode"][parts[0]]
                return named.flatMap { value[$0] } ?? value
            }
            for part in parts.dropFirst() {
                if let index = Int(part) {
                    value = (value.array ?? value["items"]?.array)?.dropFirst(index).first ?? .null
                } else if let member = value[part] ?? value["removed"]?[part] {
                    value = member
                } else {
                    value = derived(part, of: value)
                }
            }
            return value
        }

        /// What packages have beside the members of an answer.
        private func derived(_ name: String, of value: JSONValue) -> JSONValue {
            let items = value.array ?? value["items"]?.array
            switch name {
            case "token": return value["registrations"]?.array?.first?["token"] ?? .null
            case "push": return items?.first ?? .null
            case "matched": return items.map { .number(JSONNumber($0.count)) } ?? .null
            case "items": return items.map { .array($0) } ?? .null
            case "timedOut": return false
            case "evicted": return 0
            default: return .null
            }
        }

        /// The value with those of results in place of their paths.
        private func filled(_ value: JSONValue) -> JSONValue {
            switch value {
            case .array(let elements): return .array(elements.map(filled))
            case .object(let members): return .object(members.map { JSONMember($0.name, filled($0.value)) })
            case .string(let text): return filled(text)
            default: return value
            }
        }

        /// A request with values in its path percent-encoded, as ids may have slashes.
        private func filled(request: JSONValue) throws -> JSONValue {
            let target = try request.text("to").replacing(VectorTests.placeholder) { match in
                let value = value(at: match.1.split(separator: "/").map(String.init)) ?? .null
                return QueryItem.encoded(value.string ?? value.encodedText)
            }
            let others = (request.object ?? []).filter { $0.name != "to" }
            return filled(.object([JSONMember("to", .string(target))] + others))
        }

        private func filled(_ text: String) -> JSONValue {
            let placeholder = VectorTests.placeholder
            func found(_ path: Substring) -> JSONValue {
                value(at: path.split(separator: "/").map(String.init)) ?? .null
            }
            if let whole = text.wholeMatch(of: placeholder) { return found(whole.1) }
            return .string(
                text.replacing(placeholder) { match in
                    let value = found(match.1)
                    return value.string ?? value.encodedText
                })
        }
    }
}

extension JSONValue {
    /// A member that is a text in every vector.
    fileprivate func text(_ name: String) throws -> String {
        try #require(self[name]?.string, "\(name) of \(encodedText)")
    }
}
