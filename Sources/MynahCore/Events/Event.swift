package import APNsRules

/// Something that happened on the server, for event streams (`Documents#Event-stream`), other than the arrival of a
/// push, which is read from the journal so that a push pays nothing for it.
package struct Event: Sendable {
    package enum Kind: String, CaseIterable, Sendable {
        /// A push arrived, or was refused.
        case notification
        /// The outcome of an earlier push changed.
        case outcome
        case device, fault, connection, clock
        /// A reset, or a removal of everything of a kind.
        case reset
        /// Events were evicted before they could be sent.
        case gap
    }

    package enum Change: String, CaseIterable, Sendable {
        case created, changed, removed
        case fired
        /// A connection can carry requests.
        case opened
        case closed
        case failed
    }

    package enum Subject: Sendable {
        /// A push as it was at the time.
        case push(Entry)
        case document([UInt8])
    }

    /// Neither ``Kind/notification`` nor ``Kind/gap``.
    package let kind: Kind
    /// A number from the sequence that also numbers pushes.
    package let sequence: UInt64
    /// By the server's clock.
    package let at: Instant
    package let subject: Subject

    package init(_ kind: Kind, sequence: UInt64, at: Instant, _ subject: Subject) {
        (self.kind, self.sequence, self.at, self.subject) = (kind, sequence, at, subject)
    }

    /// The cost of an event apart from its subject, in round figures.
    private static let overheadBytes = 150

    /// The bytes that it counts as in an ``EventHistory``.
    package var cost: Int {
        switch subject {
        case .push(let entry): Event.overheadBytes + entry.cost
        case .document(let bytes): Event.overheadBytes + bytes.count
        }
    }

    package var json: JSONValue {
        switch subject {
        case .push(let entry): PushView(entry).json
        case .document(let bytes): .raw(bytes)
        }
    }

    /// Whether it meets every condition of a filter.
    ///
    /// An event without a push has the keys of its document, and its own time for `since` and `until`. A condition on a
    /// missing key is not met; its negation is.
    package func passes(_ filter: Filter) -> Bool {
        switch subject {
        case .push(let entry): return filter.matches(PushView(entry))
        case .document(let bytes):
            guard !filter.isEmpty else { return true }
            let document = (try? JSONValue(parsing: bytes)) ?? .null
            return filter.matches { values(of: $0, in: document) }
        }
    }

    /// The values of a filter key of an event without a push.
    private func values(of field: FilterField, in document: JSONValue) -> [JSONValue] {
        guard case .key(let key) = field else { return [] }
        let values: [JSONValue?] =
            switch key {
            case .scope, .environment: [document[key.rawValue]]
            case .team, .keyId: [document["credential"]?[key.rawValue]]
            case .device where kind == .device, .connection where kind == .connection, .fault where kind == .fault:
                [document["id"]]
            case .topic, .token: kind == .device ? document["registrations"]?.array?.map { $0[key.rawValue] } ?? [] : []
            case .since, .until: [.number(JSONNumber(at.milliseconds))]
            default: []
            }
        return values.compactMap { $0 == .null ? nil : $0 }
    }
}
