package import APNsRules

/// Something that happened on the server, for event streams (`Documents#Event-stream`), other than the arrival of a
/// push, which is read from the journal so that a push pays nothing for it.
package struct Event: Sendable {
    package enum Kind: String, CaseIterable, Sendable {
        /// A push arrived, or was refused.
        case notification
        /// The outcome of an earlier push changed.
        case outcome
        case device
        /// A Live Activity's state changed by time alone.
        case activity
        case channel, fault, connection, clock
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
        case activity(ActivityChange)

        /// When the event happened by the device's clock; an event that time alone brought happened when it was due.
        package var happenedAt: Instant? {
            switch self {
            case .push(let entry): entry.timeline?.last?.at
            case .document: nil
            case .activity(let change): change.at
            }
        }
    }

    /// Neither ``Kind/notification`` nor ``Kind/gap``.
    package let kind: Kind
    /// A number from the sequence that also numbers pushes.
    package let sequence: UInt64
    /// When the event happened, by the server's clock; for an outcome or an activity's change when it was due, by the
    /// device's clock.
    package let at: Instant
    package let subject: Subject

    package init(_ kind: Kind, sequence: UInt64, at: Instant, _ subject: Subject) {
        self.kind = kind
        self.sequence = sequence
        self.at = at
        self.subject = subject
    }

    /// The cost of an event apart from its subject, in round figures.
    private static let overheadBytes = 150

    /// The bytes that the event counts as in an ``EventHistory``.
    package var cost: Int {
        switch subject {
        case .push(let entry): Event.overheadBytes + entry.cost
        case .document(let bytes): Event.overheadBytes + bytes.count
        case .activity(let change): Event.overheadBytes + change.activity.dataByteCount(with: nil)
        }
    }

    package var json: JSONValue {
        switch subject {
        case .push(let entry): PushView(entry).json
        case .document(let bytes): .raw(bytes)
        case .activity(let change): change.json
        }
    }

    /// Whether the event meets every condition of a filter.
    ///
    /// An event without a push has the keys of its document, and its own time for `since` and `until`. A condition on a
    /// missing key is not met; its negation is.
    package func passes(_ filter: Filter) -> Bool {
        switch subject {
        case .push(let entry): return filter.matches(PushView(entry))
        case .document(let bytes):
            guard !filter.isEmpty else { return true }
            return passes(filter, document: (try? JSONValue(parsing: bytes)) ?? .null)
        case .activity(let change): return filter.isEmpty || passes(filter, document: change.json)
        }
    }

    private func passes(_ filter: Filter, document: JSONValue) -> Bool {
        filter.matches { values(of: $0, in: document) }
    }

    /// The values of a filter key of an event without a push.
    private func values(of field: FilterField, in document: JSONValue) -> [JSONValue] {
        guard case .key(let key) = field else { return [] }
        if Kind.times.contains(key) { return [.number(JSONNumber(at.milliseconds))] }
        guard let path = kind.path(to: key) else { return [] }
        return path.reduce([document]) { values, name in
            values.flatMap { value in value.array?.compactMap { $0[name] } ?? value[name].map { [$0] } ?? [] }
        }
        .filter { $0 != .null }
    }
}

extension FilterSubject {
    /// The events of these kinds.
    package static func ofEvents(_ kinds: some Sequence<Event.Kind>) -> FilterSubject {
        .events(
            includesPushes: kinds.contains(where: \.isOfPush), others: kinds.filter { !$0.isOfPush }.map(\.keys))
    }
}

extension Event.Kind {
    /// Whether the event's document is a push.
    fileprivate var isOfPush: Bool { self == .notification || self == .outcome }

    /// The keys of the time of an event, which all events have.
    fileprivate static let times: Set<FilterKey> = [.since, .until]

    /// The filter keys of an event that is no push.
    fileprivate var keys: EventKeys {
        EventKeys(
            kind: rawValue, keys: Event.Kind.times.union(FilterKey.allCases.filter { path(to: $0) != nil }),
            own: FilterKey(rawValue: rawValue))
    }

    /// The names on the way to a key's value in the document of an event that is no push; of an array all elements.
    ///
    /// `nil` for a kind of event that doesn't have the key.
    fileprivate func path(to key: FilterKey) -> [String]? {
        switch (self, key) {
        case (.device, .device), (.connection, .connection), (.fault, .fault), (.channel, .channel): ["id"]
        case (.device, .topic), (.device, .token): ["registrations", key.rawValue]
        case (.device, .scope), (.activity, .scope), (.fault, .scope), (.clock, .scope), (.reset, .scope): ["scope"]
        case (.device, .environment), (.channel, .environment), (.connection, .environment): ["environment"]
        case (.activity, .device): ["device"]
        case (.activity, .topic), (.activity, .token), (.activity, .channel), (.activity, .environment):
            ["activity", key.rawValue]
        case (.channel, .topic): ["bundleId"]
        case (.connection, .team), (.connection, .keyId): ["credential", key.rawValue]
        default: nil
        }
    }
}
