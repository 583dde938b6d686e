/// The values of the keys that were used last: at least half as many as may be kept.
///
/// Using one takes the same time however many there are.
package struct RecentValues<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private let countMax: Int
    // Two generations: a key in use moves to the young one; when that is half full, the old one is dropped.
    private var young: [Key: Value] = [:]
    private var old: [Key: Value] = [:]

    package init(countMax: Int) { self.countMax = countMax }

    package var count: Int { young.count + old.count }

    /// The value of a key; reading it doesn't count as a use.
    package subscript(key: Key) -> Value? { young[key] ?? old[key] }

    /// Changes the value of a key, or a new one if none is kept.
    package mutating func change<Result>(
        _ key: Key, orNew new: @autoclosure () -> Value, _ change: (inout Value) -> Result
    )
        -> Result
    {
        if let place = young.index(forKey: key) { return change(&young.values[place]) }
        var value = old.removeValue(forKey: key) ?? new()
        if young.count >= countMax / 2 {
            old = young
            young = [:]
        }
        defer { young[key] = value }
        return change(&value)
    }

    package mutating func remove(_ key: Key) {
        young[key] = nil
        old[key] = nil
    }
}
