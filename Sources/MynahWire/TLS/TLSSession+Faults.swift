internal import APNsRules
internal import COpenSSL

/// Faults in TLS (`Documents#Actions`), and the ClientHello at which they are chosen.
extension TLSSession {
    /// The ClientHello at which the server's handshake is held; `nil` when it isn't held.
    var heldHello: ClientHelloHold.Hello? { hold?.held }

    /// Lets the handshake go on, or keeps it from being held.
    package func proceed() { hold?.release() }

    /// Shows the certificate that a context has for the server name of the ClientHello; while the handshake is held.
    ///
    /// - Throws: ``OpenSSLError`` when OpenSSL refuses the certificate.
    func show(certificateOf context: TLSContext) throws(OpenSSLError) {
        ERR_clear_error()
        guard context.adopt(raw, serverName: heldHello?.serverName) else { throw OpenSSLError.drain() }
    }

    /// Refuses to resume a session, which would show no certificate; while the handshake is held.
    func refuseTickets() { hold?.refusesTickets = true }

    /// Adds an unencrypted alert to the output, as an answer to a ClientHello (RFC 8446 §5.1, §6).
    func sendAlertInTheClear(_ alert: TLSAlert) {
        let record: [UInt8] = [
            TLSRecord.alert, TLSRecord.version.major, TLSRecord.version.minor, 0, 2, alert.level, alert.rawValue,
        ]
        let written = BIO_write(output, record, Int32(record.count))
        precondition(written == record.count, "OpenSSL took \(written) of \(record.count) bytes into memory")
    }

    /// Ends the handshake with an alert after both sides' Finished; while the handshake is held.
    ///
    /// In TLS 1.3 OpenSSL sends it, and the handshake then fails. In TLS 1.2 ``sendAlert(_:)`` does, for which the suites
    /// are limited to those that it supports.
    func endHandshake(with alert: TLSAlert) {
        guard alert != .closeNotify else { return }
        hold?.alertInPlaceOfTicket = alert
        ERR_clear_error()
        SSL_set_cipher_list(raw, TLS12AlertRecord.suites)
        ERR_clear_error()
    }

    /// Adds an alert to the output as the only record after TLS 1.2's Finished; ``sendCloseNotify()`` sends close_notify.
    func sendAlert(_ alert: TLSAlert) {
        guard alert != .closeNotify, let record = TLS12AlertRecord.bytes(alert, raw) else { return }
        let written = BIO_write(output, record, Int32(record.count))
        precondition(written == record.count, "OpenSSL took \(written) of \(record.count) bytes into memory")
        SSL_set_quiet_shutdown(raw, 1)
    }
}

/// The numbers of a TLS record (RFC 5246 §6.2.1, RFC 8446 §5.1).
enum TLSRecord {
    /// The type of a record that carries an alert.
    static let alert: UInt8 = 21
    /// The version in the record's header: TLS 1.2, in TLS 1.3 too.
    static let version: (major: UInt8, minor: UInt8) = (3, 3)
}

extension TLSAlert {
    /// 1 for a warning, 2 for a fatal alert: all except those that end the connection in order (RFC 8446 §6, §6.1).
    var level: UInt8 {
        switch self {
        case .closeNotify, .userCanceled: 1
        default: 2
        }
    }
}
