internal import APNsRules
internal import Mynah
internal import MynahCore

/// What `GET /v1/connections` is asked for.
struct ConnectionQuery: Sendable {
    /// The filters: those of the filter language that a connection has.
    private enum Key: String, CaseIterable {
        case environment, team, keyId, connection
    }

    /// The parameters beside the filters.
    private static let parameters = ["limit", "order", "cursor", "wait", "count"]

    private let filter: ParameterFilter<Key>
    /// The page, by number, which is the order in which connections were accepted, and what to wait for.
    let window: ListWindow

    /// Reads the parameters of a URL.
    ///
    /// - Throws: ``Problem`` for one that is unknown or wrong.
    init(_ query: consuming QueryString) throws(Problem) {
        window = try ListWindow(taking: &query, countMin: 0)
        do {
            filter = try ParameterFilter(query.pairs, besides: ConnectionQuery.parameters) {
                key, value, name throws(InputError) in
                switch key {
                case .environment: try Form.choice(APNsEnvironment.self).check(.string(value), at: name)
                case .connection:
                    guard let number = UInt64(value) else {
                        throw .mismatch(.string(value), at: name, expected: "the number of a connection")
                    }
                    return String(number)
                case .team, .keyId: break
                }
                return value
            }
        } catch {
            throw Problem(error)
        }
    }

    /// Whether so many are what the caller waits for: at least `count`, or none when that is 0.
    func isContent(with matched: Int) -> Bool {
        window.count == 0 ? matched == 0 : matched >= window.count
    }

    /// Whether a connection passes the filters.
    func matches(_ entry: ConnectionEntry) -> Bool {
        filter.holds { key in
            let value: String? =
                switch key {
                case .environment: entry.environment.rawValue
                case .team: entry.credential?.team
                case .keyId: entry.credential?.keyID
                case .connection: String(entry.id)
                }
            return value.map { [$0] } ?? []
        }
    }
}
