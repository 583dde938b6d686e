import CChildProcess
import MynahClient
import MynahSystem
import NIOPosix
import UnixSignals

/// Runs one command to its end, in the foreground, with our standard streams.
enum ExecChild {
    // The exit codes of shells; after a signal, `signalBase` plus the signal's number.
    private static let notFound: Int32 = 127
    private static let notExecutable: Int32 = 126
    private static let signalBase: Int32 = 128

    private static let passed: [UnixSignal] = [.sighup, .sigint, .sigquit, .sigterm, .sigusr1, .sigusr2]

    /// Runs a command and forwards signals to it; it gets SIGTERM if this process is killed.
    /// - Parameter limit: The command's limit of file descriptors; `nil` for that of this process.
    /// - Returns: The command's exit code, or 128 plus the number of the signal that ended it.
    static func run(
        _ command: [String], environment: [String: String], limit: DescriptorLimit? = nil
    ) async throws -> Int32 {
        let passed = Signals.unlessHangUpIsIgnored(passed)
        let signals = await UnixSignalsSequence(trapping: passed)
        let (started, starting) = AsyncStream.makeStream(of: Int32.self)
        return try await withThrowingTaskGroup(of: Int32?.self) { group in
            group.addTask {
                for await pid in started {
                    for await signal in signals where !isFromTerminal(signal) { kill(pid, signal.rawValue) }
                }
                return nil
            }
            // On a pool thread, which never ends: the kernel sends the child its parent-death signal when the thread
            // that started it ends. Waiting blocks the thread.
            group.addTask {
                try await NIOThreadPool.singleton.runIfActive {
                    defer { starting.finish() }
                    let (pid, error) =
                        limit?.inherit { start(command, environment: environment, trapped: passed) }
                        ?? start(command, environment: environment, trapped: passed)
                    guard pid > 0 else {
                        Terminal.error("mynah: can't run \(command[0]): \(SystemError.text(error))")
                        return error == ENOENT ? notFound : notExecutable
                    }
                    starting.yield(pid)
                    return wait(for: pid)
                }
            }
            defer { group.cancelAll() }
            for try await case let code? in group { return code }
            return 0
        }
    }

    // `error` is the error number if no process was started.
    private static func start(
        _ command: [String], environment: [String: String], trapped signals: [UnixSignal]
    ) -> (pid: Int32, error: Int32) {
        // Trapping a signal ignores it in this process, and a child inherits that.
        var defaults = sigset_t()
        sigemptyset(&defaults)
        for signal in signals { sigaddset(&defaults, signal.rawValue) }
        sigaddset(&defaults, SIGPIPE)

        // The default of the C library.
        let programs = programs(named: command[0], path: environment["PATH"] ?? "/bin:/usr/bin")
        let variables = environment.map { "\($0.key)=\($0.value)" }
        return withCStrings(programs) { programs in
            withCStrings(command) { arguments in
                withCStrings(variables) { variables in
                    var number: Int32 = 0
                    let pid = child_process_start(programs, arguments, variables, &defaults, SIGTERM, &number)
                    return (pid, number)
                }
            }
        }
    }

    /// The candidates for a command: its name if that is a path, otherwise one in each folder of `PATH`.
    static func programs(named name: String, path: String) -> [String] {
        guard !name.isEmpty, !name.contains("/") else { return [name] }
        return path.split(separator: ":", omittingEmptySubsequences: false).map { $0.isEmpty ? name : "\($0)/\(name)" }
    }

    /// Calls `body` with a null-terminated C array of C strings.
    private static func withCStrings<Result>(
        _ texts: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Result
    ) -> Result {
        var pointers: [UnsafeMutablePointer<CChar>?] = texts.map { strdup($0) }
        defer { pointers.forEach { free($0) } }
        pointers.append(nil)
        return pointers.withUnsafeBufferPointer { buffer in
            guard let base = buffer.baseAddress else { preconditionFailure("an array with an element has an address") }
            return body(base)
        }
    }

    private static func wait(for pid: Int32) -> Int32 {
        var status: Int32 = 0
        while waitpid(pid, &status, 0) < 0 { precondition(errno == EINTR, "the child \(pid) is ours to wait for") }
        // The macros of wait(2): the low 7 bits are a signal, or the next 8 the exit code.
        let signal = status & 0x7F
        return signal == 0 ? (status >> 8) & 0xFF : signalBase + signal
    }

    // A terminal sends these signals to its whole foreground group, including the command. Forwarded, they would reach
    // it twice, and many programs exit immediately at a second SIGINT.
    private static func isFromTerminal(_ signal: UnixSignal) -> Bool {
        (signal == .sigint || signal == .sigquit) && tcgetpgrp(STDIN_FILENO) == getpgrp()
    }
}
