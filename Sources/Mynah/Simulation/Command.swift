internal import APNsRules
internal import MynahCore

/// A change of the simulation other than a push: what was asked for, with everything that was drawn or looked up for it.
///
/// The same commands in the same order, at the same times, lead to the same state: ``apply(to:)`` draws nothing, reads
/// the time from the simulation alone, waits for nothing but the journal, and touches neither connections nor files.
protocol Command: Sendable, Equatable {
    associatedtype Answer: Sendable
    /// Why nothing is changed; `Never` if that can't be.
    associatedtype Failure: Error

    static var kind: CommandKind { get }
    /// What it carries, as a log has it; ``init(document:)`` makes an equal command of it.
    var document: JSONValue { get }
    /// - Throws: ``InputError`` for a document that no version of Mynah wrote.
    init(document: JSONValue) throws(InputError)

    /// Makes the change, or throws and leaves everything as it was.
    func apply(to simulation: Simulation) throws(Failure) -> Answer
}

extension Simulation {
    /// Carries out a command that a call asks for.
    func perform<C: Command>(_ command: C) throws(C.Failure) -> C.Answer { try command.apply(to: self) }
}
