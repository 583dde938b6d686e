internal import APNsRules

extension StateFolder {
    /// Names the generated `AuthKey_….p8` and its team: `{"keyId": "…", "teamId": "…"}`.
    ///
    /// Without this file a user's own key in the folder could be taken for the generated one, which every client gets.
    static let developmentKeyName = "development-key.json"

    /// Reads the generated key in the folder, or generates one and keeps it there if the folder is writable.
    ///
    /// - Parameter team: `--team-id`, which replaces the team in the folder.
    func developmentKey(team: String?) throws(TrustError) -> (key: SigningKey, isOnDisk: Bool) {
        let kept = try keptIdentity()
        let team = team ?? kept?.team
        if let kept, let key = try keptKey(kept.keyID, team: team ?? kept.team) {
            if key.team != kept.team { _ = try keepIdentity(of: key) }
            return (key, true)
        }
        let key = try SigningKey.generate(team: team)
        // The key first, because it counts only once the other file names it.
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
            preconditionFailure("the loop above checks both")
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
            // Only the file can be at fault, because both ids are well formed.
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
