internal import APNsRules
internal import MynahCore
internal import MynahStore
internal import MynahTrust

/// What all servers of a cluster must have in common to be one APNs; the server that begins the cluster writes it into the
/// log.
struct ClusterIdentity: Sendable {
    /// The certificate of the CA, PEM.
    let authority: String
    /// The keys of the start, without the keys that calls have added.
    let keys: [SigningKey]
    let clock: ClockState

    /// The document of a server with these choices.
    func document(_ choices: Choices) -> JSONValue {
        [
            "rules": .whole(OrderApplier.rulesVersion), "choices": .string(Base64.encode(choices.bytes)),
            "authority": .string(authority), "clock": clock.json,
            "environment": .string(choices.settings.environment.rawValue),
            "keys": .array(
                keys.sorted { $0.keyID < $1.keyID }.map {
                    [
                        "keyId": .string($0.keyID), "team": .string($0.team),
                        "key": .string(Base64.encode($0.publicKey.point)),
                    ]
                }),
        ]
    }

    /// A cluster's document as it was read.
    struct Common {
        fileprivate let json: JSONValue
        /// Whether the cluster's servers have the rules of this one.
        var hasSameRules: Bool { json["rules"] == .whole(OrderApplier.rulesVersion) }
        let choices: Choices
        let clock: ClockState
    }

    /// Reads a cluster's document.
    ///
    /// - Throws: ``LogProblem`` for one that can't be read, and if the settings have another seed, which a cluster keeps.
    func common(
        in document: [UInt8], for settings: Settings, of cluster: String
    ) throws(LogProblem) -> Common {
        let common: Common
        do {
            let json = try JSONValue(parsing: document)
            let bytes = Base64.decode((json["choices"]?.string ?? "").utf8)?.bytes ?? []
            common = Common(
                json: json, choices: try Choices(bytes, over: settings),
                clock: try ClockState(json: json["clock"] ?? .null))
        } catch {
            throw LogProblem(
                .different, file: cluster, "a newer version of Mynah began it, which this one can't read: \(error)",
                remedy: "Let all servers have that version")
        }
        if let seed = settings.seed, seed != common.choices.seed {
            throw LogProblem(
                .different, file: cluster,
                "--seed is \(seed): expected \(common.choices.seed), the seed of the cluster",
                remedy: "Leave --seed out, or begin another cluster (--cluster-name)")
        }
        return common
    }

    /// In what a server with these settings differs from a cluster, with both values, of which `whose` names the
    /// cluster's.
    func differences(_ settings: Settings, from common: Common, whose: String) -> [String] {
        let own = Choices(seed: common.choices.seed, settings: settings)
        let mine = document(own)
        var differences = own.differences(from: common.choices, whose: whose)
        if mine["authority"] != common.json["authority"] { differences.append("the CA in --state-dir") }
        // Earlier versions wrote none.
        if let environment = common.json["environment"], environment != mine["environment"] {
            differences.append(
                Choices.difference(
                    "--environment", settings.environment.rawValue, whose: whose, environment.string ?? "unknown"))
        }
        if mine["keys"] != common.json["keys"] {
            differences.append(
                "the signing keys of --state-dir or --auth-key "
                    + "(\(ClusterIdentity.keyNames(mine)); \(whose): \(ClusterIdentity.keyNames(common.json)))")
        }
        if !common.hasSameRules {
            let theirs = common.json["rules"]?.integer.map { "\($0)" } ?? "unknown"
            differences.append(
                "the version of Mynah (its rules are \(OrderApplier.rulesVersion), those of the cluster \(theirs))")
        }
        return differences
    }

    /// The keys of a document by their ids; two keys with one id may differ in point or team.
    private static func keyNames(_ document: JSONValue) -> String {
        let names = document["keys"]?.array?.map { "\($0["team"]?.string ?? "?")/\($0["keyId"]?.string ?? "?")" } ?? []
        return names.isEmpty ? "none" : names.joined(separator: " ")
    }
}
