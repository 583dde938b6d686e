import APNsRules
import Foundation
import MynahTrust
import Testing

@testable import MynahCLI

/// A case of `fixtures/web-push`, whose README describes the format.
struct WebPushCase: Sendable, CustomStringConvertible {
    static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "fixtures/web-push")
    /// The file whose cases have messages in place of requests.
    static let messagesFile = "messages.yaml"

    let file: String
    let json: JSONValue
    var name: String { json["name"]?.string ?? "" }
    var description: String { "\(file): \(name)" }

    /// The cases of all files but that of messages, or of that one.
    static func all(messages: Bool = false) throws -> [WebPushCase] {
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
            .filter { $0.hasSuffix(".yaml") && ($0 == messagesFile) == messages }
        let cases = try files.flatMap { file in
            let text = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
            return try (LocatedDocument(text, path: file).value.array ?? []).map { WebPushCase(file: file, json: $0) }
        }
        try #require(!cases.isEmpty)
        return cases
    }
}

/// The keys and the time of the cases, and the requests that they describe.
struct WebPushWorld {
    var now = Instant(seconds: 1_795_867_200)
    var origin = WebPushOrigin(host: "localhost", port: 28_443)
    var subscription: WebPushSubscription
    let own: P256PrivateKey
    let other: P256PrivateKey
    /// A point that is not on the curve.
    private let offCurve: [UInt8] = [0x04] + Array(repeating: 1, count: 64)

    init() throws {
        subscription = try .random()
        own = try .generate()
        other = try .generate()
    }

    /// What the request of a case meets.
    func context(of fixture: WebPushCase) -> WebPushContext {
        var context = WebPushContext(
            now: now, origin: origin, endpoint: .active(applicationServerKey: own.publicKey.point))
        let known = WebPushContext.KnownKey("the other app", other.publicKey.point)
        context.knownKeys = { [known] }
        switch (fixture.json["endpoint"]?.string, fixture.json["endpoint"]?["key"]?.string) {
        case ("gone", _): context.endpoint = .gone("the subscription was removed")
        case ("unknown", _): context.endpoint = .unknown
        case (_, "other"): context.endpoint = .active(applicationServerKey: other.publicKey.point)
        case (_, "offcurve"): context.endpoint = .active(applicationServerKey: offCurve)
        default: break
        }
        return context
    }

    func request(of fixture: WebPushCase) throws -> WebPushRequest {
        let given = fixture.json["request"] ?? [:]
        let token = try token(given["token"] ?? [:], claims: given["claims"] ?? [:])
        let key = key(given["key"]?.string)
        let (body, encodingFields) = try body(given["body"] ?? ["text": "hello"])
        var fields = ["ttl": "60", "host": String("\(origin)".dropFirst("https://".count))]
        for field in encodingFields { fields[field.name] = field.value }
        if given["form"]?.string == "webpush" {
            fields["authorization"] = "WebPush \(token)"
            fields["crypto-key"] = [fields["crypto-key"], key.map { "p256ecdsa=\($0)" }].compactMap(\.self)
                .joined(separator: ";")
        } else {
            fields["authorization"] = "vapid t=\(token)" + (key.map { ", k=\($0)" } ?? "")
        }
        for member in given["headers"]?.object ?? [] {
            fields[member.name.lowercased()] = member.value.string?.replacing("{token}", with: token)
                .replacing("{key}", with: key ?? "")
        }
        return WebPushRequest(
            method: given["method"]?.string ?? "POST", path: given["path"]?.string ?? "/\(subscription.segment)",
            fields: fields.map { HTTPField($0.key, $0.value) }, body: body)
    }

    private func key(_ name: String?) -> String? {
        func text(_ bytes: [UInt8]) -> String { Base64.encode(bytes, url: true) }
        return switch name {
        case nil, "own": text(own.publicKey.point)
        case "other": text(other.publicKey.point)
        case "missing": nil
        case "compressed": text([0x02] + own.publicKey.point[1..<33])
        case "offcurve": text(offCurve)
        case let name?: name
        }
    }

