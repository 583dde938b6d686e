internal import CNATS
internal import MynahSystem
internal import Synchronization

/// How to reach the engine of a cluster.
package struct EngineAddress: Sendable, Equatable {
    /// `nats://` or `tls://` URLs; those with a user and a password are never shown.
    package var servers: [String]
    /// The path of a file with the CA that has to have signed the engine's certificate, PEM.
    package var caFile: String?
    /// The path of a file with a user's JWT and its key.
    package var credentialsFile: String?

    package init(servers: [String] = [], caFile: String? = nil, credentialsFile: String? = nil) {
        self.servers = servers
        self.caFile = caFile
        self.credentialsFile = credentialsFile
    }

    /// The hosts that no address can be found for at present, each with the reason.
    package var unresolved: [String] {
        hosts.compactMap { host in
            var found: UnsafeMutablePointer<addrinfo>?
            let code = getaddrinfo(host, nil, nil, &found)
            defer { if let found { freeaddrinfo(found) } }
            guard code != 0 else { return nil }
            return "\(host) (\(gai_strerror(code).map { String(cString: $0) } ?? "error \(code)"))"
        }
    }

    private var hosts: [String] { servers.compactMap { EngineURL($0)?.host } }

    /// The servers without users and passwords.
    package var description: String {
        servers.map { EngineURL($0)?.shown ?? "a URL that can't be read" }.joined(separator: ",")
    }
}

/// A message that has arrived.
package struct NATSMessage: Sendable {
    package let subject: String
    /// Where an answer is expected, or what JetStream says of the message.
    package let reply: String?
    /// `100` for what the engine says of a consumer, `503` if a request has no receiver; `nil` for a message.
    package let status: String?
    /// What a heartbeat wants an answer to while the consumer waits for one.
    package let stalled: String?
    package let bytes: [UInt8]
}

