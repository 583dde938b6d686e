internal import MynahCore

/// The parameters of `GET /v1/devices`.
struct DeviceQuery: Sendable {
    let filter: DeviceFilter
    let limit: Int
    /// Only devices whose ID comes after this one.
    let after: String?

    init(_ query: consuming QueryString) throws {
        limit = try query.takeLimit()
        let after = try query.take("after")
        let cursor = try query.takeCursor(IDCursor.init(_:))
        self.after = [after, cursor?.id].compactMap(\.self).max()
        filter = try DeviceFilter(parameters: query.pairs, besides: query.declared)
    }
}

/// The parameters of `GET /v1/faults`.
struct FaultQuery: Sendable {
    let filter: FaultFilter
    let limit: Int
    /// Only rules that are tried after this one.
    let after: String?

    init(_ query: consuming QueryString) throws {
        limit = try query.takeLimit()
        after = try query.takeCursor(IDCursor.init(_:))?.id
        filter = try FaultFilter(parameters: query.pairs, besides: query.declared)
    }
}
