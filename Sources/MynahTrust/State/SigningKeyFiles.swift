internal import APNsRules

extension StateFolder {
    /// The file that names the generated key, which every client may get, and its team, `{"keyId":"…","teamId":"…"}`;
    /// otherwise a user's own key in the folder could be mistaken for the generated one.
    static let developmentKeyName = "development-key.json"
    private static let deletingTheKey = "Delete it; the next start makes a new signing key"

    /// Reads the generated key from the folder, or generates one and stores it there if the folder is writable.
    ///
    /// `team`, from `--team-id`, replaces the stored team. `file` is `nil` if the key is only in memory.
    func developmentKey(team: String?) throws(TrustError) -> (key: SigningKey, file: String?) {
        let kept = try keptIdentity()
        let team = team ?? kept?.team
        if let kept, let key = try keptKey(kept.keyID, team: team ?? kept.team) {
            if key.team != kept.team { _ = try keepIdentity(of: key) }
            return (key, path(of: key.fileName))
        }
        let key = try SigningKey.generate(team: team)
        // The key first, because it is ignored until the other file names it.
        guard let privateKey = key.privateKey, try write(privateKey.pem, to: key.fileName, mode: 0o600),
            try keepIdentity(of: key)
        else { return (key, nil) }
        return (key, path(of: key.fileName))
    }

    private func keptIdentity() throws(TrustError) -> (keyID: String, team: String)? {
        guard let (text, file) = try read(StateFolder.developmentKeyName) else { return nil }
        func malformed(_ problem: String) -> TrustError {
            TrustError(.malformed, file: file, problem, remedy: StateFolder.deletingTheKey)
        }
        let document: JSONValue
        do { document = try JSONValue(parsing: text) } catch { throw malformed("is \(error)") }
        func identifier(_ name: String) throws(TrustError) -> String {
            if let identifier = document[name]?.string, Identifier.isWellFormed(identifier) { return identifier }
            throw malformed("has no \(name) of 10 letters or digits")
        }
        return (try identifier("keyId"), try identifier("teamId"))
    }

    private func keptKey(_ keyID: String, team: String) throws(TrustError) -> SigningKey? {
        guard let (text, file) = try read("AuthKey_\(keyID).p8") else { return nil }
        // Only the file can be faulty, because both ids are well formed.
        return try attempt(SigningKey(keyID: keyID, team: team, privateKey: P256PrivateKey(pem: text))) {
            $0.inFile(file, remedy: StateFolder.deletingTheKey)
        }
    }

    private func keepIdentity(of key: SigningKey) throws(TrustError) -> Bool {
        let document: JSONValue = ["keyId": .string(key.keyID), "teamId": .string(key.team)]
        return try write(document.encodedText + "\n", to: StateFolder.developmentKeyName, mode: 0o644)
    }
}

/// The user's own signing keys (`ControlAPI#Authentication-of-providers`).
enum UserKeys {
    /// Reads `AuthKey_<KEYID>.p8` files of one team, each key once; an error names the file or the missing flag.
    static func read(_ files: [String], team: String?) throws(TrustError) -> [SigningKey] {
        guard let team else {
            throw TrustError(
                .badSetting, "--auth-key needs the team that the key belongs to",
                remedy: "Give the team's id of 10 characters with --team-id")
        }
        try Identifier.check(team, "team id (--team-id)")
        var keys: [SigningKey] = []
        for file in files {
            let key = try read(file, team: team)
            guard !keys.contains(where: { $0.keyID == key.keyID }) else {
                throw TrustError(
                    .badSetting, file: file, "is the second key with the id \(key.keyID)",
                    remedy: "Give each key once with --auth-key")
            }
            keys.append(key)
        }
        return keys
    }

    private static func read(_ file: String, team: String) throws(TrustError) -> SigningKey {
        guard let keyID = SigningKey.keyID(inFileName: file.split(separator: "/").last ?? "") else {
            throw TrustError(
                .badFileName, file: file, "has a name without a key id",
                remedy: "Name it as Apple does, AuthKey_<KEYID>.p8 with the key id of 10 letters or digits")
        }
        let text = try FileSystem.text(of: file, remedy: "Check --auth-key")
        return try attempt(SigningKey(keyID: keyID, team: team, privateKey: P256PrivateKey(pem: text))) {
            $0.inFile(file)
        }
    }
}
