/// The calls by which the order's thread tells a server of its cluster; a struct, because a closure in generic storage is
/// wrapped at each access.
struct ClusterHooks: Sendable {
    /// Gives the loops the clocks, and the changes of keys and clocks by which connections judge from now on.
    let publish: @Sendable (_ revision: UInt64) -> Void
    /// Changes the list of the connections of the other servers.
    let change: @Sendable ([ClusterMembers.ConnectionChange]) -> Void
    /// Ends those connections of a command that this server has.
    let end: @Sendable (EndConnections) -> Void
    /// Ends all connections.
    let endAll: @Sendable () -> Void
    /// Forgets the connections that have closed and the handshakes that have failed.
    let forgetEnded: @Sendable () -> Void
    /// Called when this server has given up the cluster's run.
    let giveUp: @Sendable () -> Void
}
