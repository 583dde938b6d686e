/// Somebody who waits for the journal to change; whoever holds the journal's lock keeps the continuation.
package struct Waiter: Sendable {
    /// Names a waiter within one journal.
    package struct ID: Hashable, Sendable {
        let number: UInt64
    }

    /// What it waits for.
    package enum Condition: Sendable, Equatable {
        /// Every push up to and including this number is in the journal.
        case watermark(atLeast: UInt64)
        /// Anything that readers see has changed since this ``Journal/revision``.
        case change(since: UInt64)
    }

    /// Its name.
    package let id: ID
    /// What it waits for.
    package let condition: Condition
}
