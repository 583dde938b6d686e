import APNsRules
import MynahClient
import MynahComparison
import MynahSystem
import MynahTrust
import MynahWire
import NIOCore
import NIOPosix

/// Plays a plan against Mynah and another service, request by request, and compares what they do.
struct ComparisonRun {
    /// How long the other service may take for a connection or an answer.
    static let timeout: Duration = .seconds(30)
    /// How long a comparison may take unless told otherwise; with Apple's service it takes about a minute.
    static let defaultTotal: Duration = .seconds(600)
    /// How many answers in a row may be late before the comparison ends.
    static let lateMax = 3

    /// One of the two services.
    struct Service: Sendable {
        let target: ProviderConnection.Target
        /// The certificate that some connections present; `nil` without one.
        let identity: ClientIdentity?

        var authority: String { ControlURL.authority(target.host, target.port) }
        var scheme: String { target.caPEM == nil ? "http" : "https" }
        fileprivate var expectation: String {
            target.caPEM == nil
                ? "expected HTTP/2 without TLS" : "expected HTTP/2 over TLS, with a certificate of a known CA"
        }
    }

    private struct Open {
        let mynah: ProviderConnection
        let other: ProviderConnection
    }

    let plan: ComparisonPlan
    let premise: ComparisonPremise
    let mynah: Service
    let other: Service
    let redaction: Redaction
    /// `nil` for a service that need not be spared.
    private var pace: Pace?
    var signer: CaseSigner
    /// How long the whole comparison may take.
    private let total: Duration
    private let end: ContinuousClock.Instant
    private let loop: any EventLoop = MultiThreadedEventLoopGroup.singleton.next()
    private var connections: [ComparisonPlan.Connection: Open] = [:]
    /// Whether the other service is known to take the credentials.
    private var hasBegun = false
    private var late = 0
    private var result = ComparisonResult()

    init(
        plan: ComparisonPlan, premise: ComparisonPremise, mynah: Service, other: Service, redaction: Redaction,
        pace: Pace?, signer: CaseSigner, total: Duration
    ) {
        self.plan = plan
        self.premise = premise
        self.mynah = mynah
        self.other = other
        self.redaction = redaction
        self.pace = pace
        self.signer = signer
        self.total = total
        end = .now + total
    }

    /// Plays the whole plan, unless the other service answers 429 or refuses a connection, or the time is over.
    /// - Throws: ``CommandFailure`` if the other service can't be reached, or refuses the credential of good requests.
    mutating func play() async throws -> ComparisonResult {
        do {
            try await playCases()
        } catch {
            await closeAll()
            throw error
        }
        await closeAll()
        result.rows += plan.notTried
        return result
    }

    private mutating func playCases() async throws {
        for kind in [ComparisonPlan.Connection.token, .certificate]
        where plan.cases.contains(where: { $0.connection == kind }) {
            try await checkCredential(kind)
        }
        hasBegun = true
        for one in plan.cases {
            if result.stopped == nil, let pairs = try await play(one) {
                result.rows.append(.init(one.fixture, pairs: pairs))
            } else if let stopped = result.stopped {
                result.rows.append(.init(one.fixture, notTried: stopped))
            }
        }
    }

    // MARK: Time

    private var remaining: Duration { end - .now }
    /// How long a connection or an answer may take.
    private var timeout: TimeAmount { TimeAmount(max(min(ComparisonRun.timeout, remaining), .milliseconds(1))) }

    /// Ends a comparison that has begun once its time is over; returns whether it goes on.
    /// - Throws: ``CommandFailure`` if the other service is not known to take the credentials by then.
    private mutating func hasTime() throws(CommandFailure) -> Bool {
        guard remaining <= .zero else { return true }
        let limit = "--timeout \(DurationText.text(total))"
        guard hasBegun else {
            throw CommandFailure(.unavailable, "\(other.authority): no answer to a good push within \(limit)")
        }
        result.stopped = "the comparison took longer than \(limit)"
        return false
    }

    /// Plays a case; returns its answers, or `nil` if the comparison has ended before the last one.
    private mutating func play(_ one: ComparisonPlan.Case) async throws -> [ComparisonResult.Pair]? {
        var pairs: [ComparisonResult.Pair] = []
        for request in one.requests {
            guard let pair = try await ask(request, on: one.connection) else { return nil }
            pairs.append(pair)
            if pair.other["status"] == "429" {
                result.stopped = "the other service answered 429"
                break
            }
            if late == ComparisonRun.lateMax {
                let limit = ComparisonRun.timeout.components.seconds
                result.stopped = "the other service was silent for \(limit) s after each of \(late) requests"
                break
            }
        }
        if one.connection == .own { await close(.own) }
        return pairs
    }

