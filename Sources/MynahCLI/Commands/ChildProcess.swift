import Glibc
import MynahClient
import NIOPosix
import UnixSignals

/// Runs one command to its end, in the foreground, with our standard streams.
enum ChildProcess {
    /// Exit code of a command that is not there, as shells have it.
    static let notFound: Int32 = 127
    /// Exit code of a command that may not be run, as shells have it.
    static let notExecutable: Int32 = 126
    /// What shells add to the number of the signal that ended a command.
    static let signalBase: Int32 = 128

    /// The signals that are passed on.
    private static let passed: [UnixSignal] = [.sighup, .sigint, .sigquit, .sigterm, .sigusr1, .sigusr2]

    /// Runs `command`, passing signals on to it.
    ///
    /// - Parameters:
    ///   - command: the program, looked for in `PATH`, and its arguments.
    ///   - environment: all of its variables.
    ///   - limit: the limit of file descriptors that it gets; `nil`: that of this process.
    /// - Returns: its exit code, or what shells make of a signal.
    /// - Throws: ``CommandFailure`` when it can't be started for want of resources.
    static func run(
        _ command: [String], environment: [String: String], limit: DescriptorLimit? = nil
    ) async throws -> Int32 {
        let signals = await UnixSignalsSequence(trapping: passed)
        let started = limit?.inherit { spawn(command, environment) } ?? spawn(command, environment)
        let pid: Int32
        switch started {
        case .success(let number): pid = number
        case .failure(let error):
            Terminal.error("mynah: can't run \(command[0]): \(SystemError.text(error.number))")
            return error.number == ENOENT ? notFound : notExecutable
        }
        return try await withThrowingTaskGroup(of: Int32?.self) { group in
            group.addTask {
                for await signal in signals where !isFromTerminal(signal) { kill(pid, signal.rawValue) }
                return nil
            }
            // Blocks a thread of the pool that is made for it, not one of the tasks'.
            group.addTask { try await NIOThreadPool.singleton.runIfActive { wait(for: pid) } }
            defer { group.cancelAll() }
            for try await code in group {
                if let code { return code }
            }
            return 0
        }
    }

    /// A system call's error number.
    private struct SpawnError: Error {
        let number: Int32
    }

    private static func spawn(_ command: [String], _ environment: [String: String]) -> Result<Int32, SpawnError> {
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // Trapping a signal ignores it here, and what is ignored stays ignored in a child.
        var defaults = sigset_t()
        sigemptyset(&defaults)
        for signal in passed { sigaddset(&defaults, signal.rawValue) }
        sigaddset(&defaults, SIGPIPE)
        posix_spawnattr_setsigdefault(&attributes, &defaults)
        var unblocked = sigset_t()
        sigemptyset(&unblocked)
        posix_spawnattr_setsigmask(&attributes, &unblocked)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF) | Int16(POSIX_SPAWN_SETSIGMASK))

        let variables = environment.map { "\($0.key)=\($0.value)" }
        return withCStrings(command) { arguments in
            withCStrings(variables) { variables in
                var pid: Int32 = 0
                let number = posix_spawnp(&pid, command[0], nil, &attributes, arguments, variables)
                return number == 0 ? .success(pid) : .failure(SpawnError(number: number))
            }
        }
    }

    /// Lends `texts` as a C array of C strings that ends with a null pointer.
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
        while waitpid(pid, &status, 0) < 0 {
            precondition(errno == EINTR, "the child \(pid) is ours to wait for")
        }
        // The macros of wait(2): the low 7 bits are a signal, or the next 8 the exit code.
        let signal = status & 0x7F
        return signal == 0 ? (status >> 8) & 0xFF : signalBase + signal
    }

    // A terminal sends these to all processes of its foreground group, the command among them; passed on, they
    // would reach it twice, and many programs take a second SIGINT as "at once".
    private static func isFromTerminal(_ signal: UnixSignal) -> Bool {
        (signal == .sigint || signal == .sigquit) && tcgetpgrp(STDIN_FILENO) == getpgrp()
    }
}