    private func body(_ given: JSONValue) throws -> ([UInt8], [HTTPField]) {
        let standard = [HTTPField("content-encoding", "aes128gcm")]
        if given["empty"] != nil { return ([], standard) }
        if let raw = given["raw"]?.string { return (Array(raw.utf8), standard) }
        if let text = given["bytes"]?.string { return (Base64.decode(text.utf8)?.bytes ?? [], standard) }
        // A header of 86 bytes, a delimiter and a tag of 16 are around the text.
        let text =
            given["size"]?.integer.map { String(repeating: "x", count: Int($0) - 103) } ?? given["text"]?.string ?? ""
        let message = try EncryptedMessage(
            encrypting: Array(text.utf8), publicKey: subscription.publicKey,
            authenticationSecret: subscription.authenticationSecret,
            encoding: WebPushEncoding(rawValue: given["encoding"]?.string ?? "aes128gcm") ?? .aes128gcm)
        guard let form = given["base64"] else { return (message.body, message.fields) }
        let encoded = Base64.encode(message.body, url: true) + (form == "line" ? "\r\n" : "")
        return (Array(encoded.utf8), message.fields)
    }

    private func token(_ given: JSONValue, claims: JSONValue) throws -> String {
        if let raw = given["raw"]?.string { return raw }
        var members = ["aud": JSONValue.string("{origin}"), "exp": "{now+43200}", "sub": "mailto:push@example.com"]
        for member in claims.object ?? [] {
            members.removeValue(forKey: member.name)
            if member.value != .null { members[member.name] = member.value }
        }
        let payload = JSONValue.object(members.map { JSONMember($0.key, filled($0.value)) })
        var head = [JSONMember("typ", "JWT"), JSONMember("alg", .string(given["algorithm"]?.string ?? "ES256"))]
        for member in given["header"]?.object ?? [] {
            head.removeAll { $0.name == member.name }
            if member.value != .null { head.append(member) }
        }
        let header = JSONValue.object(head)
        let signed = [header, payload].map { Base64.encode($0.encoded, url: true) }.joined(separator: ".")
        let key = given["key"]?.string == "other" ? other : own
        var signature = try key.signature(of: Array(signed.utf8), .es256)
        switch given["signature"]?.string {
        case "der": signature = DERSignature.encode(signature)
        case "changed": signature[40] ^= 1
        default: break
        }
        return signed + "." + Base64.encode(signature, url: true) + (given["signature"] == "padded" ? "==" : "")
    }

    /// A claim with its placeholders replaced.
    private func filled(_ claim: JSONValue) -> JSONValue {
        guard let text = claim.string else { return claim }
        if let match = text.wholeMatch(of: /\{(text:|half:)?now([+-]\d+)\}/), let seconds = Int64(match.2) {
            let number = now.milliseconds / 1000 + seconds
            if match.1 == "half:" { return (try? JSONValue(parsing: Array("\(number).5".utf8))) ?? .null }
            return match.1 == nil ? .number(JSONNumber(number)) : .string("\(number)")
        }
        return .string(
            text.replacing("{origin}", with: "\(origin)").replacing("{host}", with: origin.host)
                .replacing("{HOST}", with: origin.host.uppercased()).replacing("{port}", with: "\(origin.port)"))
    }
}

extension WebPushSubscription {
    /// A subscription with keys of its own.
    static func random() throws -> WebPushSubscription {
        func draw(_ count: Int) -> [UInt8] { (0..<count).map { _ in .random(in: 0...255) } }
        // Above 0, and below the order of the curve.
        let number = [1] + draw(31)
        return WebPushSubscription(
            segment: segment(random: draw(segmentBytes)), privateNumber: number,
            publicKey: try WebPushCurve.point(ofNumber: number), authenticationSecret: draw(16))
    }
}