    /// Sends a request to both services, on connections with the same past; returns `nil` if the comparison has ended.
    private mutating func ask(
        _ request: FixtureRequest, on kind: ComparisonPlan.Connection
    ) async throws -> ComparisonResult.Pair? {
        guard try hasTime(), let open = try await connection(kind) else { return nil }
        let authorization = try signer.authorization(of: request.credential, at: Terminal.now)
        await pause()
        let others = try await exchange(request, authorization, with: other, on: open.other)
        let mynahs = try await exchange(request, authorization, with: mynah, on: open.mynah)
        if !others.isOpen || !mynahs.isOpen { await close(kind) }
        if others.isLate || mynahs.isLate, try !hasTime() { return nil }
        late = others.isLate ? late + 1 : 0
        let redaction = authorization.map(redaction.adding) ?? redaction
        return ComparisonResult.Pair(
            mynah: comparedAnswer(mynahs, to: request, redaction), other: comparedAnswer(others, to: request, redaction)
        )
    }

    private func exchange(
        _ request: FixtureRequest, _ authorization: String?, with service: Service, on connection: ProviderConnection
    ) async throws -> ProviderConnection.Exchange {
        let pseudo = [
            HTTPField(":method", request.method), HTTPField(":scheme", service.scheme),
            HTTPField(":authority", service.authority), HTTPField(":path", request.path),
        ]
        let credential = authorization.map { [HTTPField("authorization", $0)] } ?? []
        let fields = pseudo + credential + request.fields.map { HTTPField($0.name, $0.value) }
        return try await connection.exchange(fields, request.body, within: timeout)
    }

    private func comparedAnswer(
        _ exchange: ProviderConnection.Exchange, to request: FixtureRequest?, _ redaction: Redaction
    ) -> ComparedAnswer {
        var observed = ComparedAnswer.Observation()
        observed.fields = exchange.answer?.fields
        observed.body = exchange.answer?.body ?? []
        observed.failure = exchange.failure
        observed.streamID = request == nil ? nil : exchange.streamID
        observed.settings = exchange.settings
        observed.goAway = exchange.goAway.map { .init($0.code, lastStreamID: $0.lastStreamID, debugData: $0.debugData) }
        observed.isOpen = exchange.isOpen
        let sentID = request?.fields.first { ["apns-id", "apns-request-id"].contains($0.name) }?.value
        return ComparedAnswer(observed, sentID: sentID, redaction: redaction)
    }

    // MARK: Connections

    /// The open pair of connections of a kind, or `nil` if the comparison has ended; the first pair of all is compared
    /// as well.
    private mutating func connection(_ kind: ComparisonPlan.Connection) async throws -> Open? {
        if let open = connections[kind] { return open }
        let row = kind.presentsCertificate ? "connection-certificate" : "connection"
        let isFirst = !result.rows.contains { $0.id == row }
        await pause()
        let others: ProviderConnection
        do {
            others = try await connect(other, kind)
        } catch {
            guard try hasTime() else { return nil }
            let problem = ClientError.reason(of: error)
            guard !hasBegun else {
                result.stopped = "the other service refused a connection: \(problem)"
                return nil
            }
            let isRefused = (error as? ProviderFailure)?.concernsCertificate ?? false
            throw CommandFailure(
                isRefused ? .configuration : .unavailable,
                "\(other.scheme)://\(other.authority): \(problem): "
                    + (isRefused ? "expected it to take --certificate" : other.expectation))
        }
        let mynahs: ProviderConnection
        do {
            mynahs = try await connect(mynah, kind)
        } catch {
            await others.close()
            guard try hasTime() else { return nil }
            throw CommandFailure(
                .unavailable, "Mynah itself, \(mynah.scheme)://\(mynah.authority): \(ClientError.reason(of: error))")
        }
        let open = Open(mynah: mynahs, other: others)
        connections[kind] = open
        if isFirst {
            let name = "a connection \(kind.presentsCertificate ? "with a certificate" : "without a certificate") opens"
            let pair = ComparisonResult.Pair(
                mynah: comparedAnswer(open.mynah.opening, to: nil, redaction),
                other: comparedAnswer(others.opening, to: nil, redaction))
            let source = "ProviderAPI#Stream-limits (observed)"
            result.rows.append(.init(id: row, name: name, source: source, pairs: [pair]))
        }
        if let goAway = others.opening.goAway {
            let data = redaction.applied(to: String(decoding: goAway.debugData, as: UTF8.self))
            let problem = "ended the connection: \(goAway.code) \(data)"
            guard !hasBegun else {
                result.stopped = "the other service \(problem)"
                return nil
            }
            throw CommandFailure(
                .configuration,
                "\(other.authority) \(problem): expected it to "
                    + (kind.presentsCertificate ? "take --certificate" : "stay open"))
        }
        return open
    }

