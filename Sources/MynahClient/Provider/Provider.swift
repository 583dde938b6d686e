internal import APNsRules
internal import MynahWire
internal import NIOCore
internal import NIOPosix

/// Sends pushes as a provider does: HTTP/2 over TLS, one connection per push.
///
/// For tests of a server; a real provider keeps its connection open. Makes no provider token: put one into the headers,
/// or use a certificate.
public struct Provider: Sendable {
    /// The certificate that a provider presents instead of tokens (`ProviderAPI#Certificates`).
    public struct Certificate: Sendable {
        /// The certificate, then its intermediates; PEM.
        public var chainPEM: String
        /// The certificate's key; PEM, not encrypted.
        public var keyPEM: String

        /// A certificate and its key.
        public init(chainPEM: String, keyPEM: String) {
            self.chainPEM = chainPEM
            self.keyPEM = keyPEM
        }
    }

    /// A version of TLS that APNs speaks.
    public enum TLSVersion: String, CaseIterable, Sendable {
        /// TLS 1.2.
        case tls12 = "1.2"
        /// TLS 1.3.
        case tls13 = "1.3"
    }

    /// A push to send.
    public struct Push: Sendable {
        /// `/3/device/<token>`.
        public var path: String
        /// Headers in order, names lower case, without pseudo-headers.
        public var headers: [(name: String, value: String)]
        /// The payload.
        public var body: [UInt8]

        /// A push.
        public init(path: String, headers: [(name: String, value: String)], body: [UInt8]) {
            self.path = path
            self.headers = headers
            self.body = body
        }
    }

    /// The answer of APNs.
    public struct Answer: Sendable {
        /// The status.
        public let status: Int
        /// Headers in order, without `:status`.
        public let headers: [(name: String, value: String)]
        /// The body: JSON with the reason when the push was refused, else empty.
        public let body: [UInt8]

        /// An answer.
        public init(status: Int, headers: [(name: String, value: String)], body: [UInt8]) {
            self.status = status
            self.headers = headers
            self.body = body
        }
    }

    /// How long connecting may take, and then the answer.
    public static let timeout: Duration = .seconds(30)

    private let host: String
    private let port: Int
    private let caPEM: String
    private let certificate: Certificate?
    private let tlsVersion: TLSVersion?
    /// How long connecting may take, and then the answer, for this provider.
    package var timeout = Provider.timeout

    /// A provider for one server, whose certificate is checked for `host`, a name or an address, with the CA `caPEM`.
    ///
    /// It presents `certificate` to a server that asks for one, and offers only `tlsVersion`; with `nil`, both versions.
    public init(
        host: String, port: Int, caPEM: String, certificate: Certificate? = nil, tlsVersion: TLSVersion? = nil
    ) {
        self.host = host
        self.port = port
        self.caPEM = caPEM
        self.certificate = certificate
        self.tlsVersion = tlsVersion
    }

    /// Sends one push; throws ``ClientError/Code/invalidArgument`` before anything is sent when HTTP/2 can't carry its path or a
    /// header, and ``ClientError/Code/unavailable`` when there was no answer: no server listens, it refused the
    /// certificate, or it ended the connection first; the message has its reason.
    public func send(_ push: Push) async throws(ClientError) -> Answer {
        try push.check()
        let authority = ControlURL.authority(host, port)
        var fields = [
            HTTPField(":method", "POST"), HTTPField(":scheme", "https"), HTTPField(":authority", authority),
            HTTPField(":path", push.path),
        ]
        fields += push.headers.map { HTTPField($0.name, $0.value) }
        var request = ProviderExchange.Request(
            host: host, port: port, caPEM: Array(caPEM.utf8), fields: fields, body: push.body,
            timeout: TimeAmount(timeout))
        request.identity = certificate.map {
            ClientIdentity(chainPEM: Array($0.chainPEM.utf8), keyPEM: Array($0.keyPEM.utf8))
        }
        request.version = tlsVersion.map { $0 == .tls12 ? .tls12 : .tls13 }
        let answer: ProviderExchange.Answer
        do {
            answer = try await ProviderExchange.perform(request, on: MultiThreadedEventLoopGroup.singleton.next())
        } catch let failure as ProviderFailure {
            throw ClientError(.unavailable, "https://\(authority): \(failure.problem)")
        } catch is CancellationError {
            throw ClientError(.cancelled, "the push to https://\(authority) was cancelled")
        } catch {
            let reason = ClientError.reason(of: error)
            throw ClientError(.unavailable, "no server takes pushes at https://\(authority): \(reason)")
        }
        guard let status = answer.fields.first(where: { $0.name == ":status" }).flatMap({ Int($0.value) }) else {
            throw ClientError(.notMynah, "the answer has no status")
        }
        let headers = answer.fields.filter { !$0.name.hasPrefix(":") }.map { ($0.name, $0.value) }
        return Answer(status: status, headers: headers, body: answer.body)
    }
}

extension Provider.Push {
    /// Refuses what a server has to answer with a stream error (RFC 9113 §8.2.1, §8.3.1), which says nothing of the cause.
    fileprivate func check() throws(ClientError) {
        guard path.utf8.first == UInt8(ascii: "/"), path.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw ClientError(
                .invalidArgument,
                "the path \(JSONValue.string(path).encodedText) can't be sent: expected visible ASCII without spaces")
        }
        for (name, value) in headers {
            guard HTTPField.isName(name) else {
                throw ClientError(
                    .invalidArgument,
                    "the header \(JSONValue.string(name).encodedText) can't be sent: expected a name of lower-case letters, digits "
                        + "and hyphens")
            }
            guard !HTTPField.connectionNames.contains(name), name != "te" || value == "trailers" else {
                throw ClientError(
                    .invalidArgument,
                    "the header \(name) can't be sent: HTTP/2 has none of a connection, so leave it out")
            }
            guard name != "content-length" || value == "\(body.count)" else {
                throw ClientError(
                    .invalidArgument,
                    "the header content-length can't be sent: expected \(body.count), which is the body's length")
            }
            guard HTTPField.isValue(value) else {
                throw ClientError(
                    .invalidArgument,
                    "the header \(name) can't be sent: expected a value without line breaks or other control characters, "
                        + "and without spaces around it")
            }
        }
    }
}
