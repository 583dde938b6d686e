/// The order of a list of devices.
package struct DeviceOrder: Sendable, Equatable {
    package enum Key: String, CaseIterable, Sendable {
        case id
        /// By the sequence number of the push that arrived last; devices with the same number, or without one, by ID.
        case lastPush
    }

    package var key = Key.id
    package var isDescending = false

    package init(by key: Key = .id, isDescending: Bool = false) {
        self.key = key
        self.isDescending = isDescending
    }

    /// Whether one device comes before another.
    package func isBefore(_ one: DevicePlace, _ other: DevicePlace) -> Bool {
        switch key {
        case .id: isDescending ? one.id > other.id : one.id < other.id
        case .lastPush: one.last == other.last ? one.id < other.id : (one.last > other.last) == isDescending
        }
    }

    /// Whether the push that arrived last shows that a device comes after another, whatever its ID is.
    func isAfter(_ last: UInt64, _ other: DevicePlace) -> Bool {
        key == .lastPush && last != other.last && (last < other.last) == isDescending
    }
}

/// Where a device is in lists.
package struct DevicePlace: Sendable, Equatable {
    package let id: String
    /// The sequence number of the push that arrived last; 0 without one.
    package let last: UInt64

    package init(id: String, last: UInt64 = 0) {
        self.id = id
        self.last = last
    }
}

extension DeviceView {
    package var place: DevicePlace { DevicePlace(id: id, last: inboxLast ?? 0) }
}
