internal import MynahSystem
internal import Synchronization

/// Finds out which change of a log crashes the process that applies it at a start, so that a later start can leave it out.
///
/// A file names the change once it has crashed: the handler of a fatal signal writes it. It also names the change at
/// which a process was killed, which says nothing of the change, so that a person can decide. One start of a process at a
/// time has a mark.
package final class ReplayMark {
    /// The place of a change: its batch, and its number in the batch from 0.
    package struct Place: Equatable, Sendable, CustomStringConvertible {
        package let position: UInt64
        package let index: Int
        package init(position: UInt64, index: Int) {
            self.position = position
            self.index = index
        }

        /// Reads ``description``.
        package init?(_ text: some StringProtocol) {
            let numbers = text.split(separator: "/", omittingEmptySubsequences: false)
            guard numbers.count == 2, let position = UInt64(numbers[0]), position > 0, let index = Int(numbers[1]),
                index >= 0
            else { return nil }
            self.init(position: position, index: index)
        }

        package var description: String { "\(position)/\(index)" }
    }

    /// How many starts in a row a change may crash before it is left out.
    package static let crashesMax = 2
    static let name = "starting"
    /// The words in the file: batch, number and crashes of the change that crashed, and batch and number of the change
    /// that is being applied.
    private static let wordCount = 5
    private static let byteCount = wordCount * MemoryLayout<UInt64>.stride

    private let path: String
    private let file: Int32
    // The change that crashed the last start, not counting starts that were killed, and how many starts it has crashed.
    private let suspect: (place: Place, count: Int)?
    /// The change at which the last start was killed.
    package let killed: Place?
    /// The change that crashed the last start, and will be tried again.
    package var crashed: Place? { suspect.flatMap { $0.count < ReplayMark.crashesMax ? $0.place : nil } }
    // The words of the file in memory, which the system writes even if the process is killed; `nil` on a full disk.
    private let words: UnsafeMutablePointer<UInt64>?

    /// Opens the file of a folder, and reads what a crash has left.
    package init(folder: String) throws(LogProblem) {
        let path = "\(folder)/\(ReplayMark.name)"
        try SystemFile.checkPlain(path)
        let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        self.path = path
        self.file = file
        guard file >= 0 else { throw LogProblem(system: errno, file: path) }
        var words = [UInt64](repeating: 0, count: ReplayMark.wordCount)
        // Earlier versions wrote three of them; what is missing is 0.
        _ = words.withUnsafeMutableBytes { pread(file, $0.baseAddress, $0.count, 0) }
        if let index = Int(exactly: words[1]), let times = Int(exactly: words[2]), times > 0 {
            suspect = (Place(position: words[0], index: index), times)
        } else {
            suspect = nil
        }
        killed = Int(exactly: words[4]).flatMap { words[3] == 0 ? nil : Place(position: words[3], index: $0) }
        words[3] = 0
        words[4] = 0
        // A page without room on the disk would end the process.
        let written = words.withUnsafeBytes { pwrite(file, $0.baseAddress, $0.count, 0) }
        let memory =
            written == ReplayMark.byteCount
            ? mmap(nil, ReplayMark.byteCount, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0) : nil
        let isMapped = memory != UnsafeMutableRawPointer(bitPattern: -1)
        self.words = isMapped ? memory?.assumingMemoryBound(to: UInt64.self) : nil
        CrashNote.arm(file)
    }

    deinit {
        CrashNote.disarm(file)
        if let words { munmap(words, ReplayMark.byteCount) }
        close(file)
    }

    private func write(_ place: Place?) {
        words?[4] = UInt64(place?.index ?? 0)
        words?[3] = place?.position ?? 0
    }

    /// Records that a change is applied from now on; returns `false` if it has crashed too many starts and is to be
    /// left out.
    package func begin(_ place: Place) -> Bool {
        let crashes = suspect?.place == place ? suspect?.count ?? 0 : 0
        guard crashes < ReplayMark.crashesMax else { return false }
        write(place)
        CrashNote.begin(position: place.position, index: UInt64(place.index), count: UInt64(crashes + 1), file)
        return true
    }

    /// Records that the change has been applied.
    package func applied() {
        CrashNote.end()
        write(nil)
    }

    /// Records that all changes have been applied.
    package func end() {
        CrashNote.disarm(file)
        unlink(path)
    }
}

/// What the handler of a fatal signal writes, and where; of one file at a time.
private enum CrashNote {
    /// What a failed precondition, a bad access and an abort end in.
    private static let signals = [SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV]
    /// More than the handler needs, on a stack of its own for the overflow of another one.
    private static let stackBytes = 64 << 10

    /// -1 for none.
    private static let file = Atomic<Int32>(-1)
    /// 0 while no change is being applied.
    private static let position = Atomic<UInt64>(0)
    private static let index = Atomic<UInt64>(0)
    private static let count = Atomic<UInt64>(0)
    // The earlier handlers of signals, by the place in `signals`.
    private static let earlier = Mutex<[sigaction]>([])

    /// Handles fatal signals for a file, unless another one has them.
    static func arm(_ file: Int32) {
        guard self.file.compareExchange(expected: -1, desired: file, ordering: .sequentiallyConsistent).exchanged
        else { return }
        var stack = stack_t()
        if sigaltstack(nil, &stack) == 0, Int32(stack.ss_flags) & Int32(SS_DISABLE) != 0 {
            // The memory stays with the thread for the rest of the process.
            stack.ss_sp = .allocate(byteCount: stackBytes, alignment: 16)
            stack.ss_size = stackBytes
            stack.ss_flags = 0
            sigaltstack(&stack, nil)
        }
        earlier.withLock { earlier in
            earlier = signals.map { signal in
                var earlier = sigaction()
                var action = signalAction { number, information, _ in CrashNote.handle(number, information) }
                sigaction(signal, &action, &earlier)
                return earlier
            }
        }
    }

    static func disarm(_ file: Int32) {
        guard self.file.load(ordering: .sequentiallyConsistent) == file else { return }
        end()
        restore()
        self.file.store(-1, ordering: .sequentiallyConsistent)
    }

    static func begin(position: UInt64, index: UInt64, count: UInt64, _ file: Int32) {
        guard self.file.load(ordering: .relaxed) == file else { return }
        self.index.store(index, ordering: .relaxed)
        self.count.store(count, ordering: .relaxed)
        self.position.store(position, ordering: .relaxed)
    }

    static func end() { position.store(0, ordering: .relaxed) }

    private static func restore() {
        earlier.withLock { earlier in
            for place in earlier.indices { sigaction(signals[place], &earlier[place], nil) }
        }
    }

    /// Has the signal do what it did before; in the handler, so it allocates nothing.
    private static func handle(_ number: Int32, _ information: UnsafeMutablePointer<siginfo_t>?) {
        let position = position.load(ordering: .relaxed)
        // What another process sends says nothing of the change.
        if position != 0, let information, !isFromElsewhere(information.pointee) {
            var words: InlineArray<3, UInt64> = [
                position, index.load(ordering: .relaxed), count.load(ordering: .relaxed),
            ]
            _ = pwrite(file.load(ordering: .relaxed), &words, MemoryLayout<UInt64>.stride * 3, 0)
        }
        restore()
        // A fault happens again on return; what was sent has to be sent again.
        if let information, isSent(information.pointee) { raise(number) }
    }
}
