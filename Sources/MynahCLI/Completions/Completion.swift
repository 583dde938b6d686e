import APNsRules
import MynahClient
import MynahCore

/// Completes a command line for a shell: with the program's own words, and with what the running server has.
enum Completion {
    /// How long a key press may wait for the server.
    static let timeout: Duration = .seconds(1)
    /// The most values of a list that are asked for.
    static let valuesMax = 200

    /// The candidates, one on a line; `:files` and `:folders` stand for those that the shell finds itself.
    /// - Parameter words: The words behind `mynah`; the last one, which may be empty, is completed.
    static func lines(for words: [String]) async -> String {
        let line = CompletionLine(words)
        let candidates = await candidates(line.source, words)
        return candidates.filter { $0.hasPrefix(":") || $0.hasPrefix(line.typed) }
            .map { $0.hasPrefix(":") ? $0 : line.lead + $0 }.joined(separator: "\n")
    }

    private static func candidates(_ source: CompletionLine.Source, _ words: [String]) async -> [String] {
        switch source {
        case .words(let words): return words
        case .files: return [":files"]
        case .folders: return [":folders"]
        case .running(let value): return await running(value, words)
        case .several(let sources):
            var all: [String] = []
            for source in sources { all += await candidates(source, words) }
            return all
        }
    }

    /// The values of the running server; none if there is no server, because a shell has no place for errors.
    private static func running(_ value: CompletionLine.RunningValue, _ words: [String]) async -> [String] {
        let locator = ServerLocator(
            url: option("--url", in: words), readyFile: option("--ready-file", in: words),
            environment: ProcessEnvironment.variables)
        guard let server = try? locator.find() else { return [] }
        let target = "/v1/\(value.list)?limit=\(valuesMax)"
        let client = ControlClient(server)
        let path = value.isPaged ? target : "/v1/\(value.list)"
        guard let page = try? await client.json("GET", path, timeout: timeout) else { return [] }
        return page.elements("items").flatMap(value.names).withoutRepeats
    }

    private static func option(_ name: String, in words: [String]) -> String? {
        if let place = words.firstIndex(of: name), place + 1 < words.count { return words[place + 1] }
        return words.first { $0.hasPrefix(name + "=") }.map { String($0.dropFirst(name.count + 1)) }
    }
}

extension CompletionLine.RunningValue {
    fileprivate var list: String {
        switch self {
        case .devices, .topics, .tokens, .users: "devices"
        case .scopes, .scenarios, .channels, .keys: rawValue
        case .rules: "faults"
        }
    }

    fileprivate var isPaged: Bool { ["devices", "faults", "channels"].contains(list) }

    fileprivate func names(_ item: JSONValue) -> [String] {
        func texts(_ name: String) -> [String] { item[name]?.string.map { [$0] } ?? [] }
        switch self {
        case .devices, .rules, .channels: return texts("id")
        case .topics: return item.elements("registrations").compactMap { $0["topic"]?.string }
        case .tokens: return item.elements("registrations").compactMap { $0["token"]?.string }
        case .users: return texts("user")
        case .scopes, .scenarios: return texts("name")
        case .keys: return texts("keyId")
        }
    }
}
