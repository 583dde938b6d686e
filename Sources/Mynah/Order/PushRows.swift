internal import APNsRules
internal import MynahCore
internal import MynahStore

/// A push of the journal as the view `pushes` of a data folder has it.
struct JournalRow: PushRow {
    /// Counted up when the same entry becomes another row than with an earlier version.
    private static let version: UInt32 = 1

    private let entry: Entry
    let fingerprint: UInt32
    var sequence: UInt64 { entry.sequence }

    /// - Parameter writer: Keeps its memory from one row to the next.
    init(_ entry: Entry, _ writer: inout ByteWriter) {
        self.entry = entry
        writer.removeAll()
        entry.writeChangeable(to: &writer)
        fingerprint = CRC32C(of: writer.bytes).value &+ JournalRow.version
    }

    fileprivate static func rows(of journal: JournalStore, after sequence: UInt64, countMax: Int) -> [JournalRow] {
        var writer = ByteWriter()
        return journal.read { $0.entries(after: sequence, limit: countMax).entries }.map { JournalRow($0, &writer) }
    }

    var values: [SQLiteValue] {
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

extension RunLog {
    /// Brings the view `pushes` up to date with a journal, of which it reads the pushes that have arrived.
    ///
    /// It takes some microseconds for each push that is new or has changed, and far less for the others.
    func updatePushes(from journal: JournalStore) throws(LogProblem) {
        _ = journal.findRepeats()
        try updatePushes { JournalRow.rows(of: journal, after: $0, countMax: $1) }
    }

    /// Does a part of that; returns whether it is complete.
    func continuePushes(_ update: inout PushUpdate, from journal: JournalStore) throws(LogProblem) -> Bool {
        _ = journal.findRepeats()
        return try continuePushes(&update) { JournalRow.rows(of: journal, after: $0, countMax: $1) }
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
