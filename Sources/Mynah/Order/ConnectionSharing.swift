/// What a shared order adds to the connections of a server; one with an order of its own, or without any, has none.
protocol ConnectionSharing: Sendable {
    /// The name that the server's connections are listed with.
    var server: String { get }

    /// The number of the next connection; `nil` while the order gives none.
    func nextNumber() -> UInt64?
    /// Records in the order what a connection has proved.
    func record(_ credential: NoteCredential)
}
