package import APNsRules

/// Something that happened on the server and is no push, for whoever watches it (`Documents#Event-stream`).
///
/// Pushes lie in the journal; their events are made from there, so that they cost nothing where they arrive.
package struct Event: Sendable {
    /// The names of the events of a stream.
    package enum Kind: String, CaseIterable, Sendable {
        /// A push arrived, or was refused.
        case notification
        /// Something became of an earlier push.
        case outcome
        /// A call made, changed or removed a device.
        case device
        /// A rule was made, changed or removed, or it fired.
        case fault
        /// A connection was opened or closed, or its TLS handshake failed.
        case connection
        /// A clock was set or advanced.
        case clock
        /// Much was removed at once.
        case reset
        /// Something is missing that went to make room.
        case gap
    }

    /// What happened to the thing that an event is about.
    package enum Change: String, CaseIterable, Sendable {
        case created
        case changed
        case removed
        /// A fault rule acted.
        case fired
        /// A connection can carry requests.
        case opened
        case closed
        /// A connection's TLS handshake failed.
        case failed
    }

    /// What an event shows.
    package enum Subject: Sendable {
        /// A push as it was then.
        case push(Entry)
        /// Anything else, as JSON.
        case document([UInt8])
    }

    /// What kind of event it is; neither ``Kind/notification`` nor ``Kind/gap``.
    package let kind: Kind
    /// Its number, of the same sequence as those of pushes.
    package let sequence: UInt64
    /// When, by the server's clock.
    package let at: Instant
    /// What it shows.
    package let subject: Subject

    /// An event.
    package init(_ kind: Kind, sequence: UInt64, at: Instant, _ subject: Subject) {
        self.kind = kind
        self.sequence = sequence
        self.at = at
        self.subject = subject
    }
}

extension Event {
    /// What an event costs beside what it shows, in round figures.
    package static let overheadBytes = 150

    /// The bytes that it counts for in the bound of an ``EventHistory``.
    package var cost: Int {
        switch subject {
        case .push(let entry): Event.overheadBytes + entry.cost
        case .document(let bytes): Event.overheadBytes + bytes.count
        }
    }

    /// What a stream tells of it.
    package var json: JSONValue {
        switch subject {
        case .push(let entry): PushView(entry).json
        case .document(let bytes): .raw(bytes)
        }
    }

    /// Whether it meets every condition of a filter: as a push does, where it shows one.
    ///
    /// Other events have of the keys what their document says, and `since` and `until` their own time. A condition on a
    /// key that an event does not have is not met, its negation is.
    package func passes(_ filter: Filter) -> Bool {
        switch subject {
        case .push(let entry): return filter.matches(PushView(entry))
        case .document(let bytes):
            guard !filter.isEmpty else { return true }
            let facts = EventFacts(self, bytes)
            return filter.matches { facts.values(of: $0) }
        }
    }
}

/// What of the filter language an event has that shows no push.
struct EventFacts {
    private let kind: Event.Kind
    private let at: Instant
    private let document: JSONValue

    init(_ event: Event, _ bytes: [UInt8]) {
        kind = event.kind
        at = event.at
        // What was written by the server parses.
        document = (try? JSONValue(parsing: bytes)) ?? .null
    }

    /// The values of a field; none where such an event has none.
    func values(of field: FilterField) -> [JSONValue] {
        guard case .key(let key) = field else { return [] }
        let values: [JSONValue?] =
            switch key {
            case .scope: [document["scope"]]
            case .environment: [document["environment"]]
            case .team: [document["credential"]?["team"]]
            case .keyId: [document["credential"]?["keyId"]]
            case .device: [id(of: .device)]
            case .connection: [id(of: .connection)]
            case .fault: [id(of: .fault)]
            case .topic: apps("topic")
            case .token: apps("token")
            case .since, .until: [.number(JSONNumber(at.milliseconds))]
            default: []
            }
        return values.compactMap { $0 == .null ? nil : $0 }
    }

    private func id(of kind: Event.Kind) -> JSONValue? { self.kind == kind ? document["id"] : nil }

    private func apps(_ member: String) -> [JSONValue?] {
        guard kind == .device else { return [] }
        return document["registrations"]?.array?.map { $0[member] } ?? []
    }
}
