internal import APNsRules
internal import MynahCore

/// A change of the simulation other than a push: what was asked for, with everything that was drawn or looked up for it.
///
/// The same commands in the same order, at the same times, lead to the same state: ``apply(to:)`` draws nothing, reads
/// the time from the simulation alone, waits for nothing but the journal, and touches neither connections nor files.
///
/// In a log it is its members by their names, as the compiler codes them. Each is a ``KeptValue``, which says how it is
/// written; another one ends the process when it is written, so `CommandCodingTests` write commands of each kind.
protocol Command: Codable, Sendable, Equatable {
    associatedtype Answer: Sendable
    /// Why nothing is changed; `Never` if that can't be.
    associatedtype Failure: Error

    /// Whether a connection's verdict by keys, certificates or the server's clock may be another one after it.
    static var changesVerdicts: Bool { get }

    /// Makes the change, or throws and leaves everything as it was.
    func apply(to simulation: Simulation) throws(Failure) -> Answer
}

extension Command {
    static var changesVerdicts: Bool { false }
}

extension Simulation {
    /// Carries out a command that a call asks for.
    func perform<C: Command>(_ command: C) throws(C.Failure) -> C.Answer { try command.apply(to: self) }
}
