import CChildProcess
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

    /// Runs a command, passing signals on to it; it gets SIGTERM when this process is killed.
    ///
    /// - Parameters:
    ///   - command: the program, looked for in `PATH`, and its arguments.
    ///   - environment: all of its variables.
    ///   - limit: the limit of file descriptors that it gets; `nil`: that of this process.
    /// - Returns: its exit code, or what shells make of a signal.
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
            // On one thread of a pool whose threads stay: the kernel counts the child's parent as dead when the thread
            // that made it ends, and waiting blocks it.
            group.addTask {
                try await NIOThreadPool.singleton.runIfActive {
                    defer { starting.finish() }
                    let result =
                        limit?.inherit { start(command, environment, passed) } ?? start(command, environment, passed)
                    switch result {
                    case .success(let pid):
                        starting.yield(pid)
                        return wait(for: pid)
                    case .failure(let error):
                        Terminal.error("mynah: can't run \(command[0]): \(SystemError.text(error.number))")
                        return error.number == ENOENT ? notFound : notExecutable
                    }
                }
            }
            defer { group.cancelAll() }
            for try await code in group {
                if let code { return code }
            }
            return 0
        }
    }

    /// A system call's error number.
    private struct StartError: Error {
        let number: Int32
    }

    private static func start(
        _ command: [String], _ environment: [String: String], _ passed: [UnixSignal]
    ) -> Result<Int32, StartError> {
        // Trapping a signal ignores it here, and what is ignored stays ignored in a child.
        var defaults = sigset_t()
        sigemptyset(&defaults)
        for signal in passed { sigaddset(&defaults, signal.rawValue) }
        sigaddset(&defaults, SIGPIPE)

        let programs = programs(named: command[0], path: environment["PATH"] ?? defaultPath)
        let variables = environment.map { "\($0.key)=\($0.value)" }
        return withCStrings(programs) { programs in
            withCStrings(command) { arguments in
                withCStrings(variables) { variables in
                    var number: Int32 = 0
                    let pid = child_process_start(programs, arguments, variables, &defaults, SIGTERM, &number)
                    return pid > 0 ? .success(pid) : .failure(StartError(number: number))
                }
            }
        }
    }

    /// Where programs are looked for without `PATH`, as by the C library.
    private static let defaultPath = "/bin:/usr/bin"

    /// The paths that a command's name may mean: itself when it is a path, else one in each folder of `PATH`.
    static func programs(named name: String, path: String) -> [String] {
        guard !name.isEmpty, !name.contains("/") else { return [name] }
        return path.split(separator: ":", omittingEmptySubsequences: false).map { folder in
            folder.isEmpty ? name : "\(folder)/\(name)"
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
