import APNsRules
import MynahCore

/// Words an error of ArgumentParser like all others: *what is wrong: what was expected*.
enum ParserMessage {
    /// - Parameter message: The message of ArgumentParser, without its prefix and the usage.
    static func text(_ message: String) -> String {
        invalidValue(message) ?? missing(message) ?? unexpected(message) ?? message
    }

    /// Words that a value was given which ArgumentParser takes for an option, because it begins with a hyphen; `nil` if
    /// the command line has none.
    static func hyphenated(_ message: String, _ arguments: [String]) -> String? {
        let isValue = { (word: String) in word.count > 1 && word.hasPrefix("-") && !word.hasPrefix("--") && word != "-h"
        }
        if let rest = message.after("Missing value for '") {
            let option = name(rest)
            guard let place = arguments.firstIndex(of: option), place + 1 < arguments.count,
                isValue(arguments[place + 1])
            else { return nil }
            let value = arguments[place + 1]
            return "\(option) has no value, because \"\(value)\" begins with a hyphen: expected \(option)=\(value)"
        }
        guard let rest = message.after("Missing expected argument '"), !name(rest).hasPrefix("-"),
            let value = arguments.prefix(while: { $0 != "--" }).first(where: isValue)
        else { return nil }
        return "missing argument, because \"\(value)\" begins with a hyphen: expected it behind --, as in -- \(value)"
    }

    // The value '5' is invalid for '--within <within>': reason
    private static func invalidValue(_ message: String) -> String? {
        guard let rest = message.after("The value '"), let end = rest.firstRange(of: "' is invalid for '") else {
            return nil
        }
        let head = "\(name(rest[end.upperBound...])): invalid value \"\(rest[..<end.lowerBound])\": "
        let tail = rest[end.upperBound...].drop { $0 != "'" }.dropFirst()
        if let reason = tail.after(": ") { return head + reason }
        // Of the types that ArgumentParser reads itself, the commands use integers and lists of words.
        guard let list = tail.after(". Please provide one of ") else { return head + "expected a whole number" }
        return head + "expected \(InputError.alternatives(quoted(list)))"
    }

    private static func missing(_ message: String) -> String? {
        if let rest = message.after("Missing value for '") {
            return "\(name(rest)) has no value: expected \(placeholder(rest) ?? "one")"
        }
        guard let rest = message.after("Missing expected argument '") else { return nil }
        let name = name(rest)
        return name.hasPrefix("-")
            ? "missing \(name): expected it with a value" : "missing argument: expected \(placeholder(rest) ?? name)"
    }

    private static func unexpected(_ message: String) -> String? {
        if message.hasPrefix("Unexpected argument '") || message.firstRange(of: " unexpected arguments: '") != nil {
            let names = quoted(message).map { "\"\($0)\"" }
            return "unexpected argument\(names.count > 1 ? "s" : "") \(names.joined(separator: ", ")): expected none"
        }
        if message.hasPrefix("Unknown option '") { return "unknown option \(quoted(message)[0])" }
        guard message.hasPrefix("The option '"), message.firstRange(of: "' does not take any value") != nil else {
            return nil
        }
        return "\(quoted(message)[0]) takes no value: expected it alone"
    }

    /// The option's name, or an argument's placeholder, at the start of a synopsis like `--within <within>`.
    private static func name(_ synopsis: Substring) -> String {
        let name = synopsis.prefix { $0 != " " && $0 != "'" }
        return name.hasPrefix("<") ? String(name.dropFirst().prefix { $0 != ">" }) : String(name)
    }

    private static func placeholder(_ synopsis: Substring) -> String? {
        let rest = synopsis.drop { $0 != "<" }.dropFirst()
        return rest.isEmpty ? nil : "<\(rest.prefix { $0 != ">" })>"
    }

    private static func quoted(_ text: some StringProtocol) -> [String] {
        text.split(separator: "'", omittingEmptySubsequences: false).enumerated()
            .compactMap { $0.offset % 2 == 1 ? String($0.element) : nil }
    }
}

extension StringProtocol where SubSequence == Substring {
    /// The rest behind `prefix`; `nil` if the text doesn't begin with it.
    func after(_ prefix: String) -> Substring? { hasPrefix(prefix) ? dropFirst(prefix.count) : nil }
}
