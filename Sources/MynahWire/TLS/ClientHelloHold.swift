internal import APNsRules
internal import COpenSSL

/// Holds a server's handshake once its ClientHello has been read, until ``release()``, so that the server can choose how
/// it goes on.
///
/// Its callbacks only record and answer; the choice is made between two calls of OpenSSL.
final class ClientHelloHold {
    /// The contents of a ClientHello.
    struct Hello {
        /// The server name that the client asks for.
        let serverName: String?
    }

    private enum State {
        case awaited
        case held(Hello)
        case released
    }

    private var state = State.awaited
    /// The alert to send instead of the first session ticket, which OpenSSL makes once it has read the client's
    /// Finished.
    var alertInPlaceOfTicket: TLSAlert?
    /// Whether the client's ticket is refused: a resumption would show it no certificate.
    var refusesTickets = false

    /// Attaches the hold to a session, which it must outlive.
    func attach(to ssl: OpaquePointer) {
        let address = Unmanaged.passUnretained(self).toOpaque()
        precondition(SSL_set_ex_data(ssl, Self.index, address) == 1, "OpenSSL has no memory for a session's data")
    }

    /// Holds the handshakes of all sessions of a context.
    ///
    /// - Throws: ``OpenSSLError`` when memory runs out.
    static func install(_ context: OpaquePointer) throws(OpenSSLError) {
        SSL_CTX_set_client_hello_cb(context, holdClientHello, nil)
        // An extension of NewSessionTicket is the only place after a TLS 1.3 client's Finished where OpenSSL lets us choose
        // an alert. The extension itself is never sent.
        let contexts = UInt32(SSL_EXT_TLS1_3_ONLY | SSL_EXT_TLS1_3_NEW_SESSION_TICKET)
        guard SSL_CTX_add_custom_ext(context, privateExtension, contexts, addToTicket, nil, nil, nil, nil) == 1 else {
            throw OpenSSLError.drain()
        }
    }

    /// The number of an extension for private use (RFC 8446 §11).
    private static let privateExtension: UInt32 = 0xFF4D

    // One index for all contexts; ClientCertificateCheck has the one that OpenSSL reserves for applications.
    private static let index: Int32 = {
        let index = mynah_SSL_get_ex_new_index()
        precondition(index >= 0, "OpenSSL has no memory for an index")
        return index
    }()

    static func of(_ ssl: OpaquePointer?) -> ClientHelloHold? {
        guard let ssl else { return nil }
        return SSL_get_ex_data(ssl, index).map { Unmanaged<ClientHelloHold>.fromOpaque($0).takeUnretainedValue() }
    }

    /// The ClientHello at which the handshake is held; `nil` when it is not held.
    var held: Hello? {
        guard case .held(let hello) = state else { return nil }
        return hello
    }

    /// Lets the handshake go on.
    func release() { state = .released }

    /// The result for OpenSSL; after a HelloRetryRequest the same client sends a second ClientHello.
    fileprivate func arrived(_ ssl: OpaquePointer) -> Int32 {
        switch state {
        case .awaited:
            state = .held(Hello(serverName: ClientHelloHold.serverName(ssl)))
            return SSL_CLIENT_HELLO_RETRY
        case .held: return SSL_CLIENT_HELLO_RETRY
        case .released: return SSL_CLIENT_HELLO_SUCCESS
        }
    }

    /// The first name of the extension (RFC 6066 §3); OpenSSL refuses a malformed one when the handshake goes on.
    private static func serverName(_ ssl: OpaquePointer) -> String? {
        var start: UnsafePointer<UInt8>?
        var count = 0
        guard SSL_client_hello_get0_ext(ssl, UInt32(TLSEXT_TYPE_server_name), &start, &count) == 1 else { return nil }
        let bytes = UnsafeBufferPointer(start: start, count: count)
        // The list's length, the name's type and its length.
        guard bytes.count > 5, bytes[2] == UInt8(TLSEXT_NAMETYPE_host_name) else { return nil }
        let length = Int(bytes[3]) << 8 | Int(bytes[4])
        guard length > 0, bytes.count >= 5 + length else { return nil }
        return String(decoding: bytes[5..<(5 + length)], as: UTF8.self)
    }
}

/// OpenSSL's callback for a ClientHello that it has read and not processed.
private func holdClientHello(
    _ ssl: OpaquePointer?, _ alert: UnsafeMutablePointer<Int32>?, _ argument: UnsafeMutableRawPointer?
) -> Int32 {
    guard let ssl, let hold = ClientHelloHold.of(ssl) else { return SSL_CLIENT_HELLO_SUCCESS }
    return hold.arrived(ssl)
}

/// OpenSSL's callback for an extension of a session ticket: 0 leaves it out, -1 ends the connection with the alert.
private func addToTicket(
    _ ssl: OpaquePointer?, _ type: UInt32, _ context: UInt32,
    _ output: UnsafeMutablePointer<UnsafePointer<UInt8>?>?, _ outputCount: UnsafeMutablePointer<Int>?,
    _ certificate: OpaquePointer?, _ chainIndex: Int, _ alert: UnsafeMutablePointer<Int32>?,
    _ argument: UnsafeMutableRawPointer?
) -> Int32 {
    guard let chosen = ClientHelloHold.of(ssl)?.alertInPlaceOfTicket else { return 0 }
    alert?.pointee = Int32(chosen.rawValue)
    return -1
}
