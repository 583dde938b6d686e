import APNsRules
import MynahClient
import MynahCore

/// The control API's problems in the words of the command line, which has options and commands where the API has
/// members and calls.
enum ControlProblem {
    /// - Parameter arguments: The command line, whose option is named if it is the cause.
    static func text(_ error: ClientError, arguments: [String] = ProcessArguments.all) -> String {
        guard let detail = error.document?["detail"]?.string else {
            // It may name the call that failed, which is no recommendation.
            return inCommands(error.message, besides: "GET ")
        }
        var message = inCommands(detail)
        if let place = place(error, arguments), message.firstRange(of: place) == nil {
            message = "\(place): \(message)"
        }
        let allowed = (error.document?["allowed"]?.array ?? []).compactMap(\.string)
        // Most details name them, and the nearest one is enough.
        if !allowed.allSatisfy({ detail.firstRange(of: $0) != nil }), detail.firstRange(of: "did you mean") == nil {
            message += "; allowed: " + allowed.joined(separator: ", ")
        }
        if error.status == 401 { message += ": set MYNAH_CONTROL_TOKEN to it" }
        return message
    }

    static func text(_ error: InputError) -> String {
        let isNamed = error.field.isEmpty || error.problem.firstRange(of: error.field) != nil
        return inCommands(isNamed ? error.problem : error.description)
    }

    /// The option or member that is wrong; `nil` if the message is about what the command names.
    private static func place(_ error: ClientError, _ arguments: [String]) -> String? {
        guard let field = error.field, error.status == 400 else { return nil }
        let parts = field.split(separator: "/").map(String.init)
        guard let leaf = parts.last(where: { Int($0) == nil }) else { return nil }
        for part in parts.reversed() {
            if let option = options(of: part).first(where: { option in
                arguments.contains { $0 == option || $0.hasPrefix(option + "=") }
            }) {
                return option
            }
        }
        if arguments.contains("--file"), parts.count > 1 { return field }
        return positionals.contains(leaf) ? nil : leaf.replacing("~1", with: "/").replacing("~0", with: "~")
    }

    /// The options that may set a member: by its name, by the end of it, as --storage-policy sets messageStoragePolicy, or
    /// by that of a fault preset, as --limit sets maxConcurrentStreams.
    private static func options(of member: String) -> [String] {
        guard member != "headers" else { return ["--header"] }
        let words = kebab(member).split(separator: "-")
        let ofPresets = FaultPreset.optionNames(setting: member).map { "--" + $0 }
        return words.indices.map { "--" + words[$0...].joined(separator: "-") } + ofPresets
    }

    /// Members and parameters whose value is an argument, not an option.
    private static let positionals: Set<String> = [
        "q", "by", "type", "id", "mode", "topic", "name", "keyId", "bundleId",
    ]

    private static func kebab(_ name: String) -> String {
        name.map { $0.isUppercase ? "-\($0.lowercased())" : String($0) }.joined()
    }

    /// Calls of the API that its messages recommend, with the command that does the same; longer ones first.
    private static let commands: [(call: String, command: String)] = [
        ("PUT replaces it, PATCH changes it", "`mynah device set` changes it"),
        ("expected Authorization: Bearer TOKEN, with the token of --control-token", "expected that of --control-token"),
        (
            "closed the connection without an answer",
            "closed the connection without an answer: expected the control API, such as http://127.0.0.1:8197, not a port "
                + "for pushes"
        ), ("GET /v1/magic-tokens", "`mynah help magic-tokens`"), ("GET /v1/scenarios", "`mynah scenario list`"),
        ("GET /v1/channels", "`mynah channel list`"), ("GET /v1/devices", "`mynah device list`"),
        ("GET /v1/faults", "`mynah fault list`"), ("GET /v1/keys", "`mynah key list`"),
        ("GET /v1/certificates", "`mynah certs list`"), ("GET /v1/connections", "`mynah connection list`"),
    ]

    /// A message with the commands in place of calls, but for those that begin with a text.
    static func inCommands(_ message: String, besides left: String? = nil) -> String {
        let replaced = commands.filter { pair in left.map { !pair.call.hasPrefix($0) } ?? true }
        return replaced.reduce(message) { text, pair in text.replacing(pair.call, with: pair.command) }
    }
}
