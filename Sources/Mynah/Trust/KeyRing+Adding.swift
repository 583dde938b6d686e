internal import APNsRules
internal import MynahTrust

extension SigningKeyRing {
    /// The ring with these keys, all or none; keys that name each other may come in any order.
    ///
    /// - Throws: ``KeyFault`` with the index of the first key that can't be taken.
    func adding(_ new: [NewKey], team: String) throws(KeyFault) -> SigningKeyRing {
        var ring = self
        var ids: [String] = []
        for (index, key) in new.enumerated() {
            do throws(KeyFault) {
                let made = try key.signingKey(team: team)
                guard ring[made.keyID] == nil else {
                    throw KeyFault(
                        .exists, "keyId", problem: "a key with the id \(made.keyID) is known already; choose another")
                }
                ring = ring.adding(made)
                ids.append(made.keyID)
            } catch {
                throw error.at(index)
            }
        }
        for (index, keyID) in ids.enumerated() {
            do throws(KeyFault) {
                try ring.checkRelations(of: keyID)
            } catch {
                throw error.at(index)
            }
        }
        return ring
    }

    /// The ring with a key in place of the one of its id, of which team and key itself stay where `new` has none.
    func replacing(_ keyID: String, by new: NewKey, team: String) throws(KeyFault) -> SigningKeyRing {
        var new = new
        new.keyID = keyID
        let ring = adding(try new.signingKey(team: team, inPlaceOf: self[keyID]))
        try ring.checkRelations(of: keyID)
        return ring
    }

    /// Checks that a key and the one it is related to belong together (`ProviderAPI#Key-scopes`): two topic-specific
    /// keys of one team in one environment, and no third.
    private func checkRelations(of keyID: String) throws(KeyFault) {
        guard let key = self[keyID] else { return }
        if let related = key.scope.relatedKeyID, self[related] == nil || related == keyID {
            let possible = keys.filter { $0.keyID != keyID && key.fault(besides: $0) == nil }
            throw KeyFault(
                .invalid, "related",
                problem: related == keyID
                    ? "the key \(keyID) can't be related to itself" : "related is \(related), which is no known key",
                allowed: possible.map(\.keyID))
        }
        let partners = partners(of: key)
        for partner in partners {
            if let fault = key.fault(besides: partner) {
                throw KeyFault(
                    .invalid, key.scope.relatedKeyID == nil ? fault.field : "related",
                    problem: "\(keyID) and \(partner.keyID) are related, but \(fault.problem)")
            }
            let others = self.partners(of: partner).filter { $0.keyID != keyID }
            if let third = others.first ?? partners.first(where: { $0.keyID != partner.keyID }) {
                throw KeyFault(
                    .invalid, "related",
                    problem:
                        "a key has at most one related key: \(keyID), \(partner.keyID) and \(third.keyID) are three")
            }
        }
    }

    /// The keys that a key names, and that name it.
    private func partners(of key: SigningKey) -> [SigningKey] {
        keys.filter {
            $0.keyID != key.keyID && ($0.keyID == key.scope.relatedKeyID || $0.scope.relatedKeyID == key.keyID)
        }
    }
}

extension SigningKey {
    /// Why two keys can't be related, with the field of this one that is at fault; `nil` when they can.
    fileprivate func fault(besides other: SigningKey) -> (field: String, problem: String)? {
        for key in [self, other] where key.scope.topics == nil {
            return ("topics", "\(key.keyID) is a key of the whole team; only topic-specific keys are related")
        }
        if team != other.team { return ("team", "one is of team \(team), the other of \(other.team)") }
        if scope.environment != other.scope.environment {
            let environments = "\(scope.environment.rawValue), the other for \(other.scope.environment.rawValue)"
            return ("environment", "one is for \(environments)")
        }
        return nil
    }
}

// MARK: - One key

extension NewKey {
    /// The key that is described.
    ///
    /// - Parameters:
    ///   - team: Its team, where none is given.
    ///   - old: A key that it replaces.
    /// - Throws: ``KeyFault`` that names the field.
    func signingKey(team: String, inPlaceOf old: SigningKey? = nil) throws(KeyFault) -> SigningKey {
        let keyID = keyID ?? Identifier.random()
        let team = self.team ?? old?.team ?? team
        try NewKey.check(keyID, "keyId")
        try NewKey.check(team, "team")
        let scope = try scope()
        do throws(TrustError) {
            switch material {
            case .publicKey(let pem):
                let publicKey = try P256PublicKey(pem: pem)
                // The half that was told is no other key.
                if let privateKey = old?.privateKey, privateKey.publicKey == publicKey {
                    return try SigningKey(
                        keyID: keyID, team: team, privateKey: privateKey, scope: scope, revokedAt: revokedAt)
                }
                return try SigningKey(
                    keyID: keyID, team: team, publicKey: publicKey, scope: scope, revokedAt: revokedAt)
            case .privateKey(let pem):
                return try SigningKey(
                    keyID: keyID, team: team, privateKey: P256PrivateKey(pem: pem), scope: scope,
                    revokedAt: revokedAt)
            case .made:
                guard let old else {
                    return try SigningKey(
                        keyID: keyID, team: team, privateKey: .generate(), scope: scope, revokedAt: revokedAt)
                }
                guard let privateKey = old.privateKey else {
                    return try SigningKey(
                        keyID: keyID, team: team, publicKey: old.publicKey, scope: scope, revokedAt: revokedAt)
                }
                return try SigningKey(
                    keyID: keyID, team: team, privateKey: privateKey, scope: scope, revokedAt: revokedAt)
            }
        } catch {
            // Both ids are well formed, so it is the key itself.
            let field = if case .privateKey = material { "privateKey" } else { "publicKey" }
            throw KeyFault(.invalid, field, problem: "\(field) \(error.problem). \(error.remedy)")
        }
    }

    private static func check(_ identifier: String, _ field: String) throws(KeyFault) {
        guard !Identifier.isWellFormed(identifier) else { return }
        throw KeyFault(
            .invalid, field,
            problem: "\(field) is \"\(identifier)\"; \(Limits.identifierLength) letters or digits were expected")
    }

    private func scope() throws(KeyFault) -> KeyScope {
        guard let topics else {
            guard related == nil else {
                throw KeyFault(
                    .invalid, "related", problem: "only a topic-specific key has a related one; give topics, too")
            }
            return environment == .both ? .team : KeyScope(environment: environment, topics: nil)
        }
        guard environment != .both else {
            throw KeyFault(
                .invalid, "environment", problem: "a topic-specific key is good in one environment; name it",
                allowed: [EnvironmentScope.sandbox, .production].map(\.rawValue))
        }
        guard (1...Limits.topicsOfKeyMax).contains(topics.count) else {
            throw KeyFault(
                .invalid, "topics",
                problem: "topics has \(topics.count) elements; 1 to \(Limits.topicsOfKeyMax) are possible, and null is "
                    + "a key of the whole team")
        }
        for (index, topic) in topics.enumerated() where !Topic.isWellFormed(Array(topic.utf8).span) {
            throw KeyFault(
                .invalid, "topics", String(index),
                problem: "\"\(topic)\" is no topic; 1 to \(Limits.topicBytesMax) letters, digits, hyphens and periods "
                    + "were expected")
        }
        return KeyScope(environment: environment, topics: Set(topics), relatedKeyID: related)
    }
}

extension KeyFault {
    /// The same fault, of the key at an index.
    fileprivate func at(_ index: Int) -> KeyFault {
        var fault = self
        fault.index = index
        return fault
    }
}
