import APNsRules
import ArgumentParser
import Mynah
import MynahControl
import MynahCore

/// What may follow on a command line, decided by its words alone.
struct CompletionLine: Equatable {
    /// Where values come from.
    enum Source: Equatable {
        case words([String])
        case files, folders
        case running(RunningValue)
        case several([Source])
    }

    /// A list of the running server.
    enum RunningValue: String, CaseIterable {
        case devices, topics, tokens, users, scopes, rules, scenarios, channels, keys
    }

    let source: Source
    /// What the word already has in front of the value, such as `--scope=` or `topic:`.
    let lead: String
    /// The beginning of the value.
    let typed: String

    /// - Parameter words: The words behind `mynah`; the last one, which may be empty, is completed.
    init(_ words: [String]) {
        let current = words.last ?? ""
        let before = Array(words.dropLast())
        let (path, command) = MynahCommand.named(before)
        let rest = Array(before.dropFirst(path.count))
        self = CompletionLine.next(current, after: rest, of: command, path)
    }

    private static func next(
        _ current: String, after rest: [String], of command: any ParsableCommand.Type, _ path: [String]
    ) -> CompletionLine {
        let arguments = CompletionArguments(of: command, path)
        if rest.contains("--") { return CompletionLine(.files, current) }
        if let option = rest.last, arguments.takesValue(option) {
            return CompletionLine(values(of: option, path), current)
        }
        if current.hasPrefix("--"), let end = current.firstIndex(of: "=") {
            let option = String(current[..<end])
            return CompletionLine(values(of: option, path), current, lead: option + "=")
        }
        if current.hasPrefix("--") || current == "-" || current.hasPrefix("-") && !filterCommands.contains(path) {
            return CompletionLine(.words(arguments.options + presetOptions(path, rest)), current)
        }
        if !command.configuration.subcommands.isEmpty {
            let names = MynahCommand.names(below: command)
            return CompletionLine(rest.isEmpty ? .words(names) : .words([]), current)
        }
        return positional(arguments.positionals(in: rest).count, path, rest, current)
    }

    private init(_ source: Source, _ word: String, lead: String = "") {
        self.source = source
        self.lead = lead
        self.typed = String(word.dropFirst(lead.count))
    }

    // MARK: Values of options

    /// The commands that take a line of the query language, in which a minus negates.
    private static let filterCommands = [["tail"], ["dump"], ["expect"]]

    private static let fileOptions: Set<String> = [
        "ready-file", "file", "out", "report", "ca-file", "key", "certificate", "certificate-key", "password-file",
        "public-key", "private-key", "config", "dump", "body", "results", "csr", "sqlite", "web", "vapid-key",
    ]

    private static func values(of option: String, _ path: [String]) -> Source {
        let name = String(option.drop { $0 == "-" })
        if let setting = SettingTable.named(name), ["serve", "exec"].contains(path.first ?? "serve") {
            return values(of: setting)
        }
        if fileOptions.contains(name) { return .files }
        switch name {
        case "device": return .running(.devices)
        case "topic", "app", "focus-app", "summary-app": return .running(.topics)
        case "token", "to": return .running(.tokens)
        case "user", "of-user": return .running(.users)
        case "scope": return .running(.scopes)
        case "fault": return .running(.rules)
        case "channel", "broadcast": return .running(.channels)
        case "key-id", "related": return .running(.keys)
        case "state-dir": return .folders
        case "only": return .words(ResetPart.allCases.map(\.rawValue))
        case "tls-version": return .words(["1.2", "1.3"])
        case "annotations": return .words(ExpectReportOptions.Annotations.allCases.map(\.rawValue))
        case "watch": return .words(DeviceOptions.WatchState.allCases.map(\.rawValue))
        case "urgency": return .words(WebPushUrgency.allCases.map(\.rawValue))
        default:
            let member = camel(name)
            if let key = FilterKey(rawValue: member), !key.words.isEmpty { return .words(key.words) }
            return .words(schemas.lazy.compactMap { $0[member]?.form.words }.first ?? [])
        }
    }

    private static func values(of setting: Setting) -> Source {
        switch setting.placeholder {
        case "FILE", "FILE|FOLDER": .files
        case "DIR": .folders
        case "FILE|NAME": .several([.words(ShippedScenarios.names), .files])
        case "LEVEL": .words(["trace", "debug", "info", "notice", "warning", "error", "critical"])
        case let text where text.contains("|"): .words(text.split(separator: "|").map(String.init))
        default: .words([])
        }
    }

    /// The documents whose members options set.
    private static let schemas = [
        DeviceSpecification.schema, DevicePatch.schema, RegistrationSpecification.schema, NewKey.schema,
        ChannelSpecification.schema, FaultDraft.schema,
    ]

    private static func presetOptions(_ path: [String], _ rest: [String]) -> [String] {
        guard path == ["fault", "add"] || path == ["fault", "set"] else { return [] }
        let own = FaultPreset.all.first { rest.contains($0.name) }?.options ?? []
        return (own + FaultPreset.commonOptions).map { "--" + $0.name }
    }

    private static func camel(_ name: String) -> String {
        let words = name.split(separator: "-")
        return words.prefix(1).joined() + words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    }

