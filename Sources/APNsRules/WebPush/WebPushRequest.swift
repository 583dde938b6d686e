/// A request to Apple's Web Push service as it was received, before any check (`WebPush#Requests`).
package struct WebPushRequest: Sendable, Hashable {
    package let method: String
    /// The path with its query, as it was sent.
    package let path: String
    /// `:authority` or `host`; `nil` if neither was sent.
    package let authority: String?
    /// The fields in order, `authorization` among them, without pseudo-headers.
    package let fields: [HTTPField]
    /// The body, maybe cut if it is too large.
    package let body: [UInt8]
    /// The size of the whole body.
    package let bodyByteCount: Int

    /// A request from its parts; names of fields are taken in any case.
    package init(
        method: String, path: String, fields: [HTTPField], body: [UInt8] = [], bodyByteCount: Int? = nil
    ) {
        let lowercase = fields.map { HTTPField($0.name.lowercased(), $0.value) }
        self.method = method
        self.path = path
        self.authority = lowercase.first { $0.name == ":authority" || $0.name == "host" }?.value
        self.fields = lowercase.filter { !$0.name.hasPrefix(":") }
        self.body = body
        self.bodyByteCount = bodyByteCount ?? body.count
    }

    /// A request that a connection has read.
    package init(_ request: borrowing PushRequest) {
        let authorization = request.authorization.map { String(decoding: $0.bytes, as: UTF8.self) }
        let fields = request.headers.fields(authorization: authorization).map { HTTPField($0.name, $0.value) }
        func value(_ name: FieldName) -> String { fields.first { $0.name == name.text }?.value ?? "" }
        self.init(
            method: value(.method), path: value(.path), fields: fields, body: request.body,
            bodyByteCount: request.excessiveBodyByteCount)
    }

    /// The first value of a field by its lower-case name, without blanks around it; `nil` if it was not sent.
    package subscript(name: String) -> String? {
        guard let value = fields.first(where: { $0.name == name })?.value else { return nil }
        return String(value.trimmingBlanks)
    }

    /// A parameter of a field such as `Crypto-Key: dh=…;p256ecdsa=…`, whose parts clients join by commas or semicolons,
    /// or send in several fields (RFC 9110 §5.3).
    package func parameter(_ parameter: String, of name: String) -> String? {
        let list = fields.filter { $0.name == name }.map(\.value).joined(separator: ",")
        return WebPushRequest.parameters(list, separators: ",;")[parameter]
    }

    /// The parameters of a field by their lower-case names, without quotes around their values (RFC 9110 §5.6.6); of two
    /// with the same name the first counts.
    static func parameters(_ text: some StringProtocol, separators: String) -> [String: String] {
        var parameters: [String: String] = [:]
        for part in text.split(whereSeparator: { separators.contains($0) }) {
            let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = pair[0].trimmingBlanks.lowercased()
            guard pair.count == 2, parameters[name] == nil else { continue }
            let value = pair[1].trimmingBlanks
            let isQuoted = value.count > 1 && value.hasPrefix("\"") && value.hasSuffix("\"")
            parameters[name] = String(isQuoted ? value.dropFirst().dropLast() : value)
        }
        return parameters
    }
}

extension StringProtocol {
    /// The text without spaces and tabs at its ends.
    var trimmingBlanks: SubSequence {
        func isBlank(_ character: Character) -> Bool { character == " " || character == "\t" }
        let rest = drop(while: isBlank)
        guard let last = rest.lastIndex(where: { !isBlank($0) }) else { return rest }
        return rest[...last]
    }
}
