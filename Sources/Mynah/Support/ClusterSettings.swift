/// The cluster that a server joins: the flags of `mynah serve` that begin with `--cluster`.
package struct ClusterSettings: Sendable {
    /// `--cluster`: URLs of the engine's servers; empty is no cluster.
    package var engines: [String] = []
    /// `--cluster-name`: which cluster of the engine.
    package var name = "mynah"
    /// `--cluster-server`: the name of this server; `nil` for the machine's name and the process's number.
    package var server: String?
    /// `--cluster-replicas`: on how many nodes the engine keeps the cluster, if this server begins it.
    package var replicas = 1
    /// `--cluster-ca`: the path of the CA of the engine's certificate, PEM.
    package var caFile: String?
    /// `--cluster-credentials`: the path of a file with a user's JWT and its key.
    package var credentialsFile: String?

    package init() {}
    package var isWanted: Bool { !engines.isEmpty }
}
