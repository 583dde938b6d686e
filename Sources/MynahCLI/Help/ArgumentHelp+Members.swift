import APNsRules
import ArgumentParser
import MynahControl
import MynahCore

/// The help of options, whose sentences, values, ranges and defaults are those of what the API, or a setting of
/// `mynah serve`, has of the same meaning.
extension ArgumentHelp {
    static func value(_ name: String, _ abstract: String) -> ArgumentHelp { ArgumentHelp(abstract, valueName: name) }

    /// The help of an option that sets a member of the API's JSON, from the description of that member.
    /// - Parameters:
    ///   - path: The member's name; that of one in an object has the object's name and a period in front.
    ///   - more: What is true of the option only, before the period.
    ///   - placeholder: The name of the value in the help; `nil` for the option's name.
    ///   - showsDefault: Whether the member has its default without the option, and ArgumentParser doesn't show it.
    static func member(
        _ path: String, of schema: Schema, _ more: String = "", value placeholder: String? = nil,
        showsDefault: Bool = true
    ) -> ArgumentHelp {
        guard let member = schema.member(at: path) else {
            preconditionFailure("an option sets the unknown member \(path)")
        }
        return ArgumentHelp(member.help(more, showsDefault: showsDefault), valueName: placeholder)
    }

    /// The help of an option or argument that is a parameter or a filter of a call, from the route of that call.
    static func parameter(
        _ name: String, of call: String, _ more: String = "", value placeholder: String? = nil
    ) -> ArgumentHelp {
        guard let member = Member.parameter(name, of: call) else {
            preconditionFailure("an option is the unknown parameter \(name) of \(call)")
        }
        return ArgumentHelp(member.help(more, showsDefault: true), valueName: placeholder)
    }

    /// The help of an option that is a setting of `mynah serve` as well: its first sentence, as the others are about a
    /// server, with its variable and its default.
    static func setting(_ name: String, value placeholder: String) -> ArgumentHelp {
        guard let setting = SettingTable.named(name) else {
            preconditionFailure("an option is the unknown setting \(name)")
        }
        let end = setting.help.firstRange(of: ". ")?.lowerBound
        let sentence = end.map { setting.help[..<$0] } ?? setting.help.dropLast()
        let standard = setting.defaultText.map { "; default: \($0)" } ?? ""
        return ArgumentHelp("\(sentence) (\(setting.variable)\(standard)).", valueName: placeholder)
    }
}

extension Schema {
    /// A member by its name, or by the names of the objects around it and its own, with periods between them.
    fileprivate func member(at path: String) -> Member? {
        var schema = self
        var member: Member?
        for name in path.split(separator: ".") {
            member = schema[String(name)]
            schema = member?.form.members ?? []
        }
        return member
    }
}

extension Member {
    /// The allowed values and the summary, or the summary and the range, each with the default.
    fileprivate func help(_ more: String, showsDefault: Bool) -> String {
        let facts = [form.range, showsDefault ? defaultText.map { "default: \($0)" } : nil].compactMap(\.self)
        let repeats = form.isArray ? "; repeatable" : ""
        let end = (facts.isEmpty ? "" : " (\(facts.joined(separator: "; ")))") + repeats + more + "."
        guard let words = form.words else { return summary.dropLast() + end }
        return InputError.alternatives(words) + end + (summary.isEmpty ? "" : " " + summary)
    }

    /// The default, unless it is that of a flag or of what has parts.
    private var defaultText: String? {
        switch standard {
        case .string(let text): text
        case .number(let number): JSONValue.number(number).encodedText
        default: nil
        }
    }
}

extension Form {
    /// All values, or all elements of an array, if they are words.
    fileprivate var words: [String]? {
        switch self {
        case .choice(let words): words
        case .nullable(let form), .named(_, let form), .described(let form, _), .array(let form, _): form.words
        default: nil
        }
    }

    /// Whether an option for it may be given several times.
    fileprivate var isArray: Bool {
        switch self {
        case .array: true
        case .nullable(let form), .named(_, let form), .described(let form, _): form.isArray
        default: false
        }
    }

    /// The least and the greatest value, if both are limited, or the standard that says what is a value.
    fileprivate var range: String? {
        switch self {
        case .integer(let range) where range.upperBound < .max: "\(range.lowerBound) to \(range.upperBound)"
        case .duration(let range) where range.upperBound < Form.durationMax:
            "\(DurationText.text(range.lowerBound)) to \(DurationText.text(range.upperBound))"
        case .time: "RFC 3339"
        default: nil
        }
    }

    /// The members of an object, also of one that is among the forms of a value.
    fileprivate var members: Schema {
        switch self {
        case .object(let schema): schema
        case .nullable(let form), .named(_, let form), .described(let form, _), .either(_, let form): form.members
        default: []
        }
    }
}
