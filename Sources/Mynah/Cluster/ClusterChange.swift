internal import MynahCore

/// A change that concerns the servers of a cluster alone.
enum ClusterChange {
    /// A cluster begins, whose servers have this in common; in one that has begun before, the lives of the others end.
    case begin([UInt8])
    /// The server that wrote the batch is alive.
    case alive
    /// The server that wrote the batch has ended.
    case stopped
    /// The server that wrote the batch needs numbers for connections.
    case takeNumbers

    /// The numbers of the kinds, some of ``BatchForm/kindsOfLog``.
    private enum Kind: UInt8 {
        case begin = 5
        case alive = 6
        case stopped = 7
        case takeNumbers = 8
    }

    init(_ change: LogChange) throws(CodingProblem) {
        switch Kind(rawValue: change.kind) {
        case .begin: self = .begin(change.bytes)
        case .alive: self = .alive
        case .stopped: self = .stopped
        case .takeNumbers: self = .takeNumbers
        case nil: throw CodingProblem("changes of kind \(change.kind) were written by a newer Mynah")
        }
        guard case .begin = self else {
            guard change.bytes.isEmpty else { throw CodingProblem("\(change.bytes.count) bytes are left over") }
            return
        }
    }

    /// The change as the order has it.
    var ordered: OrderedChange {
        switch self {
        case .begin(let identity): .ofLog(LogChange(kind: Kind.begin.rawValue, bytes: identity))
        case .alive: .ofLog(LogChange(kind: Kind.alive.rawValue, bytes: []))
        case .stopped: .ofLog(LogChange(kind: Kind.stopped.rawValue, bytes: []))
        case .takeNumbers: .ofLog(LogChange(kind: Kind.takeNumbers.rawValue, bytes: []))
        }
    }
}