    // MARK: Arguments

    private static func positional(
        _ position: Int, _ path: [String], _ rest: [String], _ current: String
    ) -> CompletionLine {
        func line(_ source: Source) -> CompletionLine { CompletionLine(source, current) }
        switch (path.joined(separator: " "), position) {
        case ("tail", _), ("dump", _), ("expect", _): return filter(current)
        case ("help", _):
            let (named, command) = MynahCommand.named(rest)
            let names = MynahCommand.names(below: command)
            return line(.words(names + (named.isEmpty ? HelpTopic.allCases.map(\.rawValue) : [])))
        case ("completions", 0): return line(.words(CompletionScript.allCases.map(\.rawValue)))
        case ("clock set", 0): return line(.words(ClockState.Mode.allCases.map(\.rawValue)))
        case ("fault add", 0): return line(.words(FaultPreset.names))
        case ("fault set", 0), ("fault show", 0), ("fault remove", _): return line(.running(.rules))
        case ("scenario add", 0): return line(.several([.words(ShippedScenarios.names), .files]))
        case ("scenario show", 0):
            return line(rest.contains("--shipped") ? .words(ShippedScenarios.names) : .running(.scenarios))
        case ("scenario remove", _): return line(.running(.scenarios))
        case ("channel show", 0), ("channel delete", 0): return line(.running(.channels))
        case ("channel create", 0): return line(.running(.topics))
        case ("key show", 0), ("key set", 0), ("key remove", 0): return line(.running(.keys))
        case ("device act", 2): return line(.words(["default", "dismiss"]))
        case ("device install", 1), ("device launch", 1), ("device uninstall", 1), ("device badge", 1),
            ("device app", 1), ("device activity start", 1):
            return line(.running(.topics))
        case ("device app", 2...): return line(.words(DeviceAppCommand.names.map { $0 + "=" }))
        case ("device add", _): return line(.words([]))
        case ("device remove", _): return line(.running(.devices))
        case (let command, 0) where command.hasPrefix("device "): return line(.running(.devices))
        case ("certs list", _), ("webpush explain", 0): return line(.files)
        default: return line(.words([]))
        }
    }

    /// A word of the query language: a key, or a value behind it.
    private static func filter(_ word: String) -> CompletionLine {
        let sign = word.hasPrefix("-") ? "-" : ""
        let rest = word.dropFirst(sign.count)
        guard let end = rest.firstIndex(of: ":") else {
            let keys = FilterKey.allCases.map(\.rawValue) + FilterKey.pointerNames
            return CompletionLine(.words(keys.map { $0 + ":" }), word, lead: sign)
        }
        let key = FilterKey(rawValue: FilterName(rest[..<end]).text)
        return CompletionLine(key?.completion ?? .words([]), word, lead: sign + rest[...end])
    }
}

extension FilterKey {
    fileprivate var completion: CompletionLine.Source {
        switch self {
        case .device: .running(.devices)
        case .topic: .running(.topics)
        case .token: .running(.tokens)
        case .scope: .running(.scopes)
        case .fault: .running(.rules)
        case .channel: .running(.channels)
        case .keyId: .running(.keys)
        default: .words(words)
        }
    }
}

extension Form {
    /// All values, if they are words.
    fileprivate var words: [String]? {
        switch self {
        case .choice(let words): words
        case .nullable(let form), .named(_, let form), .described(let form, _): form.words
        default: nil
        }
    }
}

/// The options and arguments of a command.
struct CompletionArguments {
    /// With their dashes.
    private(set) var options: [String] = []
    private var withValue: Set<String> = []

    init(of command: any ParsableCommand.Type, _ path: [String]) {
        let runs = command.configuration.defaultSubcommand ?? command
        if runs == ServeCommand.self || runs == ExecCommand.self {
            let further = runs == ExecCommand.self ? ["--dump"] : []
            let toggles = SettingTable.all.filter { $0.shape == .toggle }.map(\.flag)
            options = SettingTable.all.map(\.flag) + ["--config"] + further + (further.isEmpty ? [] : ["--intercept"])
            withValue = Set(options).subtracting(toggles + ["--intercept"])
        } else if let dump = try? JSONValue(parsing: Array(runs._dumpHelp().utf8)) {
            for argument in dump["command"]?.elements("arguments") ?? [] where argument["kind"]?.string != "positional"
            {
                let names = argument.elements("names").filter { $0["kind"]?.string == "long" }
                options += names.map { "--" + $0.text("name") }
                if argument["kind"]?.string == "option" { withValue.formUnion(names.map { "--" + $0.text("name") }) }
            }
        }
        if options.contains("--help") == false { options.append("--help") }
        if path.first == "fault" {
            withValue.formUnion(
                (FaultPreset.all.flatMap(\.options) + FaultPreset.commonOptions).filter { !$0.value.isEmpty }
                    .map { "--" + $0.name })
        }
    }

    func takesValue(_ word: String) -> Bool { withValue.contains(word) }

    /// The words that are neither options nor their values.
    func positionals(in words: [String]) -> [String] {
        var isValue = false
        return words.filter { word in
            defer { isValue = takesValue(word) }
            return !isValue && !word.hasPrefix("-")
        }
    }
}
