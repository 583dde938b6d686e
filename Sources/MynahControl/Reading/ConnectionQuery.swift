internal import APNsRules
internal import Mynah

/// What `GET /v1/connections` is asked for.
struct ConnectionQuery: Sendable {
    /// The filters: those of the filter language that a connection has.
    private enum Key: String, CaseIterable {
        case environment, team, keyId, connection
    }

    private struct Condition {
        let key: Key
        let isNegated: Bool
        var values: [String]
    }

    /// The parameters beside the filters.
    private static let parameters = ["limit", "order", "cursor", "wait", "count"]

    private var conditions: [Condition] = []
    /// The page, by number, which is the order in which connections were accepted, and what to wait for.
    let window: ListWindow

    /// Reads the parameters of a URL.
    ///
    /// - Throws: ``Problem`` for one that is unknown or wrong.
    init(_ query: consuming QueryString) throws(Problem) {
        window = try ListWindow(taking: &query, countMin: 0)
        for parameter in query.rest { try add(parameter) }
    }

    /// Whether so many are what the caller waits for: at least `count`, or none when that is 0.
    func isContent(with matched: Int) -> Bool {
        window.count == 0 ? matched == 0 : matched >= window.count
    }

    /// Whether a connection passes the filters.
    func matches(_ entry: ConnectionEntry) -> Bool {
        conditions.allSatisfy { condition in
            let value: String? =
                switch condition.key {
                case .environment: entry.environment.rawValue
                case .team: entry.credential?.team
                case .keyId: entry.credential?.keyID
                case .connection: String(entry.id)
                }
            return value.map { condition.values.contains($0) } ?? false != condition.isNegated
        }
    }

    private mutating func add(_ parameter: QueryString.Parameter) throws(Problem) {
        let isNegated = parameter.name.hasPrefix("!")
        let name = isNegated ? String(parameter.name.dropFirst()) : parameter.name
        let known = Key.allCases.map(\.rawValue) + ConnectionQuery.parameters
        guard let key = Key(rawValue: name) else {
            throw Problem(
                .unknownParameter,
                "\(name) is no parameter of this call" + NearestName.suggestion(for: name, among: known),
                field: parameter.name, allowed: known)
        }
        let value = try ConnectionQuery.value(parameter, of: key)
        if let index = conditions.firstIndex(where: { $0.key == key && $0.isNegated == isNegated }) {
            conditions[index].values.append(value)
        } else {
            conditions.append(Condition(key: key, isNegated: isNegated, values: [value]))
        }
    }

    private static func value(_ parameter: QueryString.Parameter, of key: Key) throws(Problem) -> String {
        switch key {
        case .environment:
            let names = APNsEnvironment.allCases.map(\.rawValue)
            guard names.contains(parameter.value) else {
                throw Problem(
                    .invalidParameter,
                    "\(parameter.name) is \(parameter.value); it is \(names.joined(separator: " or "))",
                    field: parameter.name, allowed: names)
            }
            return parameter.value
        case .connection:
            guard let number = UInt64(parameter.value) else {
                throw Problem(
                    .invalidParameter, "\(parameter.name) is \(parameter.value); it is the number of a connection",
                    field: parameter.name)
            }
            return String(number)
        case .team, .keyId:
            return parameter.value
        }
    }
}
