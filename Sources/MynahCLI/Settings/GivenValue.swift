/// The values of one setting as the user wrote them, with their place.
struct GivenValue: Equatable, Sendable {
    /// The place of a value.
    enum Origin: Equatable, Sendable, CustomStringConvertible {
        /// On the command line; the flag with its dashes.
        case flag(String)
        /// In an environment variable, or in the file that it names.
        case variable(String)
        /// In the YAML file, at a line counted from 1.
        case file(path: String, line: Int, key: String)

        /// The place for the beginning of a message.
        var description: String {
            switch self {
            case .flag(let flag): flag
            case .variable(let name): name
            case .file(let path, let line, let key): "\(path):\(line): \(key)"
            }
        }

        /// The exit status for a wrong value.
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
