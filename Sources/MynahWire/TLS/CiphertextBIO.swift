internal import COpenSSL
internal import NIOCore

/// The ciphertext of one TLS connection: received but not yet decrypted, and still to be sent.
///
/// OpenSSL accesses it through a custom BIO, because a memory BIO clears and copies every byte several times.
struct CiphertextBIO: ~Copyable {
    private struct Contents {
        var input = ByteBuffer()
        var output = ByteBuffer()
    }

    /// Given to `SSL_set_bio`, which owns it from then on; the `SSL` is freed first.
    let raw: OpaquePointer
    private let method: OpaquePointer
    // The BIO's data.
    private let contents: UnsafeMutablePointer<Contents>

    init() throws(OpenSSLError) {
        let method = try OpenSSLError.require(BIO_meth_new(BIO_TYPE_SOURCE_SINK, "ciphertext"))
        BIO_meth_set_read(method) { CiphertextBIO.read($0, into: $1, countMax: $2) }
        BIO_meth_set_write(method) { CiphertextBIO.write($0, bytes: $1, count: $2) }
        // OpenSSL flushes after each flight; it asks for nothing else that this BIO could do.
        BIO_meth_set_ctrl(method) { _, command, _, _ in command == BIO_CTRL_FLUSH ? 1 : 0 }
        guard let raw = BIO_new(method) else {
            BIO_meth_free(method)
            throw OpenSSLError.drain()
        }
        contents = .allocate(capacity: 1)
        contents.initialize(to: Contents())
        BIO_set_data(raw, contents)
        BIO_set_init(raw, 1)
        self.raw = raw
        self.method = method
    }

    deinit {
        BIO_meth_free(method)
        contents.deinitialize(count: 1)
        contents.deallocate()
    }

    /// Adds ciphertext that has arrived.
    func receive(_ ciphertext: ByteBuffer) {
        if contents.pointee.input.readableBytes == 0 {
            contents.pointee.input = ciphertext
        } else {
            contents.pointee.input.writeImmutableBuffer(ciphertext)
        }
    }

    /// Whether some of what has arrived has not been given to OpenSSL yet.
    var hasInput: Bool { contents.pointee.input.readableBytes > 0 }

    /// Adds bytes to the output that do not come from OpenSSL.
    func send(_ bytes: [UInt8]) { contents.pointee.output.writeBytes(bytes) }

    /// Takes the ciphertext to send; `nil` if there is none.
    func takeOutput() -> ByteBuffer? {
        guard contents.pointee.output.readableBytes > 0 else { return nil }
        defer { contents.pointee.output = ByteBuffer() }
        return contents.pointee.output
    }

    // An empty input means "not yet", never "the end".
    private static let notYet = BIO_FLAGS_READ | BIO_FLAGS_SHOULD_RETRY

    private static func read(
        _ bio: OpaquePointer?, into start: UnsafeMutablePointer<CChar>?, countMax: Int32
    ) -> Int32 {
        BIO_clear_flags(bio, notYet)
        guard let contents = contents(of: bio), countMax > 0 else { return 0 }
        let count = min(Int(countMax), contents.pointee.input.readableBytes)
        guard count > 0 else {
            BIO_set_flags(bio, notYet)
            return -1
        }
        contents.pointee.input.readWithUnsafeReadableBytes { bytes in
            UnsafeMutableRawBufferPointer(start: start, count: count).copyMemory(from: .init(rebasing: bytes[..<count]))
            return count
        }
        // Gives the memory back to the event loop, which reads the next bytes into it.
        if contents.pointee.input.readableBytes == 0 { contents.pointee.input = ByteBuffer() }
        return Int32(count)
    }

    private static func write(_ bio: OpaquePointer?, bytes: UnsafePointer<CChar>?, count: Int32) -> Int32 {
        contents(of: bio)?.pointee.output.writeBytes(UnsafeRawBufferPointer(start: bytes, count: Int(count)))
        return count
    }

    private static func contents(of bio: OpaquePointer?) -> UnsafeMutablePointer<Contents>? {
        BIO_get_data(bio)?.assumingMemoryBound(to: Contents.self)
    }
}
