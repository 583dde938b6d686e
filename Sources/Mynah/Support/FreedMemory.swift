internal import CMalloc

/// Memory that malloc keeps for its next caller after it was freed.
enum FreedMemory {
    /// Returns it to the system, in a task of its own: for each 100 MB malloc's other callers may wait milliseconds.
    static func giveBack() { Task.detached(priority: .background) { giveBackNow() } }
    static func giveBackNow() { give_back_free_memory() }
}
