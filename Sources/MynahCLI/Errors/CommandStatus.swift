/// The exit status of a command: the codes of `sysexits.h` where one fits.
enum CommandStatus: Int32, CaseIterable, Sendable {
    case success = 0
    case unmet = 1
    /// EX_USAGE.
    case usage = 64
    /// EX_NOINPUT.
    case notFound = 66
    /// EX_UNAVAILABLE.
    case unavailable = 69
    /// EX_CANTCREAT.
    case conflict = 73
    /// EX_TEMPFAIL.
    case nothingDue = 75
    /// EX_CONFIG.
    case configuration = 78

    /// What the code says, a clause for tables and help.
    var meaning: String {
        switch self {
        case .success: "success"
        case .unmet:
            "an expectation is unmet, a comparison finds a difference, a push of mynah send was not accepted, or Apple "
                + "would refuse the web push of mynah webpush explain"
        case .usage: "the command line is wrong, or the server refused a value of it"
        case .notFound: "a named device, app, rule, scenario, channel, key, certificate or push does not exist"
        case .unavailable: "no server answers, a port or a data folder is taken, the disk is full, or NATS is not ready"
        case .conflict: "something that exists excludes it, such as a device with the same id"
        case .nothingDue:
            "nothing is due for mynah clock advance --to next; or a server has to be started again to join its cluster"
        case .configuration: "a file, a folder, a variable, a key or the control token is wrong"
        }
    }

    /// The codes and their meanings, for the help in 80 columns.
    static var help: String {
        allCases.flatMap { status -> [String] in
            let lines = TextTable.wrapped(status.meaning.split(separator: " "), indent: 6, width: 79)
            return ["  " + TextTable.padded("\(status.rawValue)", 4) + lines[0].dropFirst(6)] + lines.dropFirst()
        }.joined(separator: "\n")
    }
}
