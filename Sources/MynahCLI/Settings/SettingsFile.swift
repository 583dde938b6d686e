internal import Yams

/// The YAML file with settings: the flags' names as keys, lists as YAML lists or with commas.
enum SettingsFile {
    /// Reads the settings in `text`.
    ///
    /// - Throws: ``CommandFailure`` with ``CommandStatus/configuration``, with file, line and key: no YAML, an
    ///   unknown key with the nearest name, a value of the wrong shape.
    static func read(_ text: String, path: String) throws(CommandFailure) -> [String: GivenValue] {
        guard let root = try compose(text, path: path) else { return [:] }
        guard let mapping = root.mapping else {
            throw failure(path, root.mark?.line, "settings with their values were expected, like port: 2197")
        }
        var given: [String: GivenValue] = [:]
        for (key, value) in mapping {
            guard let name = key.scalar?.string else {
                throw failure(path, key.mark?.line, "a setting's name was expected")
            }
            guard let setting = SettingTable.named(name) else {
                let names = SettingTable.all.map(\.name)
                throw failure(
                    path, key.mark?.line,
                    "unknown setting \(name)" + NearestName.suggestion(for: name, among: names))
            }
            let origin = GivenValue.Origin.file(path: path, line: key.mark?.line ?? 1, key: name)
            given[name] = GivenValue(origin: origin, texts: try texts(value, setting, path: path))
        }
        return given
    }

    /// The YAML in `text`; `nil` when there is nothing but comments.
    ///
    /// - Throws: ``CommandFailure`` with ``CommandStatus/configuration``, with file and line.
    static func compose(_ text: String, path: String) throws(CommandFailure) -> Node? {
        do {
            return try Yams.compose(yaml: text)
        } catch let error as YamlError {
            throw syntaxFailure(error, path: path)
        } catch {
            throw CommandFailure(.configuration, "\(path): not YAML: \(error)")
        }
    }

    private static func syntaxFailure(_ error: YamlError, path: String) -> CommandFailure {
        switch error {
        case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
            .composer(_, let problem, let mark, _):
            return failure(path, mark.line, "not YAML: \(problem)")
        case .duplicatedKeysInMapping(let duplicates, let context):
            return failure(
                path, context.mark.line, "given more than once: \(duplicates.sorted().joined(separator: ", "))")
        default:
            return CommandFailure(.configuration, "\(path): not YAML: \(error)")
        }
    }

    private static func texts(_ value: Node, _ setting: Setting, path: String) throws(CommandFailure) -> [String] {
        if let scalar = value.scalar {
            guard scalar.style != .plain || !["", "~", "null"].contains(scalar.string.lowercased()) else {
                throw failure(
                    path, value.mark?.line, "\(setting.name) has no value; expected \(setting.expected)")
            }
            return setting.values(in: scalar.string)
        }
        guard setting.shape == .list, let sequence = value.sequence else {
            let what = value.mapping == nil ? "a list" : "a mapping"
            throw failure(
                path, value.mark?.line, "\(setting.name) is \(what); expected \(setting.expected)")
        }
        var texts: [String] = []
        for element in sequence {
            guard let text = element.scalar?.string else {
                throw failure(
                    path, element.mark?.line, "\(setting.name): each element must be \(setting.expected)")
            }
            texts.append(text)
        }
        return texts
    }

    private static func failure(_ path: String, _ line: Int?, _ problem: String) -> CommandFailure {
        CommandFailure(.configuration, "\(path):\(line ?? 1): \(problem)")
    }
}
