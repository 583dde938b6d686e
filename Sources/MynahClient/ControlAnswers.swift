public import APNsRules

/// A page of the journal (`Documents#Pushes`).
public struct NotificationPage: Sendable {
    /// Pushes as the control API shows them.
    public let items: [JSONValue]
    /// Where the next page begins; `nil` on the last one.
    public let nextCursor: String?
    /// The number of pushes that match; `nil` when the server did not count them.
    public let matched: Int?
    /// Whether the time of a call with `wait` was over.
    public let timedOut: Bool
    /// The number of pushes that the journal has dropped to stay within its bounds.
    public let evicted: Int
    /// The newest sequence number; a call with it as `after` shows only later pushes.
    public let lastSequence: Int64

    init(_ document: JSONValue) throws(ClientError) {
        guard let items = document["items"]?.array, let last = document["lastSequence"]?.integer else {
            throw ClientError(.notMynah, "the list of notifications has no items or no lastSequence")
        }
        self.items = items
        self.nextCursor = document["nextCursor"].flatMap { $0 == .null ? nil : $0.string ?? $0.encodedText }
        self.matched = document["matched"]?.integer.map { Int($0) }
        self.timedOut = document["timedOut"]?.bool ?? false
        self.evicted = Int(document["evicted"]?.integer ?? 0)
        self.lastSequence = last
    }
}

/// The credentials for code under test (`Documents#Keys`).
public struct ServerCredentials: Sendable {
    /// The CA's certificate, PEM.
    public let ca: String
    /// The id of the signing key; `nil` when the keys are the user's own.
    public let keyID: String?
    /// The team of the signing key; `nil` when it is not known.
    public let teamID: String?
    /// The signing key, PKCS #8 in PEM; `nil` when the keys are the user's own.
    public let key: String?

    init(_ document: JSONValue) throws(ClientError) {
        guard let ca = document["ca"]?.string else { throw ClientError(.notMynah, "the credentials have no ca") }
        self.ca = ca
        self.keyID = document["keyId"]?.string
        self.teamID = document["teamId"]?.string
        self.key = document["key"]?.string
    }
}

/// The result of an expectation (`Documents#Expectations`).
public struct ExpectationResult: Sendable {
    /// Whether it was met.
    public let isMet: Bool
    /// The number of pushes that matched.
    public let matched: Int
    /// The pushes that matched.
    public let items: [JSONValue]
    /// Pushes that nearly matched, each `{"sequence", "differences": [{"field", "expected", "actual"}], "push"}`.
    public let nearest: [JSONValue]
    /// Likely causes, a sentence each.
    public let hints: [String]
    /// The whole answer.
    public let document: JSONValue

    package init(_ document: JSONValue) throws(ClientError) {
        guard let isMet = document["met"]?.bool else {
            throw ClientError(.notMynah, "the answer to the expectation does not say whether it is met")
        }
        self.isMet = isMet
        self.matched = Int(document["matched"]?.integer ?? 0)
        self.items = document["items"]?.array ?? []
        self.nearest = document["nearest"]?.array ?? []
        self.hints = document["hints"]?.array?.compactMap(\.string) ?? []
        self.document = document
    }
}
