internal import APNsRules

extension StateFolder {
    /// Which `AuthKey_….p8` is the generated one, and of which team: `{"keyId": "…", "teamId": "…"}`.
    ///
    /// By this file and not by what lies in the folder, so that a key of the user's own that lies there too is
    /// never taken for the generated one, which is handed out to anybody who asks.
    static let developmentKeyName = "development-key.json"

    /// The generated key in the folder, or a new one, kept there where that can be.
    ///
    /// - Parameter team: `--team-id`, which wins over the team that was kept, and is kept from then on.
    func developmentKey(team: String?) throws(TrustError) -> (key: SigningKey, isOnDisk: Bool) {
        let kept = try keptIdentity()
        let team = team ?? kept?.team
        if let kept, let key = try keptKey(kept.keyID, team: team ?? kept.team) {
            if key.team != kept.team { _ = try keepIdentity(of: key) }
            return (key, true)
        }
        let key = try SigningKey.generate(team: team)
        // The key first: the other file is what makes it count.
        guard let privateKey = key.privateKey, try write(privateKey.pem, to: key.fileName, mode: 0o600),
            try keepIdentity(of: key)
        else { return (key, false) }
        return (key, true)
    }

    private func keptIdentity() throws(TrustError) -> (keyID: String, team: String)? {
        guard let text = try read(StateFolder.developmentKeyName) else { return nil }
        let document: JSONValue
        do {
            document = try JSONValue(parsing: text)
        } catch {
            throw malformed("is \(error)")
        }
        for name in ["keyId", "teamId"] {
            guard let identifier = document[name]?.string, Identifier.isWellFormed(identifier) else {
                throw malformed("has no \(name) of 10 letters or digits")
            }
        }
        guard let keyID = document["keyId"]?.string, let team = document["teamId"]?.string else {
            preconditionFailure("both were there a line above")
        }
        return (keyID, team)
    }

    private func malformed(_ problem: String) -> TrustError {
        TrustError(
            .malformed, file: path(of: StateFolder.developmentKeyName), problem,
            remedy: "Delete it; a new signing key is made at the next start")
    }

    private func keptKey(_ keyID: String, team: String) throws(TrustError) -> SigningKey? {
        let name = "AuthKey_\(keyID).p8"
        guard let text = try read(name) else { return nil }
        do {
            return try SigningKey(keyID: keyID, team: team, privateKey: P256PrivateKey(pem: text))
        } catch {
            // The file's own faults only: both ids are well formed.
            throw TrustError(
                error.code, file: path(of: name), error.problem,
                remedy: "Delete it; a new signing key is made at the next start")
        }
    }

    private func keepIdentity(of key: SigningKey) throws(TrustError) -> Bool {
        let document: JSONValue = ["keyId": .string(key.keyID), "teamId": .string(key.team)]
        return try write(document.encodedText + "\n", to: StateFolder.developmentKeyName, mode: 0o644)
    }
}