/// A connection to the engine of a cluster, through libnats, which is opened for it; reconnects by itself, for ever.
///
/// Methods may be called on any thread; receivers are called on threads of the library.
package final class NATSConnection: Sendable {
    /// How long a server may take to answer the beginning of a connection.
    private static let connectMilliseconds: Int64 = 2000
    private static let reconnectMilliseconds: Int64 = 100
    // A node that doesn't answer two pings is given up.
    private static let pingMilliseconds: Int64 = 2000
    private static let pingsMax: Int32 = 2
    /// The most bytes that are read of a `.creds` file, which has about 1,000, or of a CA's.
    private static let fileBytesMax = 64 << 10

    // Pointers as numbers, which are Sendable; the library locks what they point to.
    private let handle: UInt
    private let isClosed = Mutex(false)
    // Subscriptions that have ended, and since when. The thread of libnats 3.4 that reads from the socket finds the
    // subscription of a message, and locks it a moment later, without keeping it alive in between.
    private let ended = Mutex<[(handle: UInt, since: ContinuousClock.Instant)]>([])
    /// How long an ended subscription is kept, far longer than that moment.
    private static let endedKept: Duration = .seconds(60)
    /// The name of the engine in problems.
    package let name: String

    private static let problem: String? = mynah_nats_open().map { String(cString: $0) }
    private static var library: mynah_nats_functions { mynah_nats().pointee }

    /// Connects to the first of the servers that answers.
    ///
    /// - Parameter client: The name of this server, for the engine's own lists.
    package init(_ address: EngineAddress, client: String) throws(LogProblem) {
        name = address.description
        if let problem = NATSConnection.problem {
            throw LogProblem(
                .unsuitable, file: "libnats", "a cluster needs this library: \(problem)",
                remedy: "Install Debian's package libnats3.4, or libnats of another version from 3.4 on")
        }
        let library = NATSConnection.library
        var options: OpaquePointer?
        try NATSConnection.check(library.natsOptions_Create(&options), name)
        defer { library.natsOptions_Destroy(options) }
        let name = name
        func check(_ status: nats_status, _ what: String? = nil) throws(LogProblem) {
            try NATSConnection.check(status, what ?? name)
        }
        let servers = address.servers.map { strdup($0) }
        defer { for server in servers { free(server) } }
        var texts = servers.map { UnsafePointer($0) }
        try check(library.natsOptions_SetServers(options, &texts, Int32(texts.count)))
        try check(library.natsOptions_SetName(options, client))
        try check(library.natsOptions_SetTimeout(options, NATSConnection.connectMilliseconds))
        try check(library.natsOptions_SetPingInterval(options, NATSConnection.pingMilliseconds))
        try check(library.natsOptions_SetMaxPingsOut(options, NATSConnection.pingsMax))
        try check(library.natsOptions_SetMaxReconnect(options, -1))
        try check(library.natsOptions_SetReconnectWait(options, NATSConnection.reconnectMilliseconds))
        // Without this, each message waits a millisecond for others, though an order sends one at a time.
        try check(library.natsOptions_SetSendAsap(options, true))
        // A node that reads nothing must not hold the order's thread up for longer than one that doesn't answer.
        try check(library.natsOptions_SetWriteDeadline(options, NATSConnection.pingMilliseconds))
        // Without a handler, the library writes to standard error.
        try check(library.natsOptions_SetErrorHandler(options, { _, _, _, _ in }, nil))
        if let file = address.caFile {
            try NATSConnection.checkFile(file, has: ["BEGIN CERTIFICATE"], expected: "a CA's certificate in PEM")
            try check(library.natsOptions_LoadCATrustedCertificates(options, file), file)
        }
        // The library goes on without TLS, whatever the URL says, if the engine offers none.
        if address.caFile != nil || address.servers.contains(where: { $0.lowercased().hasPrefix("tls://") }) {
            try check(library.natsOptions_SetSecure(options, true))
        }
        if let file = address.credentialsFile {
            try NATSConnection.checkFile(
                file, has: ["BEGIN NATS USER JWT", "BEGIN USER NKEY SEED"],
                expected: "a .creds file with a user's JWT and seed")
            try check(library.natsOptions_SetUserCredentialsFromFiles(options, file, nil), file)
        }
        var connection: OpaquePointer?
        try check(library.natsConnection_Connect(&connection, options))
        handle = UInt(bitPattern: connection)
    }

    /// Checks that a file is what is expected: the library reads it only when it connects, and then says no more than that
    /// it didn't.
    private static func checkFile(_ file: String, has parts: [String], expected: String) throws(LogProblem) {
        let descriptor = MynahSystem.open(file, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw LogProblem(
                .unsuitable, file: file,
                "it can't be read (\(String(cString: strerror(errno)))): \(expected) was expected")
        }
        defer { _ = MynahSystem.close(descriptor) }
        let text = String(unsafeUninitializedCapacity: fileBytesMax) {
            max(0, read(descriptor, $0.baseAddress, $0.count))
        }
        guard parts.allSatisfy({ text.contains($0) }) else {
            throw LogProblem(.unsuitable, file: file, "it is something else: \(expected) was expected")
        }
    }

    deinit {
        close()
        // The thread that reads has ended.
        destroyEnded(before: nil)
        NATSConnection.library.natsConnection_Destroy(pointer)
    }

    /// Closes the connection; nothing is received any more.
    package func close() {
        let wasClosed = isClosed.withLock { isClosed in
            defer { isClosed = true }
            return isClosed
        }
        if !wasClosed { NATSConnection.library.natsConnection_Close(pointer) }
    }

    private var pointer: OpaquePointer? { OpaquePointer(bitPattern: handle) }

    /// The most bytes of a message.
    package var messageBytesMax: Int { Int(NATSConnection.library.natsConnection_GetMaxPayload(pointer)) }

    /// Sends a message without waiting; while the engine is away the library keeps it for a time.
    ///
    /// A message that doesn't arrive is lost; of a batch, `ClusterLog` sends it again.
    package func publish(
        _ bytes: [UInt8], to subject: String, reply: String? = nil
    ) throws(LogProblem) {
        let message = try message(bytes, to: subject, reply: reply, [])
        defer { NATSConnection.library.natsMsg_Destroy(message) }
        try NATSConnection.check(NATSConnection.library.natsConnection_PublishMsg(pointer, message), name)
    }

    /// Sends a request and waits for its answer.
    package func request(
        _ bytes: [UInt8], to subject: String, headers: [(name: String, value: String)] = [],
        milliseconds: Int64 = 2000
    ) throws(LogProblem) -> NATSMessage {
        let message = try message(bytes, to: subject, reply: nil, headers)
        defer { NATSConnection.library.natsMsg_Destroy(message) }
        var reply: OpaquePointer?
        try NATSConnection.check(
            NATSConnection.library.natsConnection_RequestMsg(&reply, pointer, message, milliseconds), name)
        defer { NATSConnection.library.natsMsg_Destroy(reply) }
        return NATSConnection.received(reply)
    }

    private func message(
        _ bytes: [UInt8], to subject: String, reply: String?, _ headers: [(name: String, value: String)]
    ) throws(LogProblem) -> OpaquePointer? {
        let library = NATSConnection.library
        var message: OpaquePointer?
        let status = bytes.withUnsafeBytes { bytes in
            let data = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
            guard let reply else { return library.natsMsg_Create(&message, subject, nil, data, Int32(bytes.count)) }
            return library.natsMsg_Create(&message, subject, reply, data, Int32(bytes.count))
        }
        try NATSConnection.check(status, name)
        for header in headers {
            try NATSConnection.check(library.natsMsgHeader_Set(message, header.name, header.value), name)
        }
        return message
    }

    /// A name that no other subject has.
    package func makeInbox() throws(LogProblem) -> String {
        var inbox: UnsafeMutablePointer<CChar>?
        try NATSConnection.check(NATSConnection.library.natsInbox_Create(&inbox), name)
        defer { NATSConnection.library.natsInbox_Destroy(inbox) }
        return inbox.map { String(cString: $0) } ?? ""
    }

    /// Receives what is sent to a subject, in order, on a thread of the library, until the subscription ends.
    package func subscribe(
        to subject: String, _ receive: @escaping @Sendable (NATSMessage) -> Void
    ) throws(LogProblem) -> NATSSubscription {
        let library = NATSConnection.library
        let receiver = Unmanaged.passRetained(NATSReceiver(receive: receive))
        var subscription: OpaquePointer?
        do throws(LogProblem) {
            try NATSConnection.check(
                library.natsConnection_Subscribe(
                    &subscription, pointer, subject,
                    { _, _, message, receiver in
                        defer { NATSConnection.library.natsMsg_Destroy(message) }
                        guard let receiver else { return }
                        Unmanaged<NATSReceiver>.fromOpaque(receiver).takeUnretainedValue()
                            .receive(NATSConnection.received(message))
                    }, receiver.toOpaque()), name)
        } catch {
            receiver.release()
            throw error
        }
        // The library calls this after its last call of the other.
        try NATSConnection.check(
            library.natsSubscription_SetOnCompleteCB(
                subscription,
                { receiver in
                    if let receiver { Unmanaged<NATSReceiver>.fromOpaque(receiver).release() }
                }, receiver.toOpaque()), name)
        // No limit, because the library would drop messages; flow control limits what the engine sends.
        try NATSConnection.check(library.natsSubscription_SetPendingLimits(subscription, -1, -1), name)
        return NATSSubscription(handle: UInt(bitPattern: subscription), connection: self)
    }

    fileprivate func end(_ subscription: UInt) {
        _ = NATSConnection.library.natsSubscription_Unsubscribe(OpaquePointer(bitPattern: subscription))
        let now = ContinuousClock.now
        ended.withLock { $0.append((subscription, now)) }
        destroyEnded(before: now - NATSConnection.endedKept)
    }

    private func destroyEnded(before limit: ContinuousClock.Instant?) {
        let due = ended.withLock { ended in
            let count = limit.map { limit in ended.prefix { $0.since < limit }.count } ?? ended.count
            defer { ended.removeFirst(count) }
            return ended.prefix(count).map(\.handle)
        }
        for handle in due { NATSConnection.library.natsSubscription_Destroy(OpaquePointer(bitPattern: handle)) }
    }

    private static func received(_ message: OpaquePointer?) -> NATSMessage {
        func header(_ name: String) -> String? {
            var value: UnsafePointer<CChar>?
            guard library.natsMsgHeader_Get(message, name, &value) == 0, let value else { return nil }
            return String(cString: value)
        }
        let bytes = UnsafeRawBufferPointer(
            start: library.natsMsg_GetData(message), count: Int(library.natsMsg_GetDataLength(message)))
        return NATSMessage(
            subject: library.natsMsg_GetSubject(message).map { String(cString: $0) } ?? "",
            reply: library.natsMsg_GetReply(message).map { String(cString: $0) },
            status: bytes.isEmpty ? header("Status") : nil,
            stalled: bytes.isEmpty ? header("Nats-Consumer-Stalled") : nil,
            bytes: Array(bytes))
    }

    /// The words of the library's status, by its text, since later versions may count otherwise.
    private static func check(_ status: nats_status, _ name: String) throws(LogProblem) {
        guard status != 0 else { return }
        let text = library.natsStatus_GetText(status).map { String(cString: $0) } ?? "status \(status)"
        var lastStatus: nats_status = 0
        let last = library.nats_GetLastError(&lastStatus).map { String(cString: $0) } ?? ""
        // The line of the library's source, such as `(conn.c:2088):`, is left out.
        let reason = last.split(separator: " ").filter { !$0.contains(".c:") }.joined(separator: " ")
        let detail = reason.isEmpty || reason == text ? text : "\(text) (\(reason))"
        if text == "Secure Connection not available" {
            throw LogProblem(
                .denied, file: name, "NATS offers no TLS", remedy: "Have it use TLS, or name it by nats://")
        }
        if text.hasPrefix("SSL") {
            throw LogProblem(
                .denied, file: name, "no TLS connection to NATS: \(detail)",
                remedy: "Name the CA of its certificate by --cluster-ca")
        }
        let isDenied = ["authoriz", "authentic", "permi"].contains { detail.lowercased().contains($0) }
        throw LogProblem(
            isDenied ? .denied : text == "Maximum Payload" ? .tooLarge : .unreachable, file: name,
            isDenied ? "NATS refuses the credentials: \(detail)" : "NATS can't be reached: \(detail)",
            remedy: isDenied ? "Check the user and password of the URL, or --cluster-credentials" : "")
    }
}

private final class NATSReceiver: Sendable {
    let receive: @Sendable (NATSMessage) -> Void
    init(receive: @escaping @Sendable (NATSMessage) -> Void) { self.receive = receive }
}

/// What is sent to a subject, until ``end()``.
package struct NATSSubscription: Sendable {
    fileprivate let handle: UInt
    fileprivate let connection: NATSConnection

    /// Receives nothing more, but for what is being told.
    package func end() { connection.end(handle) }
}
