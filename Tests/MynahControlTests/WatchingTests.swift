import MynahCore
import Testing

@testable import Mynah

/// Watching changes nothing (`ControlAPI#Guarantees`), and neither does how often what falls due is looked at.
@Suite("Watching")
struct WatchingTests {
    private static let ids = ["plain", "quiet", "pad"]
    private static let reads =
        ids.flatMap { id in ["", "/screen", "/inbox", "/activities"].map { "/v1/devices/\(id)\($0)" } } + [
            "/v1/devices", "/v1/notifications", "/v1/notifications?outcome=delivered&screen./title=x", "/v1/channels",
            "/v1/status", "/v1/clock", "/v1/scopes", "/metrics", "/v1/devices?online=true&limit=1",
        ]

    /// What a test does to both servers.
    private enum Step {
        case send(device: Int, headers: [(String, String)], payload: String)
        case call(String, String, String?)
        /// Advances the clock; where it is watched, in two pieces.
        case advance(minutes: Int64, first: Int64)
    }

    private static func step(_ random: inout SeededGenerator, _ number: Int) -> Step {
        let device = Int.random(in: 0..<ids.count, using: &random)
        let id = ids[device]
        switch Int.random(in: 0..<20, using: &random) {
        case 0..<9:
            var headers: [(String, String)] = []
            if Bool.random(using: &random) { headers.append(("apns-collapse-id", "c\(number % 3)")) }
            switch Int.random(in: 0..<4, using: &random) {
            case 0: headers.append(("apns-expiration", "0"))
            case 1: headers.append(("apns-expiration", "4102444800"))
            default: break
            }
            if Int.random(in: 0..<3, using: &random) == 0 {
                headers += [("apns-push-type", "background"), ("apns-priority", "5")]
                return .send(device: device, headers: headers, payload: #"{"aps":{"content-available":1}}"#)
            }
            if Bool.random(using: &random) { headers.append(("apns-priority", "5")) }
            let mutable = Int.random(in: 0..<3, using: &random) == 0 ? #","mutable-content":1"# : ""
            return .send(
                device: device, headers: headers,
                payload: #"{"aps":{"alert":{"title":"n\#(number)"},"badge":\#(number),"sound":"s.caf"\#(mutable)}}"#)
        case 9: return .call("PATCH", "/v1/devices/\(id)", #"{"online":false}"#)
        case 10, 11: return .call("PATCH", "/v1/devices/\(id)", #"{"online":true}"#)
        case 12: return .call("PATCH", "/v1/devices/\(id)", #"{"power":"low"}"#)
        case 13: return .call("PATCH", "/v1/devices/\(id)", #"{"power":"normal"}"#)
        case 14 where number % 4 == 0: return .call("DELETE", "/v1/devices/\(id)/screen", nil)
        case 14: return .call("PATCH", "/v1/devices/\(id)/screen", #"{"badges":{"com.example.nobody":1}}"#)
        case 15: return .call("POST", "/v1/devices/\(id)/screen/1/actions", #"{"action":"nothing"}"#)
        case 16 where number % 8 == 0: return .call("DELETE", "/v1/notifications?token.prefix=0", nil)
        default:
            let minutes = Int64.random(in: 2...120, using: &random)
            return .advance(minutes: minutes, first: Int64.random(in: 1..<minutes, using: &random))
        }
    }

    @Test("how often a server is watched changes nothing but numbers", arguments: 0..<4)
    func watchingChangesNothing(round: UInt64) async throws {
        var random = SeededGenerator(seed: 0xE7_0000 + round)
        let steps = (0..<50).map { Self.step(&random, $0) }
        let unwatched = try await result(steps) { _ in [] }
        let watched = try await result(steps) { _ in
            (0..<Int.random(in: 0..<4, using: &random)).map { _ in
                Self.reads[Int.random(in: 0..<Self.reads.count, using: &random)]
            }
        }
        #expect(unwatched.count == watched.count)
        for (one, other) in zip(unwatched, watched) { try #require(one == other, "round \(round)") }
    }

    /// Carries out the steps on a new server, with reads after each; returns what it shows in the end, line by line.
    private func result(_ steps: [Step], reads: (Step) -> [String]) async throws -> [String] {
        var shown: [String] = []
        try await Box.withPushes { server, _ in
            server.backgroundBudget = 2
        } _: { box in
            try await box.freeze()
            var tokens = [try await box.device("plain")]
            tokens.append(try await box.device("quiet", #", "muted":true, "locale":"de-DE""#))
            let service = #"{"topic":"com.example.app","serviceExtension":{"takes":"20s"}}"#
            let pad = try await box.json(
                "POST", "/v1/devices", #"{"id":"pad","platform":"iPadOS","registrations":[\#(service)]}"#, status: 201)
            tokens.append(try #require(pad["registrations"]?.array?.first?["token"]?.string))
            for step in steps {
                let read = reads(step)
                switch step {
                case .send(let device, let headers, let payload):
                    shown.append("\(try await box.send(to: tokens[device], payload, headers: headers))")
                case .call(let method, let target, let body):
                    shown.append("\(method) \(target): \(try await box.http.call(method, target, body).status)")
                case .advance(let minutes, let first):
                    for piece in read.isEmpty ? [minutes] : [first, minutes - first] {
                        _ = try await box.json("POST", "/v1/clock/advance", #"{"by":"\#(piece)m"}"#)
                    }
                }
                for target in read {
                    let answer = try await box.http.call("GET", target)
                    #expect(answer.status == 200, "\(target): \(answer.text)")
                }
            }
            let entries = try await box.json("GET", "/v1/notifications?limit=1000&order=asc")
            for entry in entries["items"]?.array ?? [] { shown.append(text(entry, box)) }
            for target in Self.ids.flatMap({ id in ["", "/inbox", "/screen"].map { "/v1/devices/\(id)\($0)" } }) {
                shown.append(text(try await box.json("GET", target), box))
            }
        }
        return shown
    }

    // A document with the position of each push in place of its number.
    private func text(_ document: JSONValue, _ box: Box) -> String { renumbered(document, box).encodedText }

    private func renumbered(_ value: JSONValue, _ box: Box) -> JSONValue {
        switch value {
        case .array(let items): return .array(items.map { renumbered($0, box) })
        case .object(let members):
            return .object(
                members.compactMap { member in
                    switch member.name {
                    case "lastSequence", "evicted": nil
                    case "sequence", "repeats", "summary", "sequences", "last":
                        JSONMember(member.name, position(member.value, box))
                    default: JSONMember(member.name, renumbered(member.value, box))
                    }
                })
        case .string(let text):
            // As in *push 7 with the same collapse id took its place*.
            var words = text.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
            for place in words.indices.dropFirst() where words[place - 1] == "push" {
                guard let number = UInt64(words[place]), let ordinal = box.sent.ordinal(of: number) else { continue }
                words[place] = "\(ordinal)"
            }
            return .string(words.joined(separator: " "))
        default: return value
        }
    }

    private func position(_ value: JSONValue, _ box: Box) -> JSONValue {
        if let items = value.array { return .array(items.map { position($0, box) }) }
        return value.integer.flatMap { box.sent.ordinal(of: UInt64($0)) }.map { .whole($0) } ?? value
    }
}
