internal import APNsRules
internal import Mynah
internal import MynahCore

/// The parameters of `GET /v1/connections`.
struct ConnectionQuery: Sendable {
    /// The keys of the filter language that a connection has.
    private enum Key: String, CaseIterable {
        case environment, team, keyId, connection
    }

    private let filter: ParameterFilter<Key>
    /// The page, by number, which is the order of acceptance, and what to wait for.
    let window: ListWindow

    init(_ query: consuming QueryString) throws {
        window = try ListWindow(taking: &query, countMin: 0)
        filter = try ParameterFilter(query.pairs, besides: query.declared) { key, value, name throws(InputError) in
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
    }

    /// Whether the caller need not wait any longer: at least `count` connections match, or none if `count` is 0.
    func isContent(with entries: [ConnectionView]) -> Bool {
        let matched = entries.count(where: matches)
        return window.count == 0 ? matched == 0 : matched >= window.count
    }

    /// The page of these connections, with the counters from their event loops.
    func page(of entries: [ConnectionView], _ server: Server) async -> ListPage {
        let all = entries.filter(matches)
        let matching = (window.order == .ascending ? all : all.reversed()).filter { window.isAfterCursor($0.id) }
        let page = Array(matching.prefix(window.limit))
        var list = ListPage(items: await server.views(of: page), matched: all.count) { $0.json }
        if matching.count > page.count { list.nextCursor = window.cursor(after: page.last?.id) }
        list.lastSequence = server.journal.lastIssued
        return list
    }

    /// Whether a connection passes the filters.
    func matches(_ entry: ConnectionView) -> Bool {
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