    private func connect(
        _ service: Service, _ kind: ComparisonPlan.Connection
    ) async throws -> ProviderConnection {
        var target = service.target
        target.timeout = timeout
        if kind.presentsCertificate { target.identity = service.identity }
        return try await ProviderConnection.open(target, on: loop)
    }

    /// Makes sure that the other service knows the credential, with a good push to a device token of no device.
    private mutating func checkCredential(_ kind: ComparisonPlan.Connection) async throws {
        let credential: FixtureRequest.Credential = kind.presentsCertificate ? .none : .token(FixtureToken())
        let request = FixtureRequest.good(for: premise, credential: credential)
        // It doesn't end before it has begun.
        guard let pair = try await ask(request, on: kind) else { return }
        guard let status = pair.other["status"] else {
            let reason = (pair.other["answer"] ?? "").trimmingPrefix("none: ")
            throw CommandFailure(.unavailable, "\(other.authority): \(reason): expected an answer to a good push")
        }
        guard status == "403" || status == "429" else { return }
        let reason = "\(status) \(pair.other["body"] ?? "")"
        guard status == "403" else {
            throw CommandFailure(.unavailable, "\(other.authority) answers \(reason): try again later")
        }
        throw CommandFailure(
            .configuration,
            "\(other.authority) refuses the credential: \(reason): expected one that it knows: check "
                + (kind.presentsCertificate ? "--certificate" : "--key, --key-id and --team-id"))
    }

    private mutating func close(_ kind: ComparisonPlan.Connection) async {
        guard let open = connections.removeValue(forKey: kind) else { return }
        await open.other.close()
        await open.mynah.close()
    }

    private mutating func closeAll() async { for kind in ComparisonPlan.Connection.allCases { await close(kind) } }

    /// Waits until the other service may get its next request.
    private mutating func pause() async {
        guard let wait = pace?.wait(at: .now) else { return }
        // The only error is that the loop has ended, which lives as long as the process.
        try? await loop.scheduleTask(in: TimeAmount(wait)) {}.futureResult.get()
    }
}

/// How often a service gets a request or a new connection.
struct Pace {
    static let requestsPerSecond = 4

    private var next: ContinuousClock.Instant?

    /// How long the next one has to wait, counted from `now`.
    mutating func wait(at now: ContinuousClock.Instant) -> Duration {
        let slot = max(next ?? now, now)
        next = slot + .seconds(1) / Pace.requestsPerSecond
        return slot - now
    }
}

/// Signs the provider tokens of cases with the user's key.
struct CaseSigner {
    private let key: SigningKey?
    /// A key that no service knows.
    private let unknownKey: SigningKey
    // A token that was sent before is sent again, byte for byte; a new signature would be another.
    private var made: [FixtureToken: String] = [:]

    init(_ key: SigningKey?) throws(TrustError) {
        self.key = key
        unknownKey = try SigningKey.generate(team: key?.team)
    }

    mutating func authorization(of credential: FixtureRequest.Credential, at now: Instant) throws -> String? {
        switch credential {
        case .none: return nil
        case .raw(let value): return value
        case .token(let token):
            if let value = made[token] { return value }
            guard let key = token.key == .unknown ? unknownKey : key, let privateKey = key.privateKey else {
                throw CommandFailure(.usage, "missing key: expected --key AuthKey_<KEYID>.p8")
            }
            let value = try token.authorization(keyID: key.keyID, team: key.team, at: now) { bytes, isSHA512 in
                try privateKey.signature(of: bytes, isSHA512 ? .es512 : .es256)
            }
            made[token] = value
            return value
        }
    }
}
