internal import APNsRules
internal import COpenSSL

/// Holds a server's handshake as soon as its ClientHello has been read, until somebody has said how it goes on; then
/// has OpenSSL do what was said.
///
/// Its callbacks record and answer; whoever asks and acts does it between two calls of OpenSSL.
final class ClientHelloHold {
    /// What is to be known of a ClientHello.
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
    /// What is sent in place of the first session ticket, which OpenSSL makes as soon as the client's Finished has
    /// been read.
    var alertInPlaceOfTicket: TLSAlert?
    /// Whether the client's ticket counts for nothing: a resumption would show it no certificate.
    var refusesTickets = false

    /// Makes the hold known to a session, which it must outlive.
    func attach(to ssl: OpaquePointer) {
        let address = Unmanaged.passUnretained(self).toOpaque()
        precondition(SSL_set_ex_data(ssl, Self.index, address) == 1, "OpenSSL has no memory for a session's data")
    }

    /// Has all sessions of a context held.
    ///
    /// - Throws: ``OpenSSLError`` when memory runs out.
    static func install(_ context: OpaquePointer) throws(OpenSSLError) {
        SSL_CTX_set_client_hello_cb(context, holdClientHello, nil)
        // The only place behind a TLS 1.3 client's Finished where OpenSSL asks for an alert of our choice is an
        // extension of NewSessionTicket. This one is never sent.
        let contexts = UInt32(SSL_EXT_TLS1_3_ONLY | SSL_EXT_TLS1_3_NEW_SESSION_TICKET)
        guard SSL_CTX_add_custom_ext(context, privateExtension, contexts, addToTicket, nil, nil, nil, nil) == 1 else {
            throw OpenSSLError.drain()
        }
    }

    /// The number of an extension that nobody else uses (RFC 8446 §11: private use).
    private static let privateExtension: UInt32 = 0xFF4D

    // One number for all contexts, beside the one that OpenSSL keeps for applications.
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

    /// What OpenSSL is to do with a ClientHello; a second one, after a HelloRetryRequest, is that of the first's client.
    fileprivate func arrived(_ ssl: OpaquePointer) -> Int32 {
        switch state {
        case .awaited:
            state = .held(Hello(serverName: ClientHelloHold.serverName(ssl)))
            return SSL_CLIENT_HELLO_RETRY
        case .held: return SSL_CLIENT_HELLO_RETRY
        case .released: return SSL_CLIENT_HELLO_SUCCESS
        }
    }

    /// The one name of the extension (RFC 6066 §3); OpenSSL refuses one that is malformed as soon as it goes on.
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

/// OpenSSL's callback for a ClientHello that has been read and not looked at.
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
