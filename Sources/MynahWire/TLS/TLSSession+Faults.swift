internal import APNsRules
internal import COpenSSL

/// What goes wrong in TLS on request (`Documents#Actions`), and the place in the handshake where it is decided.
extension TLSSession {
    /// The ClientHello at which a server's handshake is held; `nil` when it is not held.
    var heldHello: ClientHelloHold.Hello? { hold?.held }

    /// Goes on with a handshake that is held, or does not hold it at all.
    package func proceed() { hold?.release() }

    /// Shows the certificate that a context has for the server name of the ClientHello; while the handshake is held.
    ///
    /// - Throws: ``OpenSSLError`` when OpenSSL does not take the certificate.
    func show(certificateOf context: TLSContext) throws(OpenSSLError) {
        ERR_clear_error()
        guard context.adopt(raw, serverName: heldHello?.serverName) else { throw OpenSSLError.drain() }
    }

    /// Resumes no earlier session, because a resumption shows no certificate; while the handshake is held.
    func refuseTickets() { hold?.refusesTickets = true }

    /// Adds an alert to the output in the clear, as one is that answers a ClientHello (RFC 8446 §5.1, §6).
    func sendAlertInTheClear(_ alert: TLSAlert) {
        let record: [UInt8] = [
            TLSRecord.alert, TLSRecord.version.major, TLSRecord.version.minor, 0, 2, alert.level, alert.rawValue,
        ]
        let written = BIO_write(output, record, Int32(record.count))
        precondition(written == record.count, "OpenSSL took \(written) of \(record.count) bytes into memory")
    }

    /// Has the handshake end with an alert behind both sides' Finished; while the handshake is held.
    ///
    /// In TLS 1.3 OpenSSL sends it and the handshake then fails; in TLS 1.2 it is left to ``sendAlert(_:)``, and only
    /// suites are chosen that can do it, which every client of this century has.
    func endHandshake(with alert: TLSAlert) {
        guard alert != .closeNotify else { return }
        hold?.alertInPlaceOfTicket = alert
        ERR_clear_error()
        SSL_set_cipher_list(raw, TLS12AlertRecord.suites)
        ERR_clear_error()
    }

    /// Adds an alert to the output as the first record behind TLS 1.2's Finished, in place of all further ones;
    /// close_notify is left to ``sendCloseNotify()``.
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
    /// The version in the record's head: that of TLS 1.2, in TLS 1.3 too.
    static let version: (major: UInt8, minor: UInt8) = (3, 3)
}

extension TLSAlert {
    /// 1 for a warning, 2 for what is fatal: everything but the wish to end (RFC 8446 §6, §6.1).
    var level: UInt8 {
        switch self {
        case .closeNotify, .userCanceled: 1
        default: 2
        }
    }
}
