/// Values of a SETTINGS frame (`Documents#Actions`; RFC 9113 §6.5.2); `nil` leaves one out.
package struct WireSettings: Sendable, Hashable {
    /// SETTINGS_MAX_CONCURRENT_STREAMS.
    package var maxConcurrentStreams: UInt32?
    /// SETTINGS_INITIAL_WINDOW_SIZE, in bytes, below 2^31.
    package var initialWindowSize: UInt32?
    /// SETTINGS_HEADER_TABLE_SIZE, in bytes.
    package var headerTableSize: UInt32?
    /// SETTINGS_MAX_FRAME_SIZE, in bytes, from 2^14 to 2^24-1.
    package var maxFrameSize: UInt32?
    /// Whether no SETTINGS frame is sent at all; at the handshake only, and without values.
    package var isWithheld = false

    package init() {}
}
