import APNsRules
import Glibc
import MynahClient
import MynahCore

/// The process' standard streams.
enum Terminal {
    /// Whether standard output is read by a person.
    static var hasOutput: Bool { isatty(STDOUT_FILENO) == 1 }

    /// Whether standard output takes colours (https://no-color.org is honoured).
    static func hasColours(_ environment: [String: String]) -> Bool {
        hasOutput && (environment["NO_COLOR"] ?? "").isEmpty && environment["TERM"] != "dumb"
    }

    /// Writes lines to standard output, with what would drive a terminal escaped: pushes and devices hold any text.
    ///
    /// - Parameter isColoured: whether escape sequences in it are ours and stay.
    /// - Throws: ``ClientError`` when nobody reads it any more.
    static func out(_ lines: String, isColoured: Bool = false) throws(ClientError) {
        let text = PrintableText.escaped(lines, keepsColours: isColoured)
        try FileAccess.write(Array((text + "\n").utf8), to: STDOUT_FILENO, name: "standard output")
    }

    /// Writes lines to standard error, escaped as in ``out(_:isColoured:)``.
    ///
    /// A failure is ignored, because there is no other place to report it.
    static func error(_ lines: String) {
        let text = PrintableText.escaped(lines)
        _ = try? FileAccess.write(Array((text + "\n").utf8), to: STDERR_FILENO, name: "standard error")
    }

    /// Lets a write to a pipe that nobody reads fail, in place of a signal that ends the process.
    static func ignoreBrokenPipes() { signal(SIGPIPE, SIG_IGN) }

    /// Whether standard output is a pipe that nobody reads any more.
    static var isAbandoned: Bool {
        var descriptor = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
        return poll(&descriptor, 1, 0) == 1 && Int32(descriptor.revents) & Int32(POLLERR) != 0
    }

    /// Ends the process.
    static func end(_ code: Int32) -> Never { exit(code) }

    /// The process' time.
    static var now: Instant {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Instant(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
    }
}

/// The command line of this process.
enum ProcessArguments {
    /// All arguments but the program's name.
    ///
    /// Asks the kernel first: Swift's `CommandLine` looks for them on the stack before `environ`, and finds none where
    /// a preloaded library has called `setenv` by then.
    static var all: [String] {
        guard let bytes = (try? FileAccess.read("/proc/self/cmdline")) ?? nil, !bytes.isEmpty else {
            return Array(CommandLine.arguments.dropFirst())
        }
        // Each ends with a zero byte, the last one, too.
        return bytes.dropLast().split(separator: 0, omittingEmptySubsequences: false).dropFirst()
            .map { String(decoding: $0, as: UTF8.self) }
    }
}

/// The environment of this process.
enum ProcessEnvironment {
    /// All variables; of two with one name the first counts, as for `getenv`.
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
