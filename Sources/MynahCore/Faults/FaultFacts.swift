package import APNsRules

/// What fault rules can match: the facts of one request, or of one connection before its first request; the payload and
/// texts are decoded when a rule first needs them.
package struct FaultFacts {
    package let event: FaultEvent
    package let connection: UInt64
    /// `nil` until the port or the server name determines it.
    package let environment: APNsEnvironment?
    /// `nil` if the path has no well-formed token.
    package let token: DeviceToken?
    package let now: Instant
    /// The device's id, for an unknown device its token; set if ``FaultPrefilter/namesDevices``.
    package var device: String?
    /// The device's scope; set as ``device``.
    package var scope: String?

    let headers: HeaderBlock
    private let fields: RequestFields
    private let body: ArraySlice<UInt8>
    // The bundle id in the path of a request that concerns channels, or the origin of a web app.
    private let bundleID: String?
    // What the browser of a web push decrypts, `nil` if it can't; decrypted when a rule asks for it.
    private var plaintext: (() -> [UInt8]?)?
    private var isWebPush: Bool { plaintext != nil }
    private let credential: JudgedCredential
    private var applicationServerKey: String?
    private var parsed: JSONValue??
    private var searchText: String?
    private var decrypted: ArraySlice<UInt8>?
    private var tokenText: JSONValue?
    private var headerFields: [(name: String, value: String)]?

    package init(push: borrowing Candidate, connection: UInt64) {
        self.init(push, bundleID: nil, connection: connection)
    }

    /// The facts of a broadcast or of a call of channel management: its topic is the app's bundle id.
    package init(channels request: borrowing ChannelRequest, connection: UInt64) {
        self.init(request.candidate, bundleID: request.bundleID, connection: connection)
    }

    /// The facts of a web push: its topic is the web app's origin, its token what its endpoint ends in, and its payload
    /// what `plaintext` returns, which is called only if a rule looks at it.
    package init(
        web push: borrowing Candidate, token: DeviceToken?, topic: String?, applicationServerKey: [UInt8]?,
        connection: UInt64, plaintext: @escaping () -> [UInt8]?
    ) {
        event = .request
        self.connection = connection
        environment = push.environment
        self.token = token
        now = push.receivedAt
        headers = push.headers
        fields = push.fields
        body = push.body
        credential = push.credential
        bundleID = topic
        self.plaintext = plaintext
        self.applicationServerKey = applicationServerKey.map { Base64.encode($0, url: true) }
    }

    private init(_ push: borrowing Candidate, bundleID: String?, connection: UInt64) {
        event = .request
        self.connection = connection
        environment = push.environment
        token = push.token
        now = push.receivedAt
        headers = push.headers
        fields = push.fields
        body = push.body
        credential = push.credential
        self.bundleID = bundleID
    }

    /// The facts of a connection that has not sent a request; `event` is `accept` or `handshake`.
    package init(_ event: FaultEvent, connection: UInt64, environment: APNsEnvironment?, now: Instant) {
        self.event = event
        self.connection = connection
        self.environment = environment
        self.now = now
        token = nil
        headers = HeaderBlock()
        fields = RequestFields(headers)
        body = []
        credential = .none
        bundleID = nil
    }

    private var kind: JournalKind { isWebPush ? .webPush : bundleID == nil ? .push : .broadcast }

    var topic: String? { bundleID ?? text(.apnsTopic) }

    /// The value of a key, if it is text; for the index.
    func text(of key: FilterKey) -> String? {
        switch key {
        case .device: device ?? token?.hex
        case .scope: scope
        case .topic: topic
        case .channel: text(.apnsChannelID)
        case .team: identity?.team
        case .keyId: identity?.keyID
        case .apnsId: text(.apnsID).flatMap { NotificationID($0) }?.text.lowercased()
        case .collapseId: text(.apnsCollapseID)
        case .environment: environment?.rawValue
        case .kind: kind.rawValue
        default: nil
        }
    }

    mutating func values(of field: FilterField) -> [JSONValue] {
        switch field {
        case .key(let key): value(of: key).map { [$0] } ?? []
        case .place(.payload, let pointer): payload().flatMap { pointer.value(in: $0) }.map { [$0] } ?? []
        case .payloadIncludes: payload().map { [$0] } ?? []
        case .header(let name): headerPairs().filter { $0.name == name }.map { .string($0.value) }
        case .place(.screen, _), .place(.webPush, _): []
        }
    }

    private mutating func value(of key: FilterKey) -> JSONValue? {
        switch key {
        case .token: tokenValue()
        case .pushType: pushType().map { .string($0) }
        case .priority: priority.map { .number(JSONNumber($0.rawValue)) }
        case .connection: .number(JSONNumber(connection))
        case .text: .string(payloadText())
        default: text(of: key).map { .string($0) }
        }
    }

    // 10 if it was not sent, as for APNs; a web push has none.
    private var priority: Priority? {
        guard !isWebPush else { return nil }
        guard let range = fields[.apnsPriority] else { return .immediate }
        return Priority(headers.storage.span.extracting(range))
    }

    // A rejected credential identifies no provider.
    private var identity: ProviderIdentity? {
        guard case .token(let identity) = credential.verdict else { return nil }
        return identity
    }

    /// The team and the id of the key that has signed a good provider token; of a web push its application server key.
    var signingKey: String? { applicationServerKey ?? identity.map { "\($0.team) \($0.keyID)" } }

    private mutating func pushType() -> String? {
        // The type of a broadcast is compared in any case, and a call of channel management has none.
        guard !isWebPush else { return nil }
        guard bundleID == nil else { return (text(.apnsPushType) ?? PushType.liveactivity.rawValue).lowercased() }
        return text(.apnsPushType) ?? inferredPushType()?.rawValue
    }

    private mutating func inferredPushType() -> PushType? {
        guard let place = fields[.apnsTopic] else { return PushType(impliedBy: nil, payload: payload()) }
        if let type = Topic.impliedPushType(of: headers.storage.span.extracting(place)) { return type }
        let payload = self.payload()
        return PushType(impliedBy: headers.storage.span.extracting(place), payload: payload)
    }

    private mutating func payload() -> JSONValue? {
        if let parsed { return parsed }
        let payload = try? JSONValue(parsing: content().span)
        parsed = .some(payload)
        return payload
    }

    // What the app gets; nothing of a web push that its browser can't decrypt.
    private mutating func content() -> ArraySlice<UInt8> {
        guard let plaintext else { return body }
        let content = decrypted ?? (plaintext() ?? [])[...]
        decrypted = content
        return content
    }

    private mutating func payloadText() -> String {
        let text = searchText ?? payload()?.searchText ?? String(decoding: content(), as: UTF8.self).lowercased()
        searchText = text
        return text
    }

    private mutating func tokenValue() -> JSONValue? {
        tokenText = tokenText ?? token.map { .string($0.hex) }
        return tokenText
    }

    /// The value of a header field; of a credential, without the signature.
    func text(of field: HeaderBlock.Field) -> String {
        guard field.name == .authorization else { return headers.text(field.value) }
        return credential.recorded.authorization ?? ""
    }

    private mutating func headerPairs() -> [(name: String, value: String)] {
        let fields = headerFields ?? headers.fields(authorization: credential.recorded.authorization)
        headerFields = fields
        return fields
    }

    private func text(_ name: FieldName) -> String? { fields[name].map { headers.text($0) } }
}
