/// The values of one setting as somebody wrote them, and where.
struct GivenValue: Equatable, Sendable {
    /// Where a value was written.
    enum Origin: Equatable, Sendable, CustomStringConvertible {
        /// On the command line; the flag with its dashes.
        case flag(String)
        /// In an environment variable, or in the file that one names.
        case variable(String)
        /// In the YAML file, at a line counted from 1.
        case file(path: String, line: Int, key: String)

        /// The place as a message begins with it.
        var description: String {
            switch self {
            case .flag(let flag): flag
            case .variable(let name): name
            case .file(let path, let line, let key): "\(path):\(line): \(key)"
            }
        }

        /// How the command ends when the value there is wrong.
        var status: CommandStatus {
            switch self {
            case .flag: .usage
            case .variable, .file: .configuration
            }
        }
    }

    let origin: Origin
    let texts: [String]
}
