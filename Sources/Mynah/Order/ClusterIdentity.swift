internal import APNsRules
internal import MynahCore
internal import MynahStore
internal import MynahTrust

/// What all servers of a cluster have in common, or they would not be one APNs: the first one writes it into the log.
struct ClusterIdentity: Sendable {
    /// The certificate of the CA, PEM.
    let authority: String
    /// Of the start, and not those of calls.
    let keys: [SigningKey]
    let clock: ClockState

    /// The document of a server with these choices.
    func document(_ choices: Choices) -> JSONValue {
        [
            "rules": .whole(OrderApplier.rulesVersion), "choices": .string(Base64.encode(choices.bytes)),
            "authority": .string(authority), "clock": clock.json,
            "keys": .array(
                keys.sorted { $0.keyID < $1.keyID }.map {
                    [
                        "keyId": .string($0.keyID), "team": .string($0.team),
                        "key": .string(Base64.encode($0.publicKey.point)),
                    ]
                }),
        ]
    }

    /// Compares a cluster's document with this server; returns the cluster's choices and its clock at the start.
    ///
    /// - Throws: ``LogProblem`` which names what differs.
    func check(
        _ document: [UInt8], for settings: Settings, of cluster: String
    ) throws(LogProblem) -> (choices: Choices, clock: ClockState) {
        let found: (json: JSONValue, choices: Choices, clock: ClockState)
        do {
            let json = try JSONValue(parsing: document)
            let bytes = Base64.decode((json["choices"]?.string ?? "").utf8)?.bytes ?? []
            found = (json, try Choices(bytes, over: settings), try ClockState(json: json["clock"] ?? .null))
        } catch {
            throw LogProblem(
                .different, file: cluster, "it can't be joined: another version of Mynah began it (\(error))",
                remedy: "Let all servers have one version")
        }
        let own = Choices(seed: settings.seed ?? found.choices.seed, settings: settings)
        let mine = self.document(own)
        var differences = own.differences(from: found.choices)
        if mine["authority"] != found.json["authority"] {
            differences.append("the CA in --state-dir")
        }
        if mine["keys"] != found.json["keys"] { differences.append("the signing keys of --state-dir or --auth-key") }
        if mine["rules"] != found.json["rules"] {
            let theirs = found.json["rules"]?.integer.map { "\($0)" } ?? "unknown"
            differences.append(
                "the version of Mynah (its rules are \(OrderApplier.rulesVersion), those of the cluster \(theirs))")
        }
        guard differences.isEmpty else {
            throw LogProblem(
                .different, file: cluster,
                "this server differs from the others in \(differences.joined(separator: ", "))",
                remedy: "Give all servers the same settings and files")
        }
        return (found.choices, found.clock)
    }
}
