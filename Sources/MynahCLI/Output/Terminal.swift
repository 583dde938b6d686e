import APNsRules
import Mynah
import MynahClient
import MynahCore
import MynahSystem

/// The standard streams, and other properties of this process.
enum Terminal {
    static var hasOutput: Bool { isatty(STDOUT_FILENO) == 1 }

    /// Whether to print colours (see https://no-color.org).
    static func hasColours(_ environment: [String: String]) -> Bool {
        hasOutput && environment.nonEmpty("NO_COLOR") == nil && environment["TERM"] != "dumb"
    }

    /// Writes lines to standard output, with control characters escaped, because pushes and devices may have any text.
    /// - Parameter isColoured: Whether the lines have our own escape sequences, which stay.
    static func out(_ lines: String, isColoured: Bool = false) throws(ClientError) {
        let text = PrintableText.escaped(lines, keepsColours: isColoured)
        try FileAccess.write(Array((text + "\n").utf8), to: STDOUT_FILENO, name: "standard output")
    }

    /// Writes lines to standard error, escaped; a failure is ignored, because there is nowhere to report it.
    static func error(_ lines: String) {
        let text = PrintableText.escaped(lines)
        _ = try? FileAccess.write(Array((text + "\n").utf8), to: STDERR_FILENO, name: "standard error")
    }

    /// Makes a write to a closed pipe fail instead of ending the process.
    static func ignoreBrokenPipes() { signal(SIGPIPE, SIG_IGN) }

    /// Whether standard output is a pipe whose reader has closed it.
    static var isAbandoned: Bool {
        var descriptor = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
        return poll(&descriptor, 1, 0) == 1 && Int32(descriptor.revents) & Int32(POLLERR) != 0
    }

    static func end(_ code: Int32) -> Never { exit(code) }
    static var now: Instant { WallClock.now() }
}

enum ProcessArguments {
    /// All arguments without the program's name.
    ///
    /// Read from the kernel: Swift's `CommandLine` looks for them on the stack before `environ`, and finds none if a
    /// preloaded library has called `setenv`.
    static var all: [String] {
        guard let bytes = (try? FileAccess.read("/proc/self/cmdline")) ?? nil, !bytes.isEmpty else {
            return Array(CommandLine.arguments.dropFirst())
        }
        // Each ends with a zero byte.
        return bytes.dropLast().split(separator: 0, omittingEmptySubsequences: false).dropFirst()
            .map { String(decoding: $0, as: UTF8.self) }
    }
}

enum ProcessEnvironment {
    /// All variables; the first of several with the same name counts, as for `getenv`.
    static var variables: [String: String] {
        var variables: [String: String] = [:]
        var entry = environ
        while let raw = entry.pointee {
            let text = String(cString: raw)
            let name = text.prefix { $0 != "=" }
            if variables[String(name)] == nil { variables[String(name)] = String(text.dropFirst(name.count + 1)) }
            entry += 1
        }
        return variables
    }
}
