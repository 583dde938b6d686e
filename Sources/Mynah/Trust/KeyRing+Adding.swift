internal import APNsRules
internal import MynahCore
internal import MynahTrust

extension SigningKeyRing {
    /// Adds these keys, all or none; keys that name each other may come in any order; errors name the places.
    mutating func add(_ new: [SigningKey], places: [String]) throws(InputError) {
        for (index, (key, place)) in zip(new, places).enumerated() {
            guard self[key.keyID] == nil else {
                for key in new[..<index] { self[key.keyID] = nil }
                throw InputError(
                    .conflict, at: "/keyId", "a key with the id \(key.keyID) is known already; choose another"
                ).within(place)
            }
            self[key.keyID] = key
        }
        for (key, place) in zip(new, places) {
            do throws(InputError) { try checkRelations(of: key.keyID) } catch {
                for key in new { self[key.keyID] = nil }
                throw error.within(place)
            }
        }
    }

    /// Puts a key in place of the one with its id, or adds it; changes nothing if it throws.
    mutating func replace(_ key: SigningKey) throws(InputError) {
        let old = self[key.keyID]
        self[key.keyID] = key
        do throws(InputError) { try checkRelations(of: key.keyID) } catch {
            self[key.keyID] = old
            throw error
        }
    }

    /// Checks that a key and the one it is related to belong together (`ProviderAPI#Key-scopes`): two topic-specific
    /// keys of one team in one environment, and no third.
    private func checkRelations(of keyID: String) throws(InputError) {
        guard let key = self[keyID] else { return }
        if let related = key.scope.relatedKeyID, self[related] == nil || related == keyID {
            let possible = keys.filter { $0.keyID != keyID && key.fault(besides: $0) == nil }
            throw InputError(
                at: "/related",
                related == keyID
                    ? "the key \(keyID) can't be related to itself" : "related is \(related), which is no known key",
                allowed: possible.map(\.keyID))
        }
        let partners = partners(of: key)
        for partner in partners {
            if let fault = key.fault(besides: partner) {
                throw InputError(
                    at: key.scope.relatedKeyID == nil ? "/\(fault.field)" : "/related",
                    "\(keyID) and \(partner.keyID) are related, but \(fault.problem)")
            }
            let others = self.partners(of: partner).filter { $0.keyID != keyID }
            if let third = others.first ?? partners.first(where: { $0.keyID != partner.keyID }) {
                throw InputError(
                    at: "/related",
                    "a key has at most one related key: \(keyID), \(partner.keyID) and \(third.keyID) are three")
            }
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

extension NewKey {
    /// Makes keys; errors name the places.
    static func signingKeys(_ new: [NewKey], team: String, places: [String]) throws(InputError) -> [SigningKey] {
        try zip(new, places).map { new, place throws(InputError) in
            do throws(InputError) { return try new.signingKey(team: team) } catch { throw error.within(place) }
        }
    }

    /// Makes the key, of `team` if neither it nor `old`, which it replaces, has one.
    func signingKey(team: String, inPlaceOf old: SigningKey? = nil) throws(InputError) -> SigningKey {
        let keyID = keyID ?? Identifier.random()
        let team = self.team ?? old?.team ?? team
        try NewKey.check(keyID, "keyId")
        try NewKey.check(team, "team")
        let scope = try scope()
        do throws(TrustError) {
            let publicKey: P256PublicKey
            var privateKey = old?.privateKey
            switch (material, old) {
            case (.made, let old?): publicKey = old.publicKey
            case (.publicKey(let pem), _):
                publicKey = try P256PublicKey(pem: pem)
                if privateKey?.publicKey != publicKey { privateKey = nil }
            case (.privateKey(let pem), _):
                let given = try P256PrivateKey(pem: pem)
                publicKey = given.publicKey
                privateKey = given
            case (.made, nil):
                let made = try P256PrivateKey.generate()
                publicKey = made.publicKey
                privateKey = made
            }
            guard let privateKey else {
                return try SigningKey(
                    keyID: keyID, team: team, publicKey: publicKey, scope: scope, revokedAt: revokedAt)
            }
            return try SigningKey(keyID: keyID, team: team, privateKey: privateKey, scope: scope, revokedAt: revokedAt)
        } catch {
            // Both ids are well formed, so the key itself is the problem.
            let field = if case .privateKey = material { "privateKey" } else { "publicKey" }
            throw InputError(at: "/\(field)", "\(field) \(error.problem). \(error.remedy)")
        }
    }

    private static func check(_ identifier: String, _ field: String) throws(InputError) {
        guard !Identifier.isWellFormed(identifier) else { return }
        throw .mismatch(.string(identifier), at: "/\(field)", expected: "\(Limits.identifierLength) letters or digits")
    }

    private func scope() throws(InputError) -> KeyScope {
        guard let topics else {
            guard related == nil else {
                throw InputError(at: "/related", "only a topic-specific key has a related one: give topics too")
            }
            return environment == .both ? .team : KeyScope(environment: environment, topics: nil)
        }
        guard environment != .both else {
            throw InputError(
                at: "/environment", "a topic-specific key is valid in one environment: name it",
                allowed: [EnvironmentScope.sandbox, .production].map(\.rawValue))
        }
        guard (1...Limits.topicsOfKeyMax).contains(topics.count) else {
            throw InputError(
                at: "/topics",
                "\(topics.count) topics are not valid: expected 1 to \(Limits.topicsOfKeyMax), or null for a key of "
                    + "the whole team")
        }
        for (index, topic) in topics.enumerated() where !CertificateOrder.isTopic(topic) {
            throw InputError(
                at: "/topics/\(index)",
                "\"\(topic)\" is not valid: expected 1 to \(Limits.topicBytesMax) letters, digits, hyphens and periods")
        }
        return KeyScope(environment: environment, topics: Set(topics), relatedKeyID: related)
    }
}
