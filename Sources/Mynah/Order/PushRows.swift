internal import APNsRules
internal import MynahCore
internal import MynahStore

extension PushTable {
    /// Writes a new SQLite file with the pushes of a journal; returns how many those are.
    static func write(_ journal: JournalStore, to path: String) throws(LogProblem) -> Int {
        _ = journal.findRepeats()
        // The first is the number.
        let columns = PushColumn.all.dropFirst()
        return try write(to: path, columns: columns.map { ($0.name, $0.type) }) { sequence, countMax in
            journal.read { $0.entries(after: sequence, limit: countMax).entries }.map { entry in
                var push = DecodedPush(PushView(entry))
                return (entry.sequence, columns.map { $0.value(&push) })
            }
        }
    }
}

/// A column of the table of pushes: a member of a push, or a part of one that queries often want by itself
/// (`RunFile#Pushes-in-SQL`).
struct PushColumn: Sendable {
    /// The member's name in snake case.
    let name: String
    /// SQLite's name of the type.
    let type: String
    /// What the column has.
    let sentence: String
    let value: @Sendable (inout DecodedPush) -> SQLiteValue

    /// In the order of the members.
    static let all = PushField.all.flatMap { columns(of: $0) }

    private static func columns(of field: PushField) -> [PushColumn] {
        let own = PushColumn(name: snakeCase(field.name), type: type(of: field.form), sentence: field.sentence) {
            push in
            SQLiteValue(field.json(&push))
        }
        return switch field.name {
        case "credential": credentialColumns
        case "payloadBase64": [payloadBytes]
        case "outcome": [own, detail, deliveredAt]
        default: [own]
        }
    }

    private static let credentialColumns: [PushColumn] = [
        credential("credential", "kind", "token, certificate, or NULL without one."),
        credential("team", "team", "The team of a provider token with a good signature."),
        credential("key_id", "keyId", "The key of a provider token with a good signature."),
        credential("subject", "subject", "The subject of a client certificate."),
    ]

    private static func credential(_ name: String, _ member: String, _ sentence: String) -> PushColumn {
        PushColumn(name: name, type: "TEXT", sentence: sentence) { SQLiteValue($0.view.credentialJSON[member]) }
    }

    private static let payloadBytes = PushColumn(
        name: "payload_bytes", type: "BLOB",
        sentence: "The body, if it is not JSON, or its beginning if it was not kept whole."
    ) { $0.payload == nil ? .bytes(Array($0.view.content)) : .null }

    private static let detail = PushColumn(
        name: "detail", type: "TEXT", sentence: "Why it has this outcome, in words; NULL if nothing is to be said."
    ) { SQLiteValue(decision(of: &$0)?.detail.map { .string($0) }) }

    private static let deliveredAt = PushColumn(
        name: "delivered_at", type: "TEXT", sentence: "When the device got it; NULL unless it is delivered."
    ) { push in
        guard push.view.entry.outcome == .delivered else { return .null }
        return SQLiteValue(decision(of: &push).map { .string($0.at.rfc3339) })
    }

    /// The step of the timeline that gave the push its outcome.
    private static func decision(of push: inout DecodedPush) -> Entry.TimelineEvent? {
        let outcome = push.view.entry.outcome.rawValue
        return push.timeline.last { $0.event == outcome }
    }

    private static func type(of form: Form) -> String {
        switch form {
        case .bool, .integer: "INTEGER"
        case .nullable(let form): type(of: form)
        case .either: "ANY"
        default: "TEXT"
        }
    }

    private static func snakeCase(_ name: String) -> String {
        name.reduce(into: "") { text, letter in text += letter.isUppercase ? "_" + letter.lowercased() : String(letter)
        }
    }
}

extension SQLiteValue {
    /// A value of a document: booleans as 1 and 0, lists as JSON, and JSON that was kept as it was sent.
    fileprivate init(_ json: JSONValue?) {
        switch json {
        case nil, .null?: self = .null
        case .bool(let flag)?: self = .number(flag ? 1 : 0)
        case .number(let number)?: self = number.integer.map { .number($0) } ?? .text(number.text)
        case .string(let text)?: self = .text(text)
        case .raw(let bytes)?: self = .text(String(decoding: bytes, as: UTF8.self))
        case .array?, .object?: self = .text(json?.encodedText ?? "")
        }
    }
}
