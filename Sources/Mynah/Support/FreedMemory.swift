internal import CMalloc

/// Memory that malloc keeps for its next caller after it was freed, and the program's code.
package enum FreedMemory {
    /// Returns freed memory to the system, in a task of its own: for each 100 MB malloc's other callers may wait
    /// milliseconds.
    static func giveBack() { Task.detached(priority: .background) { giveBackNow() } }
    static func giveBackNow() { give_back_free_memory() }

    /// Takes the code that has run so far out of the process's memory, on Linux, because much of it serves the start alone.
    ///
    /// What runs again comes back from the system's file cache. Does nothing under a debugger, whose breakpoints are in
    /// that memory.
    package static func giveBackCode() { give_back_code() }
}
