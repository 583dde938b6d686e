/// The numbers by which a log names commands.
///
/// A number is never given to another command, and a changed document gets a new number, or is read in both forms. A new
/// command's is the lowest above all others.
struct CommandKind: Sendable {
    /// The commands of one file of `Commands`, which has their numbers.
    typealias Numbered = KeyValuePairs<UInt8, any Command.Type>

    private static let commands: [Numbered] = [
        looks, devices, apps, screens, activities, channels, faults, scenarios, clocks, keys, removals, fixtures,
        connections,
    ]

    let rawValue: UInt8
    /// The type of the commands of this kind.
    let command: any Command.Type
}

extension CommandKind: CaseIterable {
    static let allCases = commands.joined().map { CommandKind(rawValue: $0.key, command: $0.value) }
    /// The kinds by their numbers; a newer Mynah may have others.
    static let byNumber = Dictionary(uniqueKeysWithValues: allCases.map { ($0.rawValue, $0) })
    fileprivate static let byType = Dictionary(
        uniqueKeysWithValues: allCases.map { (ObjectIdentifier($0.command), $0) })
}

extension CommandKind: Hashable {
    static func == (one: CommandKind, other: CommandKind) -> Bool { one.rawValue == other.rawValue }
    func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }
}

extension Command {
    /// The kind of the commands of this type; a type without one is a mistake in the list of its file.
    static var kind: CommandKind {
        guard let kind = CommandKind.byType[ObjectIdentifier(Self.self)] else {
            preconditionFailure("\(Self.self) has no kind: the file that declares it numbers its commands")
        }
        return kind
    }
}
