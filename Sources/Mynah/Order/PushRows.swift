internal import APNsRules
internal import MynahCore
internal import MynahStore

extension PushTable {
    /// Writes a new SQLite file with the pushes of a journal; returns how many those are.
    static func write(_ journal: JournalStore, to path: String) throws(LogProblem) -> Int {
        _ = journal.findRepeats()
        return try write(to: path) { sequence, countMax in
            journal.read { $0.entries(after: sequence, limit: countMax).entries }.map { ($0.sequence, values(of: $0)) }
        }
    }

    private static func values(of entry: Entry) -> [SQLiteValue] {
        let view = PushView(entry)
        let parsed = view.parsePayload()
        let payload = try? parsed.get()
        let sound = view.sound(payload: payload)
        let isShown = view.isShown(payload: payload)
        let timeline = view.timeline(isShown: isShown, sound: sound)
        let decided = timeline.last { $0.event == entry.outcome.rawValue }
        let credential = view.credentialJSON
        let body = Array(entry.body)
        return [
            .string(entry.notificationID.text), .whole(entry.attempt), .whole(entry.repeats),
            .string(entry.uniqueID?.text),
            .string(entry.receivedAt.rfc3339), .string(entry.environment.rawValue), .whole(entry.connection),
            .whole(entry.stream), .scalar(credential["kind"]), .scalar(credential["team"]),
            .scalar(credential["keyId"]), .scalar(credential["subject"]), .string(entry.token?.hex),
            .string(view.device),
            .string(view.scope), .string(view.topic), .string(view.channel), .whole(view.deviceCount),
            .string(view.pushType(payload: payload)), .whole(view.priority?.rawValue), .scalar(view.expirationJSON),
            .string(view.collapseID), .string(view.method), .string(view.path),
            .json(.array(view.headers.map { [.string($0.name), .string($0.value)] })),
            payload == nil ? .null : .text(String(decoding: body, as: UTF8.self)),
            payload == nil ? .bytes(body) : .null, .whole(entry.bodyByteCount), .json(.texts(view.warnings(parsed))),
            .whole(entry.status), .string(entry.reasonText), .whole(entry.timestamp?.milliseconds),
            .string(entry.fault),
            .string(entry.outcome.rawValue), .string(decided?.detail),
            .string(entry.outcome == .delivered ? decided?.at.rfc3339 : nil), .whole(isShown ? 1 : 0),
            .whole(sound == nil ? 0 : 1), .json(.array(timeline.map(\.json))),
        ]
    }
}

extension SQLiteValue {
    fileprivate static func string(_ text: String?) -> SQLiteValue { text.map { .text($0) } ?? .null }
    fileprivate static func json(_ value: JSONValue) -> SQLiteValue { .text(value.encodedText) }

    fileprivate static func whole(_ number: (some BinaryInteger)?) -> SQLiteValue {
        number.map { .number(Int64(clamping: $0)) } ?? .null
    }

    /// A text or a whole number; NULL for anything else.
    fileprivate static func scalar(_ value: JSONValue?) -> SQLiteValue {
        value?.integer.map { .number($0) } ?? .string(value?.string)
    }
}
