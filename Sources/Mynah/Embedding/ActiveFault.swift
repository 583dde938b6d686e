internal import MynahCore

/// A fault that is in force.
public struct ActiveFault: Hashable, Sendable {
    /// What a fault has counted.
    public struct Counts: Hashable, Sendable {
        /// Requests that matched.
        public let matched: Int
        /// Times that it acted.
        public let fired: Int
        /// Times that are left; `nil` for no limit.
        public let remaining: Int?
    }

    let server: MynahServer
    /// Its id, which the journal names at the pushes that it acted on.
    public let id: String

    /// What it has counted; `nil` when it is gone.
    public var counts: Counts? { server.running.fault(id).map { Counts($0) } }

    /// Waits until it has acted so often, and returns what it has counted; `nil` when it is gone.
    ///
    /// When the time is over it returns what it has counted by then.
    public func waitUntilFired(_ times: Int = 1, within: Duration = .seconds(5)) async -> Counts? {
        await server.running.waitForFault(id, hits: times, until: .now + within).map { Counts($0) }
    }

    /// Takes it away; `false` when it was gone.
    ///
    /// - Throws: ``MynahError`` when the server has been stopped.
    @discardableResult
    public func remove() throws(MynahError) -> Bool { try server.changeable().removeFault(id) }

    /// Whether both are of one server and of one id.
    public static func == (left: ActiveFault, right: ActiveFault) -> Bool {
        left.server === right.server && left.id == right.id
    }

    /// Hashes the id.
    public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

extension ActiveFault.Counts {
    fileprivate init(_ view: FaultView) {
        self.matched = view.counters.matched
        self.fired = view.counters.fired
        self.remaining = view.counters.remaining(of: view.rule.schedule)
    }
}

extension MynahSimulation {
    /// Lets a fault hold, of a scope for its pushes alone; it goes before those that were there.
    ///
    /// - Throws: ``MynahError`` that names the field.
    @discardableResult
    public func addFault(_ fault: Fault) async throws(MynahError) -> ActiveFault {
        let server = try self.server.changeable()
        let draft = try fault.draft(scope: scopeName)
        do throws(InputError) {
            guard let view = try server.addFaults([draft]).first else {
                throw InputError(.conflict, "the fault was removed at the same time")
            }
            return ActiveFault(server: self.server, id: view.rule.id)
        } catch {
            throw MynahError(error)
        }
    }

    /// The faults that are in force, in the order in which they are asked; of a scope its own.
    public var faults: [ActiveFault] {
        server.running.faults.filter { scopeName == nil || $0.rule.scope == scopeName }
            .map { ActiveFault(server: server, id: $0.rule.id) }
    }

    /// Takes all faults away, of a scope its own; answers how many there were.
    ///
    /// - Throws: ``MynahError`` when the server has been stopped.
    @discardableResult
    public func removeFaults() throws(MynahError) -> Int { try server.changeable().removeFaults(ofScope: scopeName) }
}
