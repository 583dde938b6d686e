internal import APNsRules
internal import Synchronization

/// The tokens that application server keys used last, for the advice on how often they change.
final class VapidTokenUses: Sendable {
    /// The most keys that are remembered.
    static let keysMax = 1024

    private let memory = Mutex(RecentValues<[UInt8], VapidTokenUse>(countMax: keysMax))

    func last(of key: [UInt8]) -> VapidTokenUse? { memory.withLock { $0[key] } }

    /// Notes a use; of one key too many, the one that was not used for the longest time is forgotten.
    func note(_ use: VapidTokenUse, of key: [UInt8]) { memory.withLock { $0.set(use, of: key) } }
}

/// The values that were set last, one for each key; setting one takes the same time however many there are.
struct RecentValues<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct Node {
        let key: Key
        var value: Value
        /// The place of the one that was set before it; -1 for none.
        var older: Int
        /// The place of the one that was set after it; -1 for none.
        var newer: Int
    }

    private let countMax: Int
    private var places: [Key: Int] = [:]
    private var nodes: [Node] = []
    private var oldest = -1
    private var newest = -1
    /// How often a value was read or written to set others: for tests of how much work that is.
    private(set) var touches = 0

    init(countMax: Int) { self.countMax = countMax }

    subscript(key: Key) -> Value? { places[key].map { nodes[$0].value } }

    /// Sets the value of a key; of one too many, the value that was set the longest time ago is forgotten.
    mutating func set(_ value: Value, of key: Key) {
        if let place = places[key] {
            unlink(place)
            nodes[place].value = value
            link(place)
        } else if nodes.count < countMax {
            places[key] = nodes.count
            nodes.append(Node(key: key, value: value, older: -1, newer: -1))
            link(nodes.count - 1)
        } else {
            let place = oldest
            unlink(place)
            places[nodes[place].key] = nil
            places[key] = place
            nodes[place] = Node(key: key, value: value, older: -1, newer: -1)
            link(place)
        }
    }

    private mutating func unlink(_ place: Int) {
        let node = nodes[place]
        if node.older < 0 { oldest = node.newer } else { nodes[node.older].newer = node.newer }
        if node.newer < 0 { newest = node.older } else { nodes[node.newer].older = node.older }
        touches += 3
    }

    /// Makes a value the newest.
    private mutating func link(_ place: Int) {
        nodes[place].older = newest
        nodes[place].newer = -1
        if newest < 0 { oldest = place } else { nodes[newest].newer = place }
        newest = place
        touches += 2
    }
}
